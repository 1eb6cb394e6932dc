import type { Redact } from '../../core/redact/redact'
import { charactersOver } from '../../core/redact/safe-cut'
import { holdsRareEscapes } from '../../core/stream/json-escapes'
import type { LineGroup, StreamLine } from '../../core/stream/line-splitter'
import type { AgentEvent } from '../../ports/agent-adapter'

/*
 * Secrets out of what an agent prints: out of the line, and out of what its parser makes of it.
 */

/** Lines are looked at together up to here; longer texts cost more than what is saved. */
const lookedAtCharacters = 32_768

/** The texts of its lines. */
export function redactGroup({ lines, whole }: LineGroup, redact: Redact): readonly string[] {
  if (whole === null) return redactLines(lines, redact)
  const isClean = redact(whole) === whole
  return lines.map((line) => (isClean ? line.text : redactLine(line, redact)))
}

/**
 * The texts of lines. What holds no secret as a whole has none in any of its lines, and one look at the whole takes a
 * third of the time of a look at each.
 */
export function redactLines(
  lines: readonly Pick<StreamLine, 'text' | 'beyond'>[],
  redact: Redact,
): readonly string[] {
  const texts: string[] = []
  for (let from = 0; from < lines.length;) {
    let characters = 0
    let end = from
    // with their line ends: a flood of blank lines has no other characters
    do characters += (lines[end++]?.text.length ?? 0) + 1
    while (end < lines.length && characters < lookedAtCharacters)
    for (const text of redactTogether(lines.slice(from, end), redact)) texts.push(text)
    from = end
  }
  return texts
}

function redactTogether(
  lines: readonly Pick<StreamLine, 'text' | 'beyond'>[],
  redact: Redact,
): readonly string[] {
  const texts = lines.map(({ text }) => text)
  const whole = texts.join('\n')
  const isClean = redact(whole) === whole && lines.every(({ beyond }) => beyond === '')
  return isClean ? texts : lines.map((line) => redactLine(line, redact))
}

/** The text of a line. Where a line was cut, what may be the first half of a secret goes with the rest. */
export function redactLine({ text, beyond }: Pick<StreamLine, 'text' | 'beyond'>, redact: Redact): string {
  const over = beyond === '' ? 0 : charactersOver(text, beyond, redact)
  return redact(text.slice(0, text.length - over))
}

/** JSON may write any character as an escape, and a secret that is written so is one only when it was parsed. */
export const hasEscapes = holdsRareEscapes

/** Every text of the event, redacted. */
export const redactEvent = (event: AgentEvent, redact: Redact): AgentEvent =>
  Object.fromEntries(
    Object.entries(event).map(([name, value]) => [
      name,
      typeof value === 'string' && name !== 'kind' ? redact(value) : value,
    ]),
  ) as AgentEvent
