import type { MailboxId, RunId } from '@shared/model/ids'
import type { LlmSession, Run } from '@shared/model/records'
import type { OutboxState } from './stores'

/*
 * Reads what the timeline shows, a page at a time: a fixed number of queries per page, whatever the history.
 */

export interface TimelineRecord {
  readonly run: Run
  /** One per attempt, oldest first. */
  readonly sessions: readonly LlmSession[]
  readonly attempts: number
  readonly imageDigest: string | null
  /** Where the push of this run's commits stands; null when none was asked for. */
  readonly push: OutboxState | null
}

/** The latest runs of one mailbox, as small as a row of the list shows them. */
export interface ThreadRecord {
  /** Oldest first. */
  readonly runs: readonly ThreadRun[]
  /** `adapter:nativeId` of every memory of the mailbox, in order of first appearance. */
  readonly memoryKeys: readonly string[]
}

export interface ThreadRun {
  readonly run: Pick<Run, 'id' | 'phase' | 'state' | 'outcome' | 'adapter' | 'startedAt' | 'endedAt'>
  /** One per attempt, oldest first. */
  readonly sessions: readonly ThreadSession[]
}

export type ThreadSession = Pick<
  LlmSession,
  'runId' | 'mode' | 'resumed' | 'resumeFallback' | 'nativeSessionId' | 'requestedSessionId'
>

/** The sessions of one mailbox that share adapter and native id. */
export interface MemoryRecord {
  readonly adapter: string
  readonly nativeSessionId: string
  readonly firstRunId: RunId
  readonly lastRunId: RunId
}

export interface TimelineReader {
  /** The newest `limit` runs before `beforeRunId` (null: of all), oldest first. */
  page(mailboxId: MailboxId, beforeRunId: RunId | null, limit: number): readonly TimelineRecord[]
  one(runId: RunId): TimelineRecord | null
  /** The newest `length` runs of each mailbox; a mailbox without a run is not in it. */
  threads(mailboxIds: readonly MailboxId[], length: number): ReadonlyMap<MailboxId, ThreadRecord>
  countRuns(mailboxId: MailboxId): number
  /** In order of first appearance: the first is memory A. */
  memories(mailboxId: MailboxId): readonly MemoryRecord[]
  /** Runs that used the memory, oldest first, the latest `limit` of them. */
  runsOfMemory(
    mailboxId: MailboxId,
    adapter: string,
    nativeSessionId: string,
    limit: number,
  ): readonly RunId[]
}
