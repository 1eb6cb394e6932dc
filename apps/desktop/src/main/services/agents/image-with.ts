import type { AgentAdapter } from '../../ports/agent-adapter'
import type { Store } from '../../ports/stores'
import type { AgentsService } from './agents-service'

interface Parts {
  readonly agents: Pick<AgentsService, 'findImage' | 'installation'>
  readonly store: Pick<Store, 'images' | 'installations'>
}

/** The digest of an image that has this CLI: the app's own, else the one where it was found last; null: none has. */
export async function imageWith({ agents, store }: Parts, adapter: AgentAdapter): Promise<string | null> {
  const own = await agents.findImage()
  const inOwn = own === null ? null : await agents.installation(adapter, own)
  if (own !== null && inOwn?.ok === true && inOwn.value.version !== null) return own.digest
  // What was in an image that is gone stays behind.
  const there = new Set(store.images.list().map(({ digest }) => digest))
  const [newest] = store.installations
    .list()
    .filter(
      (row) =>
        row.adapter === adapter.id &&
        row.runner === 'container' &&
        row.version !== null &&
        there.has(row.imageDigest),
    )
    .toSorted((a, b) => b.detectedAt - a.detectedAt)
  return newest?.imageDigest ?? null
}
