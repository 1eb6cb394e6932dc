import { afterEach, beforeEach, expect, it } from 'vitest'
import { openTestStore, type TestStore } from '../../../../test/fakes/open-test-store'
import { seedMailbox, seedRun } from '../../../../test/fakes/seed-mailbox'
import { createIndexedWords } from './indexed-words'
import { createTranscriptSearch } from './transcript-search'

let test: TestStore
beforeEach(() => {
  test = openTestStore()
})
afterEach(() => test.remove())

function wordsBeginning(beginning: string, ...texts: readonly string[]): readonly string[] | null {
  const { id } = seedRun(test.store, seedMailbox(test.store))
  test.store.events.append(
    id,
    texts.map((text) => ({ at: 1, kind: 'text' as const, payload: { text } })),
  )
  createTranscriptSearch(test.db).indexNext(1_000)
  return createIndexedWords(test.db)(beginning)
}

it('tells the words that begin with some letters, each once', () => {
  const texts = ['crane crane crate', 'Cranes, cran', 'the CRANE', 'craniate']
  expect(wordsBeginning('Crane', ...texts)).toEqual(['crane', 'cranes'])
})

it('tells that there are none', () => {
  expect(wordsBeginning('crab', 'crane', 'dune')).toEqual([])
})

it('leaves beginnings to the index that it has lists of', () => {
  expect(wordsBeginning('cra', 'crane')).toBeNull()
})

it('gives up on letters of which it is not known how the index keeps them', () => {
  expect(wordsBeginning('krän', 'kränze')).toBeNull()
})

it('gives up when there are very many', () => {
  const numbered = Array.from({ length: 201 }, (_, index) => `abcdef${index}`)
  expect(wordsBeginning('abcdef', ...numbered)).toBeNull()
})
