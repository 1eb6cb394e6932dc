import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer, request, type Server } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import {
  type AddressInfo,
  connect,
  createServer as createPlainServer,
  type Server as PlainServer,
  type Socket,
} from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { ok } from '@shared/result'
import { type Environment, proxyFor } from './proxy'
import { createForgejoTransport, type ForgejoTransport } from './transport'

const tlsFile = (name: string): string =>
  readFileSync(new URL(`../../../../../test/fixtures/forge-tls/${name}`, import.meta.url), 'utf8')

const servers: Server[] = []
const silent: PlainServer[] = []
afterEach(() => {
  for (const server of silent.splice(0)) server.close()
  for (const server of servers.splice(0)) {
    server.closeAllConnections()
    server.close()
  }
})

async function listen(server: Server): Promise<number> {
  servers.push(server)
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  return (server.address() as AddressInfo).port
}

/** A proxy that sends everything to one port of this computer, and notes what it was asked for. */
async function openProxy(target: number, refuseWith?: number) {
  const seen: string[] = []
  const logins: (string | undefined)[] = []
  const server = createServer((asked, answered) => {
    seen.push(`${asked.method} ${asked.url}`)
    logins.push(asked.headers['proxy-authorization'])
    if (refuseWith !== undefined) return void answered.writeHead(refuseWith).end()
    const { pathname, search } = new URL(asked.url ?? '')
    request(
      { host: '127.0.0.1', port: target, path: pathname + search, headers: asked.headers },
      (answer) => {
        answered.writeHead(answer.statusCode ?? 500, answer.headers)
        answer.pipe(answered)
      },
    ).end()
  })
  server.on('connect', (asked, socket) => {
    seen.push(`CONNECT ${asked.url}`)
    logins.push(asked.headers['proxy-authorization'])
    if (refuseWith !== undefined) return void socket.end(`HTTP/1.1 ${refuseWith} No\r\n\r\n`)
    const tunnel = connect(target, '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n')
      tunnel.pipe(socket)
      socket.pipe(tunnel)
    })
    tunnel.on('error', () => socket.destroy())
    socket.on('error', () => tunnel.destroy())
  })
  return { seen, logins, port: await listen(server) }
}

