import type { Command } from './command'
import type { Output } from './output'

/** What a person types for `alfred` where it is not installed; scripts of a clone set it in ALFRED_COMMAND. */
export type SpellOut = (text: string) => string

/** Replaces `alfred` in front of a command, an option or COMMAND; Alfred the account is left alone. */
export function createSpelling(program: string, commands: readonly Command[]): SpellOut {
  if (program === 'alfred') return (text) => text
  const first = new Set(commands.map(({ name }) => name.split(' ')[0]))
  const following = ['COMMAND', '--help', ...first].join('|')
  const pattern = new RegExp(`\\balfred(?= (?:${following})(?![\\w-]))`, 'g')
  return (text) => text.replace(pattern, () => program)
}

/** The same output, with advice spelled for this person. Results are data, and stay as they are. */
export const spellAdvice = (output: Output, spell: SpellOut): Output => ({
  ...output,
  progress: (text) => output.progress(spell(text)),
  error: (text) => output.error(spell(text)),
})
