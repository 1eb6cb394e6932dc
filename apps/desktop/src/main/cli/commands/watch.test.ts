import { expect, it } from 'vitest'
import { statusLine } from './watch'

const status: Parameters<typeof statusLine>[0] = {
  running: 2,
  queued: 1,
  needsYou: 1,
  isPaused: false,
  docker: { state: 'reachable', endpoint: null, source: null, version: null, rootless: false },
  runs: [],
  forges: [{ name: 'git.example.org', state: 'ok', nextPollAt: null }],
  banners: [],
}

it('counts in words what runs, waits and needs a person', () => {
  expect(statusLine({ ...status, runs: [] })).toBe('2 running, 1 queued, 1 needs you')
  expect(statusLine({ ...status, runs: [], needsYou: 2, isPaused: true })).toBe(
    '2 running, 1 queued, 2 need you, paused',
  )
})

it('says what is wrong with a forge, and with a project of one', () => {
  const forges = (['unreachable', 'rate_limited', 'refused'] as const).map((state) => ({
    name: `${state}.example.org`,
    state,
    nextPollAt: null,
  }))
  const facts = { project: 'acme/old', message: 'acme/old is archived.' }
  const banners = [{ code: 'forge_project', severity: 'warn', facts } as const]
  expect(statusLine({ ...status, forges, banners })).toBe(
    '2 running, 1 queued, 1 needs you; unreachable.example.org does not answer; rate_limited.example.org wants fewer requests; refused.example.org refused the token; acme/old cannot be polled: acme/old is archived.',
  )
})
