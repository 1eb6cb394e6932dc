import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { join } from 'node:path'
import { TLSSocket } from 'node:tls'

/*
 * A proxy that reaches nobody: it answers every host itself, with a certificate of the tests' own authority, and keeps
 * who was asked for what.
 */

export interface AnsweringProxy {
  /** For HTTPS_PROXY. */
  readonly url: string
  readonly caFile: string
  /** Each host that a way was asked to, in the order in which they came; also where nothing followed. */
  readonly hosts: readonly string[]
  /** `host/path` of every request, likewise. */
  readonly asked: readonly string[]
  close(): void
}

export interface AnsweringProxyOptions {
  /** Address to listen on; a container needs one that it can reach. */
  readonly host: string
  /** Holds ca.pem, server.pem and server.key. */
  readonly folder: string
  readonly answer: (path: string, incoming: IncomingMessage, response: ServerResponse) => void
}

export async function startAnsweringProxy({
  host,
  folder,
  answer,
}: AnsweringProxyOptions): Promise<AnsweringProxy> {
  const [key, cert] = ['server.key', 'server.pem'].map((name) => readFileSync(join(folder, name)))
  const asked: string[] = []
  const hosts: string[] = []
  const sockets = new Set<Socket>()
  const behind = createServer((incoming, response) => {
    const path = incoming.url?.split('?', 1)[0] ?? ''
    asked.push(`${incoming.headers.host}${path}`)
    answer(path, incoming, response)
  })
  const proxy = createServer()
  proxy.on('connect', ({ url = '' }: IncomingMessage, socket: Socket) => {
    hosts.push(url.split(':', 1)[0] ?? '')
    sockets.add(socket)
    socket.on('error', () => socket.destroy())
    socket.write('HTTP/1.1 200 Connection Established\r\n\r\n')
    const secure = new TLSSocket(socket, { isServer: true, key, cert })
    secure.on('error', () => socket.destroy())
    behind.emit('connection', secure)
  })
  proxy.listen(0, host)
  await once(proxy, 'listening')
  return {
    url: `http://${host}:${(proxy.address() as AddressInfo).port}`,
    caFile: join(folder, 'ca.pem'),
    asked,
    hosts,
    close: () => {
      for (const socket of sockets) socket.destroy()
      proxy.close()
    },
  }
}

/** Lets the scripted model answer. */
export function passOn(
  model: string,
  path: string,
  incoming: IncomingMessage,
  response: ServerResponse,
): void {
  const { 'content-type': type } = incoming.headers
  const passed = request(`${model}${path}`, { method: 'POST', headers: { 'content-type': type } }, (told) => {
    response.writeHead(told.statusCode ?? 500, told.headers)
    told.pipe(response)
  })
  incoming.pipe(passed)
}
