import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { request } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'

/** TLS in front of a server without it, as a proxy has it, with a certificate of an authority that nobody knows. */
export interface TlsFront {
  /** Without a slash at the end. */
  readonly url: string
  /** The certificate of the authority. */
  readonly caFile: string
  close(): void
}

/** `folder`: test/fixtures/forge-tls; `behind`: the address that it passes on to. */
export async function openTlsFront(folder: string, behind: string): Promise<TlsFront> {
  const server = createServer(
    { key: readFileSync(join(folder, 'server.key')), cert: readFileSync(join(folder, 'server.pem')) },
    (asked, answered) => {
      const passed = request(
        `${behind}${asked.url}`,
        { method: asked.method, headers: asked.headers },
        (answer) => {
          answered.writeHead(answer.statusCode ?? 500, answer.headers)
          answer.pipe(answered)
        },
      )
      asked.pipe(passed)
    },
  )
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `https://localhost:${(server.address() as AddressInfo).port}`,
    caFile: join(folder, 'ca.pem'),
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}
