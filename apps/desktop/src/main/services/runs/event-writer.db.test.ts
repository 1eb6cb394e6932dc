import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { openTestStore, type TestStore } from '../../../../test/fakes/open-test-store'
import { seedMailbox, seedRun } from '../../../../test/fakes/seed-mailbox'
import type { Store } from '../../ports/stores'
import { createEventWriter } from './event-writer'
import { createRunEventFeed } from './run-event-feed'

let opened: TestStore
let runId: ReturnType<typeof seedRun>['id']
beforeEach(() => {
  opened = openTestStore()
  runId = seedRun(opened.store, seedMailbox(opened.store)).id
})
afterEach(() => opened.remove())

const say = (text: string) => [{ at: 1, kind: 'text', payload: { text } }] as const
const nothing = { inTransaction: () => undefined, onStored: () => undefined }
const stored = (): readonly string[] =>
  opened.store.events.list(runId, 0, 100).map(({ payload }) => (payload as { text: string }).text)

/** A writer whose packs are ready only when they are let go: the oldest of those under way, or the newest. */
function heldUp() {
  const letGo: (() => void)[] = []
  const store: Store = {
    ...opened.store,
    events: {
      ...opened.store.events,
      pack: async (events) => {
        await new Promise<void>((resolve) => letGo.push(resolve))
        return opened.store.events.pack(events)
      },
    },
  }
  const feed = createRunEventFeed()
  return {
    writer: createEventWriter({ store, feed, runId }),
    feed,
    next: () => letGo.shift()?.(),
    newest: () => letGo.pop()?.(),
  }
}

it('keeps the order of two streams while the first one is packed', async () => {
  const { writer, next } = heldUp()
  await writer.write(say('packed'), 'packed', nothing)
  const others = [writer.write(say('a row'), 'rows', nothing), writer.write(say('later'), 'packed', nothing)]
  expect(stored()).toEqual([])
  next()
  await Promise.all(others)
  expect(stored()).toEqual(['packed', 'a row'])
  next()
  await writer.done()
  expect(stored()).toEqual(['packed', 'a row', 'later'])
})

it('packs one batch after the other, also when both streams wait for the same one', async () => {
  const { writer, next, newest } = heldUp()
  await writer.write(say('out 1'), 'packed', nothing)
  const waiting = [
    writer.write(say('out 2'), 'packed', nothing),
    writer.write(say('err 1'), 'packed', nothing),
  ]
  next()
  await waiting[0]
  const isOver = { value: false }
  const all = writer.done().then(() => (isOver.value = true))
  newest()
  await vi.waitFor(() => expect(stored()).toEqual(['out 1', 'out 2']))
  await waiting[1]
  expect(isOver.value).toBe(false)
  newest()
  await all
  await writer.close()
  expect(stored()).toEqual(['out 1', 'out 2', 'err 1'])
})

it('tells who listens of packed events as of others, with their numbers', async () => {
  const { writer, feed, next } = heldUp()
  const told: unknown[] = []
  feed.subscribe(runId, ({ events }) => told.push(...events))
  await writer.write(say('one'), 'rows', nothing)
  await writer.write([...say('two'), ...say('three')], 'packed', nothing)
  next()
  await writer.done()
  expect(told).toEqual(opened.store.events.list(runId, 0, 10))
})

it.each(['before', 'in', 'after'] as const)(
  'tells all of a burst to who begins to listen %s it',
  async (when) => {
    const { writer, feed, next } = heldUp()
    const told: unknown[] = []
    const listen = (now: string): void => {
      if (now === when) feed.subscribe(runId, ({ events }) => told.push(...events))
    }
    listen('before')
    const burst = writer.beginBurst()
    burst.add(say('one'))
    listen('in')
    burst.add([...say('two'), ...say('three')])
    listen('after')
    await writer.writeBurst(burst, nothing)
    next()
    await writer.done()
    expect(stored()).toEqual(['one', 'two', 'three'])
    expect(told).toEqual(opened.store.events.list(runId, 0, 10))
  },
)

it.each(['rows', 'packed'] as const)('stores nothing behind %s that could not be stored', async (as) => {
  const { writer, next } = heldUp()
  const failing = {
    ...nothing,
    inTransaction: () => {
      throw new Error('the disk is full')
    },
  }
  const first = writer.write(say('lost'), as, failing).then(() => writer.done())
  const second = writer.write(say('behind'), 'rows', nothing)
  const both = Promise.allSettled([first, second])
  next()
  expect((await both).map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  await expect(writer.write(say('later'), 'packed', nothing)).rejects.toThrow('the disk is full')
  expect(stored()).toEqual([])
})

it('stores nothing more once it is closed', async () => {
  const { writer, next } = heldUp()
  await writer.write(say('being packed'), 'packed', nothing)
  const waiting = writer.write(say('waiting'), 'rows', nothing)
  const closed = writer.close()
  next()
  await Promise.all([waiting, closed])
  await writer.write(say('late'), 'rows', nothing)
  expect(stored()).toEqual([])
})
