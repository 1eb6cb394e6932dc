import { formatTime } from '@shared/format/times'
import type { CommandError } from '../../lib/engine-client'

/** Why a retry was refused. */
export function retryRefusal(error: CommandError<'runs.retry'>): string {
  switch (error.type) {
    case 'not_live':
      return 'It has ended meanwhile.'
    case 'already_running':
      return `Run ${error.runId} of this issue is live.`
    case 'not_retryable':
    case 'no_agent':
    case 'invalid_input':
    case 'owner_gone':
    case 'storage_failed':
      return error.message
    case 'memory_removed':
      return `Memory removed at cleanup on ${formatTime(error.at, { now: Date.now() })}.`
    case 'not_found':
      return `${error.what} is not there any more.`
    case 'unexpected':
      return `Alfred itself failed. The log has it under ${error.incidentId}.`
  }
}
