import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { RunId } from '@shared/model/ids'
import { openTestStore, type TestStore } from '../../../../test/fakes/open-test-store'
import { seedMailbox, seedRun } from '../../../../test/fakes/seed-mailbox'
import { createTranscriptSearch } from './transcript-search'

let test: TestStore
let runId: RunId
beforeEach(() => {
  test = openTestStore()
  runId = seedRun(test.store, seedMailbox(test.store)).id
})
afterEach(() => test.remove())

const search = () => createTranscriptSearch(test.db)
const say = (...texts: readonly string[]) =>
  test.store.events.append(
    runId,
    texts.map((text) => ({ at: 1, kind: 'text' as const, payload: { text } })),
  )
const found = (...words: readonly string[]) =>
  search()
    .find(words, 10)
    .events.map(({ seq }) => seq)

describe('the search in transcripts', () => {
  it('finds events that hold every word, the last one as a beginning, newest first', () => {
    say('the crane is broken', 'a crate at the pier', 'the crane stands at the pier')
    expect(search().indexNext(10)).toBe(3)
    expect(found('crane')).toEqual([3, 1])
    expect(found('crane', 'pi')).toEqual([3])
    expect(found('cran', 'pier')).toEqual([])
    expect(found('cra')).toEqual([3, 2, 1])
    expect(found('CRÁTE')).toEqual([2])
    expect(found()).toEqual([])
    expect(search().find(['crane'], 1)).toMatchObject({ events: [{ runId, seq: 3 }], total: 2 })
  })

  it('finds the beginning of a word of any length, and no word that only sorts near it', () => {
    say('crane cranes craneman', 'cran', 'crate', 'cranberry 7319', 'the kränzle', 'czar')
    search().indexNext(10)
    expect(found('c')).toEqual([6, 4, 3, 2, 1])
    expect(found('cran')).toEqual([4, 2, 1])
    expect(found('Crane')).toEqual([1])
    expect(found('cranem')).toEqual([1])
    expect(found('craneman')).toEqual([1])
    expect(found('craned')).toEqual([])
    expect(found('cranberry', '7')).toEqual([4])
    expect(found('kränz')).toEqual([5])
    expect(found('kranz')).toEqual([5])
  })

  it('finds a beginning that very many words have', () => {
    say(...Array.from({ length: 300 }, (_, index) => `commit abcdef${index} crane`))
    search().indexNext(300)
    expect(search().find(['abcd'], 1)).toMatchObject({ events: [{ seq: 300 }], total: 300 })
    expect(search().find(['crane', 'abcdef29'], 1)).toMatchObject({ events: [{ seq: 300 }], total: 11 })
  })

  it('takes words for words, whatever they mean to the index', () => {
    say('NOT this OR that "x"')
    search().indexNext(10)
    expect(found('NOT', 'OR')).toEqual([1])
    expect(found('x"')).toEqual([1])
    say('or near')
    search().indexNext(10)
    expect(found('NEAR')).toEqual([2])
    expect(found('n"ear')).toEqual([2])
  })

  it('takes up each event once, in steps, and goes on behind them', () => {
    say('one', 'two', 'three')
    expect([search().indexNext(2), search().indexNext(2), search().indexNext(2)]).toEqual([2, 1, 0])
    say('four')
    expect(search().behind()).toBe(1)
    expect(search().indexNext(2)).toBe(1)
    expect(search().behind()).toBe(0)
    expect(found('four')).toEqual([4])
  })

  it('counts up to a bound, and says so', () => {
    say(...Array.from({ length: 1_001 }, () => 'again'))
    search().indexNext(2_000)
    expect(search().find(['again'], 2)).toMatchObject({ total: 1_000, isTotalCut: true })
  })

  it('loses what goes with its project, and finds what gets its ids', () => {
    say('old words', 'old too')
    search().indexNext(10)
    test.db.prepare('DELETE FROM projects').run()
    expect(found('old')).toEqual([])
    runId = seedRun(test.store, seedMailbox(test.store)).id
    say('new words')
    expect(search().indexNext(10)).toBe(1)
    expect(found('old')).toEqual([])
    expect(found('new')).toEqual([1])
  })
})
