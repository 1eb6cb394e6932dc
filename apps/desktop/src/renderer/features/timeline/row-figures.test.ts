import { describe, expect, it } from 'vitest'
import { nameWithoutPrefix, outcomeLook } from './row-figures'

describe('outcomeLook', () => {
  it('counts what was made, and says done where nothing was', () => {
    expect(outcomeLook({ state: 'ended', outcome: 'succeeded', commits: 2 }).text).toBe('2 commits')
    expect(outcomeLook({ state: 'ended', outcome: 'succeeded', commits: 0 }).text).toBe('Done')
    expect(outcomeLook({ state: 'ended', outcome: 'succeeded', commits: null }).text).toBe('Done')
  })

  it('reads interrupted, not failed, while the run goes on by itself', () => {
    expect(outcomeLook({ state: 'queued', outcome: 'interrupted', commits: null })).toMatchObject({ text: 'Interrupted', tone: 'warn' })
    expect(outcomeLook({ state: 'queued', outcome: null, commits: null })).toMatchObject({ text: 'Queued', tone: 'quiet' })
  })
})

describe('nameWithoutPrefix', () => {
  it('drops the prefix first', () => {
    expect(nameWithoutPrefix('alfred/issue-128-retry')).toBe('issue-128-retry')
    expect(nameWithoutPrefix('issue-9')).toBe('issue-9')
  })
})
