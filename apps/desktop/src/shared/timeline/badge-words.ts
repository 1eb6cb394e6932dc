import type { SessionBadge, TimelineRow } from '../contract/sessions'

/** The words of the memory badge. */
export const badgeWords: Readonly<Record<SessionBadge, string>> = {
  pending: 'Resuming…',
  resumed: 'Resumed',
  no_prior_session: 'Fresh · first run',
  adapter_changed: 'Fresh · adapter changed',
  state_missing: 'Fell back · state missing',
  unsupported_version: 'Fell back · wrong version',
  refused: 'Fell back · refused',
  chosen_fresh: 'Fresh · your choice',
  unproven: 'Resume not proven',
  none: 'No session',
}

/** The words of a row's badge: no run made a session that a person bound or forked. */
export const badgeWordsOf = (
  row: Pick<TimelineRow, 'badge' | 'isImported' | 'requestedSessionId'>,
): string => {
  if (!row.isImported) return badgeWords[row.badge]
  return row.requestedSessionId === null ? 'Bound by hand' : 'Forked by hand'
}
