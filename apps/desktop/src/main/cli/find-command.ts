import { err, ok, type Result } from '@shared/result'
import type { Command } from './command'
import { usageError, type UsageError } from './usage'

export interface FoundCommand {
  readonly command: Command
  /** What is left of the command line. */
  readonly words: readonly string[]
}

/** The command that the line begins with: one word, or two where a group of commands has that name. */
export function findCommand(
  commands: readonly Command[],
  line: readonly string[],
): Result<FoundCommand, UsageError> {
  const [first = '', second = ''] = line
  const exact = commands.find(({ name }) => name === `${first} ${second}`)
  if (exact) return ok({ command: exact, words: line.slice(2) })
  const single = commands.find(({ name }) => name === first)
  if (single) return ok({ command: single, words: line.slice(1) })
  const group = commands.filter(({ name }) => name.startsWith(`${first} `))
  if (group.length > 0) {
    // `alfred settings` alone means its list.
    const list =
      second === '' || second.startsWith('-') ? group.find(({ name }) => name === `${first} list`) : undefined
    if (list) return ok({ command: list, words: line.slice(1) })
    return err(
      usageError(
        `alfred ${first} needs one of: ${group.map(({ name }) => name.slice(first.length + 1)).join(', ')}`,
      ),
    )
  }
  return err(usageError(first === '' ? 'a command is missing' : `there is no command ${first}`))
}
