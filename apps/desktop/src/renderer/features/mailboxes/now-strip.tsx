import type { ReactNode } from 'react'
import type { MailboxDetail } from '@shared/contract/mailboxes'
import { formatDuration } from '@shared/format'
import { isoWithOffset } from '@shared/format/times'
import { phaseWords } from '@shared/phase-words'
import { Button } from '../../components/button'
import { Icon, type IconName } from '../../components/icon'
import { LiveDot } from '../../components/live-dot'
import { useNow } from '../../lib/clock'
import { keysOf } from '../../lib/keyboard/key-map'
import { preparingText, queueReasons } from '../../lib/now-words'
import { useSteady } from '../../lib/use-steady'
import { PushButtons } from './push-buttons'
import { needsYouSentences, needsYouTitles, pushDetail, queuedTitle, validateSentence } from './strings'
import type { PushAnswers } from './use-pending-push'
import { ValidateButton } from './validate-button'

type Now = NonNullable<MailboxDetail['now']>

export interface NowStripProps {
  readonly now: Now
  /** Shows the live run: its transcript, or the terminal that it is. */
  readonly onWatch: (live: Extract<Now, { kind: 'live' }>) => void
  readonly onValidatePlan: () => void
  readonly isValidating: boolean
  /** A label on a connected forge does it, not this window. */
  readonly isValidatedOnForge: boolean
  /** Somebody had validated the plan; the issue was changed since. */
  readonly isValidatedAgain: boolean
  /** Shown when there is something to be read first: plan or questions. */
  readonly onRead?: (() => void) | undefined
  readonly onCancelImage: () => void
  /** The push that waits for a person; null while none does. */
  readonly push: PushAnswers | null
}

/** What happens now, or what comes next, in one line; absent when there is nothing to say. */
export function NowStrip(asked: NowStripProps) {
  const props = useSteady(asked, kindOf(asked.now))
  const { now } = props
  switch (now.kind) {
    case 'live':
      return <LiveStrip now={now} onWatch={props.onWatch} />
    case 'queued':
      return <QueuedStrip now={now} />
    case 'preparing':
      return (
        <Strip tone="run" icon={<LiveDot className="mx-0.5" />} title={`${phaseWords[now.phase]} starts`}>
          <span className="cut grow">{preparingText(now.step)}</span>
          {now.fraction !== null && <ImageProgress fraction={now.fraction} onCancel={props.onCancelImage} />}
        </Strip>
      )
    case 'stopping':
      return (
        <Strip tone="run" icon={<LiveDot className="mx-0.5" />} title="Stopping">
          <span className="cut grow">
            {phaseWords[now.phase]} ends. Its work and memory are kept; this takes up to 10s.
          </span>
        </Strip>
      )
    case 'needs_you':
      return <NeedsYouStrip {...props} now={now} />
  }
}

/** Strips of one kind are the same strip, whatever its figures are. */
const kindOf = (now: Now): string => `${now.kind} ${'runId' in now ? now.runId : now.needsYou}`

interface StripProps {
  readonly tone: 'run' | 'warn' | 'bad' | 'quiet'
  readonly icon: ReactNode
  readonly title: string
  readonly children: ReactNode
}

function Strip({ tone, icon, title, children }: StripProps) {
  const colour = { run: 'text-run', warn: 'text-warn', bad: 'text-bad', quiet: 'text-ink-2' }[tone]
  return (
    <section className="now-strip" data-test="now-strip" data-tone={tone} aria-label="Now">
      {icon}
      <b className={colour}>{title}</b>
      {children}
    </section>
  )
}

