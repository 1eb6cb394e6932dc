import type { SessionBadge, TimelineRow } from '../contract/sessions'
import { formatAge, formatBytes, shortId } from '../format'
import { sessionOffWords } from './row-sentence'

/*
 * The words of the memory badge and the sentence behind it (ui.md 6); the sentence is tooltip and screen-reader text.
 */

export const badgeTexts: Readonly<Record<SessionBadge, string>> = {
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

/** The memory that was there before and is kept: its letter, and whose it is. */
export interface KeptMemory {
  readonly letter: string | null
  readonly adapter: string | null
}

const nothingKept: KeptMemory = { letter: null, adapter: null }

/** What the badge means for this row, with ids, size and age where they are known. */
export function badgeSentence(row: TimelineRow, kept: KeptMemory = nothingKept): string {
  const asked = row.requestedSessionId === null ? 'the last session' : shortId(row.requestedSessionId)
  const memory = kept.letter === null ? 'The other memory' : `Memory ${kept.letter}`
  const of = kept.adapter === null ? '' : ` of ${kept.adapter}`
  const state = stateFacts(row)
  switch (row.badge) {
    case 'pending':
      return `Asked to continue ${asked}. Waiting for the agent to prove it.`
    case 'resumed':
      return `Remembered. The first event carried ${row.nativeSessionId === null ? asked : shortId(row.nativeSessionId)}.${state === null ? '' : ` State ${state}.`}`
    case 'no_prior_session':
      return `First session of this issue with ${row.adapter}. Nothing to remember yet.`
    case 'adapter_changed':
      return `${row.adapter} has no session here. ${memory}${of} is kept.`
    case 'state_missing':
      return `Asked for ${asked}${state === null ? '' : ` (${state})`}. Its state is gone. Ran fresh.`
    case 'unsupported_version':
      return `${row.adapter} ${row.adapterVersion ?? ''}`.trimEnd() + ' cannot read this state. Ran fresh.'
    case 'refused':
      return `The CLI refused to resume ${asked}. Ran fresh.`
    case 'chosen_fresh':
      return `A person asked for a fresh start. ${memory} is kept.`
    case 'unproven':
      return `Asked to continue ${asked}; the run ended before the agent proved it. ${memory} is kept.`
    case 'none':
      return row.sessionOffReason === null
        ? 'Sessions do not apply here.'
        : `Sessions do not apply here: ${sessionOffWords[row.sessionOffReason]}.`
  }
}

/** `1.2 MB, 3h 35m old`: the state that was asked for, when the run started; null when nothing of it is known. */
export function stateFacts(
  row: Pick<TimelineRow, 'stateBytesBefore' | 'stateSavedAt' | 'startedAt' | 'createdAt'>,
): string | null {
  const facts = [
    row.stateBytesBefore === null ? null : formatBytes(row.stateBytesBefore),
    row.stateSavedAt === null ? null : `${formatAge((row.startedAt ?? row.createdAt) - row.stateSavedAt)} old`,
  ].filter((fact) => fact !== null)
  return facts.length === 0 ? null : facts.join(', ')
}
