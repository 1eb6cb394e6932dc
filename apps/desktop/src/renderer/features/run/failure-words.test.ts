import { describe, expect, it } from 'vitest'
import type { RunDetail, RunFailure } from '@shared/contract/runs'
import { failureSentences, failureWords, moreMemory } from './failure-words'

const all = Object.entries(failureWords)

describe('the words of failures', () => {
  it.each(all)(
    'say for %s what happened, what it means and what to do, in whole calm sentences',
    (_type, words) => {
      for (const text of [
        words.title,
        words.whatHappened,
        words.unsaved ?? words.whatHappened,
        words.whatToDo,
      ]) {
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
  const row = saved(100)

  it('says which, and what a retry with more gets', () => {
    const limits = { timeoutMs: 1_800_000, sandbox, row }
    expect(failureSentences(limits, { type: 'out_of_memory', message: 'ended', exitCode: 137 })).toEqual({
      title: 'The container ran out of memory (limit 4.0 GB).',
      text: 'The session is kept. A retry with more raises the memory limit of this project.',
      message: null,
    })
    expect(failureSentences(limits, { type: 'timed_out', message: '' }).title).toBe(
      'The time limit of 30m was reached.',
    )
    const row41 = { ...row, turns: 41 }
    expect(failureSentences({ ...limits, row: row41 }, { type: 'timed_out', message: '' }).title).toBe(
      'The time limit of 30m was reached in turn 41.',
    )
    expect(moreMemory(limits)).toBe(8_000_000_000)
  })

  it('offers no more memory where nobody knows how much it had', () => {
    expect(moreMemory({ sandbox: null })).toBeNull()
    expect(
      failureSentences({ timeoutMs: 1, sandbox: null, row }, { type: 'out_of_memory', message: '' }).title,
    ).toBe('The container ran out of memory.')
  })
})

describe('a bundle that was refused', () => {
  const textOf = (message: string): string =>
    failureSentences({ timeoutMs: 1, sandbox: null, row: saved(100) }, { type: 'bundle_refused', message })
      .text
  const begin = 'Its git bundle failed the check'

  it.each([
    ['The bundle was refused: it is not there.', `${begin}: it is not there.`],
    [
      'The bundle was refused: git found a harmful or broken object in it (Git failed: error: a (b).).',
      `${begin}: git found a harmful or broken object in it.`,
    ],
    ['there are 3 commits and no bundle of them', `${begin}: there are 3 commits and no bundle of them.`],
    [
      'The work could not be collected; it lies in the workspace.',
      `${begin}: the work could not be collected; it lies in the workspace.`,
    ],
    ['', `${begin}.`],
  ])('has the reason in the sentence: %s', (message, sentence) =>
    expect(textOf(message)).toMatch(`${sentence} Nothing was pushed. `),
  )

  it('leads to the check and to a retry', () =>
    expect(failureWords.bundle_refused.actions).toEqual(['show_check', 'retry']))
})

describe('a session', () => {
  const limits = { timeoutMs: 1_800_000, sandbox: null }
  const textOf = (row: RunDetail['row'], type: RunFailure['type']): string =>
    failureSentences({ ...limits, row }, { type, message: '' }).text

  it.each([
    ['was empty at the end', saved(0)],
    ['did not grow', { ...saved(100), mode: 'resume', resumed: true, stateBytesBefore: 100 }],
    ['was not looked at', saved(null)],
    ['never told its id', { ...saved(100), nativeSessionId: null }],
    ['does not apply', { ...saved(100), mode: 'none' }],
  ] as const)('that %s is not said to be kept', (_name, row) => {
    for (const [type] of all)
      expect(textOf(row, type as RunFailure['type'])).not.toMatch(/session (too|is kept|is complete)/)
    expect(textOf(row, 'out_of_memory')).toBe(
      'The work is kept in the workspace. A retry with more raises the memory limit of this project.',
    )
  })

  it('that was saved is', () => {
    expect(textOf(saved(100), 'stopped')).toMatch(/^The work is kept in the workspace, and the session too\./)
    expect(textOf(saved(100), 'timed_out')).toMatch(/^The last save of the session is complete/)
  })
})

/** A run whose new session had so many bytes in its state at the end. */
function saved(stateBytesAfter: number | null): RunDetail['row'] {
  return {
    mode: 'fresh',
    resumed: false,
    nativeSessionId: 'a-1',
    stateBytesBefore: null,
    stateBytesAfter,
    endedAt: 5,
    turns: null,
  } as RunDetail['row']
}
