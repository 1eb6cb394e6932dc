import { describe, expect, it } from 'vitest'
import { nameWithoutPrefix, outcomeLook } from './row-figures'

const look = (patch: Partial<Parameters<typeof outcomeLook>[0]>) =>
  outcomeLook({ state: 'ended', outcome: 'succeeded', commits: null, phase: 'development', ...patch })

describe('outcomeLook', () => {
  it('counts what was made, and says done where nothing was', () => {
    expect(look({ commits: 2 }).text).toBe('2 commits')
    expect(look({ commits: 0 }).text).toBe('Done')
    expect(look({ commits: null }).text).toBe('Done')
    expect(look({ phase: 'analysis' }).text).toBe('Analysed')
  })

  it('reads interrupted, not failed, while the run goes on by itself', () => {
    expect(look({ state: 'queued', outcome: 'interrupted' })).toMatchObject({
      text: 'Interrupted',
      tone: 'warn',
    })
    expect(look({ state: 'queued', outcome: null })).toMatchObject({ text: 'Queued', tone: 'quiet' })
  })
})

describe('nameWithoutPrefix', () => {
  it('drops the prefix first', () => {
    expect(nameWithoutPrefix('alfred/issue-128-retry')).toBe('issue-128-retry')
    expect(nameWithoutPrefix('issue-9')).toBe('issue-9')
  })
})
