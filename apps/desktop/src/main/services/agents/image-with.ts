import type { AgentAdapter } from '../../ports/agent-adapter'
import type { Store } from '../../ports/stores'
import type { AgentsService } from './agents-service'

interface Parts {
  readonly agents: Pick<AgentsService, 'findImage' | 'installation'>
  readonly installations: Pick<Store['installations'], 'list'>
}

/** The digest of an image that has this CLI: the app's own, else the one where it was found last; null: none has. */
export async function imageWith(
  { agents, installations }: Parts,
  adapter: AgentAdapter,
): Promise<string | null> {
  const own = await agents.findImage()
  const inOwn = own === null ? null : await agents.installation(adapter, own)
  if (own !== null && inOwn?.ok === true && inOwn.value.version !== null) return own.digest
  const [newest] = installations
    .list()
    .filter((row) => row.adapter === adapter.id && row.runner === 'container' && row.version !== null)
    .toSorted((a, b) => b.detectedAt - a.detectedAt)
  return newest?.imageDigest ?? null
}
