import { useEffect, type ReactNode } from 'react'
import type { MailboxDetail } from '@shared/contract/mailboxes'
import type { MailboxId, RunId } from '@shared/model/ids'
import type { AdapterId } from '@shared/model/words'
import { useActions } from '../../lib/keyboard/actions'
import { engine } from '../../lib/engine-client'
import { goBack } from '../../lib/navigation/store'
import { useQueryEntry } from '../../lib/use-query-entry'
import { Chip } from '../../components/chip'
import { CopyCommand } from './copy-command'
import { OpeningTerminal } from './opening-terminal'
import { ShownTerminal } from './shown-terminal'
import { TerminalHeader } from './terminal-header'

/** The memory that a terminal is on. */
export interface TerminalMemory {
  readonly runId: RunId
  readonly adapter: AdapterId
  readonly nativeSessionId: string | null
  /** The terminal is open. */
  readonly isOpen: boolean
}

export interface TerminalScreenProps {
  readonly mailboxId: MailboxId
  /** The run that is gone on with, or the terminal's own. */
  readonly runId: RunId
  /** It is the terminal's own run: it is shown, and no other one is opened. */
  readonly isOpen: boolean
  /** The memories of the issue, beside it. */
  readonly memories: (mailbox: MailboxDetail, memory: TerminalMemory) => ReactNode
  /** Commits of the issue that wait for a person. */
  readonly unpushed: (mailbox: MailboxDetail) => ReactNode
}

/** The agent's own screen on the session of a run, in the window. Fills the body beside the rail. */
export function TerminalScreen({ mailboxId, runId, isOpen, memories, unpushed }: TerminalScreenProps) {
  const mailbox = useQueryEntry('mailboxes.get', { mailboxId })
  const { data: detail } = useQueryEntry('runs.get', { runId })
  const row = detail?.row
  useSeen(mailboxId, row?.state ?? null)
  return (
    <>
      {mailbox.data !== undefined && row !== undefined ? (
        memories(mailbox.data, {
          runId,
          adapter: row.adapter,
          nativeSessionId: row.nativeSessionId ?? row.requestedSessionId,
          isOpen: isOpen && row.state !== 'ended',
        })
      ) : (
        <aside className="thread-list" />
      )}
      {isOpen ? (
        <ShownTerminal
          mailboxId={mailboxId}
          runId={runId}
          notice={mailbox.data === undefined ? null : unpushed(mailbox.data)}
        />
      ) : (
        <Opening mailboxId={mailboxId} runId={runId} row={row ?? null} />
      )}
    </>
  )
}

interface OpeningProps {
  readonly mailboxId: MailboxId
  readonly runId: RunId
  readonly row: { readonly sessionName: string | null; readonly nativeSessionId: string | null } | null
}

function Opening({ mailboxId, runId, row }: OpeningProps) {
  useActions({ 'go-back': { run: goBack } })
  return (
    <main
      className="terminal-panel"
      data-test="terminal-panel"
      data-state="opening"
      data-value={runId}
      data-pane="terminal"
      aria-label={`Terminal on run ${runId}`}
    >
      <TerminalHeader
        sessionName={row?.sessionName ?? null}
        nativeId={row?.nativeSessionId ?? null}
        chat={null}
      >
        <Chip
          icon="lock"
          tone="warn"
          text="Not attached"
          className="flex-none"
          test="terminal-state"
          value="opening"
        />
        <CopyCommand runId={runId} />
      </TerminalHeader>
      <div className="terminal-body">
        <OpeningTerminal mailboxId={mailboxId} runId={runId} />
      </div>
    </main>
  )
}

/** What is done under the eyes of a person is not unread. */
function useSeen(mailboxId: MailboxId, state: string | null): void {
  useEffect(() => {
    if (!document.hidden) void engine.command('mailboxes.markSeen', { mailboxId })
  }, [mailboxId, state])
}
