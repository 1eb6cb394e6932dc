import { useState } from 'react'
import type { RunDetail } from '@shared/contract/runs'
import { mailboxReference } from '@shared/format/references'
import type { SessionId } from '@shared/model/ids'
import { Button } from '../../components/button'
import { Notice } from '../../components/notice'
import { bridge } from '../../lib/bridge'
import { engine } from '../../lib/engine-client'
import { copyText } from '../../lib/shell'
import { foundState, notSavedWords } from './not-saved-words'

export interface NotSavedNoticeProps {
  readonly detail: RunDetail
  /** null: the run did not succeed, and what is said of that has the retry. */
  readonly onRetry: (() => void) | null
  readonly retryReason: string | null
}

/** Says that a run ended and its session is no larger than before, and lets a person look at the state. */
export function NotSavedNotice({ detail, onRetry, retryReason }: NotSavedNoticeProps) {
  const [found, setFound] = useState<string | null>(null)
  const { row } = detail
  const words = notSavedWords(row)
  if (words === null) return null
  const look = async (sessionId: SessionId): Promise<void> => setFound(await lookAt(sessionId))
  return (
    <Notice tone="warn" icon="hard-drive" title={words.title} className="mx-4 my-2" test="not-saved">
      {words.text}
      {found !== null && (
        <span className="mt-1 block text-ink-2 selectable [overflow-wrap:anywhere]" data-test="state-found">
          {found}
        </span>
      )}
      <span className="mt-1.5 flex flex-wrap items-center gap-1.5">
        {found === null && row.sessionId !== null ? (
          <Button
            size="sm"
            icon="folder"
            label="Check the state folder"
            onClick={() => row.sessionId !== null && void look(row.sessionId)}
          />
        ) : (
          <Button
            size="sm"
            icon="folder"
            label="Open the folder of all states"
            onClick={() => bridge().shell.showSessionsFolder()}
          />
        )}
        {onRetry !== null && (
          <Button size="sm" icon="retry" label="Retry" disabledReason={retryReason} onClick={onRetry} />
        )}
        <Button
          size="sm"
          variant="ghost"
          icon="copy"
          label="Copy details"
          onClick={() => copyText(reportOf(detail, `${words.title} ${words.text}`))}
        />
      </span>
    </Notice>
  )
}

async function lookAt(sessionId: SessionId): Promise<string> {
  try {
    const { memory } = await engine.query('sessions.show', { sessionId })
    return foundState(memory, Date.now())
  } catch {
    return 'It could not be looked at. Diagnostics has the details.'
  }
}

const reportOf = ({ row, mailboxKind, mailboxIid, forgeKind }: RunDetail, words: string): string =>
  [
    `run ${row.runId}, ${row.phase}, ${mailboxReference(mailboxKind, mailboxIid, forgeKind)}`,
    words,
    `agent: ${row.adapter} ${row.adapterVersion ?? ''}`.trimEnd(),
    `session: ${row.nativeSessionId ?? 'no id reported'}`,
  ].join('\n')
