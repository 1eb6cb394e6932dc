import { describe, expect, it } from 'vitest'
import { ok } from '@shared/result'
import type { Phase } from '@shared/model/words'
import { harvest } from './harvest'
import type { RunContext } from './run-context'
import type { RunParts } from './run-parts'

const base = 'b'.repeat(40)
const before = 'a'.repeat(40)

const parts = {
  git: { openMailboxRepository: () => Promise.resolve(ok({})) },
} as unknown as RunParts

const contextOf = (phase: Phase) =>
  ({
    run: { phase, uid: 'r' },
    mailbox: { iid: 1 },
    repositoryPath: '/r',
    isReadOnly: phase === 'analysis' || phase === 'answer',
  }) as unknown as RunContext

const collect = (phase: Phase, head: string, result: object | null = null) =>
  harvest(parts, {
    context: contextOf(phase),
    outputs: {
      entry: null,
      status: JSON.stringify({ version: 1, head, commits: 0, kept: 'none' }),
      result: result === null ? null : JSON.stringify(result),
      commitsBundle: null,
      keptBundle: null,
      refused: [],
    },
    branch: 'agent/issue-1-x',
    baseSha: base,
    lastText: null,
    signal: new AbortController().signal,
  })

const result = (phase: Phase, outcome: string) => ({
  version: 1,
  phase,
  outcome,
  summary: 'It is so.',
  plan: phase === 'analysis' ? 'A plan.' : null,
  functional_analysis: phase === 'analysis' ? 'What it is.' : null,
  questions: outcome === 'questions' ? ['Which one?'] : [],
})
const undone = {
  isCollected: true,
  isLeftBehind: false,
  head: null,
  refusal: {
    type: 'bundle_refused',
    message: "the issue's branch does not go on from the commit that the run began with",
  },
}

describe('a branch without a new commit', () => {
  it('is nothing to take in where it ends with the commit that the run began with', async () => {
    expect(await collect('chat', base)).toMatchObject({ isCollected: true, head: null, refusal: null })
    expect(await collect('development', base, result('development', 'done'))).toMatchObject({ refusal: null })
  })

  it('is refused where commits that were there before were undone', async () => {
    expect(await collect('chat', before)).toMatchObject(undone)
    expect(await collect('development', before, result('development', 'done'))).toMatchObject(undone)
  })

  it('is let be where nothing was said to be done, or where nothing is taken in anyway', async () => {
    const asked = await collect('development', before, result('development', 'questions'))
    expect(asked).toMatchObject({ result: { outcome: 'questions' }, refusal: null })
    expect((await collect('analysis', before, result('analysis', 'done'))).refusal).toBeNull()
  })
})
