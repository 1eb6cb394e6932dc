import { useRef, type RefObject } from 'react'
import type { TimelineRow } from '@shared/contract/sessions'
import type { RunId } from '@shared/model/ids'
import { phaseWords } from '@shared/phase-words'
import { Button } from '../../components/button'
import { CopyId } from '../../components/copy-id'
import { Icon } from '../../components/icon'
import { useActions } from '../../lib/keyboard/actions'
import { keysOf } from '../../lib/keyboard/key-map'
import { askToStop, openOverlay } from '../../lib/overlays'
import { usePreferences } from '../../lib/preferences'
import { copyText } from '../../lib/shell'
import { announce } from '../../lib/announcer'
import type { ContinueAsChat } from '../../lib/use-continue-as-chat'
import { narrowWindow, useMediaQuery } from '../../lib/use-media-query'
import { terminalLimitNote } from '../../lib/terminal-limit'
import { useWidth } from '../../lib/use-width'
import { dockLayout, type DockLayout } from './dock-layout'
import { canAttach, type DockState } from './dock-state'
import { MemoryMenu } from './memory-menu'
import { targetName, type RepairTarget } from './repair-targets'
import { isLive } from './row-figures'
import type { Retry } from './use-retry'
import { useTerminal, type TerminalActions } from './use-terminal'

export interface ActionDockProps {
  readonly row: TimelineRow
  readonly letter: string | null
  /** Of the memory that a retry goes on with, which may be a newer one. */
  readonly retryLetter: string | null
  readonly state: DockState
  /** Why no terminal is opened on it now; null: one can be. */
  readonly terminalReason: string | null
  /** A terminal is stopped after this long. */
  readonly terminalLimitMs: number
  /** The run that holds the mailbox while this one has ended. */
  readonly owner: { readonly runId: RunId; readonly since: number } | null
  /** The row lost a memory that can be asked for again. */
  readonly canRetryOldId: boolean
  readonly retry: Retry
  /** null: it is not known yet whether it can be continued. */
  readonly chat: ContinueAsChat | null
  /** Memories that can be forked or dropped. */
  readonly targets: readonly RepairTarget[]
  readonly onRepair: (kind: 'drop-memory' | 'fork-memory', target: RepairTarget) => void
  readonly onOpen: (row: TimelineRow) => void
}

/** What can be done with the selected session. Always in its place, never over the rows. */
export function ActionDock(props: ActionDockProps) {
  const { row, owner, state, terminalReason, canRetryOldId, retry, chat, targets, onRepair, onOpen } = props
  const terminalNote = terminalLimitNote(props.terminalLimitMs)
  const letter = goesOnWith(props)
  const { retryReason } = state
  const terminal = useTerminal()
  const dock = useRef<HTMLElement>(null)
  const layout = useDockLayout(dock)
  // what is done most keeps its words longest
  const often = { isIconOnly: layout === 'icons' }
  const seldom = { isIconOnly: layout !== 'words' }
  useDockActions(props, terminal)
  return (
    <footer
      ref={dock}
      className="dock"
      data-layout={layout}
      data-test="action-dock"
      data-pane="dock"
      data-run={row.runId}
      aria-label="Actions for the selected run"
    >
      <div className="dock-line">
        <span className="flex-none text-12 font-semibold">
          Run {row.runId} · {phaseWords[row.phase]}
        </span>
        {row.nativeSessionId !== null && (
          <CopyId
            id={row.nativeSessionId}
            text={row.nativeSessionId}
            what="session id"
            className="dock-id"
            test="native-session-id-full"
          />
        )}
        <span className="grow" />
        {state.sentence !== null && (
          <span className="flex min-w-0 items-center gap-1 text-11 text-ink-2" data-test="action-reason">
            <Icon name="lock" size={12} className="text-ink-3" />
            <span className="cut">{state.sentence}</span>
          </span>
        )}
        {owner !== null && (
          <Button
            {...often}
            size="sm"
            icon="square"
            label="Take over…"
            spokenLabel={`Stop run ${owner.runId} first, then retry run ${row.runId}`}
            test="take-over"
            onClick={() => openOverlay({ kind: 'take-over', runId: row.runId, letter, owner })}
          />
        )}
      </div>
      {offersChat(row, chat) && (
        <Button
          {...often}
          icon="message"
          label={chat.isTurn ? 'Open chat' : 'Continue as chat'}
          keys={keysOf('continue-as-chat')}
          spokenLabel={chatWords(row, chat)}
          disabledReason={chat.reason}
          isBusy={chat.isBusy}
          test="continue-as-chat"
          onClick={chat.run}
        />
      )}
      {isLive(row) ? (
        <Button
          {...often}
          variant="danger"
          icon="square"
          label="Stop"
          keys={keysOf('stop-run')}
          spokenLabel={`Stop run ${row.runId}`}
          isBusy={row.state === 'stopping'}
          test="dock-stop-run"
          onClick={() => askToStop(row.runId)}
        />
      ) : (
        <Button
          {...often}
          icon="retry"
          label={row.isImported ? 'Go on from here' : 'Retry'}
          keys={keysOf('retry-run')}
          spokenLabel={retryWords(row, letter)}
          disabledReason={retryReason}
          isBusy={retry.isBusy}
          test="retry-run"
          onClick={() => retry.withMemory(row)}
        />
      )}
      {!isLive(row) && state.hasSession && !row.isImported && (
        <Button
          {...seldom}
          icon="sprout"
          label="Retry fresh"
          keys={keysOf('retry-fresh')}
          spokenLabel={`Retry run ${row.runId} with fresh memory`}
          disabledReason={retryReason}
          test="retry-fresh"
          onClick={() => retry.fresh(row, letter)}
        />
      )}
      {!isLive(row) && canRetryOldId && (
        <Button
          {...seldom}
          icon="unlink"
          label="Retry old id"
          spokenLabel={`Retry run ${row.runId} with the old id`}
          disabledReason={retryReason}
          test="dock-retry-previous-id"
          onClick={() => retry.oldId(row)}
        />
      )}
      {canAttach(row) && (
        <Button
          {...often}
          icon="terminal"
          label="Resume in terminal"
          keys={keysOf('resume-in-terminal')}
          spokenLabel={`Resume run ${row.runId} in a terminal`}
          disabledReason={terminalReason}
          hint={terminalNote}
          isBusy={terminal.isBusy}
          test="resume-in-terminal"
          onClick={() => terminal.open(row)}
        />
      )}
      {canAttach(row) && (
        <Button
          {...seldom}
          icon="copy"
          label="Copy command"
          keys={keysOf('copy-resume-command')}
          spokenLabel={`Copy the command that resumes run ${row.runId} in a terminal`}
          test="copy-resume-command"
          onClick={() => terminal.copyCommand(row)}
        />
      )}
      {row.nativeSessionId !== null && (
        <Button
          {...seldom}
          icon="copy"
          label="Copy session id"
          keys={keysOf('copy-session-id')}
          spokenLabel={`Copy session id of run ${row.runId}`}
          test="copy-session-id"
          onClick={() => copyId(row)}
        />
      )}
      <MemoryMenu
        runId={row.runId}
        targets={isLive(row) ? [] : targets}
        reason={retryReason}
        terminal={canAttach(row) ? { reason: terminalReason } : null}
        onChoose={onRepair}
      />
      <span className="dock-space grow" />
      <Button
        variant="primary"
        label="Open run"
        spokenLabel={`Open run ${row.runId}`}
        keys={keysOf('open-run')}
        test="open-run"
        onClick={() => onOpen(row)}
      />
    </footer>
  )
}

