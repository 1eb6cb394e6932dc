import type { RunId } from '@shared/model/ids'
import type { RunParts } from './run-parts'

/** Tells readers that a run, and with it its mailbox, is not as they last saw it. */
export function publishRun({ store, changes }: Pick<RunParts, 'store' | 'changes'>, runId: RunId): void {
  const run = store.runs.find(runId)
  if (run === null) return
  const { projectId } = store.mailboxes.get(run.mailboxId)
  changes.publish({ type: 'run', runId, mailboxId: run.mailboxId })
  changes.publish({ type: 'mailbox', mailboxId: run.mailboxId, projectId })
}
