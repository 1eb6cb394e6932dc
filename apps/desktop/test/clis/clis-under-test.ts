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
  /** The product's own adapter, signed in for the scripted model and with the CLI's own waits made short. */
  readonly create: () => AgentAdapter
  /** What the CLI speaks to its model's server. */
  readonly protocols: readonly Protocol[]
  /** The setting AGENT_BASE_URL for a server at this address. */
  readonly baseUrl: (server: string) => string
  /** The settings AGENT_PROVIDER and AGENT_MODEL, where it needs them. */
  readonly provider?: string
  readonly model?: string
}

export const clisUnderTest: readonly CliUnderTest[] = [
  {
    id: 'claude-code',
    create: () =>
      createClaudeCodeAdapter({
        environment: {
          CLAUDE_CODE_OAUTH_TOKEN: 'sk-ant-oat01-for-the-scripted-model',
          CLAUDE_CODE_MAX_RETRIES: '1',
          API_TIMEOUT_MS: '6000',
        },
      }),
    protocols: [anthropicMessages],
    baseUrl: (server) => server,
  },
  {
    id: 'codex',
    create: () =>
      createCodexAdapter({
        environment: { CODEX_API_KEY: 'sk-for-the-scripted-model' },
        providerConfiguration: {
          request_max_retries: 1,
          stream_max_retries: 1,
          stream_idle_timeout_ms: 6000,
        },
      }),
    protocols: [openaiResponses],
    baseUrl: (server) => `${server}/v1`,
  },
  {
    id: 'opencode',
    create: createOpencodeAdapter,
    protocols: [openaiChatCompletions],
    baseUrl: (server) => `${server}/v1`,
    provider: 'custom',
    model: 'mock-model',
  },
  {
    id: 'copilot',
    create: createCopilotAdapter,
    protocols: [openaiChatCompletions],
    baseUrl: (server) => `${server}/v1`,
    provider: 'openai',
    model: 'mock-model',
  },
  {
    id: 'grok-build',
    create: () => createGrokBuildAdapter({ environment: { XAI_API_KEY: 'xai-for-the-scripted-model' } }),
    protocols: [openaiChatCompletions],
    baseUrl: (server) => `${server}/v1`,
    provider: 'xai',
    model: 'mock-model',
  },
]

export interface VersionUnderTest {
  readonly version: string
  /** The pinned version runs every check, the lowest of the verified range only those without which it means nothing. */
  readonly extent: 'every' | 'lowest'
}

/** The pinned version, and where the verified range begins if that is another one. */
export function versionsOf(cli: CliUnderTest): readonly VersionUnderTest[] {
  const { version } = cliPackages[cli.id]
  const [range] = cli.create().resumeVersions
  return [
    { version, extent: 'every' },
    ...(range === undefined || range.from === version
      ? []
      : [{ version: range.from, extent: 'lowest' } as const]),
  ]
}
