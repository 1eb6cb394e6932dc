import { describe, expect, it } from 'vitest'
import { failureWords } from './failure-words'

const all = Object.entries(failureWords)

describe('the words of failures', () => {
  it.each(all)(
    'say for %s what happened, what it means and what to do, in whole calm sentences',
    (_type, words) => {
      for (const text of [words.title, words.whatHappened, words.whatToDo]) {
        expect(text).toMatch(/^[A-Z].*\.$/)
        expect(text).not.toMatch(/!|oops|please/i)
      }
    },
  )

  it('have a title of their own each', () => {
    expect(new Set(all.map(([, words]) => words.title)).size).toBe(all.length)
  })
})
