import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { RunId } from '@shared/model/ids'
import type { Store } from '@main/ports/stores'
import { openTestStore, type TestStore } from '../../../../test/fakes/open-test-store'
import { seedMailbox, seedRun } from '../../../../test/fakes/seed-mailbox'

let test: TestStore
let store: Store
let run: RunId

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
