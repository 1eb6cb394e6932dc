import { useState } from 'react'
import type { RunId } from '@shared/model/ids'
import { ConfirmDialog } from '../../components/dialog'
import { Switch } from '../../components/switch'
import { announce } from '../../lib/announcer'
import { useMinute } from '../../lib/clock'
import { closeOverlay } from '../../lib/overlays'
import { showToast } from '../../lib/toasts'
import { useCommand } from '../../lib/use-command'
import { useQueryEntry } from '../../lib/use-query-entry'
import { errorText, startFreshText, stopAllTitle, stopText, takeOverText } from './strings'

/** "Stop run 431?" with the way back focused. */
export function StopConfirm({ runId }: { readonly runId: RunId }) {
  const stop = useCommand('runs.stop')
  const confirm = async (): Promise<void> => {
    const result = await stop.run({ runId })
    closeOverlay()
    if (result.ok) announce(`run ${runId}`, 'Stopping')
    else if (result.error.type !== 'not_live')
      showToast({ title: `Run ${runId} was not stopped`, description: errorText(result.error) })
  }
  return (
    <ConfirmDialog
      isOpen
      title={`Stop run ${runId}?`}
      text={stopText}
      cancelLabel="Go on"
      confirmLabel="Stop run"
      isBusy={stop.isBusy}
      onCancel={closeOverlay}
      onConfirm={() => void confirm()}
      test="stop-dialog"
      confirmTest="confirm-stop"
    />
  )
}

export function StopAllConfirm() {
  const { data: status } = useQueryEntry('app.status', {})
  const stop = useCommand('runs.stopAll')
  const count = status?.running ?? 0
  const confirm = async (): Promise<void> => {
    const result = await stop.run({})
    closeOverlay()
    if (!result.ok) showToast({ title: 'The runs were not stopped', description: errorText(result.error) })
  }
  return (
    <ConfirmDialog
      isOpen
      title={stopAllTitle(count)}
      text={stopText}
      cancelLabel="Go on"
      confirmLabel={count === 1 ? 'Stop run' : 'Stop runs'}
      isBusy={stop.isBusy}
      onCancel={closeOverlay}
      onConfirm={() => void confirm()}
      test="stop-all-dialog"
      confirmTest="confirm-stop"
    />
  )
}

/** Leaving a memory costs reading again: asked first. */
export function RetryFreshConfirm({
  runId,
  letter,
}: {
  readonly runId: RunId
  readonly letter: string | null
}) {
  const retry = useCommand('runs.retry')
  const { data: detail } = useQueryEntry('runs.get', { runId })
  const confirm = async (): Promise<void> => {
    const result = await retry.run({ runId, resumeChoice: 'fresh' })
    closeOverlay()
    if (result.ok) announce(`run ${result.value.runId}`, `Run ${result.value.runId} is queued`)
    else showToast({ title: `Run ${runId} was not repeated`, description: errorText(result.error) })
  }
  return (
    <ConfirmDialog
      isOpen
      title={letter === null ? 'Start fresh?' : `Start without memory ${letter}?`}
      text={startFreshText(detail?.row.costUsd ?? null)}
      cancelLabel="Cancel"
      confirmLabel="Start fresh"
      confirmVariant="primary"
      isBusy={retry.isBusy}
      onCancel={closeOverlay}
      onConfirm={() => void confirm()}
      test="retry-fresh-dialog"
      confirmTest="confirm-retry-fresh"
    />
  )
}

/** One writer at a time: the run that holds the issue is stopped before another one starts. */
export function TakeOverConfirm({
  runId,
  letter,
  owner,
}: {
  readonly runId: RunId
  readonly letter: string | null
  readonly owner: { readonly runId: RunId; readonly since: number }
}) {
  const [isFresh, setFresh] = useState(false)
  const retry = useCommand('runs.retry')
  const now = useMinute()
  const confirm = async (): Promise<void> => {
    const result = await retry.run({ runId, resumeChoice: isFresh ? 'fresh' : 'auto', takeOver: true })
    closeOverlay()
    if (result.ok) announce(`run ${result.value.runId}`, `Run ${result.value.runId} is queued`)
    else showToast({ title: `Run ${runId} was not repeated`, description: errorText(result.error) })
  }
  return (
    <ConfirmDialog
      isOpen
      title={`Stop run ${owner.runId} first?`}
      text={takeOverText(owner.runId, Math.max(0, now - owner.since), runId)}
      cancelLabel="Go on"
      confirmLabel={isFresh ? 'Stop and start fresh' : 'Stop and retry'}
      isBusy={retry.isBusy}
      onCancel={closeOverlay}
      onConfirm={() => void confirm()}
      test="take-over-dialog"
      confirmTest="confirm-take-over"
    >
      {letter !== null && (
        <div className="mt-3 flex items-center gap-2.5 text-12 text-ink-2">
          <Switch label={`Without memory ${letter}`} isOn={isFresh} onChange={setFresh} test="start-fresh" />
          Start without memory {letter}; it is kept and can be continued later.
        </div>
      )}
    </ConfirmDialog>
  )
}
