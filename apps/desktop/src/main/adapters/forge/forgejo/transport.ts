import type { Agent, ClientRequest, IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { err, ok, type Result } from '@shared/result'
import { AnswerRefused, failureOfCut, failureWithoutRequest } from './connection-errors'
import { type Environment, openTunnelAgent, proxyFor, throughProxy } from './proxy'
import { failureOfStatus, type ForgejoFailure, readRetryAfter, readServerMessage } from './status-errors'

/*
 * One request to a Gitea or Forgejo server. All addresses are built from the configured base; nothing that an answer
 * names (`Location`, `Link`, `url`, `html_url`, `clone_url`) is ever asked, so the token reaches no other host.
 */

export interface ForgejoAccess {
  /** null: none is stored; then only anonymous calls are made. */
  readonly token: string | null
  /** More certificates to trust, as PEM; null: only those that Node knows. */
  readonly caPem: string | null
}

export interface ForgejoTransportOptions {
  /** As `toBaseUrl` gives it: with the sub-path, without a trailing slash. */
  readonly baseUrl: string
  /** Read before each request, so that a new token counts at once. */
  readonly access: () => Promise<Result<ForgejoAccess, { readonly message: string }>>
  /** Epoch milliseconds of this computer. */
  readonly now: () => number
  /** For a whole request with its answer. */
  readonly timeoutMs?: number
  /** Does something after so many milliseconds, unless what it returns is called before; default: by this computer. */
  readonly startTimer?: StartTimer
  readonly maxAnswerBytes?: number
  /** Where proxies are named; default: this process's. */
  readonly environment?: Environment
}

export type StartTimer = (then: () => void, ms: number) => () => void

const startComputerTimer: StartTimer = (then, ms) => {
  const timer = setTimeout(then, ms)
  return () => clearTimeout(timer)
}

export type Query = Readonly<Record<string, string | number | boolean | null | undefined>>

export interface CallOptions {
  readonly query?: Query
  /** Without the token: a wrong one makes even public addresses 401. */
  readonly isAnonymous?: boolean
  /** `v1` (default) is below `/api/v1`, `forgejo` below `/api/forgejo/v1`. */
  readonly api?: 'v1' | 'forgejo'
  readonly signal?: AbortSignal
  readonly timeoutMs?: number
}

export interface ForgejoAnswer {
  readonly status: number
  /** The parsed JSON; undefined where the body was empty or, with `getText`, is not JSON. */
  readonly body: unknown
  readonly text: string
  readonly header: (name: string) => string | null
  /** The server's `Date`, epoch milliseconds in whole seconds; null: it sent none. */
  readonly serverTime: number | null
  /** Server clock minus this computer's, as seen with this answer. */
  readonly clockDifferenceMs: number | null
}

type Answered = Promise<Result<ForgejoAnswer, ForgejoFailure>>

/** Never throws and never follows a redirect. Paths are below the API and already encoded (see `pathOf`). */
export interface ForgejoTransport {
  readonly baseUrl: string
  readonly get: (path: string, options?: CallOptions) => Answered
  /** An answer that need not be JSON, such as a log. */
  readonly getText: (path: string, options?: CallOptions) => Answered
  readonly post: (path: string, body: unknown, options?: CallOptions) => Answered
  readonly patch: (path: string, body: unknown, options?: CallOptions) => Answered
  readonly put: (path: string, body: unknown, options?: CallOptions) => Answered
  readonly delete: (path: string, options?: CallOptions) => Answered
}

/** A path from parts that may hold anything: pathOf`/repos/${owner}/${name}`. */
export const pathOf = (words: TemplateStringsArray, ...parts: readonly (string | number)[]): string =>
  String.raw({ raw: words }, ...parts.map((part) => encodeURIComponent(part)))

type Method = 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE'

interface Call {
  readonly method: Method
  readonly path: string
  readonly body?: unknown
  readonly isText: boolean
  readonly options: CallOptions
}

const defaultTimeoutMs = 30_000
/** A long issue with all its comments comes in one answer. */
const defaultMaxAnswerBytes = 64 * 1024 * 1024

export function createForgejoTransport(options: ForgejoTransportOptions): ForgejoTransport {
  const { baseUrl, access, now } = options
  const environment = options.environment ?? process.env
  const agentOf = createAgents(baseUrl, environment)

  const call = async (one: Call): Answered => {
    const what = `${one.method} ${one.path}`
    const isWrite = one.method !== 'GET'
    const read = await access()
    if (!read.ok)
      return err(failureWithoutRequest('unauthorized', `The forge is not asked: ${read.error.message}`))
    const { token, caPem } = read.value
    if (token === null && one.options.isAnonymous !== true) {
      return err(failureWithoutRequest('unauthorized', 'There is no token for this forge.'))
    }
    const secret = one.options.isAnonymous === true ? null : token
    const withoutToken = (text: string): string =>
      token === null || token === '' ? text : text.replaceAll(token, '<redacted>')
    try {
      const address = addressOf(baseUrl, one)
      const answer = await exchange(address, one, secret, {
        agent: await agentOf(caPem),
        proxy: proxyFor(address, environment),
        timeoutMs: one.options.timeoutMs ?? options.timeoutMs ?? defaultTimeoutMs,
        startTimer: options.startTimer ?? startComputerTimer,
        maxBytes: options.maxAnswerBytes ?? defaultMaxAnswerBytes,
      })
      return readAnswer(answer, { what, isWrite, isText: one.isText, now, withoutToken })
    } catch (thrown) {
      return err(failureOfCut(thrown, { what, isWrite, withoutToken }))
    }
  }

  const send =
    (method: Method) =>
    (path: string, body: unknown, callOptions: CallOptions = {}): Answered =>
      call({ method, path, body, isText: false, options: callOptions })

  return {
    baseUrl,
    get: (path, callOptions = {}) => call({ method: 'GET', path, isText: false, options: callOptions }),
    getText: (path, callOptions = {}) => call({ method: 'GET', path, isText: true, options: callOptions }),
    post: send('POST'),
    patch: send('PATCH'),
    put: send('PUT'),
    delete: (path, callOptions = {}) => call({ method: 'DELETE', path, isText: false, options: callOptions }),
  }
}

function addressOf(baseUrl: string, { path, options }: Call): URL {
  const url = new URL(`${baseUrl}/api/${options.api === 'forgejo' ? 'forgejo/v1' : 'v1'}${path}`)
  for (const [name, value] of Object.entries(options.query ?? {})) {
    if (value !== null && value !== undefined) url.searchParams.set(name, String(value))
  }
  return url
}

interface RawAnswer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly text: string
}

