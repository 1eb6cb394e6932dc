import type { Agent, ClientRequest, IncomingMessage, RequestOptions } from 'node:http'
import type { Agent as SecureAgent, AgentOptions } from 'node:https'
import type { Duplex } from 'node:stream'
import type { ConnectionOptions } from 'node:tls'
import { AnswerRefused } from './connection-errors'

/*
 * Proxies of the environment, chosen as git chooses them, so that both take the same way to a forge: `https_proxy`,
 * `http_proxy`, `all_proxy`, and `no_proxy`, each also in capitals.
 */

export type Environment = Readonly<Record<string, string | undefined>>

const read = (environment: Environment, name: string): string =>
  (environment[name] || environment[name.toUpperCase()] || '').trim()

/** The proxy that requests to this address go through; null: none. Throws where it is none that Alfred can use. */
export function proxyFor(address: URL, environment: Environment): URL | null {
  const named = read(environment, `${address.protocol.slice(0, -1)}_proxy`) || read(environment, 'all_proxy')
  if (named === '' || isSpared(address, read(environment, 'no_proxy'))) return null
  const proxy = URL.parse(named.includes('://') ? named : `http://${named}`)
  if (proxy?.protocol !== 'http:') {
    const kind = proxy === null ? 'is no address' : `begins with ${proxy.protocol}//`
    throw new AnswerRefused(
      'ALFRED_PROXY',
      `the proxy of the environment ${kind}; Alfred uses those of http://`,
    )
  }
  return proxy
}

/** `*`, a host, or the end of one with or without a dot before it; each may have a port. */
function isSpared(address: URL, list: string): boolean {
  const host = address.hostname.toLowerCase().replace(/^\[|\]$/g, '')
  const port = address.port || (address.protocol === 'https:' ? '443' : '80')
  return list
    .toLowerCase()
    .split(/[\s,]+/)
    .some((entry) => {
      if (entry === '*') return true
      // An address of the sixth version has colons of its own, and a port only behind brackets.
      const [, inBrackets, plain = '', ofPort] =
        /^(?:\[([^\]]*)\]|([^:]*|[^[]*:[^[]*:[^[]*?))(?::(\d+))?$/.exec(entry) ?? []
      const end = (inBrackets ?? plain).replace(/^\*?\./, '')
      if (end === '' || (ofPort !== undefined && ofPort !== port)) return false
      return host === end || host.endsWith(`.${end}`)
    })
}

const loginOf = ({ username, password }: URL): Readonly<Record<string, string>> =>
  username === '' && password === ''
    ? {}
    : {
        'Proxy-Authorization': `Basic ${Buffer.from(
          `${decodeURIComponent(username)}:${decodeURIComponent(password)}`,
        ).toString('base64')}`,
      }

/** How a request without TLS is sent to the proxy: whole address and all. */
export const throughProxy = (address: URL, proxy: URL): RequestOptions => ({
  hostname: proxy.hostname,
  port: proxy.port || '80',
  path: address.href,
  headers: { Host: address.host, ...loginOf(proxy) },
})

/** For a request that names no limit of its own, in milliseconds. */
const defaultTunnelMs = 30_000

/** An agent for TLS whose connections are tunnels through the proxy, which sees no more than host and port. */
export async function openTunnelAgent(proxy: URL, options: AgentOptions): Promise<Agent> {
  const [http, https, tls] = await Promise.all([
    import('node:http'),
    import('node:https'),
    import('node:tls'),
  ])
  const agent: SecureAgent = new https.Agent(options)
  agent.createConnection = (asked, callback) => {
    const {
      host = 'localhost',
      port = 443,
      timeout = defaultTunnelMs,
    } = asked as { readonly host?: string; readonly port?: number; readonly timeout?: number }
    const target = `${host.includes(':') ? `[${host}]` : host}:${port}`
    const request: ClientRequest = http.request({
      host: proxy.hostname,
      port: proxy.port || '80',
      method: 'CONNECT',
      path: target,
      headers: { Host: target, ...loginOf(proxy) },
      agent: false,
    })
    const fail = (error: Error): void => callback?.(error, undefined as unknown as Duplex)
    // The request that waits for the tunnel has no connection that it could end: a silent proxy's is ended here.
    const limit = setTimeout(() => {
      const words = `the proxy ${proxy.host} does not answer within ${timeout / 1_000} s`
      request.destroy(new AnswerRefused('ALFRED_PROXY', words))
    }, timeout)
    request.once('close', () => clearTimeout(limit))
    request.once('error', fail)
    request.once('connect', (answer: IncomingMessage, socket) => {
      if (answer.statusCode === 200)
        return callback?.(null, tls.connect({ ...(asked as ConnectionOptions), socket }))
      socket.destroy()
      fail(
        new AnswerRefused(
          'ALFRED_PROXY',
          `the proxy ${proxy.host} lets nobody through (${answer.statusCode})`,
        ),
      )
    })
    request.once('response', (answer) => {
      answer.resume()
      fail(
        new AnswerRefused(
          'ALFRED_PROXY',
          `the proxy ${proxy.host} lets nobody through (${answer.statusCode})`,
        ),
      )
    })
    request.end()
    return undefined
  }
  return agent
}
