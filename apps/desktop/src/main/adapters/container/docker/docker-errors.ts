import type { ContainerError, ContainerErrorType } from '@main/ports/container-runtime'

/*
 * The engine's errors into ours. Status codes alone mislead (a missing image answers "no such container"),
 * so its own words decide.
 */

const retryable: ReadonlySet<ContainerErrorType> = new Set(['unreachable', 'registry_unreachable'])

export const containerError = (type: ContainerErrorType, message: string): ContainerError => ({
  type,
  message,
  retryable: retryable.has(type),
})

/** Its own failure (HTTP 5xx): an engine that shuts down says such things of calls that it cannot finish. */
const engineFailure = (message: string): ContainerError => ({ type: 'unexpected', message, retryable: true })

export const abortedError = (what: string): ContainerError => containerError('aborted', `${what} was stopped`)

const unreachableCodes = new Set([
  'ENOENT',
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ENOTFOUND',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ETIMEDOUT',
  'EAI_AGAIN',
])

const byWords: readonly (readonly [RegExp, ContainerErrorType])[] = [
  [
    /no such image|image not known|manifest unknown|manifest for .* not found|pull access denied|repository does not exist/i,
    'image_missing',
  ],
  [
    /bind source path does not exist|invalid mount config|no such file or directory.*mount|statfs .*: no such file/i,
    'mount_missing',
  ],
  [
    /executable file not found|exec: ".*": (stat|permission denied|no such file)|exec format error|unable to start container process: exec/i,
    'command_missing',
  ],
  [/client version .* is too (new|old)|minimum supported API/i, 'api_too_old'],
  [
    /no such host|dial tcp|i\/o timeout|connection refused|tls handshake timeout|request canceled while waiting|proxyconnect|network is unreachable|x509:|temporary failure in name resolution|service unavailable/i,
    'registry_unreachable',
  ],
]

/** Any error that dockerode or its socket throws. `what` names what was being done: "starting the container". */
export function toContainerError(thrown: unknown, what: string): ContainerError {
  const { code, statusCode, message, name } = describe(thrown)
  if (name === 'AbortError' || code === 'ABORT_ERR') return abortedError(what)
  if (code === 'EACCES' || code === 'EPERM') {
    return containerError('not_permitted', `${what}: this user may not use the Docker engine (${message})`)
  }
  if (code !== null && unreachableCodes.has(code) && statusCode === null) {
    return containerError('unreachable', `${what}: the Docker engine does not answer (${message})`)
  }
  const known = byWords.find(([pattern]) => pattern.test(message))
  if (known !== undefined) return containerError(known[1], `${what}: ${message}`)
  // An authorization plugin, or a proxy before the socket that lets only some calls through.
  if (statusCode === 403)
    return containerError('not_permitted', `${what}: the engine forbids it (${message})`)
  if (statusCode === 404) return containerError('not_found', `${what}: ${message}`)
  if (statusCode !== null && statusCode >= 500) return engineFailure(`${what}: ${message}`)
  return containerError('unexpected', `${what}: ${message}`)
}

/** What a build, pull or import reports inside its own stream, after HTTP said 200. */
export function streamedError(message: string, what: string, otherwise: ContainerErrorType): ContainerError {
  const known = byWords.find(([pattern]) => pattern.test(message))
  return containerError(known?.[1] ?? otherwise, `${what}: ${message.trim()}`)
}

export const hasStatus = (thrown: unknown, status: number): boolean => describe(thrown).statusCode === status

function describe(thrown: unknown): {
  readonly code: string | null
  readonly statusCode: number | null
  readonly message: string
  readonly name: string
} {
  if (!(thrown instanceof Error)) return { code: null, statusCode: null, message: String(thrown), name: '' }
  return {
    code: 'code' in thrown && typeof thrown.code === 'string' ? thrown.code : null,
    statusCode: 'statusCode' in thrown && typeof thrown.statusCode === 'number' ? thrown.statusCode : null,
    message: ('json' in thrown ? engineMessage(thrown.json) : null) ?? withoutPrefix(thrown.message),
    name: thrown.name,
  }
}

const withoutPrefix = (message: string): string => message.replace(/^\(HTTP code \d+\) [^-]* - /, '').trim()

/** The engine's own words; dockerode's `message` wraps them in a reason of its own that can be wrong. */
function engineMessage(json: unknown): string | null {
  if (typeof json !== 'object' || json === null || !('message' in json)) return null
  return typeof json.message === 'string' ? json.message.trim() : null
}
