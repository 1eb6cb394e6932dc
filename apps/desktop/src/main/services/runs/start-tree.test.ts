import { describe, expect, it } from 'vitest'
import { startTree, type TreeFacts } from './start-tree'

const tree = (patch: Partial<TreeFacts>) =>
  startTree({
    phase: 'development',
    kind: 'first',
    attempt: 1,
    branchExists: false,
    mode: 'resume',
    retriesFailedRun: false,
    isTakenBack: false,
    ...patch,
  })

describe('the tree that a start works in', () => {
  it("is the issue's branch for a phase run", () => expect(tree({})).toBe('branch'))

  it('is a temporary branch for a read-only phase before there is a branch', () => {
    expect(tree({ phase: 'analysis' })).toBe('temporary')
    expect(tree({ phase: 'answer' })).toBe('temporary')
    expect(tree({ phase: 'analysis', branchExists: true })).toBe('branch')
  })

  it.each([
    ['a fallback start', { kind: 'fallback' }],
    ['the next attempt', { attempt: 2 }],
    ['what collects', { kind: 'collect' }],
    ['a retry with memory', { retriesFailedRun: true }],
  ] as const)(
    "is for %s of a read-only phase never the issue's branch before there is one",
    (_what, patch) => {
      expect(tree({ phase: 'analysis', ...patch })).toBe('temporary_as_is')
      expect(tree({ phase: 'answer', ...patch })).toBe('temporary_as_is')
      expect(tree({ phase: 'analysis', branchExists: true, ...patch })).toBe('workspace')
    },
  )

  it('is the workspace as it is where the memory believes in it', () => {
    expect(tree({ kind: 'fallback' })).toBe('workspace')
    expect(tree({ attempt: 2 })).toBe('workspace')
    expect(tree({ kind: 'collect' })).toBe('workspace')
    expect(tree({ retriesFailedRun: true })).toBe('workspace')
    expect(tree({ phase: 'chat' })).toBe('workspace')
  })

  it("is the issue's branch once a person decided against what lies in the workspace", () => {
    expect(tree({ phase: 'chat', isTakenBack: true })).toBe('branch')
    expect(tree({ retriesFailedRun: true, isTakenBack: true })).toBe('branch')
    expect(tree({ phase: 'chat', isTakenBack: true, kind: 'fallback' })).toBe('workspace')
  })

  it('begins anew when a failed run is retried without memory', () =>
    expect(tree({ retriesFailedRun: true, mode: 'chosen_fresh' })).toBe('branch'))
})
