import type { z } from 'zod'
import { counted } from './format'

/**
 * What is wrong with a value, to be read after its name: `must not be empty`, `must be at least 10s`.
 * `show` writes a limit as people write the value itself.
 */
export function issueWords(
  issue: z.core.$ZodIssue,
  show: (limit: number) => string = (limit) => String(limit),
): string {
  switch (issue.code) {
    case 'too_small':
      return smallWords(issue.origin, Number(issue.minimum), show)
    case 'too_big':
      return bigWords(issue.origin, Number(issue.maximum), show)
    case 'invalid_type':
      return issue.message.endsWith('received undefined')
        ? 'is missing'
        : `must be ${typeWords[issue.expected] ?? issue.expected}`
    case 'invalid_value':
      return `must be one of ${issue.values.map(String).join(', ')}`
    case 'invalid_format':
      // Our own formats say what they allow; the others only that they do not fit.
      return issue.message.startsWith('Invalid') ? 'has not the right form' : `must be: ${issue.message}`
    default:
      return `does not fit: ${issue.message}`
  }
}

const typeWords: Readonly<Record<string, string>> = {
  array: 'a list, as in ["a", "b"]',
  boolean: 'true or false',
  int: 'a whole number',
  number: 'a number',
  string: 'text',
}

function smallWords(origin: string, minimum: number, show: (limit: number) => string): string {
  if (origin === 'string')
    return minimum <= 1 ? 'must not be empty' : `must have at least ${counted(minimum, 'letter')}`
  if (origin === 'array') return `must have at least ${counted(minimum, 'entry', 'entries')}`
  return `must be at least ${show(minimum)}`
}

function bigWords(origin: string, maximum: number, show: (limit: number) => string): string {
  if (origin === 'string') return `must have at most ${counted(maximum, 'letter')}`
  if (origin === 'array') return `must have at most ${counted(maximum, 'entry', 'entries')}`
  return `must be at most ${show(maximum)}`
}
