import { useState, type ReactNode } from 'react'
import type { RunDetail } from '@shared/contract/runs'
import type { MailboxId, RunId } from '@shared/model/ids'
import { Button } from '../../components/button'
import { Chip, type ChipTone } from '../../components/chip'
import type { IconName } from '../../components/icon'
import { MemoryBadge } from '../../components/memory-badge'
import { announce } from '../../lib/announcer'
import { useNow } from '../../lib/clock'
import { useActions } from '../../lib/keyboard/actions'
import { keysOf } from '../../lib/keyboard/key-map'
import { goBack, openView, replaceView } from '../../lib/navigation/store'
import { askToStop } from '../../lib/overlays'
import { runErrorText } from '../../lib/run-error-text'
import { showToast } from '../../lib/toasts'
import { useCommand } from '../../lib/use-command'
import { useContinueAsChat } from '../../lib/use-continue-as-chat'
import { narrowWindow, useMediaQuery } from '../../lib/use-media-query'
import { useQueryEntry } from '../../lib/use-query-entry'
import { CopyCommand } from './copy-command'
import { FindBar } from './find-bar'
import { StateCard } from './state-card'
import { TerminalHeader } from './terminal-header'
import { keysNote, limitNote, savedText, stateText, watchNote } from './terminal-words'
import { useTerminalView, type TerminalState } from './use-terminal-view'

export interface ShownTerminalProps {
  readonly mailboxId: MailboxId
  /** The terminal's own run. */
  readonly runId: RunId
  /** What of the issue waits for a person. */
  readonly notice: ReactNode
}

/** A terminal that is open, or was: its screen, how it stands, and what can be done with it. */
export function ShownTerminal({ mailboxId, runId, notice }: ShownTerminalProps) {
  const { data: detail } = useQueryEntry('runs.get', { runId })
  const terminal = useTerminalView(runId)
  const { state, view } = terminal
  const [isFinding, setFinding] = useState(false)
  const program = useCommand('terminals.openProgram')
  const chat = useContinueAsChat(mailboxId, runId)
  const isNarrow = useMediaQuery(narrowWindow)
  const isAttached = state.type === 'attached'
  const isLive = state.type !== 'ended'
  const detach = (): void => {
    terminal.leave()
    announce(`run ${runId}`, 'Detached. The terminal goes on.')
    goBack()
  }
  const openProgram = async (): Promise<void> => {
    // one client at a time: the terminal program comes after this window
    terminal.leave()
    const opened = await program.run({ runId })
    if (!opened.ok)
      showToast({ title: 'The terminal was not opened', description: runErrorText(opened.error) })
  }
  useActions({
    'go-back': { run: goBack },
    'search-transcript': { run: () => setFinding(true), label: 'Find in this terminal' },
    ...(isAttached && { 'detach-terminal': { run: detach } }),
    ...(isLive && { 'stop-run': { run: () => askToStop(runId), label: `End terminal ${runId}` } }),
    ...(chat !== null && {
      'show-chat-or-terminal': { run: chat.run, label: 'Show the chat', disabledReason: chat.reason },
    }),
  })
  return (
    <main
      className="terminal-panel"
      data-test="terminal-panel"
      data-state={state.type}
      data-value={runId}
      data-pane="terminal"
      aria-label={`Terminal ${runId}`}
    >
      <TerminalHeader
        sessionName={detail?.row.sessionName ?? null}
        nativeId={detail?.row.nativeSessionId ?? detail?.row.requestedSessionId ?? null}
        chat={chat === null ? null : { reason: chat.reason, open: chat.run }}
      >
        <StateChip state={state} />
        <Button
          size="sm"
          variant="quiet"
          isIconOnly
          icon="search"
          label="Find in this terminal"
          test="find-in-terminal"
          onClick={() => setFinding(true)}
        />
        {isLive && (
          <Button
            size="sm"
            icon="external-link"
            label="Open in your terminal"
            isIconOnly={isNarrow}
            isBusy={program.isBusy}
            test="open-terminal-program"
            onClick={() => void openProgram()}
          />
        )}
        <CopyCommand runId={runId} />
        {state.type === 'watching' && (
          <Button
            size="sm"
            icon="plug"
            label="Take over"
            isIconOnly={isNarrow}
            test="take-over"
            onClick={() => terminal.attach('take_over')}
          />
        )}
        {isAttached && (
          <Button
            size="sm"
            label="Detach"
            keys={keysOf('detach-terminal')}
            test="detach-terminal"
            onClick={detach}
          />
        )}
      </TerminalHeader>
      {notice}
      <div className="terminal-body">
        {isFinding && (
          <FindBar
            onFind={(text, direction) => view.current?.find(text, direction) ?? false}
            onEnd={() => {
              setFinding(false)
              view.current?.focus()
            }}
          />
        )}
        <div ref={terminal.host} className="terminal-screen" data-test="terminal" data-state={state.type} />
        <StateCard
          state={state}
          detail={detail}
          onAttach={terminal.attach}
          onReopen={() => replaceView({ screen: 'terminal', mailboxId, runId, isOpen: false })}
          onOpenRun={() => openView({ screen: 'run', runId })}
        />
      </div>
      <TerminalFoot detail={detail} size={terminal.size} state={state} />
    </main>
  )
}

const chips: Readonly<Record<TerminalState['type'], { readonly icon: IconName; readonly tone: ChipTone }>> = {
  connecting: { icon: 'circle-dashed', tone: 'run' },
  attached: { icon: 'plug', tone: 'ok' },
  watching: { icon: 'eye', tone: 'run' },
  held: { icon: 'lock', tone: 'warn' },
  taken_over: { icon: 'lock', tone: 'warn' },
  left: { icon: 'minus', tone: 'neutral' },
  ended: { icon: 'square', tone: 'neutral' },
}

function StateChip({ state }: { readonly state: TerminalState }) {
  const now = useNow(state.type === 'attached')
  return (
    <Chip
      {...chips[state.type]}
      text={stateText(state, now)}
      className="flex-none"
      test="terminal-state"
      value={state.type}
    />
  )
}

interface TerminalFootProps {
  readonly detail: RunDetail | undefined
  readonly size: { readonly columns: number; readonly rows: number } | null
  readonly state: TerminalState
}

function TerminalFoot({ detail, size, state }: TerminalFootProps) {
  const isAttached = state.type === 'attached'
  const isWatching = state.type === 'watching'
  const now = useNow(isAttached)
  const note = isWatching ? watchNote(state.who) : keysNote
  return (
    <>
      {(isAttached || isWatching) && (
        <p className="terminal-note" data-test="terminal-note">
          {[note, limitNote(detail?.deadline ?? null, now)].filter(Boolean).join(' ')}
        </p>
      )}
      <footer className="terminal-foot">
        {detail !== undefined && (
          <>
            <MemoryBadge row={detail.row} />
            <span>run {detail.row.runId}</span>
            <span>cost unknown until the CLI reports it</span>
            <span className="grow" />
            <span>{savedText(detail.row, now)}</span>
          </>
        )}
        {size !== null && (
          <span data-test="terminal-size" data-value={`${size.columns}x${size.rows}`}>
            {size.columns} × {size.rows}
          </span>
        )}
      </footer>
    </>
  )
}
