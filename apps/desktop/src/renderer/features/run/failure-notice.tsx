import { useState } from 'react'
import type { RunDetail, RunFailure } from '@shared/contract/runs'
import type { SettingKey } from '@shared/model/settings'
import { formatBytes } from '@shared/format'
import { mailboxReference } from '@shared/format/references'
import { Button } from '../../components/button'
import { Notice } from '../../components/notice'
import { engine } from '../../lib/engine-client'
import { openView } from '../../lib/navigation/store'
import { settingsView } from '../../lib/navigation/view'
import { copyText } from '../../lib/shell'
import { useCommand } from '../../lib/use-command'
import { bundleCheck, failureSentences, failureWords, moreMemory, type FailureAction } from './failure-words'

export interface FailureNoticeProps {
  readonly detail: RunDetail
  readonly failure: RunFailure
  readonly onRetry: () => void
  /** Raises the project's memory limit to this many bytes, then retries. */
  readonly onRetryWithMemory: (bytes: number) => void
  readonly onOpenRawLog: () => void
  readonly retryReason: string | null
}

/** Why the run did not succeed: what happened, what it means for the work, what to do. */
export function FailureNotice({ detail, failure, ...actions }: FailureNoticeProps) {
  const { title, text, message } = failureSentences(detail, failure)
  const { actions: buttons, setting = null } = failureWords[failure.type]
  const hasCheck = buttons.includes('show_check')
  const [isCheckShown, setCheckShown] = useState(false)
  return (
    <Notice
      tone={failure.type === 'stopped' || failure.type === 'interrupted' ? 'warn' : 'bad'}
      icon={failure.type === 'stopped' ? 'square' : 'circle-x'}
      title={title}
      className="mx-4 my-2"
      test="run-error"
    >
      {text}
      {isCheckShown && <span className="mt-1 block">{bundleCheck}</span>}
      {message !== null && (!hasCheck || isCheckShown) && (
        <span className="mt-1 block font-mono text-11 text-ink-2 selectable" data-test="run-error-message">
          {message}
        </span>
      )}
      <span className="mt-1.5 flex flex-wrap items-center gap-1.5">
        {buttons.map((action) => (
          <ActionButton
            key={action}
            action={action}
            memory={moreMemory(detail)}
            letter={detail.row.mode === 'none' ? null : detail.retryLetter}
            onOpenSettings={() => void openSetting(detail, setting)}
            isCheckShown={isCheckShown}
            onToggleCheck={() => setCheckShown(!isCheckShown)}
            {...actions}
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

/** The setting where it would be changed for this issue: at its project. */
async function openSetting({ mailboxId }: RunDetail, key: SettingKey | null): Promise<void> {
  const mailbox = key === null ? null : await engine.query('mailboxes.get', { mailboxId }).catch(() => null)
  openView(
    mailbox === null
      ? settingsView
      : { screen: 'settings', scope: 'project', scopeId: mailbox.projectId, key },
  )
}

const reportOf = (detail: RunDetail, failure: RunFailure): string =>
  [
    `run ${detail.row.runId}, ${detail.row.phase}, ${mailboxReference(detail.mailboxKind, detail.mailboxIid, detail.forgeKind)}`,
    `${failure.type}: ${failure.message}`,
    `agent: ${detail.row.adapter} ${detail.row.adapterVersion ?? ''}`.trimEnd(),
    `attempts: ${detail.attempts.map((attempt) => `${attempt.number} ${attempt.outcome ?? 'live'}`).join(', ')}`,
    `folder: ${detail.folder}`,
  ].join('\n')

interface ActionButtonProps extends Omit<FailureNoticeProps, 'detail' | 'failure'> {
  readonly action: FailureAction
  /** What a retry with more memory gets; null: nobody knows the limit that the run had. */
  readonly memory: number | null
  /** Of the memory that a retry goes on with. */
  readonly letter: string | null
  readonly onOpenSettings: () => void
  readonly isCheckShown: boolean
  readonly onToggleCheck: () => void
}

function ActionButton({
  action,
  memory,
  letter,
  onOpenSettings,
  isCheckShown,
  onToggleCheck,
  onRetry,
  onRetryWithMemory,
  onOpenRawLog,
  retryReason,
}: ActionButtonProps) {
  const build = useCommand('app.buildImage')
  switch (action) {
    case 'retry':
      return (
        <Button
          size="sm"
          icon="retry"
          label={letter === null ? 'Retry' : `Retry with memory ${letter}`}
          disabledReason={retryReason}
          onClick={onRetry}
        />
      )
    case 'retry_with_memory':
      return memory === null ? null : (
        <Button
          size="sm"
          variant="primary"
          icon="retry"
          label={`Retry with ${formatBytes(memory)}`}
          disabledReason={retryReason}
          test="retry-with-memory"
          onClick={() => onRetryWithMemory(memory)}
        />
      )
    case 'raw_log':
      return <Button size="sm" icon="file-text" label="Open raw log" onClick={onOpenRawLog} />
    case 'show_check':
      return (
        <Button
          size="sm"
          label={isCheckShown ? 'Hide the check' : 'Show the check'}
          aria-expanded={isCheckShown}
          test="show-check"
          onClick={onToggleCheck}
        />
      )
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
      return <Button size="sm" icon="settings" label="Settings" onClick={onOpenSettings} />
  }
}
