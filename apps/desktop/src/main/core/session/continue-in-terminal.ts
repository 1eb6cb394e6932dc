import type { LlmSession, Run } from '@shared/model/records'
import type { Runner } from '@shared/model/words'
import { err, ok, type Result } from '@shared/result'
import type { ContinueError } from './continue-as-chat'

/*
 * Whether a run can be gone on with on its agent's own screen, as its rows and the settings say it.
 */

export interface TerminalContinueFacts {
  readonly run: Pick<Run, 'id' | 'state' | 'adapter'>
  /** The newest row of the run, or the chosen one; null: there is none of this issue. */
  readonly session: Pick<LlmSession, 'mode' | 'nativeSessionId' | 'createdAt'> | null
  readonly mailbox: { readonly memoryRemovedAt: number | null }
  /** A person wants a session without memory. */
  readonly isFresh: boolean
  readonly runner: Runner
  /** Whether this version knows the agent's screen. */
  readonly hasScreen: boolean
}

export function continueInTerminal(facts: TerminalContinueFacts): Result<null, ContinueError> {
  const { run, session, mailbox } = facts
  const refuse = (message: string) => err({ type: 'not_continuable', message } as const)
  if (run.state !== 'ended')
    return refuse(`Run ${run.id} has not ended yet. Wait for its end, or take it over.`)
  if (session === null)
    return refuse(`Run ${run.id} ended before its agent began, so there is nothing to continue.`)
  if (!facts.hasScreen)
    return refuse(`${run.adapter} has no screen of its own. Continue it as a chat: alfred chat ${run.id}`)
  if (facts.runner === 'host')
    return refuse(
      'This project runs its agents on this computer itself, where no terminal is opened for them.',
    )
  if (facts.isFresh) return ok(null)
  if (session.mode === 'none')
    return refuse(`Sessions did not apply to run ${run.id}, so its agent remembers nothing of it.`)
  if (session.nativeSessionId === null)
    return refuse(`The agent of run ${run.id} never told the id of its session, so it cannot be continued.`)
  const { memoryRemovedAt } = mailbox
  return memoryRemovedAt !== null && session.createdAt <= memoryRemovedAt
    ? err({ type: 'memory_removed', at: memoryRemovedAt })
    : ok(null)
}
