import type { Mailbox, Organization, Project } from '@shared/model/records'
import type { MailboxId, RunId } from '@shared/model/ids'
import type { AdapterId, SessionOffReason } from '@shared/model/words'
import { sessionOffReason } from '../../core/session/resolve-session'
import type { SandboxUser } from '../../core/sandbox/sandbox-user'
import type { AgentAdapter, AgentAdapters } from '../../ports/agent-adapter'
import type { Clock } from '../../ports/clock'
import type { HandMadeSessions } from '../../ports/hand-made-sessions'
import type { Randomness } from '../../ports/randomness'
import type { RunFolders } from '../../ports/run-folder'
import type { SandboxFiles } from '../../ports/sandbox-files'
import type { SessionStates } from '../../ports/session-state'
import type { Store } from '../../ports/stores'
import type { AgentCredentials } from '../agents/agent-credentials'
import type { DataPaths } from '../runs/data-paths'
import type { SettingReader } from '../settings/setting-values'
import type { ChangeFeed } from '../status/change-feed'

/*
 * What a person does with the memories of an issue by hand stands on these.
 */

export interface SessionParts {
  readonly store: Store
  readonly clock: Clock
  readonly randomness: Randomness
  readonly settings: SettingReader
  readonly adapters: AgentAdapters
  readonly changes: ChangeFeed
  readonly paths: DataPaths
  readonly folders: Pick<RunFolders, 'prepare' | 'writeRecord'>
  readonly sandboxFiles: Pick<SandboxFiles, 'ensureFolder'>
  readonly states: SessionStates
  readonly handMade: HandMadeSessions
  readonly credentials: Pick<AgentCredentials, 'overlap'>
  /** Who owns what a container writes. */
  readonly user: SandboxUser
  readonly personLogin: string
  readonly allowsDemonstration: boolean
}

/** A mailbox with everything that is above it. */
export interface MailboxContext {
  readonly mailbox: Mailbox
  readonly project: Project
  readonly organization: Organization
}

/** null: there is no such mailbox. */
export function contextOf({ store }: Pick<SessionParts, 'store'>, id: MailboxId): MailboxContext | null {
  try {
    const mailbox = store.mailboxes.get(id)
    const project = store.forges.getProject(mailbox.projectId)
    return { mailbox, project, organization: store.forges.getOrganization(project.organizationId) }
  } catch {
    return null
  }
}

/** Why no run of the mailbox would resume a session of this adapter; null: one would. */
export async function whyOff(
  { settings, credentials }: Pick<SessionParts, 'settings' | 'credentials'>,
  { mailbox, project }: MailboxContext,
  adapter: AgentAdapter,
): Promise<SessionOffReason | null> {
  const { values, origins } = settings.of(project)
  const origin = origins.AGENT_SESSION_RESUME
  return sessionOffReason({
    setting: { isOn: values.AGENT_SESSION_RESUME, scope: origin === 'default' ? 'app' : origin },
    mailbox,
    runner: values.AGENT_RUNNER,
    adapter,
    // Which version is installed may be found out only when a run starts; that run tells it.
    installation: { resumable: true },
    credentialOverlap: (await credentials.overlap(adapter, values)) !== null,
  })
}

/** A run that has not ended, or whose container still holds the lock. */
export const userOf = ({ store }: Pick<SessionParts, 'store'>, id: MailboxId): RunId | null =>
  store.runs.findLive(id)?.id ?? store.locks.find(id)?.runId ?? null

/** The first run of this mailbox that holds the session, unless a person dropped it. */
export function runWithSession(
  { store }: Pick<SessionParts, 'store'>,
  { id, memoryRemovedAt }: Mailbox,
  adapter: AdapterId,
  nativeId: string,
): RunId | null {
  if (store.sessions.droppedAt(id, adapter, nativeId) !== null) return null
  const rows = store.sessions.listByRequestedId(id, adapter, nativeId, 50)
  return (
    rows.findLast(
      (row) =>
        row.nativeSessionId === nativeId && (memoryRemovedAt === null || row.createdAt > memoryRemovedAt),
    )?.runId ?? null
  )
}
