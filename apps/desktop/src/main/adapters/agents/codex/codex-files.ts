import { tomlString } from '../toml-string'
/*
 * The files that Codex reads in its home, written for every run: nothing of them is kept.
 */

export const configurationPath = '.codex/config.toml'

/** Where the CLI looks for the names of sessions. It has no option for one, and a session has an id before a name. */
export const namesPath = '.codex/session_index.jsonl'

/** A name for a session that is there: its label in the CLI's own lists, and never what it is resumed by. */
export const namesFile = ({ name, nativeId }: { readonly name: string; readonly nativeId: string }): string =>
  // Of several names the latest counts; this is the only one.
  `${JSON.stringify({ id: nativeId, thread_name: name, updated_at: '2000-01-01T00:00:00Z' })}\n`

export interface CodexConfiguration {
  /** Address of the model's server; null: the provider's own. */
  readonly baseUrl: string | null
  readonly workspace: string
  /** More about the model's server, by the CLI's own names. */
  readonly provider: Readonly<Record<string, number>>
  /** Only there does the CLI offer another model than the one that was asked for. */
  readonly isTerminal: boolean
}

/**
 * The models in place of which the CLI offers another, before its screen opens: what it offered once it does not offer
 * again. Agreed to with one careless key, the rest of the session would go to that other model. Those of 0.171 first,
 * then those of 0.99, the two versions between which sessions are verified.
 */
const offeredModels: Readonly<Record<string, string>> = {
  'gpt-5.6-sol': 'gpt-6-sol',
  'gpt-5.6-terra': 'gpt-6-sol',
  'gpt-5.6-luna': 'gpt-6-luna',
  'gpt-5.5': 'gpt-6-sol',
  'gpt-5.2-codex': 'gpt-5.3-codex',
  'gpt-5.2': 'gpt-5.3-codex',
  'gpt-5.1-codex-max': 'gpt-5.3-codex',
  'gpt-5.1-codex': 'gpt-5.3-codex',
  'gpt-5.1-codex-mini': 'gpt-5.3-codex',
  'gpt-5.1': 'gpt-5.3-codex',
  'gpt-5-codex': 'gpt-5.3-codex',
  'gpt-5-codex-mini': 'gpt-5.3-codex',
  'gpt-5': 'gpt-5.3-codex',
}

/**
 * `config.toml`: no telemetry, no look-ups but at the model's server, no daemon, no question whether the folder is
 * trusted, and no second record of the prompts. Sessions stay whole and as they are: neither packed nor moved.
 */
export function configurationFile({ baseUrl, workspace, provider, isTerminal }: CodexConfiguration): string {
  const sections = [
    section(null, {
      check_for_update_on_startup: false,
      // The login is a file that is mounted, never a keyring.
      cli_auth_credentials_store: 'file',
      ...(baseUrl === null ? {} : { model_provider: ownProvider }),
    }),
    ...(baseUrl === null
      ? []
      : [
          section(`model_providers.${ownProvider}`, {
            name: ownProvider,
            base_url: baseUrl,
            wire_api: 'responses',
            // With the CLI's own login, which an address alone would switch off.
            requires_openai_auth: true,
            ...provider,
          }),
        ]),
    section('history', { persistence: 'none' }),
    section('analytics', { enabled: false }),
    section('feedback', { enabled: false }),
    section('features', {
      plugins: false,
      daemon_auto_start: false,
      local_thread_store_compression: false,
      background_paginated_rollout_migration: false,
    }),
    section(`projects.${tomlString(workspace)}`, { trust_level: 'trusted' }),
    ...(isTerminal ? [section('notice.model_migrations', offeredModels)] : []),
  ]
  return `${sections.join('\n\n')}\n`
}

const ownProvider = 'alfred'

type Value = string | number | boolean

/** Any other name must stand in quotes. */
const bareKey = /^[A-Za-z0-9_-]+$/

function section(name: string | null, values: Readonly<Record<string, Value>>): string {
  const lines = Object.entries(values).map(
    ([key, value]) =>
      `${bareKey.test(key) ? key : tomlString(key)} = ${typeof value === 'string' ? tomlString(value) : value}`,
  )
  return [...(name === null ? [] : [`[${name}]`]), ...lines].join('\n')
}
