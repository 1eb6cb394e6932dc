import type { Randomness } from '../../ports/randomness'
import { createOutboxSender, type OutboxSender } from './outbox-sender'
import { createPoller, type Poller } from './poller'
import type { WorkflowParts } from './workflow-parts'
import { createWorkflowService, type WorkflowService } from './workflow-service'

export interface Workflow {
  readonly service: WorkflowService
  readonly sender: OutboxSender
  readonly poller: Poller
  /** Polls and sends until the signal aborts. */
  run(signal: AbortSignal): Promise<void>
}

/** Poller, decisions and sender, wired to each other: each makes the next one look. */
export function createWorkflow(parts: WorkflowParts & { readonly randomness: Randomness }): Workflow {
  const sender = createOutboxSender(parts, (projectId, iid) => poller.poke(projectId, iid))
  const service = createWorkflowService(parts, () => sender.wake())
  const poller = createPoller(parts, service)
  return {
    service,
    sender,
    poller,
    run: async (signal) => {
      await Promise.all([poller.run(signal), sender.run(signal)])
    },
  }
}
