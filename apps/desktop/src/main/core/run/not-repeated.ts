import type { RunCommand } from './run-machine'

/**
 * What a command means for a terminal: a person sits in front of it, so nothing waits for better times and nothing is
 * begun anew behind their back. They are told, and open another one;
 * what was made is collected and waits for them.
 */
export function notRepeated(command: RunCommand): RunCommand {
  switch (command.type) {
    case 'not_ready':
      return { type: 'prepare_failed', failure: command.failure }
    case 'interrupted':
      return { ...command, canGoOn: false }
    default:
      return command
  }
}
