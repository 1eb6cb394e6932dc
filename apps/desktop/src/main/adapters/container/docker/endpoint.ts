import { createHash } from 'node:crypto'
import { access, readFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { err, ok, type Result } from '@shared/result'
import type { ContainerError, EngineInfo } from '@main/ports/container-runtime'
import { containerError } from './docker-errors'

/*
 * Where the engine is. Order: the setting, DOCKER_HOST, the docker client's current context, the usual sockets.
 * What a person chose is taken even if nothing answers there: the error then names it. A variable that is empty counts
 * as one that is not set, as for the docker client.
 */

export interface EndpointTls {
  readonly ca: string | null
  readonly cert: string | null
  readonly key: string | null
  readonly verify: boolean
}

export interface Endpoint {
  /** As docker writes it: `unix:///…`, `npipe:////./pipe/…`, `tcp://host:port`. */
  readonly url: string
  readonly source: EngineInfo['source']
  readonly tls: EndpointTls | null
}

export interface EndpointFacts {
  readonly setting: string | null
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly platform: NodeJS.Platform
  readonly home: string
}

export const hostEndpointFacts = (setting: string | null): EndpointFacts => ({
  setting,
  environment: process.env,
  platform: process.platform,
  home: homedir(),
})

/** Where the engine is looked for on this computer, to be told; null: nothing says. */
export async function findEndpoint(setting: string | null): Promise<string | null> {
  const found = await resolveEndpoint(hostEndpointFacts(setting))
  return found.ok ? found.value.url : null
}

/** `unreachable` when nothing is configured and no usual socket exists. */
export async function resolveEndpoint(facts: EndpointFacts): Promise<Result<Endpoint, ContainerError>> {
  const { environment } = facts
  if (facts.setting !== null)
    return ok({ url: withScheme(facts.setting), source: 'setting', tls: await environmentTls(facts) })
  const dockerHost = environment['DOCKER_HOST']
  if (dockerHost)
    return ok({ url: withScheme(dockerHost), source: 'DOCKER_HOST', tls: await environmentTls(facts) })
  const context = await contextEndpoint(facts)
  if (context !== null) return ok(context)
  for (const url of usualSockets(facts)) {
    if (await exists(socketPathOf(url) ?? url)) return ok({ url, source: 'socket', tls: null })
  }
  return err(
    containerError(
      'unreachable',
      'no Docker engine was found: no setting, no DOCKER_HOST, no docker context, none of the usual sockets',
    ),
  )
}

/** Path of a socket or a named pipe as Node wants it; null for a network address. */
export function socketPathOf(url: string): string | null {
  if (url.startsWith('unix://')) return url.slice('unix://'.length)
  if (url.startsWith('npipe://')) return url.slice('npipe://'.length)
  return null
}

export function usualSockets({ environment, platform, home }: EndpointFacts): readonly string[] {
  if (platform === 'win32') {
    return [
      'npipe:////./pipe/docker_engine',
      'npipe:////./pipe/dockerDesktopLinuxEngine',
      'npipe:////./pipe/podman-machine-default',
    ]
  }
  const runtimeFolder = environment['XDG_RUNTIME_DIR']
  const inRuntime = (path: string): string[] => (runtimeFolder ? [`unix://${runtimeFolder}/${path}`] : [])
  return [
    'unix:///var/run/docker.sock',
    ...inRuntime('docker.sock'),
    `unix://${home}/.docker/run/docker.sock`,
    `unix://${home}/.docker/desktop/docker.sock`,
    `unix://${home}/.colima/default/docker.sock`,
    `unix://${home}/.colima/docker.sock`,
    `unix://${home}/.orbstack/run/docker.sock`,
    `unix://${home}/.rd/docker.sock`,
    ...inRuntime('podman/podman.sock'),
    'unix:///run/podman/podman.sock',
  ]
}

/** A bare path is a socket, a bare host:port is TCP. */
function withScheme(value: string): string {
  if (value.includes('://')) return value
  return value.startsWith('/') ? `unix://${value}` : `tcp://${value}`
}

async function environmentTls({ environment, home }: EndpointFacts): Promise<EndpointTls | null> {
  const verify = environment['DOCKER_TLS_VERIFY']
  if (!verify && !environment['DOCKER_CERT_PATH']) return null
  return readTls(environment['DOCKER_CERT_PATH'] || join(home, '.docker'), Boolean(verify))
}

async function readTls(folder: string, verify: boolean): Promise<EndpointTls> {
  const [ca, cert, key] = await Promise.all(
    ['ca.pem', 'cert.pem', 'key.pem'].map((name) => readText(join(folder, name))),
  )
  return { ca: ca ?? null, cert: cert ?? null, key: key ?? null, verify }
}

async function contextEndpoint({ environment, home }: EndpointFacts): Promise<Endpoint | null> {
  const folder = environment['DOCKER_CONFIG'] || join(home, '.docker')
  const name = environment['DOCKER_CONTEXT'] || currentContext(await readText(join(folder, 'config.json')))
  if (name === null || name === 'default') return null
  const id = createHash('sha256').update(name).digest('hex')
  const url = contextHost(await readText(join(folder, 'contexts', 'meta', id, 'meta.json')))
  if (url === null) return null
  const tlsFolder = join(folder, 'contexts', 'tls', id, 'docker')
  const tls =
    url.startsWith('tcp://') && (await exists(join(tlsFolder, 'ca.pem')))
      ? await readTls(tlsFolder, true)
      : null
  return { url, source: 'context', tls }
}

function currentContext(config: string | null): string | null {
  const name = property(parseJson(config), 'currentContext')
  return typeof name === 'string' && name !== '' ? name : null
}

function contextHost(meta: string | null): string | null {
  const host = property(property(property(parseJson(meta), 'Endpoints'), 'docker'), 'Host')
  return typeof host === 'string' && host !== '' ? host : null
}

function property(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null
    ? Object.getOwnPropertyDescriptor(value, key)?.value
    : undefined
}

function parseJson(text: string | null): unknown {
  if (text === null) return null
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

const readText = (path: string): Promise<string | null> => readFile(path, 'utf8').catch(() => null)

const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  )
