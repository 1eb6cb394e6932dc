import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { issueWords } from './input-words'

const wordsOf = (schema: z.ZodType, value: unknown): string => {
  const [issue] = schema.safeParse(value).error?.issues ?? []
  if (issue === undefined) throw new Error('the value fits')
  return issueWords(issue, (limit) => `${limit} s`)
}

describe('what is wrong with a value', () => {
  it.each([
    [z.string().min(1), '', 'must not be empty'],
    [z.string().max(2), 'abc', 'must have at most 2 letters'],
    [z.number().min(10), 3, 'must be at least 10 s'],
    [z.number().max(10), 30, 'must be at most 10 s'],
    [z.number().int(), 1.5, 'must be a whole number'],
    [z.number(), 'x', 'must be a number'],
    [z.object({ a: z.number() }), {}, 'is missing'],
    [z.array(z.string()), 'x', 'must be a list, as in ["a", "b"]'],
    [z.array(z.string()).max(1), ['a', 'b'], 'must have at most 1 entry'],
    [z.boolean(), 'x', 'must be true or false'],
    [z.enum(['host', 'container']), 'x', 'must be one of host, container'],
    [z.string().regex(/^a$/, 'only a'), 'x', 'must be: only a'],
    [z.string().regex(/^a$/), 'x', 'has not the right form'],
  ])('is said in words (%#)', (schema, value, words) => {
    expect(wordsOf(schema, value)).toBe(words)
  })
})
