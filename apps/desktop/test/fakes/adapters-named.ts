import { createAgentAdapters } from '@main/adapters/agents/agent-adapters'
import { createDemoAdapter } from '@main/adapters/agents/demo/demo-adapter'
import type { AgentAdapters } from '@main/ports/agent-adapter'
import type { AdapterId } from '@shared/model/words'

/** Only which adapters there are is asked. */
export const adaptersNamed = (...ids: readonly AdapterId[]): AgentAdapters =>
  createAgentAdapters(ids.map((id) => ({ ...createDemoAdapter(), id })))
