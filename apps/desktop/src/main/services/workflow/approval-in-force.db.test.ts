import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { MailboxId, RunId } from '@shared/model/ids'
import { openTestStore, type TestStore } from '../../../../test/fakes/open-test-store'
import { seedEndedRun, seedMailbox } from '../../../../test/fakes/seed-mailbox'
import { approvalInForce } from './approval-in-force'
import type { OutboxPayload } from './outbox-payload'
import { sha256 } from './workflow-parts'

let opened: TestStore
let mailboxId: MailboxId
beforeEach(() => {
  opened = openTestStore()
  mailboxId = seedMailbox(opened.store)
})
afterEach(() => opened.remove())

const text = 'Make an index.'

function add(
  payload: OutboxPayload & { readonly type: 'comment' | 'remove_label' },
  runId: RunId | null,
): void {
  const key = `${payload.type} ${payload.cause}`
  opened.store.outbox.add({ key, kind: payload.type, mailboxId, runId, target: '', payload, at: 1 })
}

function plan(createdAt: number): void {
  const { runId } = seedEndedRun(opened.store, mailboxId)
  const made = { mailboxId, runId, functionalAnalysis: null, plan: text, issueSha256: '', createdAt }
  opened.store.plans.put(made)
  add({ type: 'comment', text, markerKind: 'plan', cause: `run ${runId}` }, runId)
}

function validate(labelEvent: string, approvedAt: number, planSha256 = sha256(text)): void {
  const of = { mailboxId, titleSha256: '', bodySha256: '', personId: '7' }
  add({ type: 'remove_label', label: 'ai::validate_plan', cause: labelEvent }, null)
  opened.store.plans.approve({ ...of, planSha256, labelEvent, approvedAt })
}

const inForce = (): string | null => approvalInForce(opened.store, mailboxId)?.labelEvent ?? null

describe('the validation that is in force', () => {
  it('is the last one of the plan, also where the clock was set back before it', () => {
    expect(inForce()).toBeNull()
    plan(100)
    expect(inForce()).toBeNull()
    validate('a', 110)
    expect(inForce()).toBe('a')
    validate('b', 50)
    expect(inForce()).toBe('b')
  })

  it('is none of a plan that was made again with the same words, also where the clock was set back meanwhile', () => {
    plan(100)
    validate('a', 110)
    plan(50)
    expect(inForce()).toBeNull()
    validate('b', 60)
    expect(inForce()).toBe('b')
  })

  it('is none of another plan', () => {
    plan(100)
    validate('a', 110, sha256('Delete the search.'))
    expect(inForce()).toBeNull()
  })
})
