import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openTestStore, type TestStore } from '../../../test/fakes/open-test-store'
import { seedMailbox, seedRun } from '../../../test/fakes/seed-mailbox'
import { createSettableClock, type SettableClock } from '../../../test/fakes/settable-clock'
import type { Logger } from '../ports/logger'
import { createClockWatch } from './clock-watch'

const hour = 3_600_000
const startAt = 100 * hour
const silent: Logger = {
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
  with: () => silent,
}

let opened: TestStore
let clock: SettableClock
let ended: AbortController
let jumps: number
beforeEach(() => {
  opened = openTestStore()
  clock = createSettableClock(startAt)
  ended = new AbortController()
  jumps = 0
  const watch = createClockWatch({ store: opened.store, clock, logger: silent, onJump: () => (jumps += 1) })
  void watch.run(ended.signal)
})
afterEach(() => {
  ended.abort()
  opened.remove()
})

async function pass(ms: number): Promise<void> {
  for (let left = ms; left > 0; left -= 5_000) {
    clock.advance(5_000)
    await new Promise(setImmediate)
  }
}

/** A run and a post that wait for a minute. */
function waiting() {
  const mailboxId = seedMailbox(opened.store)
  const { id } = seedRun(opened.store, mailboxId)
  opened.store.runs.update(id, { nextAttemptAt: clock.now() + 60_000 })
  const at = clock.now() + 60_000
  opened.store.outbox.add({
    key: 'k',
    kind: 'comment',
    mailboxId,
    runId: null,
    target: 'issue',
    payload: {},
    at,
  })
  return {
    run: () => opened.store.runs.listDue(clock.now(), 10).length > 0,
    post: () => opened.store.outbox.listDue(clock.now(), 10).length > 0,
  }
}

describe('a clock that is set', () => {
  it('back by hours makes nobody wait for hours', async () => {
    const isDue = waiting()
    await pass(20_000)
    clock.jump(-2 * hour - 0.4)
    await pass(30_000)
    expect([isDue.run(), isDue.post(), jumps]).toEqual([false, false, 1])
    await pass(15_000)
    expect([isDue.run(), isDue.post(), jumps]).toEqual([true, true, 1])
  })

  it('forward makes due what waited, and has it looked at', async () => {
    const isDue = waiting()
    clock.jump(2 * hour)
    await pass(5_000)
    expect([isDue.run(), isDue.post(), jumps]).toEqual([true, true, 1])
  })

  it('by less than its corrections is not noticed', async () => {
    clock.jump(-1_000)
    await pass(60_000)
    expect(jumps).toBe(0)
  })
})
