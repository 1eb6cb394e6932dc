import type { SessionBadge, TimelineRow } from '../contract/sessions'
import type { LlmSession } from '../model/records'
import type { RunState } from '../model/words'

/** What the memory badge of a row says. The mode decides first; nothing is "resumed" before it is proven. */
export function sessionBadge(
  row: Pick<LlmSession, 'mode' | 'resumed' | 'resumeFallback'> & { readonly state: RunState },
): SessionBadge {
  if (row.mode === 'none') return 'none'
  if (row.mode === 'chosen_fresh') return 'chosen_fresh'
  if (row.resumeFallback !== null) return row.resumeFallback
  if (row.resumed) return 'resumed'
  if (row.mode === 'fresh') return 'no_prior_session'
  return row.state === 'ended' ? 'unproven' : 'pending'
}

const LOSSES: ReadonlySet<SessionBadge> = new Set(['state_missing', 'unsupported_version', 'refused'])

/** Whether the badge tells of a memory that was asked for and lost ("Fell back"). */
export const isLoss = (badge: SessionBadge): boolean => LOSSES.has(badge)

/** Whether a run that lost its memory had a fresh session, or may have one yet: it ends without where no time is left. */
export const beganFresh = (row: Pick<TimelineRow, 'nativeSessionId' | 'state'>): boolean =>
  row.nativeSessionId !== null || row.state !== 'ended'
