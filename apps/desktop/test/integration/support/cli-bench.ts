import type { AgentAdapter } from '@main/ports/agent-adapter'
import type { ImageCli } from '@shared/model/words'
import type { SettingKey } from '@shared/model/settings'
import type { Script } from '../../fakes/model-server/answers'
import type { ModelServer } from '../../fakes/model-server/model-server'
import { openaiChatCompletions } from '../../fakes/model-server/openai-chat-completions'
import type { Protocol } from '../../fakes/model-server/protocol'
import { createEngineBench, value, type EngineBench } from './engine-bench'
import { startModelServerForContainers } from './model-server-for-containers'

/*
 * The whole engine with a real agent CLI in real containers; only the model behind it is scripted. Made for the CLIs
 * that speak the Chat Completions API to a server that they do not know; others say what they need.
 */

/** In one image, so that it is built once. */
export const chatClis: readonly ImageCli[] = ['opencode', 'copilot', 'grok-build']

export interface CliBench extends EngineBench {
  readonly model: ModelServer
}

export interface CliBenchOptions {
  readonly script?: Script
  /** What the image holds, and what the CLI speaks to its model's server; without them those of the chat CLIs. */
  readonly clis?: readonly ImageCli[]
  readonly protocols?: readonly Protocol[]
  readonly settings?: Partial<Record<SettingKey, unknown>>
}

export async function createCliBench(
  adapter: AgentAdapter,
  { script, clis = chatClis, protocols = [openaiChatCompletions], settings = {} }: CliBenchOptions = {},
): Promise<CliBench> {
  const model = await startModelServerForContainers(script, protocols)
  const bench = await createEngineBench({ adapters: [adapter] })
  const held = { scope: 'app', scopeId: 0, key: 'AGENT_IMAGE_CLIS', value: clis } as const
  value(await bench.client.call('settings', 'set', held))
  const all = {
    AGENT_ADAPTER: adapter.id,
    // Another provider than the CLI's own: nobody but the CLI knows whether it is signed in there.
    AGENT_PROVIDER: 'custom',
    AGENT_MODEL: 'mock-model',
    AGENT_BASE_URL: `${model.url}/v1`,
    ...settings,
  }
  for (const [key, set] of Object.entries(all)) await bench.setting(key as SettingKey, set)
  return {
    ...bench,
    model,
    async remove() {
      await bench.remove()
      await model.close()
    },
  }
}
