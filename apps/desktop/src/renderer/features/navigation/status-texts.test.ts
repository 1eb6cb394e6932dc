import { describe, expect, it } from 'vitest'
import { dockerText, pollText, runsText } from './status-texts'

const docker = { state: 'reachable', endpoint: null, source: null, version: '28.5', rootless: true } as const

describe('the status bar', () => {
  it('counts what runs and waits, and says so when nothing does', () => {
    expect(runsText({ running: 2, queued: 1, isPaused: false })).toBe('2 running · 1 queued')
    expect(runsText({ running: 0, queued: 0, isPaused: false })).toBe('Nothing running')
    expect(runsText({ running: 0, queued: 3, isPaused: true })).toBe('Paused · 3 queued')
    expect(runsText({ running: 1, queued: 0, isPaused: true })).toBe('Paused · 1 running')
  })

  it('names Docker with its version, or what is wrong with it', () => {
    expect(dockerText(docker)).toBe('Docker 28.5 rootless')
    expect(dockerText({ ...docker, state: 'unreachable', version: null })).toBe('Docker not reachable')
  })

  it('shows the forge that is asked next', () => {
    const forges = [
      { name: 'a.example', nextPollAt: 40_000 },
      { name: 'b.example', nextPollAt: 18_000 },
    ]
    expect(pollText(forges, 0)).toBe('b.example +1 · next poll 18s')
    expect(pollText([{ name: 'local', nextPollAt: null }], 0)).toBe('local · no polling')
  })
})
