import { formatTime, isoWithOffset } from '../lib/time-format'

export interface MomentProps {
  /** Epoch ms, both; `now` by the minute. */
  readonly at: number
  readonly now: number
  readonly className?: string | undefined
}

/** A moment as people read it, with the exact time and its zone as tooltip. */
export const Moment = ({ at, now, className }: MomentProps) => (
  <time className={className} dateTime={new Date(at).toISOString()} title={isoWithOffset(at)}>
    {formatTime(at, { now })}
  </time>
)
