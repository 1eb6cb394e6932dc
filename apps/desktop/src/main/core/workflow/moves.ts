import type { NeedsYou, Phase, Status } from '@shared/model/words'
import type { WorkflowCommand } from './commands'

/** The status in the store and on the forge; nobody is waited for any more, but for `needsYou`. */
export const moveTo = (
  status: Status,
  cause: string,
  needsYou: NeedsYou | null = null,
): readonly WorkflowCommand[] => [
  { type: 'update_mailbox', change: { status, needsYou } },
  { type: 'post_status', status, cause },
]

/** The status while a run of the phase works; null: the run changes none. */
export function statusDuring(phase: Phase): Status | null {
  switch (phase) {
    case 'analysis':
    case 'answer':
      return 'functional_analysis'
    case 'development':
      return 'in_development'
    case 'ci_fix':
    case 'review_fix':
    case 'conflict_resolution':
    case 'chat':
    case 'terminal':
      return null
  }
}

/** What a person is asked for by a status alone. */
export function needsYouAt(status: Status | null): NeedsYou | null {
  switch (status) {
    case 'blocked':
      return 'blocked'
    case 'waiting_validation':
      return 'validate_plan'
    case 'waiting_info':
      return 'answer_questions'
    default:
      return null
  }
}

/** The move to a phase that begins (again). */
export function startOver(phase: Phase, cause: string): readonly WorkflowCommand[] {
  const status = statusDuring(phase)
  return status === null ? [{ type: 'update_mailbox', change: { needsYou: null } }] : moveTo(status, cause)
}
