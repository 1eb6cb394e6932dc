import { spawn } from 'node:child_process'
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import type { AddressInfo } from 'node:net'

/*
 * A git host over HTTP for tests: git's own http-backend behind Basic authentication. Notes every Authorization
 * header that reaches it.
 */

export interface HttpForge {
  readonly origin: string
  readonly authorizations: string[]
  close(): Promise<void>
}

export interface HttpForgeOptions {
  readonly root: string
  readonly password: string
  /** Speaks TLS with this certificate, in PEM. */
  readonly tls?: { readonly key: string; readonly cert: string }
  /** Sends everybody to this origin instead. */
  readonly redirectTo?: string
}

export async function startHttpForge(options: HttpForgeOptions): Promise<HttpForge> {
  const authorizations: string[] = []
  const listener: RequestListener = (request, response) => answer(request, response, options, authorizations)
  const server =
    options.tls === undefined ? createServer(listener) : createSecureServer(options.tls, listener)
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  const { port } = server.address() as AddressInfo
  const scheme = options.tls === undefined ? 'http' : 'https'
  return { origin: `${scheme}://127.0.0.1:${port}`, authorizations, close: () => close(server) }
}

function answer(
  request: IncomingMessage,
  response: ServerResponse,
  options: HttpForgeOptions,
  authorizations: string[],
): void {
  if (options.redirectTo !== undefined) {
    response.writeHead(302, { location: options.redirectTo + (request.url ?? '') }).end()
    return
  }
  const { authorization } = request.headers
  if (authorization === undefined) {
    response.writeHead(401, { 'www-authenticate': 'Basic realm="forge"' }).end()
    return
  }
  authorizations.push(authorization)
  if (authorization !== `Basic ${Buffer.from(`bot:${options.password}`).toString('base64')}`) {
    response.writeHead(401, { 'www-authenticate': 'Basic realm="forge"' }).end()
    return
  }
  serve(request, response, options.root)
}

/** One request through git's CGI program. */
function serve(request: IncomingMessage, response: ServerResponse, root: string): void {
  const url = new URL(request.url ?? '/', 'http://forge')
  const child = spawn('git', ['http-backend'], {
    env: {
      PATH: process.env['PATH'],
      GIT_PROJECT_ROOT: root,
      GIT_HTTP_EXPORT_ALL: '1',
      GIT_CONFIG_COUNT: '1',
      GIT_CONFIG_KEY_0: 'http.receivepack',
      GIT_CONFIG_VALUE_0: 'true',
      PATH_INFO: url.pathname,
      QUERY_STRING: url.search.slice(1),
      REQUEST_METHOD: request.method ?? 'GET',
      CONTENT_TYPE: request.headers['content-type'] ?? '',
      HTTP_CONTENT_ENCODING: request.headers['content-encoding'] ?? '',
      GIT_PROTOCOL: String(request.headers['git-protocol'] ?? ''),
      REMOTE_USER: 'bot',
    },
  })
  child.stdin.on('error', () => undefined)
  request.pipe(child.stdin)
  const chunks: Buffer[] = []
  child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk))
  child.on('close', () => {
    const all = Buffer.concat(chunks)
    const split = all.indexOf('\r\n\r\n')
    const headers = Object.fromEntries(
      all
        .subarray(0, split)
        .toString()
        .split('\r\n')
        .map((line) => [
          line.slice(0, line.indexOf(':')).toLowerCase(),
          line.slice(line.indexOf(':') + 1).trim(),
        ]),
    )
    response.writeHead(Number.parseInt(headers['status'] ?? '200', 10), headers).end(all.subarray(split + 4))
  })
}

async function close(server: Server): Promise<void> {
  server.closeAllConnections()
  await new Promise((resolve) => {
    server.close(resolve)
  })
}
