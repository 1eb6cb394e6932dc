import type { MailboxDetail } from '@shared/contract/mailboxes'
import type { Mailbox, Run } from '@shared/model/records'
import type { Phase, Status } from '@shared/model/words'

type Step = MailboxDetail['progress'][number]['step']

/** Of the changes: a commit status was there; none was, and one may come; the forge has none. */
export type Checks = 'seen' | 'may_come' | 'never'

interface Facts {
  readonly mailbox: Pick<Mailbox, 'kind' | 'status' | 'isOpen'>
  readonly labels: readonly string[]
  readonly requiresValidation: boolean
  readonly checks: Checks
  /** It is done because its change was merged, and not because somebody closed that. */
  readonly isMerged: boolean
  readonly latestRun: Pick<Run, 'phase' | 'outcome' | 'state'> | null
}

const currentStep: Readonly<Record<Exclude<Status, 'blocked' | 'done'>, Step>> = {
  functional_analysis: 'analysis',
  technical_analysis: 'analysis',
  waiting_info: 'analysis',
  waiting_validation: 'plan_validated',
  in_development: 'development',
  in_ci: 'ci',
  in_review: 'review',
}

const stepOfPhase: Readonly<Record<Phase, Step>> = {
  analysis: 'analysis',
  answer: 'answer',
  development: 'development',
  ci_fix: 'ci',
  review_fix: 'review',
  conflict_resolution: 'review',
  chat: 'development',
  terminal: 'development',
}

/** The stations of an issue's way, and where it stands. */
export function mailboxProgress(facts: Facts): MailboxDetail['progress'] {
  // A station that was passed without any check would claim that they were green.
  return placed(facts, stepsOf(facts)).filter(
    ({ step, state }) =>
      step !== 'ci' ||
      facts.checks === 'seen' ||
      state === 'current' ||
      state === 'failed' ||
      (state === 'ahead' && facts.checks === 'may_come'),
  )
}

function placed(facts: Facts, steps: readonly Step[]): MailboxDetail['progress'] {
  const { mailbox } = facts
  if (mailbox.status === 'done')
    return steps.map((step) => ({ step, state: step === 'merge' && !facts.isMerged ? 'ahead' : 'done' }))
  const { step: current, isFailed } = positionOf(facts)
  const at = current === null ? -1 : steps.indexOf(current)
  return steps.map((step, index) => {
    if (index < at) return { step, state: 'done' }
    if (index > at || at === -1) return { step, state: 'ahead' }
    return { step, state: isFailed ? 'failed' : 'current' }
  })
}

function stepsOf({ mailbox, labels, requiresValidation }: Facts): readonly Step[] {
  // What others made is reviewed and answered; it has no way of its own.
  if (mailbox.kind === 'merge_request') return []
  if (labels.includes('type::question')) return ['answer']
  if (labels.includes('type::analysis')) return ['analysis']
  return [
    'analysis',
    ...(requiresValidation ? (['plan_validated'] as const) : []),
    'development',
    'ci',
    'review',
    'merge',
  ]
}

function positionOf({ mailbox, latestRun, labels }: Facts): {
  readonly step: Step | null
  readonly isFailed: boolean
} {
  const ofRun = latestRun === null ? null : stepOfPhase[latestRun.phase]
  if (mailbox.status === 'blocked') return { step: ofRun, isFailed: true }
  if (mailbox.status === null || mailbox.status === 'done') return { step: ofRun, isFailed: false }
  if (labels.includes('type::question')) return { step: 'answer', isFailed: false }
  return { step: currentStep[mailbox.status], isFailed: false }
}
