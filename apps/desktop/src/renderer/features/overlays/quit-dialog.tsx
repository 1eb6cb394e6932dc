import { AlertDialog } from '@base-ui/react/alert-dialog'
import { Radio } from '@base-ui/react/radio'
import { RadioGroup } from '@base-ui/react/radio-group'
import { useRef, useState } from 'react'
import type { EngineStatus } from '@shared/contract/app'
import { formatCost, formatDuration } from '@shared/format'
import type { Phase } from '@shared/model/words'
import { phaseWords } from '@shared/phase-words'
import { Button } from '../../components/button'
import { LiveDot } from '../../components/live-dot'
import { bridge } from '../../lib/bridge'
import { useNow } from '../../lib/clock'
import { closeOverlay } from '../../lib/overlays'
import { useQueryEntry } from '../../lib/use-query-entry'
import { quitChoices, quitLead, quitTitle } from './strings'

type Choice = keyof typeof quitChoices

const liveStates = new Set(['preparing', 'running', 'stopping'])

/** Live runs at quitting: keep them or stop them. Esc and Cancel quit nothing. */
export function QuitDialog() {
  const { data: status } = useQueryEntry('app.status', {})
  const [choice, setChoice] = useState<Choice>('keep_running')
  const cancel = useRef<HTMLButtonElement>(null)
  const answer = (decision: Choice | 'cancel'): void => {
    closeOverlay()
    bridge().shell.answerQuit(decision)
  }
  const live = status?.runs.filter((run) => liveStates.has(run.state)) ?? []
  return (
    <AlertDialog.Root open onOpenChange={(isOpen) => !isOpen && answer('cancel')}>
      <AlertDialog.Portal>
        <AlertDialog.Backdrop className="scrim" />
        <AlertDialog.Popup className="dialog w-[520px]" data-test="quit-dialog" initialFocus={cancel}>
          <div className="dialog-body">
            <AlertDialog.Title className="text-16 font-semibold">{quitTitle(live.length)}</AlertDialog.Title>
            <AlertDialog.Description className="mt-[3px] mb-3 text-ink-2">{quitLead}</AlertDialog.Description>
            <ul className="card max-h-[204px] overflow-y-auto rounded-[8px]">
              {live.map((run) => (
                <LiveRun key={run.runId} run={run} />
              ))}
            </ul>
            <RadioGroup
              className="mt-3.5 grid gap-2"
              aria-label="What happens to the live runs"
              value={choice}
              onValueChange={(next: Choice) => setChoice(next)}
            >
              <QuitChoice choice="keep_running" test="quit-keep-running" />
              <QuitChoice choice="stop" test="quit-stop-runs" />
            </RadioGroup>
          </div>
          <div className="dialog-foot">
            <Button
              ref={cancel}
              size="lg"
              label="Cancel"
              test="quit-cancel"
              onClick={() => answer('cancel')}
            />
            <Button
              size="lg"
              variant={choice === 'stop' ? 'danger-solid' : 'primary'}
              label={quitChoices[choice].button}
              test="quit-confirm"
              onClick={() => answer(choice)}
            />
          </div>
        </AlertDialog.Popup>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  )
}

function QuitChoice({ choice, test }: { readonly choice: Choice; readonly test: string }) {
  const words = quitChoices[choice]
  return (
    // oxlint-disable-next-line jsx-a11y/label-has-associated-control -- Base UI's radio is the control
    <label className="quit-choice" data-test={test}>
      <Radio.Root value={choice} className="radio" />
      <span>
        <span className="font-medium">{words.title}</span>
        <br />
        <span className="text-12 text-ink-2">{words.text}</span>
      </span>
    </label>
  )
}

function LiveRun({ run }: { readonly run: EngineStatus['runs'][number] }) {
  const { data } = useQueryEntry('runs.get', { runId: run.runId })
  const startedAt = data?.row.startedAt ?? null
  const now = useNow(startedAt !== null)
  const figures = data && [
    startedAt === null ? null : formatDuration(now - startedAt),
    formatCost(data.row.costUsd),
  ]
  return (
    <li className="flex items-center gap-2.5 border-b border-line px-3 py-2 last:border-b-0">
      <LiveDot className="mx-0.5" />
      <span className="min-w-0 grow">
        <span className="flex gap-1.5 text-12 font-medium">
          {phaseWords[run.phase as Phase]}
          <span className="font-normal text-ink-3">
            run {run.runId} · {run.reference}
          </span>
        </span>
        <span className="cut block text-11 text-ink-2">{run.title}</span>
      </span>
      <span className="flex-none text-11 text-ink-2">{figures?.filter(Boolean).join(' · ')}</span>
    </li>
  )
}
