import type { RunDetail } from '@shared/contract/runs'
import { engine } from '../../lib/engine-client'
import { openView } from '../../lib/navigation/store'
import { showToast } from '../../lib/toasts'
import { useCommand } from '../../lib/use-command'
import { retryRefusal } from './retry-words'

export interface RetryRun {
  readonly isBusy: boolean
  /** Why it cannot be retried now; null: it can. */
  readonly reason: string | null
  /** Starts the run again with its memory, and goes to the new run. */
  readonly run: () => void
  /** The same with a higher memory limit, which stays the project's. */
  readonly runWithMemory: (bytes: number) => void
}

export function useRetryRun(detail: RunDetail): RetryRun {
  const command = useCommand('runs.retry')
  const { runId } = detail.row

  const run = async (): Promise<void> => {
    const result = await command.run({ runId, resumeChoice: 'auto' })
    if (result.ok) openView({ screen: 'run', runId: result.value.runId })
    else showToast({ title: 'The run was not started again.', description: retryRefusal(result.error) })
  }

  const runWithMemory = async (bytes: number): Promise<void> => {
    const problem = await raiseMemory(detail, bytes)
    if (problem === null) return run()
    showToast({ title: 'The memory limit was not raised.', description: problem })
  }

  return {
    isBusy: command.isBusy,
    reason: whyNot(detail.row),
    run: () => void run(),
    runWithMemory: (bytes) => void runWithMemory(bytes),
  }
}

function whyNot({ state, isImported }: RunDetail['row']): string | null {
  if (isImported) return 'No agent ran here. “Go on from here” on the timeline starts the next run.'
  return state === 'ended' ? null : 'It is still live.'
}

/** null: done; else why not. */
async function raiseMemory({ mailboxId }: RunDetail, bytes: number): Promise<string | null> {
  const mailbox = await engine.query('mailboxes.get', { mailboxId }).catch(() => null)
  if (mailbox === null) return 'Its issue is not there any more.'
  const set = await engine.command('settings.set', {
    scope: 'project',
    scopeId: mailbox.projectId,
    key: 'RUN_MEMORY',
    value: bytes,
  })
  if (set.ok) return null
  return 'message' in set.error ? set.error.message : 'Alfred itself failed. The log has the details.'
}
