import type { AgentAdapter, EndedStart } from '../../ports/agent-adapter'
import type { PutAside, SessionStates } from '../../ports/session-state'
import type { RunContext } from './run-context'

/**
 * Where no session begins beside one that cannot be opened, what is there is kept under another name, if it is as bad as
 * the CLI says. Returns what the run has to say of it; null: nothing.
 */
export async function makeRoomForSession(
  states: Pick<SessionStates, 'putAside'>,
  { adapter, statePath }: Pick<RunContext, 'adapter' | 'statePath'>,
  ended: EndedStart,
): Promise<string | null> {
  const file = adapter.handMade?.kind === 'database' ? adapter.handMade.target : null
  if (file === null || adapter.isStateUnusable?.(ended) !== true) return null
  return wordsOf(adapter, statePath, await states.putAside(statePath, file))
}

function wordsOf({ id }: Pick<AgentAdapter, 'id'>, statePath: string, done: PutAside): string | null {
  switch (done.type) {
    case 'not_there':
      return null
    case 'put_aside':
      return `What ${id} kept of its sessions cannot be read. It is kept beside ${statePath}.`
    case 'whole':
      return `${id} says that it cannot read its sessions, but their database is whole: it is left as it is, in ${statePath}.`
    case 'not_looked_at':
      return `${id} says that it cannot read its sessions. Whether that is so could not be found out (${done.why}), so they are left as they are. To begin anew, rename ${statePath} and retry.`
    case 'not_renamed':
      return `What ${id} kept of its sessions cannot be read, and could not be put aside (${done.why}). To begin anew, rename or remove ${statePath} and retry.`
  }
}
