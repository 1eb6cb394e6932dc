import type { IncomingMessage, ServerResponse } from 'node:http'
import { passOn, startAnsweringProxy, type AnsweringProxy } from './answering-proxy'
import { sendJson } from './model-server/protocol'

/*
 * What Copilot CLI takes for GitHub where GitHub serves its model.
 */

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

export const startGithubForCopilot = (options: GithubOptions): Promise<AnsweringProxy> =>
  startAnsweringProxy({ ...options, answer: (...asked) => answer(options, ...asked) })

function answer(
  { model, modelName }: GithubOptions,
  path: string,
  incoming: IncomingMessage,
  response: ServerResponse,
): void {
  if (path.endsWith('/chat/completions')) return passOn(model, path, incoming, response)
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
