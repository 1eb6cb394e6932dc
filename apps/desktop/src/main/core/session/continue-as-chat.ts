import { err, ok, type Result } from '@shared/result'
import type { LlmSession, Run } from '@shared/model/records'

/*
 * Whether a run can be continued as a chat, and from what: its memory, or a replay of what it printed where sessions
 * did not apply to it.
 */

export interface ContinueFacts {
  readonly run: Pick<Run, 'id' | 'state'>
  /** The newest row of the run; null: it never came so far. */
  readonly session: Pick<LlmSession, 'mode' | 'nativeSessionId' | 'createdAt'> | null
  readonly mailbox: { readonly memoryRemovedAt: number | null }
}

export type ContinueError =
  | { readonly type: 'not_continuable'; readonly message: string }
  | { readonly type: 'memory_removed'; readonly at: number }

export function continueAsChat({
  run,
  session,
  mailbox,
}: ContinueFacts): Result<'memory' | 'replay', ContinueError> {
  const refuse = (message: string) => err({ type: 'not_continuable', message } as const)
  if (run.state !== 'ended')
    return refuse(`Run ${run.id} has not ended yet. Wait for its end or stop it, then continue it as a chat.`)
  if (session === null)
    return refuse(`Run ${run.id} ended before its agent began, so there is nothing to continue.`)
  if (session.mode === 'none') return ok('replay')
  if (session.nativeSessionId === null)
    return refuse(`The agent of run ${run.id} never told the id of its session, so it cannot be continued.`)
  const { memoryRemovedAt } = mailbox
  if (memoryRemovedAt !== null && session.createdAt <= memoryRemovedAt)
    return err({ type: 'memory_removed', at: memoryRemovedAt })
  return ok('memory')
}
