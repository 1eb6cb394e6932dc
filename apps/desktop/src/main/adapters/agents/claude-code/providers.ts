import type { StartRequest } from '@main/ports/agent-adapter'

/*
 * Who serves the model. Claude Code takes its provider and the server's address from the environment only.
 */

interface Provider {
  readonly switch: string | null
  readonly baseUrl: string
}

const providers: Readonly<Record<string, Provider>> = {
  anthropic: { switch: null, baseUrl: 'ANTHROPIC_BASE_URL' },
  bedrock: { switch: 'CLAUDE_CODE_USE_BEDROCK', baseUrl: 'ANTHROPIC_BEDROCK_BASE_URL' },
  vertex: { switch: 'CLAUDE_CODE_USE_VERTEX', baseUrl: 'ANTHROPIC_VERTEX_BASE_URL' },
  foundry: { switch: 'CLAUDE_CODE_USE_FOUNDRY', baseUrl: 'ANTHROPIC_FOUNDRY_BASE_URL' },
}

export const providerNames: readonly string[] = Object.keys(providers)

/** The CLI's own is `anthropic`; a name that is not one of `providerNames` counts as that. */
export function providerEnvironment({
  provider,
  baseUrl,
}: Pick<StartRequest, 'provider' | 'baseUrl'>): Readonly<Record<string, string>> {
  const own = { switch: null, baseUrl: 'ANTHROPIC_BASE_URL' }
  const chosen = provider !== null && Object.hasOwn(providers, provider) ? (providers[provider] ?? own) : own
  return {
    ...(chosen.switch === null ? {} : { [chosen.switch]: '1' }),
    ...(baseUrl === null ? {} : { [chosen.baseUrl]: baseUrl }),
  }
}
