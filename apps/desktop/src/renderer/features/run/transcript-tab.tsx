import { useDeferredValue, useEffect, useMemo, useRef, useState } from 'react'
import { counted } from '@shared/format'
import type { RunDetail } from '@shared/contract/runs'
import { Button } from '../../components/button'
import { EmptyState } from '../../components/empty-state'
import { Notice } from '../../components/notice'
import { SearchInput } from '../../components/search-input'
import { SkeletonRows } from '../../components/skeleton'
import { isLive } from './run-words'
import { rowText, type TranscriptRow } from '../../lib/transcript/transcript-rows'
import { emptyTranscript } from './transcript-empty'
import { TranscriptList } from './transcript-list'
import type { TranscriptHandle } from '../../lib/transcript/use-transcript'

export interface TranscriptTabProps {
  readonly detail: RunDetail
  /** The event to show first; null: the last ones. */
  readonly seq: number | null
  readonly transcript: TranscriptHandle
  readonly isSearching: boolean
  readonly onEndSearch: () => void
  readonly onOpenRawLog: () => void
}

/** What happened in the run, event by event, with a search in it. */
export function TranscriptTab({
  detail,
  seq,
  transcript,
  isSearching,
  onEndSearch,
  onOpenRawLog,
}: TranscriptTabProps) {
  const { state, readEarlier, readAgain } = transcript
  const { rows } = state.transcript
  const [target, setTarget] = useState<{ readonly seq: number } | null>(null)
  useReadBackTo(seq, transcript, setTarget)
  const live = isLive(detail.row)
  const empty = emptyTranscript(detail)
  if (state.status === 'loading' && rows.length === 0) return <SkeletonRows count={10} height={30} />
  return (
    <div className="flex min-h-0 grow flex-col">
      {isSearching && (
        <TranscriptSearch
          rows={rows}
          hasEarlier={state.hasEarlier}
          onReadEarlier={readEarlier}
          onShow={setTarget}
          onEnd={onEndSearch}
        />
      )}
      {state.status === 'failed' && (
        <Notice
          tone="warn"
          icon="warning"
          className="m-2"
          title="Some events could not be read."
          actions={<Button size="sm" label="Read again" onClick={readAgain} />}
        >
          What is shown may have a gap at its end.
        </Notice>
      )}
      {rows.length === 0 ? (
        <EmptyState
          motif={live ? { live: true } : { icon: 'file-text' }}
          title={empty.title}
          test="empty-transcript"
        >
          {empty.text}
        </EmptyState>
      ) : (
        <TranscriptList
          rows={rows}
          isLive={live}
          hasEarlier={state.hasEarlier}
          isReadingEarlier={state.isReadingEarlier}
          onReadEarlier={readEarlier}
          onOpenRawLog={onOpenRawLog}
          target={target}
        />
      )}
    </div>
  )
}

/** Reads earlier events until the wanted one is there, then goes to it, once. */
function useReadBackTo(
  seq: number | null,
  { state, readEarlier }: TranscriptHandle,
  onShow: (target: { readonly seq: number }) => void,
): void {
  const shown = useRef<number | null>(null)
  const { rows, firstSeq } = state.transcript
  useEffect(() => {
    if (seq === null || shown.current === seq || firstSeq === null || state.isReadingEarlier) return
    if (firstSeq > seq && state.hasEarlier) {
      readEarlier()
      return
    }
    shown.current = seq
    // what a tool gave back is drawn in the row of its call
    const row = rows.findLast((candidate) => candidate.seq <= seq)
    if (row) onShow({ seq: row.seq })
  }, [seq, firstSeq, rows, state.isReadingEarlier, state.hasEarlier, readEarlier, onShow])
}

interface TranscriptSearchProps {
  readonly rows: readonly TranscriptRow[]
  readonly hasEarlier: boolean
  readonly onReadEarlier: () => void
  readonly onShow: (target: { readonly seq: number }) => void
  readonly onEnd: () => void
}

/** Finds words in the events; those that are not read yet are read meanwhile. */
function TranscriptSearch({ rows, hasEarlier, onReadEarlier, onShow, onEnd }: TranscriptSearchProps) {
  const [text, setText] = useState('')
  const [position, setPosition] = useState(0)
  const input = useRef<HTMLInputElement>(null)
  const wanted = useDeferredValue(text.trim().toLowerCase())
  useEffect(() => input.current?.focus(), [])
  useEffect(() => {
    if (wanted !== '' && hasEarlier) onReadEarlier()
  }, [wanted, hasEarlier, onReadEarlier, rows])

  const hits = useMemo(
    () =>
      wanted === ''
        ? []
        : rows.filter((row) => rowText(row).toLowerCase().includes(wanted)).map((row) => row.seq),
    [rows, wanted],
  )
  const go = (step: number): void => {
    if (hits.length === 0) return
    const next = (position + step + hits.length) % hits.length
    setPosition(next)
    const seq = hits[next]
    if (seq !== undefined) onShow({ seq })
  }
  const count =
    wanted === ''
      ? ''
      : hits.length === 0
        ? 'nothing found'
        : `${Math.min(position + 1, hits.length)} of ${counted(hits.length, 'event')}`
  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- Esc and Enter of the input inside
    <div
      className="flex flex-none items-center gap-2 border-b border-line px-3 py-1.5"
      onKeyDown={(event) => {
        if (event.key === 'Enter') go(event.shiftKey ? -1 : 1)
        else if (event.key === 'Escape' && text === '') onEnd()
        else return
        event.preventDefault()
        event.stopPropagation()
      }}
    >
      <SearchInput
        ref={input}
        label="Search in this transcript"
        value={text}
        onChange={(value) => {
          setText(value)
          setPosition(-1)
        }}
        className="w-72"
        test="transcript-search"
      />
      <span className="text-11 text-ink-3" role="status">
        {hasEarlier && wanted !== '' ? `${count} so far` : count}
      </span>
      <span className="grow" />
      <Button
        size="sm"
        label="Previous"
        disabledReason={hits.length === 0 ? 'Nothing found.' : null}
        onClick={() => go(-1)}
      />
      <Button
        size="sm"
        label="Next"
        disabledReason={hits.length === 0 ? 'Nothing found.' : null}
        onClick={() => go(1)}
      />
      <Button size="sm" variant="quiet" isIconOnly icon="x" label="Close the search" onClick={onEnd} />
    </div>
  )
}
