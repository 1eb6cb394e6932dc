import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { RunId } from '@shared/model/ids'
import { StorageError } from '@main/ports/storage-failure'
import type { NewEvent, Store, StoredEvent } from '@main/ports/stores'
import { openTestStore, type TestStore } from '../../../../test/fakes/open-test-store'
import { seedMailbox, seedRun } from '../../../../test/fakes/seed-mailbox'
import { createTranscriptSearch } from './transcript-search'

let test: TestStore
let store: Store
let run: RunId
let iid = 10

beforeEach(() => {
  test = openTestStore()
  store = test.store
  run = seedRun(store, seedMailbox(store)).id
})
afterEach(() => {
  test.remove()
})

const text = (value: string) => ({ at: 1, kind: 'text', payload: { text: value } }) as const
const seqs = (events: readonly { readonly seq: number }[]): readonly number[] => events.map(({ seq }) => seq)

describe('the events of a run', () => {
  it('are numbered from 1, on and on, each run for itself', () => {
    const other = seedRun(store, seedMailbox(store, 2)).id
    expect(seqs(store.events.append(run, [text('a'), text('b')]))).toEqual([1, 2])
    expect(seqs(store.events.append(other, [text('x')]))).toEqual([1])
    expect(seqs(store.events.append(run, [text('c')]))).toEqual([3])
    expect(store.events.append(run, [])).toEqual([])
    expect([store.events.count(run), store.events.count(other)]).toEqual([3, 1])
  })

  it.each([
    ['tool', { text: 'Zeile\u0000 ✓ 😀', n: 1.5, list: [null, true], nested: { a: '' } }],
    ['tool', { name: 'read', summary: '', input: '{"path":"\u0000"}', callId: null }],
    ['tool_result', { callId: 'a', failed: true, output: 'Zeile\u0000 ✓ 😀 "\\n"' }],
    ['text', { text: '' }],
    ['text', { text: 'half a character: \ud83d' }],
    ['notice', { text: 7, output: 'x' }],
    ['usage', ['text']],
    ['usage', null],
  ] as const)('come back as they went in: %s %j', (kind, payload) => {
    const [stored] = store.events.append(run, [{ at: 5, kind, payload }])
    expect(store.events.list(run, 0, 10)).toEqual([stored])
    expect(stored).toEqual({ runId: run, seq: 1, at: 5, kind, payload })
  })

  it('have their text beside the rest of the payload', () => {
    const output = 'line\n'.repeat(500)
    store.events.append(run, [{ at: 5, kind: 'tool_result', payload: { callId: 'a', output } }])
    expect(test.db.prepare('SELECT payload, text FROM run_events').all()).toEqual([
      { payload: '{"callId":"a"}', text: output },
    ])
  })

  it('are stored in order, however many there are', () => {
    const words = Array.from({ length: 67 }, (_, n) => text(String(n)))
    store.events.append(run, words)
    store.events.append(run, words)
    expect(store.events.list(run, 0, 1000).map(({ payload }) => payload)).toEqual(
      [...words, ...words].map(({ payload }) => payload),
    )
  })

  it('are read in pages, forwards and backwards', () => {
    store.events.append(
      run,
      Array.from({ length: 7 }, (_, n) => text(String(n))),
    )
    expect(seqs(store.events.list(run, 2, 3))).toEqual([3, 4, 5])
    expect(seqs(store.events.list(run, 7, 3))).toEqual([])
    expect(seqs(store.events.listBefore(run, 6, 3))).toEqual([3, 4, 5])
    expect(seqs(store.events.listBefore(run, 2, 3))).toEqual([1])
  })

  it('are stored together with the position in the stream, or not at all', () => {
    const start = store.runs.addStart(store.runs.addAttempt(run, 1).id, 'first', 1)
    expect(() =>
      store.transaction(() => {
        store.runs.setStreamPosition(start.id, 'stdout', { device: '1', inode: '2', offset: 3 })
        store.events.append(run, [text('a'), { at: 1, kind: 'text', payload: undefined }])
      }),
    ).toThrow('only JSON values')
    expect(store.events.count(run)).toBe(0)
    expect(store.runs.listStarts(start.attemptId)[0]?.stdout).toBeNull()
  })
})

