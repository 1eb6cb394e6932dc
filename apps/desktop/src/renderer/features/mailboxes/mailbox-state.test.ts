import { describe, expect, it } from 'vitest'
import type { MailboxRow } from '@shared/contract/mailboxes'
import { mailboxState } from './mailbox-state'

const run = (patch: Partial<NonNullable<MailboxRow['latestRun']>>) =>
  ({
    id: 1,
    phase: 'review_fix',
    state: 'ended',
    outcome: 'succeeded',
    startedAt: null,
    endedAt: null,
    ...patch,
  }) as MailboxRow['latestRun']

const text = (patch: Partial<MailboxRow>): string =>
  mailboxState({ latestRun: null, needsYou: null, status: 'in_review', isOpen: true, ...patch }).text

describe('mailboxState', () => {
  it('tells a live run before everything else', () => {
    expect(text({ latestRun: run({ state: 'running' }), needsYou: 'validate_plan' })).toBe(
      'Running · review fix',
    )
    expect(text({ latestRun: run({ state: 'queued', phase: 'ci_fix', outcome: null }) })).toBe(
      'Queued · CI fix',
    )
    expect(text({ latestRun: run({ state: 'queued', outcome: 'interrupted' }) })).toBe(
      'Interrupted · review fix',
    )
  })

  it('then what a person has to do', () => {
    expect(text({ latestRun: run({}), needsYou: 'validate_plan' })).toBe('Validate the plan')
    expect(text({ latestRun: run({ outcome: 'timed_out' }), needsYou: 'blocked' })).toBe(
      'Blocked · timed out',
    )
  })

  it('then the status, and that nothing has begun', () => {
    expect(text({})).toBe('In review')
    expect(text({ status: null })).toBe('Not started')
    expect(text({ status: null, isOpen: false })).toBe('Closed')
    expect(text({ status: 'done', isOpen: false })).toBe('Done')
  })
})
