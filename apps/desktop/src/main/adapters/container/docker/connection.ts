import type Docker from 'dockerode'
import http from 'node:http'
import { err, ok, type Result } from '@shared/result'
import type { ContainerError, EngineInfo } from '@main/ports/container-runtime'
import { containerError, toContainerError } from './docker-errors'
import { hostEndpointFacts, resolveEndpoint, socketPathOf, type Endpoint, type EndpointTls } from './endpoint'

/*
 * One client for the endpoint found; found again after the engine was unreachable or the setting changed.
 */

export interface Connection {
  readonly docker: Docker
  readonly info: EngineInfo
}

export interface DockerConnector {
  connect(): Promise<Result<Connection, ContainerError>>
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

export function createDockerConnector(setting: () => string | null): DockerConnector {
  let current: {
    readonly setting: string | null
    readonly connection: Promise<Result<Connection, ContainerError>>
  } | null = null

  const connect = async (): Promise<Result<Connection, ContainerError>> => {
    const wanted = setting()
    if (current?.setting !== wanted) current = { setting: wanted, connection: open(wanted) }
    const connection = await current.connection
    if (!connection.ok) current = null
    return connection
  }

  return {
    connect,
    call: async (what, run, limitMs = callLimitMs) => {
      const connection = await connect()
      if (!connection.ok) return connection
      try {
        return ok(await withLimit(run(connection.value), limitMs))
      } catch (thrown) {
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

class NoAnswer extends Error {}

function withLimit<T>(work: Promise<T>, limitMs: number): Promise<T> {
  if (!Number.isFinite(limitMs)) return work
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new NoAnswer()), limitMs)
    work.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}

async function open(setting: string | null): Promise<Result<Connection, ContainerError>> {
  const endpoint = await resolveEndpoint(hostEndpointFacts(setting))
  if (!endpoint.ok) return endpoint
  const what = `asking the Docker engine at ${endpoint.value.url}`
  try {
    const docker = await createClient(endpoint.value)
    const [version, info] = await withLimit(Promise.all([docker.version(), docker.info()]), callLimitMs)
    if (isOlder(version.ApiVersion, oldestApi)) {
      return err(
        containerError(
          'api_too_old',
          `${endpoint.value.url} speaks API ${version.ApiVersion}; Alfred needs ${oldestApi}`,
        ),
      )
    }
    return ok({ docker, info: toEngineInfo(endpoint.value, version, info) })
  } catch (thrown) {
    if (thrown instanceof NoAnswer) return err(containerError('unreachable', `${what}: no answer`))
    return err(toContainerError(thrown, what))
  }
}

/** The modem under dockerode takes an agent; the typings know it only there. */
type ClientOptions = Docker.DockerOptions & { readonly agent: http.Agent }

/** Every place is given, since dockerode fills what is missing from DOCKER_HOST. No API version: the engine's own. */
async function createClient({ url, tls }: Endpoint): Promise<Docker> {
  // read now and not at the start: it brings so much along that the window would wait for it
  const { default: Client } = await import('dockerode')
  return new Client(await clientOptions(url, tls))
}

/** Connections are not kept: one that the engine dropped meanwhile would fail the next call. */
async function clientOptions(url: string, tls: EndpointTls | null): Promise<ClientOptions> {
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

interface EngineFigures {
  readonly SecurityOptions?: readonly string[] | null
  readonly NCPU?: number
  readonly MemTotal?: number
  readonly Architecture?: string
  readonly OSType?: string
}

function toEngineInfo(
  endpoint: Endpoint,
  version: { readonly Version: string; readonly ApiVersion: string },
  figures: EngineFigures,
): EngineInfo {
  const security = figures.SecurityOptions ?? []
  return {
    endpoint: endpoint.url,
    source: endpoint.source,
    version: version.Version,
    apiVersion: version.ApiVersion,
    architecture: figures.Architecture ?? 'unknown',
    operatingSystem: figures.OSType ?? 'linux',
    rootless: security.some((option) => option.includes('name=rootless')),
    userRemapped: security.some((option) => option.includes('name=userns')),
    cpus: figures.NCPU ?? 1,
    memoryBytes: figures.MemTotal ?? 0,
  }
}

function isOlder(version: string, than: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  const [wantedMajor = 0, wantedMinor = 0] = than.split('.').map(Number)
  return major < wantedMajor || (major === wantedMajor && minor < wantedMinor)
}
