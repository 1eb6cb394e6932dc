import { describe, expect, test } from 'vitest'
import { closingMessages } from './closing-messages'

const sha = 'a1b2c3d4e5f6'
const said = (message: string): readonly string[] => closingMessages([{ sha, message }], 3)

describe('messages of commits', () => {
  test.each([
    'Fixes #12',
    'Make an index\n\nCloses: #12\n',
    'resolved acme/shop#3',
    'close GH-12',
    'Fixes !12',
    'Fixes other/project!12',
    'Closes https://git.example/acme/shop/pulls/12',
    'Fixes #3, !12',
    'fixes **#12**',
    'Closes https://git.example/acme/shop/issues/3',
    'Fixes #3, #12',
    'Fixes #3 and #12',
    'Fixes #3. Also closes #31.',
    'This does not close #12',
  ])('that close another issue are told: %s', (message) => {
    expect(said(message)).toEqual([expect.stringMatching(/^commit a1b2c3d4 says "[^"\n]*"$/)])
  })

  test.each([
    'Fixes #3',
    'Closes: #3\n',
    'Fix UTF-8 decoding',
    'Fix ISO-8601 dates, see #12',
    'Close the file; part of #12',
    'Merge pull request #12',
    'prefixes #12',
    '',
  ])('that close nothing else are not: %s', (message) => {
    expect(said(message)).toEqual([])
  })

  test('are read quickly, however hostile', () => {
    for (const message of ['fixes '.repeat(30_000), `fixes ${'a/'.repeat(100_000)}`, ' '.repeat(200_000)])
      expect(said(message)).toEqual([])
  })
})
