import { expect, it } from 'vitest'
import { workText } from './cleanup-words'

it.each([
  [{ commits: 1, files: [], isUncollected: false }, '1 commit was never pushed.'],
  [
    { commits: 2, files: ['a', 'b', 'c', 'd'], isUncollected: false },
    '2 commits were never pushed. 4 files with uncommitted work are kept: a, b, c and 1 more.',
  ],
  [
    { commits: 0, files: ['a'], isUncollected: true },
    '1 file with uncommitted work is kept: a. The work of the last run could not be collected and lies in the workspace only.',
  ],
])('says what a cleanup would lose', (work, text) => {
  expect(workText(work)).toBe(text)
})
