import type { HandMade } from '@main/ports/hand-made-sessions'

/** All sessions are rows of one database, beside which the CLI keeps logins; the one of a person lies in another folder than a run's. */
export const opencodeHandMade: HandMade = {
  kind: 'database',
  places: ['.local/share/opencode', 'share/opencode', 'opencode', ''],
  target: 'opencode.db',
  // The beginning of an id is a time, by which the CLI sorts.
  forkId: (fromId, uuid) => `${fromId.slice(0, 16)}${uuid.replaceAll('-', '').slice(0, 14)}`,
  shrink: 'Remove old sessions with "opencode session delete ID", and then run "opencode db VACUUM".',
}
