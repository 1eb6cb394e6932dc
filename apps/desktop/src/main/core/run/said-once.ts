import type { RunCommand } from './run-machine'

/**
 * What a command means for a turn of a chat. A phase's prompt may be given again after an interruption or an error of
 * the provider; a message of a person may not, once an agent has begun to work on it: the memory would hold it twice.
 * The turn ends instead, and the person says what comes next.
 */
export function saidOnce(command: RunCommand, hasReachedAgent: boolean): RunCommand {
  if (!hasReachedAgent) return command
  switch (command.type) {
    case 'interrupted':
      return { ...command, canGoOn: false }
    case 'provider_failed':
      return { ...command, retry: { type: 'never' } }
    default:
      return command
  }
}
