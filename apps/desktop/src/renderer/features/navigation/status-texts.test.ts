import { describe, expect, it } from 'vitest'
import { dockerText, pollText, runsText } from './status-texts'

const docker = { state: 'reachable', endpoint: null, source: null, version: '28.5', rootless: true } as const

describe('the status bar', () => {
  it('counts what runs and waits, and says so when nothing does', () => {
    expect(runsText({ running: 2, queued: 1, isPaused: false, checking: 0 })).toBe('2 running · 1 queued')
    expect(runsText({ running: 0, queued: 0, isPaused: false, checking: 0 })).toBe('Nothing running')
    expect(runsText({ running: 0, queued: 3, isPaused: true, checking: 0 })).toBe('Paused · 3 queued')
    expect(runsText({ running: 1, queued: 0, isPaused: true, checking: 0 })).toBe('Paused · 1 running')
  })

  it('says that runs are looked after when the computer slept', () => {
    const status = { running: 2, queued: 1, isPaused: false }
    expect(runsText({ ...status, checking: 2 })).toBe('Checking 2 runs after sleep')
    expect(runsText({ ...status, checking: 1 })).toBe('Checking 1 run after sleep')
  })

  it('names Docker with its version, or what is wrong with it', () => {
    expect(dockerText(docker)).toBe('Docker 28.5 rootless')
    expect(dockerText({ ...docker, state: 'unreachable', version: null })).toBe('Docker not reachable')
  })

  it('shows a forge with a trouble before the others', () => {
    const told = (state: 'unreachable' | 'rate_limited' | 'refused') =>
      pollText(
        [
          { name: 'a.example', state: 'ok', nextPollAt: 1_000 },
          { name: 'b.example', state, nextPollAt: 18_000 },
        ],
        0,
      )
    expect(told('unreachable')).toBe('b.example +1 · does not answer')
    expect(told('rate_limited')).toBe('b.example +1 · wants fewer requests')
    expect(told('refused')).toBe('b.example +1 · refused the token')
  })

  it('shows the forge that is asked next', () => {
    const forges: Parameters<typeof pollText>[0] = [
      { name: 'a.example', state: 'ok', nextPollAt: 40_000 },
      { name: 'b.example', state: 'ok', nextPollAt: 18_000 },
    ]
    expect(pollText(forges, 0)).toBe('b.example +1 · next poll 20s')
    expect(pollText(forges, 13_000)).toBe('b.example +1 · next poll 5s')
    expect(pollText(forges, 18_000)).toBe('b.example +1 · polling')
    expect(pollText([{ name: 'local', state: 'ok', nextPollAt: null }], 0)).toBe('local · no polling')
  })
})
