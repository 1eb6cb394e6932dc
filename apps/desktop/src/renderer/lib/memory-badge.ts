import type { TimelineRow } from '@shared/contract/sessions'
import { badgeWordsOf } from '@shared/timeline/badge-words'
import { formatAge, formatBytes, shortId } from '@shared/format'
import type { KeptMemory } from '@shared/timeline/memory-letters'
import { sessionOffWords } from '@shared/timeline/row-sentence'
import { tellsIdLast } from '@shared/model/tells-id-last'
import { beganFresh } from '@shared/timeline/session-badge'

export type { SessionBadge } from '@shared/contract/sessions'
export type { KeptMemory } from '@shared/timeline/memory-letters'

export { badgeWords as badgeText } from '@shared/timeline/badge-words'

/** A run that waits has no session yet, and nothing was asked for: what it will remember is not known. */
const isUndecided = (row: Pick<TimelineRow, 'badge' | 'requestedSessionId'>): boolean =>
  row.badge === 'pending' && row.requestedSessionId === null

/** The words of a row's badge. */
export const badgeTextOf = (row: Pick<TimelineRow, 'badge' | 'requestedSessionId' | 'isImported'>): string =>
  isUndecided(row) ? 'Not started yet' : badgeWordsOf(row)

type BadgeFacts = Pick<
  TimelineRow,
  | 'badge'
  | 'adapter'
  | 'adapterVersion'
  | 'nativeSessionId'
  | 'requestedSessionId'
  | 'stateBytesBefore'
  | 'stateSavedAt'
  | 'createdAt'
  | 'sessionOffReason'
  | 'isImported'
  | 'state'
  | 'phase'
>

/** How old the state was when the run asked for it. Milliseconds. */
export const stateAge = (row: Pick<TimelineRow, 'stateSavedAt' | 'createdAt'>): number | null =>
  row.stateSavedAt === null ? null : Math.max(0, row.createdAt - row.stateSavedAt)

/** The whole sentence behind the badge: tooltip and screen-reader text in one. */
export function badgeSentence(row: BadgeFacts, kept: KeptMemory | null = null): string {
  const asked = row.requestedSessionId === null ? 'a session' : shortId(row.requestedSessionId)
  const own = row.nativeSessionId === null ? asked : shortId(row.nativeSessionId)
  const keptMemory = kept === null ? 'What was remembered' : `Memory ${kept.letter}`
  const after = beganFresh(row) ? 'Ran fresh.' : 'The run ended before a fresh session began.'
  const isKept = kept?.isRemoved ? 'was removed at cleanup' : 'is kept'
  switch (row.badge) {
    case 'pending':
      if (isUndecided(row)) return 'Which memory it goes on with is decided when it starts.'
      return `Asked to continue ${asked}. Waiting for the agent to prove it.`
    case 'resumed':
      return `Remembered. ${proofSentence(row, own)}${stateFacts(row, ' State ', '.')}`
    case 'no_prior_session':
      return `First session of this issue with ${row.adapter}. Nothing to remember yet.`
    case 'adapter_changed':
      return `${row.adapter} has no session here. ${kept === null ? 'The memory of the other agent' : `Memory ${kept.letter} of ${kept.adapter}`} ${isKept}.`
    case 'state_missing':
      return `Asked for ${asked}${stateFacts(row, ' (', ')')}. Its state is gone. ${after}`
    case 'unsupported_version':
      return `${[row.adapter, row.adapterVersion].filter(Boolean).join(' ')} cannot read this state. ${after}`
    case 'refused':
      return `The CLI refused to resume ${asked}. ${after}`
    case 'chosen_fresh':
      if (row.isImported) return broughtInSentence(row)
      return `A person asked for a fresh start. ${keptMemory} ${isKept}.`
    case 'unproven':
      return `Asked to continue ${asked}; the run ended before the agent proved it. ${keptMemory} ${isKept}.`
    case 'none':
      return row.sessionOffReason === null
        ? 'Sessions do not apply here.'
        : `Sessions do not apply here: ${sessionOffWords[row.sessionOffReason]}.`
  }
}

/** What proved that it remembered: a first event with the id, or the growth of a session that tells none in time. */
function proofSentence({ adapter, phase }: BadgeFacts, id: string): string {
  if (phase === 'terminal') return `A terminal tells no id; the state of ${id} grew in it.`
  return tellsIdLast(adapter)
    ? `${adapter} tells its id at the end; the state of ${id} grew in this run.`
    : `The first event carried ${id}.`
}

const broughtInSentence = (row: BadgeFacts): string =>
  row.requestedSessionId === null
    ? 'A person made this session with the CLI and bound it to this issue. The next run goes on with it.'
    : `A person copied what could be read of ${shortId(row.requestedSessionId)}. The next run goes on with the copy.`

/** ` State 2.1 MB, 58m old.`; empty where neither is known. */
function stateFacts(row: BadgeFacts, before: string, after: string): string {
  const age = stateAge(row)
  const facts = [
    row.stateBytesBefore === null ? null : formatBytes(row.stateBytesBefore),
    age === null ? null : `${formatAge(age)} old`,
  ].filter((fact) => fact !== null)
  return facts.length === 0 ? '' : `${before}${facts.join(', ')}${after}`
}
