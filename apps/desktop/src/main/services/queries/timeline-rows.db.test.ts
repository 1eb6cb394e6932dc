import { afterEach, beforeEach, expect, it } from 'vitest'
import { openTestStore, type TestStore } from '../../../../test/fakes/open-test-store'
import { seedMailbox, seedRun, seedSession } from '../../../../test/fakes/seed-mailbox'
import { toTimelineRow } from './timeline-rows'

let opened: TestStore
beforeEach(() => {
  opened = openTestStore()
})
afterEach(() => opened.remove())

it('a run tells who serves its model: what was asked for, then what its session says', () => {
  const { store } = opened
  const asked = { adapter: 'claude-code', provider: 'bedrock', model: 'opus' } as const
  const run = seedRun(store, seedMailbox(store), asked)
  const rest = { run, attempts: 1, imageDigest: null, push: null }
  expect(toTimelineRow({ ...rest, sessions: [] }, [])).toMatchObject({ provider: 'bedrock', model: 'opus' })
  const session = seedSession(store, run, { provider: 'vertex', model: 'opus-4' })
  expect(toTimelineRow({ ...rest, sessions: [session] }, [])).toMatchObject({
    provider: 'vertex',
    model: 'opus-4',
  })
})
