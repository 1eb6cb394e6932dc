import { readFileSync } from 'node:fs'
import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo, Socket } from 'node:net'
import { join } from 'node:path'
import { TLSSocket } from 'node:tls'
import { sendJson } from './model-server/protocol'

/*
 * What Copilot CLI takes for GitHub where GitHub serves its model: a proxy that answers every host itself, with a
 * certificate of the tests' own authority, and keeps which host was asked for what.
 */

export interface GithubForCopilot {
  /** For HTTPS_PROXY. */
  readonly url: string
  readonly caFile: string
  /** `host/path` of every request, in the order in which they came. */
  readonly asked: readonly string[]
  close(): void
}

export interface GithubOptions {
  /** Address to listen on; a container needs one that it can reach. */
  readonly host: string
  /** Address of the scripted model's server. */
  readonly model: string
  readonly modelName: string
  /** test/fixtures/copilot-github */
  readonly folder: string
}

export const telemetryHost = 'telemetry.copilot.example'

export async function startGithubForCopilot(options: GithubOptions): Promise<GithubForCopilot> {
  const { host, folder } = options
  const [key, cert] = ['server.key', 'server.pem'].map((name) => readFileSync(join(folder, name)))
  const asked: string[] = []
  const sockets = new Set<Socket>()
  const behind = createServer((incoming, response) => {
    const path = incoming.url?.split('?', 1)[0] ?? ''
    asked.push(`${incoming.headers.host}${path}`)
    answer(options, path, incoming, response)
  })
  const proxy = createServer()
  proxy.on('connect', (_asked, socket: Socket) => {
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
    close: () => {
      for (const socket of sockets) socket.destroy()
      proxy.close()
    },
  }
}

function answer(
  { model, modelName }: GithubOptions,
  path: string,
  incoming: IncomingMessage,
  response: ServerResponse,
): void {
  if (path.endsWith('/chat/completions')) {
    const { 'content-type': type } = incoming.headers
    const passed = request(
      `${model}${path}`,
      { method: 'POST', headers: { 'content-type': type } },
      (told) => {
        response.writeHead(told.statusCode ?? 500, told.headers)
        told.pipe(response)
      },
    )
    incoming.pipe(passed)
    return
  }
  incoming.resume()
  if (path === '/copilot_internal/user') sendJson(response, 200, user)
  else if (path === '/models') sendJson(response, 200, { data: [modelOf(modelName)] })
  else sendJson(response, incoming.headers.host === telemetryHost ? 200 : 404, {})
}

const user = {
  login: 'me',
  access_type_sku: 'monthly_subscriber',
  copilot_plan: 'individual',
  analytics_tracking_id: 'tracked',
  chat_enabled: true,
  cli_enabled: true,
  organization_login_list: [],
  organization_list: [],
  restricted_telemetry: true,
  endpoints: { api: 'https://api.copilot.example', telemetry: `https://${telemetryHost}` },
}

const modelOf = (name: string) => ({
  id: name,
  name,
  object: 'model',
  vendor: 'openai',
  version: '1',
  preview: false,
  model_picker_enabled: true,
  is_chat_default: true,
  is_chat_fallback: true,
  policy: { state: 'enabled' },
  billing: { is_premium: false, multiplier: 0 },
  supported_endpoints: ['/chat/completions'],
  capabilities: {
    family: name,
    type: 'chat',
    tokenizer: 'o200k_base',
    object: 'model_capabilities',
    limits: {
      max_context_window_tokens: 128_000,
      max_output_tokens: 16_000,
      max_prompt_tokens: 128_000,
    },
    supports: { streaming: true, tool_calls: true, parallel_tool_calls: true },
  },
})