async function exchange(
  url: URL,
  { method, body, options }: Call,
  token: string | null,
  {
    agent,
    proxy,
    ...limits
  }: {
    readonly agent: Agent
    readonly proxy: URL | null
    readonly timeoutMs: number
    readonly startTimer: StartTimer
    readonly maxBytes: number
  },
): Promise<RawAnswer> {
  const { request: open } = url.protocol === 'https:' ? await import('node:https') : await import('node:http')
  const proxied = proxy !== null && url.protocol === 'http:' ? throughProxy(url, proxy) : {}
  const payload = body === undefined ? null : Buffer.from(JSON.stringify(body))
  const { signal } = options
  const left = (): AnswerRefused => new AnswerRefused('ABORT_ERR', 'nobody waits for it any more')
  if (signal?.aborted) throw left()
  let endTimer = (): void => undefined
  let leave = (): void => undefined
  try {
    return await new Promise<RawAnswer>((resolve, reject) => {
      const request: ClientRequest = open(url, {
        ...proxied,
        method,
        agent,
        // Also how long a proxy may take to open the tunnel.
        timeout: limits.timeoutMs,
        headers: {
          ...proxied.headers,
          Accept: 'application/json',
          'User-Agent': 'alfred',
          ...(token !== null && { Authorization: `token ${token}` }),
          ...(payload !== null && { 'Content-Type': 'application/json', 'Content-Length': payload.length }),
        },
      })
      // A destroyed request tells of no error while it has no connection yet, so it is told here too.
      const giveUp = (why: AnswerRefused): void => {
        request.destroy(why)
        reject(why)
      }
      endTimer = limits.startTimer(() => {
        const seconds = limits.timeoutMs / 1_000
        giveUp(new AnswerRefused('ALFRED_TIMEOUT', `no whole answer within ${seconds} s`))
      }, limits.timeoutMs)
      leave = () => giveUp(left())
      signal?.addEventListener('abort', leave, { once: true })
      request.on('error', reject)
      request.once('response', (response) => {
        readWhole(response, limits.maxBytes).then(resolve, (thrown: unknown) => {
          request.destroy()
          reject(thrown)
        })
      })
      request.end(payload ?? undefined)
    })
  } finally {
    endTimer()
    signal?.removeEventListener('abort', leave)
  }
}