function LiveStrip({
  now,
  onWatch,
}: {
  readonly now: Extract<Now, { kind: 'live' }>
  readonly onWatch: NowStripProps['onWatch']
}) {
  const time = useNow(now.startedAt !== null)
  const isTerminal = now.phase === 'terminal'
  const context =
    now.contextUsed === null || now.contextMax === null || now.contextMax <= 0
      ? null
      : Math.round((now.contextUsed / now.contextMax) * 100)
  return (
    <Strip tone="run" icon={<LiveDot className="mx-0.5" />} title={phaseWords[now.phase]}>
      {now.turn !== null && <span className="text-ink-2">turn {now.turn}</span>}
      <span className="cut grow" title={now.activity ?? undefined}>
        {now.activity ??
          (isTerminal ? 'Open in a terminal. It goes on while nobody looks.' : 'The agent is at work')}
      </span>
      <span
        className="min-w-[52px] text-right text-ink-2"
        data-test="now-elapsed"
        data-value={now.startedAt ?? ''}
      >
        {now.startedAt === null ? '' : formatDuration(time - now.startedAt)}
      </span>
      {context !== null && <span className="text-ink-2">context {context} %</span>}
      <Button
        size="sm"
        icon={isTerminal ? 'terminal' : 'eye'}
        label={isTerminal ? 'Show it here' : 'Watch'}
        spokenLabel={isTerminal ? `Show terminal ${now.runId} here` : `Watch run ${now.runId}`}
        title={keysOf('jump-to-live')}
        test={isTerminal ? 'show-terminal' : 'watch-live'}
        onClick={() => onWatch(now)}
      />
    </Strip>
  )
}

function QueuedStrip({ now }: { readonly now: Extract<Now, { kind: 'queued' }> }) {
  const time = useNow(now.at !== null)
  const isInterrupted = now.reason === 'docker' && now.hasBegun
  return (
    <Strip
      tone={isInterrupted ? 'warn' : 'quiet'}
      icon={
        <Icon
          name={isInterrupted ? 'pause' : 'clock'}
          size={15}
          className={isInterrupted ? 'text-warn' : 'text-ink-2'}
        />
      }
      title={queuedTitle(now)}
    >
      <span className="cut grow">{queueReasons[now.reason]}</span>
      {now.at !== null && (
        <span className="text-ink-2" title={isoWithOffset(now.at)}>
          {now.at <= time ? 'now' : `in ${formatDuration(now.at - time)}`}
        </span>
      )}
    </Strip>
  )
}

function ImageProgress({ fraction, onCancel }: { readonly fraction: number; readonly onCancel: () => void }) {
  const percent = Math.round(fraction * 100)
  return (
    <>
      <progress className="image-progress" max={100} value={percent} aria-label="Building the agent image" />
      <span className="min-w-[38px] text-right text-ink-2">{percent} %</span>
      <Button size="sm" label="Cancel" spokenLabel="Cancel building the image" onClick={onCancel} />
    </>
  )
}

function NeedsYouStrip({
  now,
  onValidatePlan,
  isValidating,
  isValidatedOnForge,
  isValidatedAgain,
  onRead,
  push,
}: NowStripProps & { readonly now: Extract<Now, { kind: 'needs_you' }> }) {
  const isBad = now.needsYou === 'blocked'
  const icon: IconName = isBad ? 'ban' : 'inbox'
  const sentence =
    now.needsYou === 'validate_plan'
      ? validateSentence({ isOnForge: isValidatedOnForge, isAgain: isValidatedAgain })
      : needsYouSentences[now.needsYou]
  const detail = now.detail ?? (push === null ? null : pushDetail(push.push.paths))
  return (
    <Strip
      tone={isBad ? 'bad' : 'warn'}
      icon={<Icon name={icon} size={15} className={isBad ? 'text-bad' : 'text-warn'} />}
      title={needsYouTitles[now.needsYou]}
    >
      <span className="cut grow" title={detail ?? sentence}>
        {detail !== null && <span className="font-medium">{detail}. </span>}
        {sentence}
      </span>
      {onRead && now.needsYou === 'validate_plan' && (
        <Button size="sm" icon="file-text" label="Read the plan" onClick={onRead} />
      )}
      {onRead && now.needsYou === 'answer_questions' && (
        <Button size="sm" icon="message" label="Read the questions" onClick={onRead} />
      )}
      {push !== null && (
        <>
          <Button size="sm" icon="eye" label="Show diff" test="show-push" onClick={() => push.open('diff')} />
          <PushButtons answers={push} size="sm" />
        </>
      )}
      {now.needsYou === 'validate_plan' && (
        <ValidateButton
          size="sm"
          isOnForge={isValidatedOnForge}
          isBusy={isValidating}
          test="validate-plan"
          onClick={onValidatePlan}
        />
      )}
    </Strip>
  )
}
