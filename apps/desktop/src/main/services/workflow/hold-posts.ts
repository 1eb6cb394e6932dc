import type { Mailbox, Project } from '@shared/model/records'
import type { WorkflowCommand } from '../../core/workflow/commands'
import { isEligible } from '../../core/workflow/decide'
import { askToValidate, mustValidateAgain } from '../../core/workflow/validate-again'
import type { ForgeIssueSnapshot } from '../../ports/forge'
import type { OutboxItem } from '../../ports/stores'
import { gatherFacts } from './gather-facts'
import type { WorkflowParts } from './workflow-parts'

const HOLD_MS = 10 * 60_000
const HELD = 'Waits:'

/** A closed issue, or one that was taken away, is left in peace; one that is done is told so. */
export function mayNotSend(
  parts: WorkflowParts,
  project: Project,
  mailbox: Mailbox,
  snapshot: ForgeIssueSnapshot,
): boolean {
  if (mailbox.status === 'done') return false
  const { accountId } = parts.store.forges.getForge(project.forgeId)
  const triggerLabel = parts.settings.of(project).values.AGENT_TRIGGER_LABEL
  return !isEligible({ accountId, snapshot, settings: { triggerLabel } })
}

/** What is to be asked before a push of what was developed; null: nothing, it may go. */
export function asksToValidate(
  parts: WorkflowParts,
  { item, ...read }: { readonly item: OutboxItem } & Parameters<typeof gatherFacts>[1],
): readonly WorkflowCommand[] | null {
  if (item.kind !== 'push' || item.runId === null) return null
  if (parts.store.runs.find(item.runId)?.phase !== 'development') return null
  const facts = gatherFacts(parts, read)
  const changed = mustValidateAgain(facts)
  return changed === null ? null : askToValidate(facts, changed)
}

export function holdBack(
  { store, clock }: WorkflowParts,
  item: OutboxItem,
  snapshot: ForgeIssueSnapshot,
): void {
  const why = snapshot.issue.isOpen ? 'the issue is not assigned to Alfred.' : 'the issue is closed.'
  store.outbox.update(item.id, {
    state: 'waiting',
    // Holding back is no attempt.
    attempts: item.attempts,
    nextAttemptAt: clock.now() + HOLD_MS,
    lastError: `${HELD} ${why}`,
  })
}

/** Lets go what was held back, once the issue is Alfred's again or done. True when there was something. */
export function releaseHeld({ store, clock }: WorkflowParts, mailbox: Mailbox): boolean {
  const held = store.outbox
    .listByMailbox(mailbox.id)
    .filter(({ state, lastError }) => state === 'waiting' && lastError?.startsWith(HELD) === true)
  for (const { id } of held) store.outbox.update(id, { nextAttemptAt: clock.now(), lastError: null })
  return held.length > 0
}