async function readWhole(response: IncomingMessage, maxBytes: number): Promise<RawAnswer> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of response as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > maxBytes)
      throw new AnswerRefused('ALFRED_TOO_LARGE', `an answer of more than ${maxBytes} bytes`)
    chunks.push(chunk)
  }
  return {
    status: response.statusCode ?? 0,
    headers: response.headers,
    text: Buffer.concat(chunks).toString('utf8'),
  }
}

interface Reading {
  readonly what: string
  readonly isWrite: boolean
  readonly isText: boolean
  readonly now: () => number
  readonly withoutToken: (text: string) => string
}

function readAnswer(raw: RawAnswer, reading: Reading): Result<ForgejoAnswer, ForgejoFailure> {
  const header = (name: string): string | null => {
    const value = raw.headers[name.toLowerCase()]
    return Array.isArray(value) ? value.join(', ') : (value ?? null)
  }
  const date = Date.parse(header('date') ?? '')
  const serverTime = Number.isNaN(date) ? null : date
  const failed = (serverMessage: string | null): Result<ForgejoAnswer, ForgejoFailure> =>
    err(
      failureOfStatus({
        what: reading.what,
        status: raw.status,
        serverMessage: serverMessage === null ? null : reading.withoutToken(serverMessage),
        retryAfterMs: readRetryAfter(header('retry-after'), serverTime),
        location: header('location'),
        isWrite: reading.isWrite,
      }),
    )
  if (raw.status < 200 || raw.status >= 300) {
    return failed(readServerMessage(header('content-type') ?? '', raw.text))
  }
  const body = reading.isText ? { value: undefined } : readJson(raw.text)
  if (body === null) return failed('not JSON')
  return ok({
    status: raw.status,
    body: body.value,
    text: raw.text,
    header,
    serverTime,
    clockDifferenceMs: serverTime === null ? null : serverTime - reading.now(),
  })
}

function readJson(text: string): { readonly value: unknown } | null {
  if (text === '') return { value: undefined }
  try {
    return { value: JSON.parse(text) as unknown }
  } catch {
    return null
  }
}

/** One agent for each set of certificates: it keeps the TLS sessions, but no connection that the server may drop. */
function createAgents(baseUrl: string, environment: Environment): (caPem: string | null) => Promise<Agent> {
  let current: { readonly caPem: string | null; readonly agent: Promise<Agent> } | null = null
  return (caPem) => {
    if (current?.caPem !== caPem) current = { caPem, agent: openAgent(baseUrl, caPem, environment) }
    return current.agent
  }
}

async function openAgent(baseUrl: string, caPem: string | null, environment: Environment): Promise<Agent> {
  if (!baseUrl.startsWith('https:')) return new (await import('node:http')).Agent({ keepAlive: false })
  const [https, tls] = await Promise.all([import('node:https'), import('node:tls')])
  const options = { keepAlive: false, ...(caPem !== null && { ca: [...tls.rootCertificates, caPem] }) }
  const proxy = proxyFor(new URL(baseUrl), environment)
  return proxy === null ? new https.Agent(options) : openTunnelAgent(proxy, options)
}
