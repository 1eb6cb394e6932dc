import { err, ok, type Result } from '@shared/result'
import type { LlmSession } from '@shared/model/records'
import { sessionIdSchema, type MailboxId, type ResumeChoice, type SessionId } from '@shared/model/ids'
import type { AdapterId } from '@shared/model/words'

export type ResumeChoiceError =
  | { readonly type: 'session_not_found'; readonly message: string }
  | { readonly type: 'memory_removed'; readonly message: string; readonly at: number }

/** The session that a choice names; null for `auto` and `fresh`. */
export function chosenSessionId(choice: ResumeChoice): SessionId | null {
  return choice.startsWith('session:') ? sessionIdSchema.parse(Number(choice.slice('session:'.length))) : null
}

/**
 * Checks a person's choice before a run is queued and gives the adapter of the run: that of the chosen session,
 * else the configured one. Fails when the session is not one of this mailbox, has no native id, or its memory
 * was removed at cleanup.
 */
export function adapterForChoice(input: {
  readonly choice: ResumeChoice
  readonly row: LlmSession | null
  readonly mailbox: { readonly id: MailboxId; readonly memoryRemovedAt: number | null }
  readonly configured: AdapterId
}): Result<AdapterId, ResumeChoiceError> {
  if (chosenSessionId(input.choice) === null) return ok(input.configured)
  const { row, mailbox } = input
  if (row === null || row.mailboxId !== mailbox.id || row.nativeSessionId === null) {
    return err({ type: 'session_not_found', message: 'This issue has no such session.' })
  }
  if (mailbox.memoryRemovedAt !== null && row.createdAt <= mailbox.memoryRemovedAt) {
    return err({
      type: 'memory_removed',
      message: 'Memory was removed at cleanup.',
      at: mailbox.memoryRemovedAt,
    })
  }
  return ok(row.adapter)
}
