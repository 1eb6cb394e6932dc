import type { RunDetail, RunFailure } from '@shared/contract/runs'
import { Button } from '../../components/button'
import { Notice } from '../../components/notice'
import { openView } from '../../lib/navigation/store'
import { settingsView } from '../../lib/navigation/view'
import { copyText } from '../../lib/shell'
import { useCommand } from '../../lib/use-command'
import { failureWords, type FailureAction } from './failure-words'
import { formatLimit } from './run-words'

export interface FailureNoticeProps {
  readonly detail: RunDetail
  readonly failure: RunFailure
  readonly onRetry: () => void
  readonly onOpenRawLog: () => void
  readonly retryReason: string | null
}

/** Why the run did not succeed: what happened, what it means for the work, what to do. */
export function FailureNotice({ detail, failure, onRetry, onOpenRawLog, retryReason }: FailureNoticeProps) {
  const words = failureWords[failure.type]
  return (
    <Notice
      tone={failure.type === 'stopped' || failure.type === 'interrupted' ? 'warn' : 'bad'}
      icon={failure.type === 'stopped' ? 'square' : 'circle-x'}
      title={titleOf(detail, failure)}
      className="mx-4 my-2"
      test="run-error"
    >
      {`${words.whatHappened} ${words.whatToDo}`}
      {words.showsMessage && failure.message !== '' && (
        <span className="mt-1 block font-mono text-11 text-ink-2 selectable" data-test="run-error-message">
          {failure.message}
          {failure.exitCode != null && ` (exit code ${failure.exitCode})`}
        </span>
      )}
      <span className="mt-1.5 flex flex-wrap items-center gap-1.5">
        {words.actions.map((action) => (
          <ActionButton
            key={action}
            action={action}
            onRetry={onRetry}
            onOpenRawLog={onOpenRawLog}
            retryReason={retryReason}
          />
        ))}
        <Button
          size="sm"
          variant="ghost"
          icon="copy"
          label="Copy details"
          onClick={() => copyText(reportOf(detail, failure))}
        />
      </span>
    </Notice>
  )
}

/** Limits are said with their figure: "The time limit of 30m was reached." */
function titleOf(detail: RunDetail, { type }: RunFailure): string {
  const memory = detail.sandbox?.memoryBytes ?? null
  if (type === 'timed_out') return `The time limit of ${formatLimit(detail.timeoutMs)} was reached.`
  if (type === 'out_of_memory' && memory !== null)
    return `The container ran out of memory (limit ${(memory / 1_000_000_000).toFixed(1)} GB).`
  return failureWords[type].title
}

const reportOf = (detail: RunDetail, failure: RunFailure): string =>
  [
    `run ${detail.row.runId}, ${detail.row.phase}, #${detail.mailboxIid}`,
    `${failure.type}: ${failure.message}`,
    `agent: ${detail.row.adapter} ${detail.row.adapterVersion ?? ''}`.trimEnd(),
    `attempts: ${detail.attempts.map((attempt) => `${attempt.number} ${attempt.outcome ?? 'live'}`).join(', ')}`,
    `folder: ${detail.folder}`,
  ].join('\n')

interface ActionButtonProps extends Pick<FailureNoticeProps, 'onRetry' | 'onOpenRawLog' | 'retryReason'> {
  readonly action: FailureAction
}

function ActionButton({ action, onRetry, onOpenRawLog, retryReason }: ActionButtonProps) {
  const build = useCommand('app.buildImage')
  switch (action) {
    case 'retry':
      return <Button size="sm" icon="retry" label="Retry" disabledReason={retryReason} onClick={onRetry} />
    case 'raw_log':
      return <Button size="sm" icon="file-text" label="Open raw log" onClick={onOpenRawLog} />
    case 'build_image':
      return (
        <Button
          size="sm"
          icon="package"
          label="Build the image"
          isBusy={build.isBusy}
          onClick={() => void build.run({})}
        />
      )
    case 'diagnostics':
      return (
        <Button
          size="sm"
          icon="activity"
          label="Diagnostics"
          onClick={() => openView({ screen: 'diagnostics' })}
        />
      )
    case 'settings':
      return <Button size="sm" icon="settings" label="Settings" onClick={() => openView(settingsView)} />
  }
}
