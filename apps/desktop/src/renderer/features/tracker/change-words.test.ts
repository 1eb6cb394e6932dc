import { describe, expect, it } from 'vitest'
import { mergeReason } from './change-words'

const open = {
  state: 'open',
  hasConflicts: false,
  headSha: 'a',
  problem: null,
  targetBranch: 'main',
} as const

describe('merging', () => {
  it('is possible for an open change without conflicts', () => {
    expect(mergeReason(open)).toBeNull()
  })

  it('says why it is not possible', () => {
    expect(mergeReason({ ...open, state: 'merged' })).toBe('It is merged already.')
    expect(mergeReason({ ...open, hasConflicts: true })).toBe(
      'Its branch changes the same lines as main. Resolve that on the branch first.',
    )
    expect(mergeReason({ ...open, headSha: null })).toBe('Its branch has no commit.')
    expect(mergeReason({ ...open, problem: 'The branch is gone.' })).toBe('The branch is gone.')
  })
})
