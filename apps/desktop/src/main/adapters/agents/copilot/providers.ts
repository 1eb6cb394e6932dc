import type { StartRequest } from '@main/ports/agent-adapter'

/*
 * Who serves the model. Without an address it is GitHub; another server is told by the environment only.
 */

const types = ['openai', 'azure', 'anthropic'] as const

export const providerNames: readonly string[] = ['github', ...types]

/**
 * With a server of one's own the CLI asks nobody else: no sign-in, no telemetry, no look-ups. It then needs the model
 * in the environment, too.
 */
export function providerEnvironment({
  provider,
  baseUrl,
  model,
}: Pick<StartRequest, 'provider' | 'baseUrl' | 'model'>): Readonly<Record<string, string>> {
  if (baseUrl === null) return {}
  const type = types.find((known) => known === provider)
  return {
    COPILOT_PROVIDER_BASE_URL: baseUrl,
    COPILOT_OFFLINE: 'true',
    ...(type === undefined ? {} : { COPILOT_PROVIDER_TYPE: type }),
    ...(model === null ? {} : { COPILOT_MODEL: model }),
  }
}
