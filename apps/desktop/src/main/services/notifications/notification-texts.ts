import type { LlmSession } from '@shared/model/records'
import type { AdapterId, NeedsYou, Outcome, Phase } from '@shared/model/words'
import { counted, formatAge, formatBytes, formatCost, formatDuration } from '@shared/format'
import { formatDuration as formatLimit } from '@shared/setting-units'
import { fallbackSentence, losesMemory, phaseWords } from '@shared/phase-words'
import type { KeptMemory } from '@shared/timeline/memory-letters'
import type { DayBudget } from '../runs/budgets'
import type { NotificationKind } from '../../ports/notifications'

/** The words of notifications. Texts from the forge and the agent are plain text here; the desktop escapes them. */
export interface NotificationText {
  readonly kind: NotificationKind
  readonly title: string
  readonly body: string
}

export interface EndedRunFacts {
  /** `#128`, `!342`. */
  readonly reference: string
  readonly phase: Phase
  readonly outcome: Outcome
  readonly session: LlmSession | null
  /** Of the other adapter, when that is what changed. */
  readonly leftMemory: KeptMemory | null
  /** Of the whole run; null: unknown. */
  readonly costUsd: number | null
  readonly durationMs: number | null
  readonly timeoutMs: number
  readonly memoryLimitBytes: number
  readonly commits: number | null
  readonly keptInWorkspace: boolean
}

/** null when nobody needs telling: a person stopped the run, or it goes on by itself. */
export function runEndedText(facts: EndedRunFacts): NotificationText | null {
  switch (facts.outcome) {
    case 'succeeded':
      return finishedText(facts)
    case 'stopped':
    case 'account_limit':
    case 'interrupted':
      return null
    case 'failed':
    case 'timed_out':
    case 'out_of_memory':
    case 'result_refused':
      return {
        kind: 'blocked',
        title: `Blocked · ${facts.reference}`,
        body: `${failureSentence(facts)} ${keptSentence(facts)}`.trim(),
      }
  }
}

function finishedText(facts: EndedRunFacts): NotificationText {
  const phase = phaseWords[facts.phase]
  const lost = losesMemory(facts.session?.resumeFallback ?? null)
  return {
    kind: lost ? 'run-finished-fallback' : 'run-finished',
    title: lost ? `${phase} done without memory · ${facts.reference}` : `${phase} done · ${facts.reference}`,
    body: [memorySentence(facts), workSentence(facts, lost), figures(facts)]
      .filter((part) => part !== '')
      .join(' '),
  }
}

function memorySentence({ session, leftMemory }: EndedRunFacts): string {
  if (!session || session.mode === 'none') return ''
  if (session.resumed) {
    const age = session.stateSavedAt === null ? null : formatAge(session.createdAt - session.stateSavedAt)
    const from = session.stateBytesBefore === null ? '' : ` from ${formatBytes(session.stateBytesBefore)}`
    return `Remembered: resumed${from}${age === null ? '' : `, ${age} old`}.`
  }
  if (session.resumeFallback) return fallbackSentence(session.resumeFallback, session.adapter, leftMemory)
  return session.mode === 'chosen_fresh' ? 'Fresh, by choice.' : 'Resume not proven.'
}

function workSentence(facts: EndedRunFacts, lost: boolean): string {
  const commits = facts.commits === null || facts.commits === 0 ? null : counted(facts.commits, 'commit')
  if (lost) return commits ? `The work is complete: ${commits}.` : 'The work is complete.'
  return commits ? `Made ${commits}.` : ''
}

function figures(facts: EndedRunFacts): string {
  const parts = [
    facts.durationMs === null ? null : formatDuration(facts.durationMs),
    facts.costUsd === null ? null : formatCost(facts.costUsd),
  ]
  return parts.filter((part) => part !== null).join(' · ')
}

function failureSentence(facts: EndedRunFacts): string {
  const phase = phaseWords[facts.phase]
  switch (facts.outcome) {
    case 'timed_out':
      return `${phase} timed out after ${formatLimit(facts.timeoutMs)}.`
    case 'out_of_memory':
      return `${phase} ran out of memory (limit ${formatBytes(facts.memoryLimitBytes)}).`
    case 'result_refused':
      return `The result of ${phase.toLowerCase()} was not accepted. Nothing was pushed.`
    default:
      return `${phase} failed.`
  }
}

const keptSentence = (facts: EndedRunFacts): string =>
  facts.keptInWorkspace ? 'The work is kept in the workspace.' : ''

/** `questions`: how many a person is to answer; 0 where Alfred wants to hear something that is no question. */
export function needsYouText(
  needsYou: NeedsYou,
  reference: string,
  issueTitle: string,
  questions: number,
): NotificationText | null {
  const title = {
    validate_plan: 'The plan waits for you',
    answer_questions: questions === 0 ? 'Your answer is needed' : `${counted(questions, 'question')} for you`,
    not_built: 'Something waits for you',
    push_needs_person: 'A push waits for you',
    unpushed_work: 'Unpushed work waits for you',
    // Told by the run that ended, with the reason.
    blocked: null,
  }[needsYou]
  return title === null ? null : { kind: 'needs-you', title: `${title} · ${reference}`, body: issueTitle }
}

export const interruptedText = (runs: number): NotificationText => ({
  kind: 'interrupted',
  title: `${counted(runs, 'run')} interrupted`,
  body: `Docker stopped answering. ${runs === 1 ? 'It goes' : 'They go'} on by ${runs === 1 ? 'itself' : 'themselves'} when it is back.`,
})

/** A container that went although Docker answered all the time, or was away but for a moment. */
export const cutOffText: NotificationText = {
  kind: 'interrupted',
  title: '1 run interrupted',
  body: 'Its container was ended from outside. It goes on by itself.',
}

/** Before the budget of the day keeps new runs from starting. `scope`: the name of the one that says it; null: the app. */
export const budgetText = (
  { spentUsd, budgetUsd }: Pick<DayBudget, 'spentUsd' | 'budgetUsd'>,
  scope: string | null,
  running: number,
): NotificationText => ({
  kind: 'budget',
  title: `${Math.floor((spentUsd / budgetUsd) * 100)} % of today's ${formatCost(budgetUsd)}${scope === null ? '' : ` for ${scope}`} is used`,
  body: `${counted(running, 'run')} ${running === 1 ? 'is' : 'are'} live. At 100 % new runs wait for you.`,
})

/** Whose logins people have, by the name of what they sign in at. */
const loginNames: Readonly<Partial<Record<AdapterId, string>>> = {
  'claude-code': 'Claude',
  codex: 'Codex',
  opencode: 'OpenCode',
  copilot: 'Copilot',
  'grok-build': 'Grok',
}

/** `Claude login`, `Claude login of harbour/pier`. `projects`: whose own it is; null: that of the app. */
export const loginWords = (adapter: AdapterId, projects: string | null): string =>
  `${loginNames[adapter] ?? adapter} login${projects === null ? '' : ` of ${projects}`}`

/** `login`: as `loginWords` says it. */
export const loginExpiringText = (login: string, adapter: AdapterId, leftMs: number): NotificationText => ({
  kind: 'login-expiring',
  title: `${login} expires in ${leftWords(leftMs)}`,
  body: `After that, runs with ${adapter} wait instead of failing.`,
})

function leftWords(ms: number): string {
  const hours = Math.max(0, ms) / 3_600_000
  if (hours >= 24) return counted(Math.floor(hours / 24), 'day')
  return hours >= 1 ? counted(Math.floor(hours), 'hour') : 'less than an hour'
}
