import type { StartRequest } from '@main/ports/agent-adapter'
import { tomlString } from '../toml-string'

/*
 * The file that Grok Build reads in its home, written for every run: nothing of it is kept.
 */

export const configPath = '.grok/config.toml'

/** Where the key of a server comes from; both speak the Chat Completions API. */
const keys = { xai: 'XAI_API_KEY', openai: 'OPENAI_API_KEY' } as const

export const providerNames: readonly string[] = Object.keys(keys)

type Wanted = Pick<StartRequest, 'model' | 'provider' | 'baseUrl'>

/**
 * `config.toml`: no updates, no process of its own that stays, no telemetry; sessions are kept for ever, which is also
 * what the CLI does unless it is told otherwise.
 */
export function configFile(wanted: Wanted): string {
  return `${[
    '[cli]',
    'auto_update = false',
    'use_leader = false',
    'show_tips = false',
    '',
    '[features]',
    'telemetry = false',
    'feedback = false',
    // Requests beside the conversation, which cost and which nobody reads.
    'turn_summary = false',
    'title_refresh = false',
    '',
    '[telemetry]',
    'trace_upload = false',
    '',
    '[storage]',
    'cleanup_ttl_days = 0',
    ...modelLines(wanted),
  ].join('\n')}\n`
}

/** A server of one's own is told with its model; without a model the CLI takes the server for its maker's. */
function modelLines({ model, provider, baseUrl }: Wanted): readonly string[] {
  if (baseUrl === null || model === null) return []
  const key = provider === 'openai' ? keys.openai : keys.xai
  return [
    '',
    `[model.${tomlString(model)}]`,
    `model = ${tomlString(model)}`,
    `base_url = ${tomlString(baseUrl)}`,
    `env_key = ${tomlString(key)}`,
  ]
}
