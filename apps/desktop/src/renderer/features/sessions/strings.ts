import type { CommandError } from '../../lib/engine-client'

type Problem = CommandError<'sessions.import'> | CommandError<'sessions.find'> | CommandError<'sessions.drop'>

/** Why a session was not found, bound, forked or dropped: what happened, and what to do. */
export function sessionProblem(error: Problem): string {
  switch (error.type) {
    case 'running':
      return `Run ${error.runId} of this issue uses the memory. Stop it first, or wait for its end.`
    case 'already_here':
      return `The issue has this session already, since run ${error.runId}.`
    case 'memory_removed':
      return 'The memory was removed at cleanup.'
    case 'not_found':
      return `There is no ${error.what}.`
    case 'unexpected':
      return 'It did not work. Diagnostics has the details.'
    default:
      return error.message
  }
}
