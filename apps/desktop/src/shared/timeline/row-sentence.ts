import type { SessionBadge, TimelineRow } from '../contract/sessions'
import { totalTokens } from '../format/tokens'
import { spokenBytes, spokenCost, spokenDuration, spokenId, spokenTokens } from '../format/spoken'
import type { SessionOffReason } from '../model/words'
import { phaseWords } from '../phase-words'
import { badgeWordsOf } from './badge-words'
import type { MemoryBreak } from './memory-break'

/*
 * What a screen reader says for a row of the timeline and for a break between rows.
 */

/** Why a run of mode `none` has no memory. */
export const sessionOffWords: Readonly<Record<SessionOffReason, string>> = {
  merge_request: 'merge request',
  host_runner: 'host runner',
  adapter_cannot_resume: 'adapter cannot resume',
  version_not_verified: 'version not verified',
  credential_overlap: 'state path overlaps a credential mount',
  switched_off_project: 'switched off for the project',
  switched_off_organization: 'switched off for the organization',
  switched_off_app: 'switched off for the app',
}

/** The same under a badge that says "No session" already, where the two longest would be cut. */
export const sessionOffInShort: Readonly<Record<SessionOffReason, string>> = {
  ...sessionOffWords,
  credential_overlap: 'overlaps a credential mount',
  switched_off_organization: 'off for the organization',
  switched_off_project: 'off for the project',
  switched_off_app: 'off for the app',
}

const badgeWords: Readonly<Record<SessionBadge, string>> = {
  pending: 'Resuming',
  resumed: 'Resumed',
  no_prior_session: 'Fresh, first run',
  adapter_changed: 'Fresh, adapter changed',
  state_missing: 'Fell back, state missing',
  unsupported_version: 'Fell back, wrong version',
  refused: 'Fell back, refused',
  chosen_fresh: 'Fresh, your choice',
  unproven: 'Resume not proven',
  none: 'No session',
}

export interface SpokenRow {
  readonly row: TimelineRow
  /** The memory's letter; null when the row has none. */
  readonly letter: string | null
  /** Position among all rows, from 1. */
  readonly position: number
  readonly total: number
  /** Epoch milliseconds, for a row that is live. */
  readonly now: number
}

/** One sentence chain per row: what, memory, figures, outcome, place. */
export function rowSentence({ row, letter, position, total, now }: SpokenRow): string {
  return [
    `${phaseWords[row.phase]}, run ${row.runId}, ${agentWords(row)}`,
    memoryWords(row, letter),
    figureWords(row, now),
    outcomeWords(row),
    `Row ${position} of ${total}`,
  ]
    .filter((part) => part !== '')
    .map((part) => `${part}.`)
    .join(' ')
}

const agentWords = (row: TimelineRow): string =>
  [row.adapter, row.model].filter((word) => word !== null).join(' ') +
  (row.provider === null ? '' : `, provider ${row.provider}`) +
  (row.attempts > 1 ? `, ${row.attempts} attempts` : '')

function memoryWords(row: TimelineRow, letter: string | null): string {
  const words = badgeWords[row.badge]
  const asked = row.requestedSessionId === null ? null : `asked for ${spokenId(row.requestedSessionId)}`
  const got = letter === null ? 'no id reported' : `got memory ${letter}`
  switch (row.badge) {
    case 'none':
      return row.sessionOffReason === null ? words : `${words}: ${sessionOffWords[row.sessionOffReason]}`
    case 'pending':
      return asked === null ? 'Memory decided at the start' : `${words}: ${asked}`
    case 'unproven':
      return asked === null ? words : `${words}: ${asked}`
    case 'state_missing':
    case 'unsupported_version':
    case 'refused':
      return `${words}: ${[asked, row.idSetAside ? 'not tried' : null, got].filter((part) => part !== null).join(', ')}`
    case 'resumed':
    case 'no_prior_session':
    case 'adapter_changed':
    case 'chosen_fresh':
      return (
        broughtInWords(row, letter) ??
        (letter === null ? `${words}, no id reported` : `${words}, memory ${letter}`)
      )
  }
}

/** Of a session that no run made; null for any other. */
function broughtInWords(row: TimelineRow, letter: string | null): string | null {
  if (!row.isImported) return null
  return `${badgeWordsOf(row)}, memory ${letter ?? 'unknown'}`
}

function figureWords(row: TimelineRow, now: number): string {
  const duration =
    row.startedAt === null ? 'not started' : spokenDuration((row.endedAt ?? now) - row.startedAt)
  return `${capitalised(duration)}, ${spokenCost(row.costUsd)}, ${spokenTokens(totalTokens(row))}`
}

const stateWords: Readonly<Record<Exclude<TimelineRow['state'], 'ended'>, string>> = {
  queued: 'Queued',
  preparing: 'Preparing',
  running: 'Running',
  stopping: 'Stopping',
}

/** Outcomes as words at the beginning of a sentence. */
export const outcomeSentences: Readonly<Record<NonNullable<TimelineRow['outcome']>, string>> = {
  succeeded: 'Succeeded',
  failed: 'Failed',
  timed_out: 'Timed out',
  stopped: 'Stopped',
  interrupted: 'Interrupted',
  out_of_memory: 'Out of memory',
  result_refused: 'Result refused',
  account_limit: 'Account limit',
}

function outcomeWords(row: TimelineRow): string {
  if (row.state !== 'ended') return stateWords[row.state]
  if (row.result !== null && row.result !== '') return capitalised(row.result).replace(/\.$/, '')
  return row.outcome === null ? 'Ended' : outcomeSentences[row.outcome]
}

const capitalised = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1)

/** "Memory A ends here. State missing: asked for 7c1e44d0, 1.2 megabytes, 3 hours 35 minutes old. Ran fresh." */
export function breakSentence(gap: MemoryBreak): string {
  const name = gap.letter === null ? 'The memory' : `Memory ${gap.letter}`
  const facts = [
    gap.requestedId === null ? null : `asked for ${spokenId(gap.requestedId)}`,
    gap.stateBytes === null ? null : spokenBytes(gap.stateBytes),
    gap.ageMs === null ? null : `${spokenDuration(gap.ageMs)} old`,
    gap.isNotTried ? 'not tried' : null,
  ].filter((fact) => fact !== null)
  const reason = gap.isRemoved
    ? 'Removed at cleanup'
    : { state_missing: 'State missing', unsupported_version: 'Wrong version', refused: 'Refused' }[gap.reason]
  const [end, after] = gap.beganFresh
    ? ['ends here', 'Ran fresh']
    : ['was not resumed', 'No fresh session began']
  return `${name} ${end}. ${reason}${facts.length === 0 ? '' : `: ${facts.join(', ')}`}. ${after}.`
}