describe('events that were packed', () => {
  const appendPacked = async (id: RunId, events: readonly NewEvent[]): Promise<readonly StoredEvent[]> => {
    const firstSeq = store.events.appendPacked(id, await store.events.pack(events))
    return events.map((event, index) => ({ ...event, runId: id, seq: firstSeq + index }))
  }
  const appends = fc.array(
    fc.record({
      as: fc.constantFrom('rows' as const, 'packed' as const),
      texts: fc.array(fc.string({ unit: 'binary', maxLength: 4 }), { maxLength: 30 }),
    }),
    { maxLength: 6 },
  )
  const page = fc.record({ at: fc.nat({ max: 60 }), limit: fc.integer({ min: 1, max: 40 }) })

  it('are read as if they were rows, while they are packed and after', async () => {
    const pages = fc.array(page, { maxLength: 4 })
    await fc.assert(
      fc.asyncProperty(appends, pages, fc.nat({ max: 6 }), async (all, asked, unpackings) => {
        const { id } = seedRun(store, seedMailbox(store, (iid += 1)))
        const stored: StoredEvent[] = []
        for (const { as, texts } of all) {
          const events = texts.map(text)
          stored.push(...(as === 'rows' ? store.events.append(id, events) : await appendPacked(id, events)))
        }
        for (let done = 0; done < unpackings; done += 1) store.events.unpackSome()
        expect(seqs(stored)).toEqual(stored.map((_, index) => index + 1))
        expect(store.events.count(id)).toBe(stored.length)
        for (const { at, limit } of asked) {
          expect(store.events.list(id, at, limit)).toEqual(stored.slice(at, at + limit))
          const before = stored.filter(({ seq }) => seq < at)
          expect(store.events.listBefore(id, at, limit)).toEqual(before.slice(-limit))
        }
      }),
      { numRuns: 60 },
    )
  })

  it.each([
    ['tool', { name: 'read', summary: '', input: '{"path":"\u0000"}', callId: null }],
    ['tool_result', { callId: 'a', failed: true, output: 'Zeile\u0000\n✓ 😀 "\\n"' }],
    ['text', { text: '' }],
    ['text', { text: 'half a character: \ud83d' }],
    ['notice', { text: 7, output: 'x' }],
    ['usage', { inputTokens: 7, costUsd: 0.5, turns: null }],
    ['usage', null],
  ] as const)('come back as they went in: %s %j', async (kind, payload) => {
    const stored = await appendPacked(run, [{ at: 5, kind, payload }, text('next')])
    expect(store.events.list(run, 0, 10)).toEqual(stored)
    store.events.unpackSome()
    expect(store.events.list(run, 0, 10)).toEqual(stored)
    expect(test.db.prepare('SELECT count(*) FROM run_events').pluck().get()).toBe(2)
  })

  it('are laid out one append after the other, the oldest first, for the search to find', async () => {
    const search = createTranscriptSearch(test.db)
    await appendPacked(run, [text('crates'), text('pier')])
    await appendPacked(run, [text('ropes')])
    const before = store.events.latestPacked()
    expect(before).toBeGreaterThan(0)
    expect(search.indexNext(10)).toBe(0)
    expect(store.events.unpackSome()).toBe(true)
    expect(seqs(store.events.list(run, 0, 10))).toEqual([1, 2, 3])
    expect(search.indexNext(10)).toBe(2)
    expect(search.find(['pier'], 10).events.map(({ seq }) => seq)).toEqual([2])
    expect(store.events.unpackSome()).toBe(true)
    expect(store.events.latestPacked()).toBe(0)
    expect(store.events.unpackSome()).toBe(false)
  })

  it('are stored together with the position in the stream, or not at all', async () => {
    const start = store.runs.addStart(store.runs.addAttempt(run, 1).id, 'first', 1)
    const packed = await store.events.pack([text('a')])
    expect(() =>
      store.transaction(() => {
        store.runs.setStreamPosition(start.id, 'stdout', { device: '1', inode: '2', offset: 3 })
        store.events.appendPacked(run, packed)
        throw new Error('the disk is full')
      }),
    ).toThrow('the disk is full')
    expect(store.events.count(run)).toBe(0)
    expect(store.runs.listStarts(start.attemptId)[0]?.stdout).toBeNull()
  })

  it('are refused, and nothing of them stored, where they are no JSON', async () => {
    const noJson = { at: 1, kind: 'text', payload: undefined } as const
    await expect(store.events.pack([text('a'), noJson])).rejects.toThrow('only JSON values')
    expect(store.events.count(run)).toBe(0)
  })

  it('are made small many at once, each of them for itself', async () => {
    const words = Array.from({ length: 20 }, (_, n) => String(n).repeat(n * 100))
    const packed = await Promise.all(words.map((word) => store.events.pack([text(word)])))
    for (const one of packed) store.events.appendPacked(run, one)
    expect(store.events.list(run, 0, 50).map(({ payload }) => payload)).toEqual(
      words.map((word) => text(word).payload),
    )
  })

  it('come back as they went in, however much room they take', async () => {
    const long = '€ä'.repeat(500_000)
    const events: NewEvent[] = Array.from({ length: 1_200 }, (_, n) => ({
      at: n,
      kind: 'tool',
      payload: {
        name: 'xé😀'.repeat(150),
        summary: String(n),
        input: n % 400 === 0 ? long : 'y',
        callId: null,
      },
    }))
    const begun = store.events.beginPack()
    begun.add(events.slice(0, 700))
    begun.add(events.slice(700))
    store.events.appendPacked(run, await store.events.pack(begun))
    expect(store.events.list(run, 0, 2_000)).toEqual(
      events.map((event, index) => ({ ...event, runId: run, seq: index + 1 })),
    )
  })

  it('are packed and laid out a thousand at a time, however many come at once', async () => {
    const many = 140_000
    await appendPacked(
      run,
      Array.from({ length: many }, () => text('y')),
    )
    const packs = test.db.prepare('SELECT count(*) FROM packed_events').pluck()
    expect(packs.get()).toBe(many / 1_000)
    expect(seqs(store.events.list(run, many - 2, 10))).toEqual([many - 1, many])
    expect(seqs(store.events.listBefore(run, 3, 10))).toEqual([1, 2])
    expect(store.events.unpackSome()).toBe(true)
    expect(test.db.prepare('SELECT max(seq) FROM run_events').pluck().get()).toBe(1_000)
  })

  it('are told as damage where they do not read any more', async () => {
    await appendPacked(run, [text('a')])
    test.db.exec("UPDATE packed_events SET body = x'00ff00ff'")
    expect(() => store.events.list(run, 0, 10)).toThrow(StorageError)
    expect(() => store.events.unpackSome()).toThrow(StorageError)
    expect(store.events.latestPacked()).toBeGreaterThan(0)
  })
})
