import { useState } from 'react'
import type { ChatTurn } from '@shared/contract/chats'
import type { MailboxDetail } from '@shared/contract/mailboxes'
import { formatDuration } from '@shared/format'
import { formatToolDuration } from '@shared/format/durations'
import { Icon } from '../../components/icon'
import { LiveDot } from '../../components/live-dot'
import { Markdown } from '../../components/markdown'
import { useNow } from '../../lib/clock'
import { preparingText, queueReasons } from '../../lib/now-words'
import type { ToolRow, TranscriptRow } from '../../lib/transcript/transcript-rows'
import { useTranscript } from '../../lib/transcript/use-transcript'
import { TurnNote } from './turn-note'

/** Steps that are shown before the earlier ones are folded away. */
const stepsShown = 6
/** From then on it is said that the agent still works. */
const silentForMs = 15_000

/** A turn that goes on: what the agent does, and its words as they come. A screen reader hears the answer once, at the end. */
export function LiveTurn({ turn, now }: { readonly turn: ChatTurn; readonly now: MailboxDetail['now'] }) {
  const { row } = turn
  const { state } = useTranscript(row.runId)
  const { rows } = state.transcript
  const steps = rows.filter((event) => event.kind === 'tool')
  const said = rows.flatMap((event) => (event.kind === 'text' ? [event.text] : []))
  const text = state.partial.trim() === '' ? said : [...said, state.partial]
  // as that the context was summed up, or that a tool was denied
  const warnings = rows.flatMap((event) => (event.kind === 'warning' ? [event] : []))
  return (
    <div className="said-by-agent" aria-live="off" data-test="live-turn" data-state={row.state}>
      {steps.length > 0 && <Steps steps={steps} />}
      {text.length > 0 && (
        <div data-test="live-text" data-state={state.partial === '' ? 'whole' : 'writing'}>
          <Markdown text={text.join('\n\n')} />
        </div>
      )}
      {warnings.map(({ seq, text: words }) => (
        <TurnNote key={seq} text={words} />
      ))}
      <WorkingLine turn={turn} now={now} rows={rows} />
    </div>
  )
}

function Steps({ steps }: { readonly steps: readonly ToolRow[] }) {
  const [isOpen, setOpen] = useState(false)
  const shown = isOpen ? steps : steps.slice(-stepsShown)
  const hidden = steps.length - shown.length
  return (
    <div className="turn-steps" data-test="turn-steps">
      {hidden > 0 && (
        <button type="button" className="turn-run text-11" onClick={() => setOpen(true)}>
          {`${hidden} earlier ${hidden === 1 ? 'step' : 'steps'}`}
        </button>
      )}
      {shown.map((step) => (
        <Step key={step.seq} step={step} />
      ))}
    </div>
  )
}

function Step({ step }: { readonly step: ToolRow }) {
  const isRunning = step.result === null
  const now = useNow(isRunning)
  return (
    <div className="flex h-6 items-center gap-2 text-12">
      {isRunning ? (
        <LiveDot className="mx-0.5" />
      ) : (
        <Icon
          name={step.result?.failed === true ? 'circle-x' : 'check'}
          size={12}
          className={step.result?.failed === true ? 'text-bad' : 'text-ink-3'}
        />
      )}
      <b className="flex-none font-semibold">{step.name}</b>
      <span className="mono cut text-ink-2">{step.summary}</span>
      <span className="grow" />
      <span className={isRunning ? 'flex-none text-11 text-run' : 'flex-none text-11 text-ink-3'}>
        {step.result === null
          ? `running ${formatDuration(now - step.at)}`
          : formatToolDuration(step.result.at - step.at)}
      </span>
    </div>
  )
}

/** What the turn waits for, or that the agent still works, and on what. */
function WorkingLine({
  turn: { row },
  now,
  rows,
}: {
  readonly turn: ChatTurn
  readonly now: MailboxDetail['now']
  readonly rows: readonly TranscriptRow[]
}) {
  const time = useNow()
  const last = rows.at(-1)
  const words = workingWords(row, now, last, time)
  return (
    <p className="mt-1 flex items-center gap-2 text-12 text-ink-2" data-test="still-working">
      <LiveDot className="mx-0.5" />
      <span className="cut">{words}</span>
    </p>
  )
}

function workingWords(
  row: ChatTurn['row'],
  now: MailboxDetail['now'],
  last: TranscriptRow | undefined,
  time: number,
): string {
  if (now?.kind === 'queued' && now.runId === row.runId) return queueReasons[now.reason]
  if (now?.kind === 'preparing' && now.runId === row.runId) return preparingText(now.step)
  if (row.state === 'stopping') return 'Stopping. What it did is kept.'
  if (row.state !== 'running') return 'The turn begins'
  const silentFor = time - (last?.at ?? row.startedAt ?? time)
  if (silentFor < silentForMs) return 'The agent is at work'
  const step = last?.kind === 'tool' ? `, in ${last.name} ${last.summary}`.trimEnd() : ''
  return `Still working${step}: nothing new for ${formatDuration(silentFor)}`
}
