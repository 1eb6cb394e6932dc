import type { RunDetail } from '@shared/contract/runs'
import type { NeedsYou } from '@shared/model/words'
import { phaseWords } from '@shared/phase-words'
import { isLoss } from '@shared/timeline/session-badge'
import { outcomeSentences } from '@shared/timeline/row-sentence'

/** What of a run is told when it changes. */
export type ToldRun = Pick<RunDetail['row'], 'state' | 'outcome' | 'badge' | 'phase' | 'result'> & {
  readonly iid: number
}

const lossWords = {
  state_missing: 'state missing',
  unsupported_version: 'wrong version',
  refused: 'refused',
} as const

/**
 * What a screen reader is told about a run that changed; null if nothing of note did. Where it began and proved or lost
 * its memory in one look, the memory is what is told.
 */
export function runMessage(before: ToldRun | null, now: ToldRun): string | null {
  const name = `${phaseWords[now.phase]} on ${now.iid}`
  const isNewState = before?.state !== now.state
  if (isNewState && now.state === 'ended') return endMessage(now, name)
  if (isNewState && now.state === 'stopping') return 'Stopping'
  if (isNewState && now.state === 'queued' && now.outcome === 'interrupted') return `${name} interrupted`
  if (before === null) return null
  const memory = before.badge === now.badge ? null : memoryMessage(now.badge)
  return memory ?? (isNewState && now.state === 'running' ? `${name} started` : null)
}

function memoryMessage(badge: ToldRun['badge']): string | null {
  if (badge === 'resumed') return 'Resumed, remembered'
  return isLoss(badge) ? `Started fresh: ${lossWords[badge as keyof typeof lossWords]}` : null
}

function endMessage(run: ToldRun, name: string): string | null {
  if (run.outcome === null) return `${name} ended`
  if (run.outcome !== 'succeeded') return `${name}: ${outcomeSentences[run.outcome].toLowerCase()}`
  return run.result === null || run.result === '' ? `Finished: ${name}` : `Finished: ${run.result}`
}

const needsYouWords: Readonly<Record<NeedsYou, string>> = {
  validate_plan: 'validate the plan',
  answer_questions: 'answer the questions',
  blocked: 'a run is blocked',
  not_built: 'the next step is not built yet',
  push_needs_person: 'look at the push',
  unpushed_work: 'unpushed work',
}

/** What a screen reader is told when a mailbox begins to wait for a person; null otherwise. */
export const needsYouMessage = (before: NeedsYou | null, now: NeedsYou | null, iid: number): string | null =>
  now === null || now === before ? null : `Needs you: ${needsYouWords[now]} for ${iid}`
