import { expect, it } from 'vitest'
import { clockWords, grantWhy, labelSentences, missingWords } from './forge-words'

it('tells a clock only when it is off by more than what a second of precision leaves open', () => {
  expect(clockWords(null)).toBeNull()
  expect(clockWords(-5_400)).toBeNull()
  expect(clockWords(6_000)).toBe('6 s ahead of this computer')
  expect(clockWords(-300_000)).toBe('5 min behind this computer')
  expect(clockWords(7_200_000)).toBe('2 h ahead of this computer')
})

it('says of labels what is wrong, one sentence for each', () => {
  expect(labelSentences({ missing: [], twins: [], misspelt: [] })).toEqual([])
  expect(
    labelSentences({
      missing: ['status::done'],
      twins: [{ name: 'ai::retry', count: 3 }],
      misspelt: [{ name: 'Status::Done', meant: 'status::done' }],
    }),
  ).toEqual([
    '1 label is missing.',
    '3 labels are called ai::retry: setting one sets all. Delete all but one.',
    '"Status::Done" is not status::done for the forge. Rename or delete it.',
  ])
})

it('names a public-only token as such', () => {
  expect(grantWhy({ need: 'private_projects', state: 'missing' })).toBe('this is a public-only token')
  expect(grantWhy({ need: 'private_projects', state: 'works' })).toBe('to work on private projects, too')
})

it('names each scope that is missing with what needs it', () => {
  expect(
    missingWords([
      { need: 'account', scope: 'read:user', state: 'works' },
      { need: 'write_issues', scope: 'write:issue', state: 'missing' },
      { need: 'write_code', scope: 'write:repository', state: 'unknown' },
    ]),
  ).toBe('write:issue, to comment, set labels and write the analysis')
  expect(missingWords([{ need: 'organization_labels', scope: 'read:organization', state: 'missing' }])).toBe(
    '',
  )
})
