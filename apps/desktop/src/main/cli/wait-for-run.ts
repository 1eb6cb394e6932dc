import type { RunDetail } from '@shared/contract/runs'
import type { RunId } from '@shared/model/ids'
import { err, type Result } from '@shared/result'
import type { CommandContext } from './command'
import { describeError, type CommandFailure } from './failures'

/** Waits until the run is as asked; looks again at every change, and once in a while in case one was missed. */
export async function waitForRun(
  { client, signal }: Pick<CommandContext, 'client'> & { readonly signal?: AbortSignal },
  runId: RunId,
  isAsAsked: (detail: RunDetail) => boolean,
): Promise<Result<RunDetail, CommandFailure>> {
  let wake: () => void = () => undefined
  const end = await client.follow('app', 'changes', null, ({ events }) => {
    if (events.some((event) => event.type === 'run' && event.runId === runId)) wake()
  })
  try {
    for (;;) {
      const changed = new Promise<void>((resolve) => {
        wake = resolve
        const timer = setTimeout(resolve, 2_000)
        signal?.addEventListener('abort', () => (clearTimeout(timer), resolve()), { once: true })
      })
      const detail = await client.call('runs', 'get', { runId })
      if (!detail.ok) return err({ type: 'failed', message: describeError(detail.error) })
      if (isAsAsked(detail.value)) return detail
      if (signal?.aborted === true)
        return err({ type: 'failed', message: `Run ${runId} goes on; it is followed no more.` })
      await changed
    }
  } finally {
    end()
  }
}
