import type Docker from 'dockerode'
import type { Agent } from 'node:http'
import { err, ok, type Result } from '@shared/result'
import type { ContainerError, EngineInfo } from '@main/ports/container-runtime'
import { NoAnswer, withLimit } from './call-limit'
import { containerError, toContainerError } from './docker-errors'
import { hostEndpointFacts, resolveEndpoint, socketPathOf, type Endpoint, type EndpointTls } from './endpoint'
import { toEngineInfo } from './engine-info'

/*
 * The endpoint is found once, and again after the engine was unreachable or the setting changed. Each call has a
 * client of its own, so that one that gets no answer can be given up without the others.
 */

export interface Connection {
  readonly docker: Docker
  readonly info: EngineInfo
}

interface Opened {
  readonly endpoint: Endpoint
  readonly info: EngineInfo
}

export interface DockerConnector {
  /** Runs one call; foreign errors become ours, and an unreachable engine is looked for anew next time. */
  call<T>(
    what: string,
    run: (connection: Connection) => Promise<T>,
    limitMs?: number,
  ): Promise<Result<T, ContainerError>>
}

/** Older engines lack what the sandbox needs (Docker 19.03 has it). */
const oldestApi = '1.40'

/** An engine that accepts a call and never answers is as good as none. */
const callLimitMs = 60_000
/** For calls that only ask: an engine that works answers them at once, however busy it is. */
export const askLimitMs = 10_000

export function createDockerConnector(setting: () => string | null): DockerConnector {
  let current: {
    readonly setting: string | null
    readonly opened: Promise<Result<Opened, ContainerError>>
  } | null = null

  const connect = async (): Promise<Result<Opened, ContainerError>> => {
    const wanted = setting()
    if (current?.setting !== wanted) current = { setting: wanted, opened: open(wanted) }
    const opened = await current.opened
    if (!opened.ok) current = null
    return opened
  }

  return {
    call: async (what, run, limitMs = callLimitMs) => {
      const opened = await connect()
      if (!opened.ok) return opened
      const { endpoint, info } = opened.value
      const { client, cut } = await createClient(endpoint)
      try {
        return ok(await withLimit(run({ docker: client, info }), limitMs))
      } catch (thrown) {
        // A call without an answer would hold its connection for as long as the engine hangs.
        if (thrown instanceof NoAnswer) cut()
        const error =
          thrown instanceof NoAnswer
            ? containerError('unreachable', `${what}: the Docker engine does not answer`)
            : toContainerError(thrown, what)
        if (error.type === 'unreachable') current = null
        return err(error)
      }
    },
  }
}

async function open(setting: string | null): Promise<Result<Opened, ContainerError>> {
  const endpoint = await resolveEndpoint(hostEndpointFacts(setting))
  if (!endpoint.ok) return endpoint
  const what = `asking the Docker engine at ${endpoint.value.url}`
  let cut = (): void => undefined
  try {
    const made = await createClient(endpoint.value)
    cut = made.cut
    const [version, info] = await withLimit(
      Promise.all([made.client.version(), made.client.info()]),
      askLimitMs,
    )
    if (isOlder(version.ApiVersion, oldestApi)) {
      return err(
        containerError(
          'api_too_old',
          `${endpoint.value.url} speaks API ${version.ApiVersion}; Alfred needs ${oldestApi}`,
        ),
      )
    }
    return ok({ endpoint: endpoint.value, info: toEngineInfo(endpoint.value, version, info) })
  } catch (thrown) {
    if (!(thrown instanceof NoAnswer)) return err(toContainerError(thrown, what))
    cut()
    return err(containerError('unreachable', `${what}: no answer`))
  }
}

interface Client {
  readonly client: Docker
  /** Gives up what was asked through it. */
  readonly cut: () => void
}

/** The modem under dockerode takes an agent; the typings know it only there. */
type ClientOptions = Docker.DockerOptions & { readonly agent: Agent }

/** Every place is given, since dockerode fills what is missing from DOCKER_HOST. No API version: the engine's own. */
async function createClient({ url, tls }: Endpoint): Promise<Client> {
  // read now and not at the start: it brings so much along that the window would wait for it
  const { default: Dockerode } = await import('dockerode')
  const options = await clientOptions(url, tls)
  return { client: new Dockerode(options), cut: () => options.agent.destroy() }
}

/** Connections are not kept: one that the engine dropped meanwhile would fail the next call. */
async function clientOptions(url: string, tls: EndpointTls | null): Promise<ClientOptions> {
  const http = await import('node:http')
  const socketPath = socketPathOf(url)
  if (socketPath !== null) {
    return {
      socketPath,
      host: undefined,
      port: undefined,
      protocol: 'http',
      agent: new http.Agent({ keepAlive: false }),
    }
  }
  const address = new URL(url.replace(/^tcp:/, 'http:'))
  if (address.protocol !== 'http:' && address.protocol !== 'https:') {
    throw new Error(
      `${address.protocol}// addresses are not supported; forward the engine to a local socket or use tcp://`,
    )
  }
  const secure = tls !== null || address.protocol === 'https:'
  const https = await import('node:https')
  return {
    host: address.hostname,
    port: Number(address.port || (secure ? 2376 : 2375)),
    protocol: secure ? 'https' : 'http',
    ca: tls?.ca ?? undefined,
    cert: tls?.cert ?? undefined,
    key: tls?.key ?? undefined,
    agent: secure
      ? new https.Agent({ keepAlive: false, rejectUnauthorized: tls?.verify ?? true })
      : new http.Agent({ keepAlive: false }),
  }
}

function isOlder(version: string, than: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  const [wantedMajor = 0, wantedMinor = 0] = than.split('.').map(Number)
  return major < wantedMajor || (major === wantedMajor && minor < wantedMinor)
}
