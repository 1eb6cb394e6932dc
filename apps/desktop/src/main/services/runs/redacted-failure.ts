import type { RunFailure } from '@shared/contract/runs'
import type { Redact } from '../../core/redact/redact'
import type { RunCommand } from '../../core/run/run-machine'

/** The same command, with secrets out of what its failure quotes: the words of programs, engines and files. */
export function redactFailure(command: RunCommand, redact: Redact): RunCommand {
  const clean = <F extends RunFailure | null>(failure: F): F =>
    failure === null ? failure : { ...failure, message: redact(failure.message) }
  switch (command.type) {
    case 'prepare_failed':
    case 'not_ready':
    case 'provider_failed':
    case 'interrupted':
      return { ...command, failure: clean(command.failure) }
    case 'exited':
      return { ...command, exit: { ...command.exit, failure: clean(command.exit.failure) } }
    case 'stop':
      return { ...command, ending: { ...command.ending, failure: clean(command.ending.failure) } }
    case 'begin':
    case 'prepared':
    case 'abandon_start':
    case 'collected':
      return command
  }
}
