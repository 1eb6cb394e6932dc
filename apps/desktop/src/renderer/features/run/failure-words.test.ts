import { describe, expect, it } from 'vitest'
import type { RunDetail } from '@shared/contract/runs'
import { failureSentences, failureWords, moreMemory } from './failure-words'

const all = Object.entries(failureWords)

describe('the words of failures', () => {
  it.each(all)(
    'say for %s what happened, what it means and what to do, in whole calm sentences',
    (_type, words) => {
      for (const text of [words.title, words.whatHappened, words.whatToDo]) {
        expect(text).toMatch(/^[A-Z].*\.$/)
        expect(text).not.toMatch(/!|oops|please/i)
      }
    },
  )

  it('have a title of their own each', () => {
    expect(new Set(all.map(([, words]) => words.title)).size).toBe(all.length)
  })
})

describe('a run that met a limit', () => {
  const sandbox = { memoryBytes: 4_000_000_000 } as RunDetail['sandbox']

  it('says which, and what a retry with more gets', () => {
    const limits = { timeoutMs: 1_800_000, sandbox }
    expect(failureSentences(limits, { type: 'out_of_memory', message: 'ended', exitCode: 137 })).toEqual({
      title: 'The container ran out of memory (limit 4.0 GB).',
      text: 'The session is kept. A retry with more raises the memory limit of this project.',
      message: null,
    })
    expect(failureSentences(limits, { type: 'timed_out', message: '' }).title).toBe(
      'The time limit of 30m was reached.',
    )
    expect(moreMemory(limits)).toBe(8_000_000_000)
  })

  it('offers no more memory where nobody knows how much it had', () => {
    expect(moreMemory({ sandbox: null })).toBeNull()
    expect(
      failureSentences({ timeoutMs: 1, sandbox: null }, { type: 'out_of_memory', message: '' }).title,
    ).toBe('The container ran out of memory.')
  })
})
