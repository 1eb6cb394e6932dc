import { describe, expect, it } from 'vitest'
import type { MailboxDetail } from '@shared/contract/mailboxes'
import { mailboxActions, type PaneDoes } from './mailbox-actions'

const issue = {
  id: 1,
  kind: 'issue',
  iid: 128,
  forgeKind: 'local',
  isOpen: true,
  url: null,
  branchName: null,
  plan: null,
  needsYou: null,
  now: null,
  sessionCount: 0,
  sessionsOffScope: null,
} as unknown as MailboxDetail

const nothing: PaneDoes = {
  validatePlan: () => undefined,
  readPlan: () => undefined,
  startWork: () => undefined,
  turnTo: null,
  cleanUp: () => undefined,
}

const labels = (patch: Partial<MailboxDetail>, does: Partial<PaneDoes> = {}) =>
  Object.entries(mailboxActions({ ...issue, ...patch }, { ...nothing, ...does })).map(
    ([id, action]) => action?.label ?? id,
  )

describe('the actions of a mailbox', () => {
  it('offers what can be done now, by the name of the issue', () => {
    expect(labels({}, { turnTo: { side: 'issue', run: () => undefined } })).toEqual([
      'Find sessions made by hand for #128',
      'Start the analysis of #128 now',
      'Show issue #128',
      'Copy the link of #128',
      'Clean up #128',
    ])
    expect(
      labels({
        url: 'https://git.example.org/1',
        branchName: 'agent/issue-128',
        plan: {} as MailboxDetail['plan'],
        needsYou: 'validate_plan',
        sessionCount: 1,
      }),
    ).toEqual([
      'Open #128 on the forge',
      'Find sessions made by hand for #128',
      'Validate the plan for #128',
      'Read the plan for #128',
      'copy-branch-name',
      'Copy the link of #128',
      'Clean up #128',
    ])
  })

  it('waits with the cleaning for the run that uses it', () => {
    const now = { kind: 'stopping', runId: 431, phase: 'analysis' } as MailboxDetail['now']
    expect(mailboxActions({ ...issue, now }, nothing)['clean-up']?.disabledReason).toBe('waits for run 431')
  })
})
