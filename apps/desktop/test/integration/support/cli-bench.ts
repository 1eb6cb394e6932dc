import type { AgentAdapter } from '@main/ports/agent-adapter'
import type { ImageCli } from '@shared/model/words'
import type { SettingKey } from '@shared/model/settings'
import type { Script } from '../../fakes/model-server/answers'
import type { ModelServer } from '../../fakes/model-server/model-server'
import { openaiChatCompletions } from '../../fakes/model-server/openai-chat-completions'
import { createEngineBench, value, type EngineBench } from './engine-bench'
import { startModelServerForContainers } from './model-server-for-containers'

/*
 * The whole engine with a real agent CLI in real containers; only the model behind it is scripted. For the CLIs that
 * speak the Chat Completions API to a server that they do not know.
 */

/** In one image, so that it is built once. */
export const chatClis: readonly ImageCli[] = ['opencode', 'copilot', 'grok-build']

export interface CliBench extends EngineBench {
  readonly model: ModelServer
}

export interface CliBenchOptions {
  readonly script?: Script
  readonly settings?: Partial<Record<SettingKey, unknown>>
}

export async function createCliBench(
  adapter: AgentAdapter,
  { script, settings = {} }: CliBenchOptions = {},
): Promise<CliBench> {
  const model = await startModelServerForContainers(script, [openaiChatCompletions])
  const bench = await createEngineBench({ adapters: [adapter] })
  const clis = { scope: 'app', scopeId: 0, key: 'AGENT_IMAGE_CLIS', value: chatClis } as const
  value(await bench.client.call('settings', 'set', clis))
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