/** A proxy that takes connections and says nothing; `accepted` is its first one. */
async function openSilentProxy() {
  const server = createPlainServer()
  const accepted = once(server, 'connection').then(([socket]) => {
    const first = socket as Socket
    // Takes what is sent, without an answer.
    first.resume()
    first.on('error', () => undefined)
    return first
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  silent.push(server)
  return { accepted, port: (server.address() as AddressInfo).port }
}

const transport = (baseUrl: string, environment: Environment, timeoutMs?: number): ForgejoTransport =>
  createForgejoTransport({
    baseUrl,
    access: async () => ok({ token: 'secret-token', caPem: tlsFile('ca.pem') }),
    now: Date.now,
    environment,
    ...(timeoutMs !== undefined && { timeoutMs }),
  })

describe('a forge behind a proxy of the environment', () => {
  it('is asked through it, by its own name and with the token', async () => {
    let asked: { readonly host: string | undefined; readonly token: string | undefined } | null = null
    const target = await listen(
      createServer(({ headers }, answered) => {
        asked = { host: headers.host, token: headers.authorization }
        answered.writeHead(200, { 'Content-Type': 'application/json' }).end('{"version":"1.24.0"}')
      }),
    )
    const { seen, logins, port } = await openProxy(target)
    const forge = transport('http://forge.invalid/git', { http_proxy: `http://me:p%40ss@127.0.0.1:${port}` })
    expect(await forge.get('/version', { query: { x: 1 } })).toMatchObject({
      value: { body: { version: '1.24.0' } },
    })
    expect(seen).toEqual(['GET http://forge.invalid/git/api/v1/version?x=1'])
    expect(logins).toEqual([`Basic ${Buffer.from('me:p@ss').toString('base64')}`])
    expect(asked).toEqual({ host: 'forge.invalid', token: 'token secret-token' })
  })

  it('is asked through a tunnel where it speaks TLS, which its own certificate ends', async () => {
    const target = await listen(
      createSecureServer({ key: tlsFile('server.key'), cert: tlsFile('server.pem') }, (_asked, answered) => {
        answered.writeHead(200, { 'Content-Type': 'application/json' }).end('{"version":"1.24.0"}')
      }),
    )
    const { seen, port } = await openProxy(target)
    const forge = transport('https://localhost:4443', { HTTPS_PROXY: `127.0.0.1:${port}` })
    expect(await forge.get('/version')).toMatchObject({ value: { body: { version: '1.24.0' } } })
    expect(seen).toEqual(['CONNECT localhost:4443'])
    // A proxy that answers in the forge's place is found out.
    const other = transport('https://forge.invalid', { https_proxy: `127.0.0.1:${port}` })
    expect(await other.get('/version')).toMatchObject({ error: { code: 'ERR_TLS_CERT_ALTNAME_INVALID' } })
  })

  it.each(['http', 'https'])('that is shut to Alfred is told, without its password: %s', async (scheme) => {
    const { port } = await openProxy(1, 407)
    const environment = { all_proxy: `http://me:hidden@127.0.0.1:${port}` }
    const refused = await transport(`${scheme}://forge.invalid`, environment).post('/user', {})
    expect(refused).toMatchObject({
      error: { type: 'unreachable', retryable: true, maybeApplied: false },
    })
    expect(JSON.stringify(refused)).toContain('proxy')
    expect(JSON.stringify(refused)).not.toContain('hidden')
  })

  it('that is silent ends with the limit of a request, and so does its connection', async () => {
    const { port, accepted } = await openSilentProxy()
    const forge = transport('https://forge.invalid', { https_proxy: `127.0.0.1:${port}` }, 50)
    const closed = accepted.then((socket) => once(socket, 'close'))
    // Nothing went out to the forge: a post can be repeated.
    expect(await forge.post('/user', {})).toMatchObject({
      error: {
        type: 'unreachable',
        retryable: true,
        code: 'ALFRED_PROXY',
        message: expect.stringContaining(`the proxy 127.0.0.1:${port} does not answer`) as string,
        maybeApplied: false,
      },
    })
    await closed
  })

  it('that is silent is waited for no longer than the caller wants', async () => {
    const { port, accepted } = await openSilentProxy()
    const forge = transport('https://forge.invalid', { https_proxy: `127.0.0.1:${port}` })
    const caller = new AbortController()
    const asked = forge.get('/version', { signal: caller.signal })
    const connection = await accepted
    caller.abort()
    expect(await asked).toMatchObject({ error: { type: 'unreachable', code: 'ABORT_ERR' } })
    connection.destroy()
    // Nothing is sent for one who has left already.
    expect(await forge.get('/version', { signal: caller.signal })).toMatchObject({
      error: { code: 'ABORT_ERR' },
    })
  })

  it('of a kind that Alfred does not know is told', async () => {
    const environment = { all_proxy: 'socks5://127.0.0.1:1080' }
    expect(await transport('https://forge.invalid', environment).get('/x')).toMatchObject({
      error: { type: 'unreachable', message: expect.stringContaining('socks5') as string },
    })
  })
})

it.each([
  ['https://git.example.org', { https_proxy: 'p:1' }, 'p:1'],
  ['https://git.example.org', { http_proxy: 'p:1' }, null],
  ['http://git.example.org', { HTTP_PROXY: 'p:1' }, 'p:1'],
  ['http://git.example.org', { ALL_PROXY: 'p:1' }, 'p:1'],
  ['http://git.example.org', { http_proxy: 'p:1', HTTP_PROXY: 'q:1' }, 'p:1'],
  ['http://git.example.org', { http_proxy: '' }, null],
  ['https://git.example.org', { https_proxy: 'p:1', no_proxy: '*' }, null],
  ['https://git.example.org', { https_proxy: 'p:1', NO_PROXY: 'a.b, example.org' }, null],
  ['https://git.example.org', { https_proxy: 'p:1', no_proxy: '.example.org' }, null],
  ['https://git.example.org', { https_proxy: 'p:1', no_proxy: '*.EXAMPLE.org' }, null],
  ['https://git.example.org', { https_proxy: 'p:1', no_proxy: 'ample.org' }, 'p:1'],
  ['https://git.example.org', { https_proxy: 'p:1', no_proxy: 'git.example.org:443' }, null],
  ['https://git.example.org:8443', { https_proxy: 'p:1', no_proxy: 'git.example.org:443' }, 'p:1'],
  ['http://127.0.0.1:3000', { http_proxy: 'p:1', no_proxy: 'localhost,127.0.0.1' }, null],
  ['http://[::1]:3000', { http_proxy: 'p:1', no_proxy: '::1' }, null],
] as const)('%s with %o goes through %s', (address, environment, proxy) => {
  expect(proxyFor(new URL(address), environment)?.host ?? null).toBe(proxy)
})
