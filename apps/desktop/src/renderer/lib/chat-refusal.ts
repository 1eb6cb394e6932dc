import { formatTime } from '@shared/format/times'
import type { CommandError } from './engine-client'

/** Why a chat was not opened, or a message not sent. */
export function chatRefusal(error: CommandError<'chats.send'>, now: number): string {
  switch (error.type) {
    case 'already_running':
      return `Run ${error.runId} of this issue is live. A chat waits for its end.`
    case 'memory_removed':
      return `Memory removed at cleanup on ${formatTime(error.at, { now })}.`
    case 'not_found':
      return `${error.what} is not there any more.`
    case 'unexpected':
      return `Alfred itself failed. The log has it under ${error.incidentId}.`
    case 'not_continuable':
    case 'no_agent':
    case 'invalid_input':
    case 'owner_gone':
    case 'storage_failed':
      return error.message
  }
}
