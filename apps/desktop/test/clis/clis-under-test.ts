import { createClaudeCodeAdapter } from '@main/adapters/agents/claude-code/claude-code-adapter'
import { createCopilotAdapter } from '@main/adapters/agents/copilot/copilot-adapter'
import { createGrokBuildAdapter } from '@main/adapters/agents/grok-build/grok-build-adapter'
import { createOpencodeAdapter } from '@main/adapters/agents/opencode/opencode-adapter'
import { createCodexAdapter } from '@main/adapters/agents/codex/codex-adapter'
import { cliPackages } from '@main/core/agents/image-clis'
import type { AgentAdapter } from '@main/ports/agent-adapter'
import type { ImageCli } from '@shared/model/words'
import { anthropicMessages } from '../fakes/model-server/anthropic-messages'
import { openaiChatCompletions } from '../fakes/model-server/openai-chat-completions'
import { openaiResponses } from '../fakes/model-server/openai-responses'
import type { Protocol } from '../fakes/model-server/protocol'

/*
 * The CLIs that the matrix is about. One more of them is one more entry here.
 */

export interface CliUnderTest {
  readonly id: ImageCli
  /** The product's own adapter, with the CLI's own waits made short. */
  readonly create: () => AgentAdapter
  /** What signs it in for the scripted model, as the product gives it: like no other word there is. */
  readonly key: { readonly variable: string; readonly value: string }
  /** What the CLI speaks to its model's server. */
  readonly protocols: readonly Protocol[]
  /** The setting AGENT_BASE_URL for a server at this address. */
  readonly baseUrl: (server: string) => string
  /** The settings AGENT_PROVIDER and AGENT_MODEL, where it needs them. */
  readonly provider?: string
  readonly model?: string
  /** What each version under test does where it could do one thing or another. */
  readonly ways: Readonly<Record<string, CliWays>>
}

/**
 * A session whose state may not be written. `goes_on`: it remembers, answers, and saves nothing. `refused`: it is told
 * apart from one that is gone, by the CLI's words; `refused_in_sight`: by a look at the state alone, since the CLI says of
 * both the same. `fails`: it ends before it asks a model, with words that may have other causes: no fallback.
 */
export type ReadOnlyWay = 'goes_on' | 'refused' | 'refused_in_sight' | 'fails'

export interface CliWays {
  readonly readOnly: ReadOnlyWay
}

export const clisUnderTest: readonly CliUnderTest[] = [
  {
    id: 'claude-code',
    create: () =>
      createClaudeCodeAdapter({
        environment: {
          CLAUDE_CODE_MAX_RETRIES: '1',
          API_TIMEOUT_MS: '6000',
        },
      }),
    key: { variable: 'CLAUDE_CODE_OAUTH_TOKEN', value: 'sk-ant-oat01-Q7vN2xKp9LdR4tWm' },
    protocols: [anthropicMessages],
    baseUrl: (server) => server,
    ways: { '2.1.332': { readOnly: 'goes_on' }, '2.1.90': { readOnly: 'refused' } },
  },
  {
    id: 'codex',
    create: () =>
      createCodexAdapter({
        providerConfiguration: {
          request_max_retries: 1,
          stream_max_retries: 1,
          stream_idle_timeout_ms: 6000,
        },
      }),
    key: { variable: 'CODEX_API_KEY', value: 'sk-H3bYt8ZcV1mQx6Js' },
    protocols: [openaiResponses],
    baseUrl: (server) => `${server}/v1`,
    ways: { '0.171.0': { readOnly: 'refused' }, '0.99.0': { readOnly: 'refused' } },
  },
  {
    id: 'opencode',
    create: createOpencodeAdapter,
    key: { variable: 'OPENAI_API_KEY', value: 'sk-W5nGf0RkE7pTz2Ua' },
    protocols: [openaiChatCompletions],
    baseUrl: (server) => `${server}/v1`,
    provider: 'custom',
    model: 'mock-model',
    ways: { '1.18.33': { readOnly: 'fails' }, '1.18.3': { readOnly: 'fails' } },
  },
  {
    id: 'copilot',
    create: createCopilotAdapter,
    key: { variable: 'COPILOT_PROVIDER_API_KEY', value: 'sk-D9cMj4XoB6yLv3Hq' },
    protocols: [openaiChatCompletions],
    baseUrl: (server) => `${server}/v1`,
    provider: 'openai',
    model: 'mock-model',
    ways: { '1.0.102': { readOnly: 'fails' } },
  },
  {
    id: 'grok-build',
    create: createGrokBuildAdapter,
    key: { variable: 'XAI_API_KEY', value: 'xai-S8rPu1IwF5gNe0Kd' },
    protocols: [openaiChatCompletions],
    baseUrl: (server) => `${server}/v1`,
    provider: 'xai',
    model: 'mock-model',
    ways: { '1.0.41': { readOnly: 'refused_in_sight' }, '1.0.5': { readOnly: 'goes_on' } },
  },
]

export interface VersionUnderTest {
  readonly version: string
  readonly ways: CliWays
  /** The pinned version runs every check, the lowest of the verified range only those without which it means nothing. */
  readonly extent: 'every' | 'lowest'
}

/** The pinned version, and where the verified range begins if that is another one. */
export function versionsOf(cli: CliUnderTest): readonly VersionUnderTest[] {
  const { version } = cliPackages[cli.id]
  const [range] = cli.create().resumeVersions
  const under = (one: string, extent: VersionUnderTest['extent']): VersionUnderTest => {
    const ways = cli.ways[one]
    if (ways === undefined) throw new Error(`nobody said what ${cli.id} ${one} does`)
    return { version: one, ways, extent }
  }
  return [
    under(version, 'every'),
    ...(range === undefined || range.from === version ? [] : [under(range.from, 'lowest')]),
  ]
}
