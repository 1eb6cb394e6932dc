import { tomlString } from '../toml-string'
/*
 * The file that Codex reads in its home, written for every run: nothing of it is kept.
 */

export const configurationPath = '.codex/config.toml'

export interface CodexConfiguration {
  /** Address of the model's server; null: the provider's own. */
  readonly baseUrl: string | null
  readonly workspace: string
  /** More about the model's server, by the CLI's own names. */
  readonly provider: Readonly<Record<string, number>>
}

/**
 * `config.toml`: no telemetry, no look-ups but at the model's server, no daemon, no question whether the folder is
 * trusted, and no second record of the prompts. Sessions stay whole and as they are: neither packed nor moved.
 */
export function configurationFile({ baseUrl, workspace, provider }: CodexConfiguration): string {
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
  ]
  return `${sections.join('\n\n')}\n`
}

const ownProvider = 'alfred'

type Value = string | number | boolean

function section(name: string | null, values: Readonly<Record<string, Value>>): string {
  const lines = Object.entries(values).map(
    ([key, value]) => `${key} = ${typeof value === 'string' ? tomlString(value) : value}`,
  )
  return [...(name === null ? [] : [`[${name}]`]), ...lines].join('\n')
}
