import { expect, it } from 'vitest'
import { statusLine } from './watch'

const status = {
  running: 2,
  queued: 1,
  needsYou: 1,
  isPaused: false,
  docker: { state: 'reachable', endpoint: null, source: null, version: null, rootless: false },
  runs: [],
} as const satisfies Partial<Parameters<typeof statusLine>[0]>

it('counts in words what runs, waits and needs a person', () => {
  expect(statusLine({ ...status, runs: [] })).toBe('2 running, 1 queued, 1 needs you')
  expect(statusLine({ ...status, runs: [], needsYou: 2, isPaused: true })).toBe(
    '2 running, 1 queued, 2 need you, paused',
  )
})
