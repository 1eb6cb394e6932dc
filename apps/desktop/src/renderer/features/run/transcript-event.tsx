import { memo, type ReactNode } from 'react'
import { isoWithOffset } from '@shared/format/times'
import { BrandMark } from '../../components/brand-mark'
import { Icon } from '../../components/icon'
import { Markdown } from '../../components/markdown'

import { CutMarker } from './cut-marker'
import { OutputBox } from './output-box'
import { formatSeconds, rowIcon, sessionWords, spokenRow } from './row-looks'
import { ToolEvent } from './tool-event'
import type { SessionRow, TranscriptRow, WordsRow } from '../../lib/transcript/transcript-rows'

export interface TranscriptEventProps {
  readonly row: TranscriptRow
  readonly isOpen: boolean
  readonly isActive: boolean
  /** The run goes on, so what has no result yet may get one. */
  readonly isLive: boolean
  readonly onToggle: (seq: number) => void
  readonly onOpenRawLog: () => void
}

/** One row of the transcript: when, what kind, and the thing itself. */
export const TranscriptEvent = memo(function TranscriptEvent(props: TranscriptEventProps) {
  const { row, isActive } = props
  const icon = rowIcon(row)
  return (
    <div
      role="article"
      className="transcript-event"
      data-test="transcript-event"
      data-kind={row.kind}
      data-seq={row.seq}
      aria-label={spokenRow(row)}
      tabIndex={isActive ? 0 : -1}
    >
      <time
        className="transcript-time"
        dateTime={new Date(row.at).toISOString()}
        title={isoWithOffset(row.at)}
      >
        {formatSeconds(row.at)}
      </time>
      <span className="pt-0.5 text-ink-3">
        {icon === 'agent' ? (
          <BrandMark size={15} />
        ) : (
          <Icon name={icon} size={15} className={iconTone(row)} />
        )}
      </span>
      <div className="min-w-0">{bodyOf(props)}</div>
    </div>
  )
})

function bodyOf({ row, isOpen, isActive, isLive, onToggle, onOpenRawLog }: TranscriptEventProps): ReactNode {
  switch (row.kind) {
    case 'tool':
      return (
        <ToolEvent
          row={row}
          isOpen={isOpen}
          isLive={isLive}
          isTabStop={isActive}
          onToggle={() => onToggle(row.seq)}
        />
      )
    case 'output':
      return <OutputBox text={row.text} lineCount={row.lineCount} isTabStop={isActive} />
    case 'cut':
      return <CutMarker row={row} isTabStop={isActive} onOpenRawLog={onOpenRawLog} />
    case 'session':
      return <SessionWords row={row} />
    case 'text':
      return <Markdown text={row.text} />
    case 'thought':
      return <Thought row={row} isOpen={isOpen} isTabStop={isActive} onToggle={() => onToggle(row.seq)} />
    case 'result':
      return (
        <>
          <b className={row.succeeded ? 'text-12 font-medium text-ok' : 'text-12 font-medium text-bad'}>
            {row.succeeded ? 'The agent is done.' : 'The agent ended without success.'}
          </b>
          {row.text !== '' && <Markdown text={row.text} className="mt-1" />}
        </>
      )
    case 'notice':
    case 'retry':
      return <p className="text-12 leading-[19px] text-ink-2">{row.text}</p>
    case 'warning':
      return <p className="text-12 leading-[19px] text-warn">{row.text}</p>
    case 'error':
      return <p className="text-12 leading-[19px] whitespace-pre-wrap text-bad">{row.text}</p>
  }
}

const iconTone = (row: TranscriptRow): string | undefined =>
  row.kind === 'error' ||
  (row.kind === 'tool' && row.result?.failed === true) ||
  (row.kind === 'result' && !row.succeeded)
    ? 'text-bad'
    : row.kind === 'warning' || row.kind === 'cut'
      ? 'text-warn'
      : undefined

function SessionWords({ row }: { readonly row: SessionRow }) {
  const [title, rest] = sessionWords(row)
  const tone = row.proof === 'resumed' ? 'text-ok' : row.proof === 'other_id' ? 'text-warn' : 'text-ink-2'
  return (
    <p className="text-12 leading-[19px] text-ink-2">
      <b className={`font-medium ${tone}`}>{title}</b> {rest}
    </p>
  )
}

interface ThoughtProps {
  readonly row: WordsRow
  readonly isOpen: boolean
  readonly isTabStop: boolean
  readonly onToggle: () => void
}

/** What the agent thought, folded: it is long, and not what it says. */
function Thought({ row, isOpen, isTabStop, onToggle }: ThoughtProps) {
  return (
    <>
      <button
        type="button"
        className="tool-line text-ink-3"
        aria-expanded={isOpen}
        tabIndex={isTabStop ? 0 : -1}
        onClick={onToggle}
      >
        <Icon name={isOpen ? 'chevron-down' : 'chevron-right'} size={12} />
        <span className="flex-none">Thought</span>
        {!isOpen && <span className="cut">{row.text.slice(0, 200)}</span>}
      </button>
      {isOpen && <p className="mt-1 text-12 leading-[19px] whitespace-pre-wrap text-ink-2">{row.text}</p>}
    </>
  )
}
