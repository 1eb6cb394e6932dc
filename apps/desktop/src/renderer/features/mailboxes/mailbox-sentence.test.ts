import { describe, expect, it } from 'vitest'
import type { MailboxRow } from '@shared/contract/mailboxes'
import { mailboxReferenceOf, mailboxSentence } from './mailbox-sentence'
import { mailboxState } from './mailbox-state'

const row = {
  kind: 'issue',
  forgeKind: 'gitlab',
  iid: 128,
  title: 'Retry carrier calls',
  projectPath: 'harbour/freight-api',
  latestRun: { id: 431, phase: 'review_fix', state: 'running', outcome: null, startedAt: 0, endedAt: null },
  needsYou: null,
  status: 'in_review',
  isOpen: true,
  isUnread: true,
  updatedAt: 0,
  costUsd: 7.84,
  costUnknown: 2,
} as unknown as MailboxRow

describe('mailboxSentence', () => {
  it('says which, what, how it stands, what it cost and when', () => {
    expect(mailboxSentence(row, mailboxState(row), 250_000)).toBe(
      'Issue 128 of harbour/freight-api. Retry carrier calls. Running, review fix. 7 dollars 84. Changed 4 minutes ago. Unread.',
    )
  })

  it('calls what others made as its forge does', () => {
    const merge = { ...row, kind: 'merge_request', iid: 342 } as const
    expect(mailboxReferenceOf(merge)).toBe('!342')
    expect(mailboxSentence(merge, mailboxState(merge), 0)).toMatch(/^Merge request 342 of /)
    const pull = { ...merge, forgeKind: 'forgejo' } as const
    expect(mailboxReferenceOf(pull)).toBe('PR 342')
    expect(mailboxSentence(pull, mailboxState(pull), 0)).toMatch(/^Pull request 342 of /)
  })

  it('keeps a question mark, and says that a cost is unknown', () => {
    const asking = { ...row, title: 'Which timezone?', costUsd: null, isUnread: false }
    expect(mailboxSentence(asking, mailboxState(asking), 90_000_000)).toBe(
      'Issue 128 of harbour/freight-api. Which timezone? Running, review fix. Cost unknown. Changed 1 day ago.',
    )
  })
})
