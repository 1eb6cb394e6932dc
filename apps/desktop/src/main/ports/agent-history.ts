import type { MailboxId, SessionId } from '@shared/model/ids'
import type { LlmSession, Run } from '@shared/model/records'
import type { AdapterId, ResumeFailure } from '@shared/model/words'

/*
 * What the agents screen tells of one adapter, over all issues. Each question ends at a bound, whatever the history.
 */

/** A run of the adapter that has ended; its sessions, one per attempt, oldest first. */
export interface RunOfAgent {
  readonly run: Pick<Run, 'id' | 'state'>
  readonly sessions: readonly LlmSession[]
}

/** An id that is not tried any more by itself. */
export interface SetAsideId {
  readonly mailboxId: MailboxId
  readonly iid: number
  readonly nativeSessionId: string
  readonly reason: ResumeFailure
  /** The newest session with this id, which a person can choose; null when there is none. */
  readonly sessionId: SessionId | null
}

export interface AgentHistory {
  /** The newest `limit` runs that have ended, without those that only brought a session in; looked for among the newest 20,000 runs. */
  lastRuns(adapter: AdapterId, limit: number): readonly RunOfAgent[]
  /** The newest `limit`, the latest first. */
  setAside(adapter: AdapterId, limit: number): readonly SetAsideId[]
  /** Mailboxes with a session of the adapter, the newest `limit` of them. */
  mailboxes(adapter: AdapterId, limit: number): readonly MailboxId[]
}
