import type { SessionMemory } from '@shared/contract/sessions'
import { assertPresent } from '@shared/assert'
import type { LlmSession } from '@shared/model/records'
import type { AgentAdapter } from '../../ports/agent-adapter'
import { isUsableSessionId } from '../../core/session/session-id'
import { contextOf, type SessionParts } from './session-parts'

/** Where the memory of a session lies, and what is there now. Nothing is opened but the session's own file. */
export async function lookAtMemory(parts: SessionParts, row: LlmSession): Promise<SessionMemory> {
  const { store, adapters, paths, states } = parts
  const context = assertPresent(contextOf(parts, row.mailboxId), `the mailbox of session ${row.id}`)
  const { mailbox, project, organization } = context
  const adapter = adapters.find(row.adapter)
  const id = row.nativeSessionId
  const file = id === null || adapter === null ? null : fileOf(adapter, id)
  const folder = row.mode === 'none' ? null : paths.sessionState(context, row.adapter)
  const known = {
    sessionId: row.id,
    issue: `${organization.slug}/${project.slug}#${mailbox.iid}`,
    folder,
    file,
    setAside: id === null ? null : store.sessions.findSetAside(mailbox.id, row.adapter, id),
    droppedAt: id === null ? null : store.sessions.droppedAt(mailbox.id, row.adapter, id),
  }
  if (id === null || folder === null) return { ...known, state: 'none', bytes: null, savedAt: null }
  if (mailbox.memoryRemovedAt !== null && row.createdAt <= mailbox.memoryRemovedAt)
    return { ...known, state: 'removed', bytes: null, savedAt: null }
  if (adapter === null || !isUsableSessionId(id, adapter.sessionIdPattern))
    return { ...known, state: 'unreadable', bytes: null, savedAt: null }
  const look = await states.look(folder, file)
  const { bytes, savedAt } = look
  const state = look.preflight === 'unknown' ? (bytes === null ? 'missing' : 'ok') : look.preflight
  return { ...known, state, bytes, savedAt }
}

/** The session's own file; where a CLI keeps all of them in one database, that. null: only the whole folder is known. */
const fileOf = (adapter: AgentAdapter, id: string): string | null =>
  adapter.sessionFile(id) ?? (adapter.handMade?.kind === 'database' ? adapter.handMade.target : null)
