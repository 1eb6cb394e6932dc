import { once } from 'node:events'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { anthropicMessages } from './anthropic-messages'
import { countTurns, type Script, type Turn } from './answers'
import { sendJson, type Protocol } from './protocol'

/*
 * A server that real agent CLIs take for the API of a model. What it says is scripted; what it is asked is kept.
 * A provider is one file that reads its requests and writes the answers; here are the parts that all of them share.
 */

/** One request as it came, with keys made unreadable. */
export interface LoggedRequest {
  readonly at: number
  readonly method: string
  readonly path: string
  readonly headers: http.IncomingHttpHeaders
  /** Parsed JSON; null for a request without a body, or with another kind of body. */
  readonly body: unknown
  /** Null for what is no turn of a conversation. */
  readonly turn: Turn | null
}

export interface ModelServer {
  /** `http://host:port`, as a container reaches it. */
  readonly url: string
  readonly requests: readonly LoggedRequest[]
  /** Only those for an answer, in the order of their arrival. */
  turns(): readonly (LoggedRequest & { readonly turn: Turn })[]
  /** Settles when a request fits; also when it came before. */
  until(fits: (request: LoggedRequest) => boolean): Promise<LoggedRequest>
  /** Whether any request so far was signed in with this key. */
  sawKey(key: string): boolean
  /** Another script from now on; also forgets what was asked. */
  play(script: Script): void
  close(): Promise<void>
}

export interface ModelServerOptions {
  /** Address to listen on; a container needs one that it can reach. */
  readonly host?: string
  readonly port?: number
  readonly script?: Script
  readonly protocols?: readonly Protocol[]
}

export async function startModelServer(options: ModelServerOptions = {}): Promise<ModelServer> {
  const { host = '127.0.0.1', port = 0, protocols = [anthropicMessages] } = options
  let script = options.script ?? countTurns
  const requests: LoggedRequest[] = []
  const waiting = new Set<() => void>()
  const signedIn = new Set<string>()

  const server = http.createServer((request, response) => {
    void answer(request, response).catch((thrown: unknown) => {
      // The client went away, or a script is wrong: both are best seen by whoever reads the answer.
      if (response.headersSent) response.destroy()
      else sendJson(response, 500, { type: 'error', error: { type: 'api_error', message: String(thrown) } })
    })
  })

  const answer = async (request: http.IncomingMessage, response: http.ServerResponse): Promise<void> => {
    const { method = 'GET', url = '/', headers } = request
    const path = url.split('?', 1)[0] ?? url
    const body = await readJson(request)
    const protocol = protocols.find((one) => one.accepts(method, path))
    const turn = protocol?.turnOf(path, body) ?? null
    for (const name of keyHeaders) signedIn.add(String(headers[name]).replace(/^Bearer /, ''))
    requests.push({ at: Date.now(), method, path, headers: withoutKeys(headers), body, turn })
    for (const wake of waiting) wake()
    if (protocol !== undefined) return protocol.reply({ body, turn, script, response })
    if (method === 'HEAD') response.writeHead(200).end()
    else sendJson(response, 404, { type: 'error', error: { type: 'not_found_error', message: `no ${path}` } })
  }

  server.listen(port, host)
  await once(server, 'listening')
  const address = server.address() as AddressInfo

  return {
    url: `http://${host}:${address.port}`,
    requests,
    turns: () => requests.filter((one): one is LoggedRequest & { turn: Turn } => one.turn !== null),
    async until(fits) {
      for (;;) {
        const found = requests.find(fits)
        if (found !== undefined) return found
        await new Promise<void>((resolve) => {
          const wake = (): void => {
            waiting.delete(wake)
            resolve()
          }
          waiting.add(wake)
        })
      }
    },
    sawKey: (key) => signedIn.has(key),
    play(next) {
      script = next
      requests.length = 0
    },
    async close() {
      const closed = once(server, 'close')
      server.close()
      // Answers that hang on purpose never end by themselves.
      server.closeAllConnections()
      await closed
    },
  }
}

async function readJson(request: http.IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(Buffer.from(chunk))
  try {
    return JSON.parse(Buffer.concat(chunks).toString('utf8')) as unknown
  } catch {
    return null
  }
}

const keyHeaders = ['authorization', 'x-api-key'] as const

function withoutKeys(headers: http.IncomingHttpHeaders): http.IncomingHttpHeaders {
  const shown = { ...headers }
  for (const name of keyHeaders) if (shown[name] !== undefined) shown[name] = '[key]'
  return shown
}