function useDockLayout(dock: RefObject<HTMLElement | null>): DockLayout {
  const width = useWidth(dock)
  const textScale = usePreferences((preferences) => preferences.textScale)
  return useMediaQuery(narrowWindow) ? 'icons' : dockLayout(width, textScale)
}

const offersChat = (row: TimelineRow, chat: ContinueAsChat | null): chat is ContinueAsChat =>
  chat !== null && (!isLive(row) || chat.isTurn)

const chatWords = ({ runId }: TimelineRow, { isTurn }: ContinueAsChat): string =>
  isTurn ? `Open the chat of run ${runId}` : `Continue run ${runId} as chat`

/** The letter of the memory that what is started here goes on with; null: sessions do not apply, or there is none. */
function goesOnWith({ row, letter, retryLetter, state }: ActionDockProps): string | null {
  if (row.isImported) return letter
  return state.hasSession ? retryLetter : null
}

function retryWords(row: TimelineRow, letter: string | null): string {
  const memory = letter === null ? 'its memory' : `memory ${letter}`
  if (row.isImported) return `Start the next run with ${memory}`
  return letter === null ? `Retry run ${row.runId}` : `Retry run ${row.runId}, continue memory ${letter}`
}

function copyId(row: TimelineRow): void {
  if (row.nativeSessionId === null) return
  copyText(row.nativeSessionId)
  announce('clipboard', 'Session id copied')
}

/** The same actions for the keys and the palette. */
function useDockActions(props: ActionDockProps, terminal: TerminalActions): void {
  const { row, terminalReason, state, canRetryOldId, retry, chat, onRepair, onOpen } = props
  const [target] = props.targets
  const letter = goesOnWith(props)
  const isEnded = !isLive(row)
  const waits = state.retryReason
  useActions({
    'open-run': { run: () => onOpen(row), label: `Open run ${row.runId}` },
    ...(offersChat(row, chat) && {
      'continue-as-chat': { run: chat.run, label: chatWords(row, chat), disabledReason: chat.reason },
    }),
    ...(isEnded && {
      'retry-run': {
        run: () => retry.withMemory(row),
        label: retryWords(row, letter),
        disabledReason: waits,
      },
    }),
    ...(isEnded &&
      state.hasSession &&
      !row.isImported && {
        'retry-fresh': {
          run: () => retry.fresh(row, letter),
          label: `Retry run ${row.runId} with fresh memory`,
          disabledReason: waits,
        },
      }),
    ...(isEnded &&
      canRetryOldId && {
        'retry-previous-id': {
          run: () => retry.oldId(row),
          label: `Retry run ${row.runId} with the old id`,
          disabledReason: waits,
        },
      }),
    ...(isEnded &&
      target !== undefined && {
        'fork-memory': {
          run: () => onRepair('fork-memory', target),
          label: `Fork ${targetName(target)}`,
          disabledReason: waits,
        },
        'drop-memory': {
          run: () => onRepair('drop-memory', target),
          label: `Drop ${targetName(target)}`,
          disabledReason: waits,
        },
      }),
    ...(canAttach(row) && {
      'resume-in-terminal': {
        run: () => terminal.open(row),
        label: `Resume run ${row.runId} in a terminal`,
        disabledReason: terminalReason,
      },
      'copy-resume-command': {
        run: () => terminal.copyCommand(row),
        label: `Copy the command that resumes run ${row.runId} in a terminal`,
      },
    }),
    ...(row.nativeSessionId !== null && {
      'copy-session-id': { run: () => copyId(row), label: `Copy the session id of run ${row.runId}` },
    }),
    ...(!isEnded && {
      'stop-run': {
        run: () => askToStop(row.runId),
        label: `Stop run ${row.runId}`,
        disabledReason: row.state === 'stopping' ? 'it is stopping' : null,
      },
    }),
  })
}
