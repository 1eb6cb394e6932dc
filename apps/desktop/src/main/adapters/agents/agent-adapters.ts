import type { AgentAdapter, AgentAdapters } from '@main/ports/agent-adapter'

/** The adapters of one engine; the composition root says which. */
export function createAgentAdapters(adapters: readonly AgentAdapter[]): AgentAdapters {
  const adaptersById = new Map(adapters.map((adapter) => [adapter.id, adapter]))
  if (adaptersById.size !== adapters.length) throw new Error('two adapters have the same id')
  return { find: (id) => adaptersById.get(id) ?? null, all: () => adapters }
}
