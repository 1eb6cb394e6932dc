import type { TimelineRow } from '@shared/contract/sessions'
import type { MailboxId, ResumeChoice } from '@shared/model/ids'
import { announce } from '../../lib/announcer'
import { engine } from '../../lib/engine-client'
import { openOverlay } from '../../lib/overlays'
import { showToast } from '../../lib/toasts'
import { useCommand } from '../../lib/use-command'
import { runErrorText } from './strings'

/** More rows than any mailbox that people keep by hand. */
const recordsLimit = 1_000

export interface Retry {
  readonly isBusy: boolean
  readonly withMemory: (row: TimelineRow) => void
  /** Asks first. */
  readonly fresh: (row: TimelineRow, letter: string | null) => void
  /** Goes on with the memory that this row asked for and lost. */
  readonly oldId: (row: TimelineRow) => void
}

/** Repeats runs; what came of it shows on the timeline, what went wrong in a message. */
export function useRetry(mailboxId: MailboxId, rows: readonly TimelineRow[]): Retry {
  const retry = useCommand('runs.retry')
  const request = useCommand('runs.request')
  const start = async (row: TimelineRow, resumeChoice: ResumeChoice): Promise<void> => {
    const result = await retry.run({ runId: row.runId, resumeChoice })
    if (result.ok) announce(`run ${result.value.runId}`, `Run ${result.value.runId} is queued`)
    else showToast({ title: `Run ${row.runId} was not repeated`, description: runErrorText(result.error) })
  }
  /** No run made the session, so there is nothing to repeat: the next run begins with it. */
  const goOn = async (row: TimelineRow): Promise<void> => {
    const resumeChoice: ResumeChoice = row.sessionId === null ? 'auto' : `session:${row.sessionId}`
    const result = await request.run({ mailboxId, phase: null, resumeChoice })
    if (result.ok) announce(`run ${result.value.runId}`, `Run ${result.value.runId} is queued`)
    else showToast({ title: 'The next run did not start', description: runErrorText(result.error) })
  }
  return {
    isBusy: retry.isBusy || request.isBusy,
    withMemory: (row) => void (row.isImported ? goOn(row) : start(row, 'auto')),
    fresh: (row, letter) => openOverlay({ kind: 'retry-fresh', runId: row.runId, letter }),
    oldId: (row) =>
      void findLostSession(mailboxId, row, rows).then((sessionId) => {
        if (sessionId !== null) return start(row, `session:${sessionId}`)
        showToast({
          title: 'The old session is not known',
          description: 'None of the sessions of this issue had that id.',
        })
        return undefined
      }),
  }
}

/** The newest session with the id that a row asked for: among the loaded rows, else among all. */
export async function findLostSession(
  mailboxId: MailboxId,
  row: TimelineRow,
  rows: readonly TimelineRow[],
): Promise<number | null> {
  const isAsked = (other: {
    readonly runId: number
    readonly adapter: string
    readonly nativeSessionId: string | null
  }): boolean =>
    other.runId < row.runId &&
    other.adapter === row.adapter &&
    other.nativeSessionId === row.requestedSessionId
  const loaded = rows.findLast((other) => isAsked(other) && other.sessionId !== null)
  if (loaded?.sessionId) return loaded.sessionId
  const records = await engine.query('sessions.records', { mailboxId, limit: recordsLimit }).catch(() => [])
  return records.findLast(isAsked)?.id ?? null
}
