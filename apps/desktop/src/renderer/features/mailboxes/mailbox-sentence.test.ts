import { describe, expect, it } from 'vitest'
import type { MailboxRow } from '@shared/contract/mailboxes'
import { mailboxSentence } from './mailbox-sentence'
import { mailboxState } from './mailbox-state'

const row = {
  kind: 'issue',
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

  it('keeps a question mark, and says that a cost is unknown', () => {
    const asking = { ...row, title: 'Which timezone?', costUsd: null, isUnread: false }
    expect(mailboxSentence(asking, mailboxState(asking), 90_000_000)).toBe(
      'Issue 128 of harbour/freight-api. Which timezone? Running, review fix. Cost unknown. Changed 1 day ago.',
    )
  })
})
