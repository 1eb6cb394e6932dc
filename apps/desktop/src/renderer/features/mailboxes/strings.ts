import type { MailboxDetail } from '@shared/contract/mailboxes'
import type { NeedsYou, Outcome, Status } from '@shared/model/words'
import { phaseWords } from '@shared/phase-words'

/** What a person has to do, as the few words of a row. */
export const needsYouWords: Readonly<Record<NeedsYou, string>> = {
  validate_plan: 'Validate the plan',
  answer_questions: 'Answer the questions',
  blocked: 'Blocked',
  not_built: 'Needs you · not built yet',
  push_needs_person: 'Look at the push',
  unpushed_work: 'Unpushed work',
}

/** What a mailbox waits for, and what comes next, as the sentence of the now strip. */
export const needsYouSentences: Readonly<Record<NeedsYou, string>> = {
  validate_plan: 'The plan is written. Development starts when you validate it.',
  answer_questions: 'The agent asks before it plans. Answer in the issue; the analysis goes on by itself.',
  blocked: 'It does not go on by itself. Its work is kept; a retry goes on from there.',
  not_built: 'The next step of this issue is not built yet. Take it from here by hand.',
  push_needs_person:
    'The commits touch files that run in CI, or would close other issues. Look at them, then push them, go on without them or discard them.',
  unpushed_work: 'There are commits that were not pushed. Runs wait until you decide what happens to them.',
}

/** What a plan waits for, where that is more than a click here: on a forge a label proves who validates. */
export function validateSentence(plan: { readonly isOnForge: boolean; readonly isAgain: boolean }): string {
  if (plan.isAgain) {
    return plan.isOnForge
      ? 'Changed since it was validated: set ai::validate_plan again, or ai::retry for a new plan.'
      : 'The issue was changed since its plan was validated. Look at it, and validate it again.'
  }
  return plan.isOnForge
    ? 'Set the label ai::validate_plan on the issue, and development starts.'
    : needsYouSentences.validate_plan
}

/** The files for which a push waits, as far as they have room. */
export const pushDetail = (paths: readonly string[]): string | null =>
  paths.length === 0
    ? null
    : paths.length > 2
      ? `${paths[0]} and ${paths.length - 1} other files`
      : paths.join(' and ')

export const needsYouTitles: Readonly<Record<NeedsYou, string>> = {
  validate_plan: 'Needs you',
  answer_questions: 'Needs you',
  blocked: 'Blocked',
  not_built: 'Needs you',
  push_needs_person: 'Needs you',
  unpushed_work: 'Needs you',
}

export const statusWords: Readonly<Record<Status, string>> = {
  functional_analysis: 'Analysis',
  technical_analysis: 'Analysis',
  waiting_info: 'Waiting for answers',
  waiting_validation: 'Waiting for validation',
  in_development: 'In development',
  in_ci: 'In CI',
  in_review: 'In review',
  blocked: 'Blocked',
  done: 'Done',
}

/** Why something is blocked, after `Blocked · `. */
export const blockedWords: Readonly<Record<Outcome, string>> = {
  succeeded: 'needs a look',
  failed: 'failed',
  timed_out: 'timed out',
  stopped: 'stopped',
  interrupted: 'interrupted',
  out_of_memory: 'out of memory',
  result_refused: 'result refused',
  account_limit: 'out of usage',
}

type Step = MailboxDetail['progress'][number]['step']

export const stepWords: Readonly<Record<Step, string>> = {
  analysis: 'Analysis',
  plan_validated: 'Plan validated',
  development: 'Development',
  ci: 'CI',
  review: 'Review',
  merge: 'Merge',
  answer: 'Answer',
}

export const stepStateWords: Readonly<Record<MailboxDetail['progress'][number]['state'], string>> = {
  done: 'done',
  current: 'now',
  ahead: 'to come',
  failed: 'failed',
}

type Queued = Extract<NonNullable<MailboxDetail['now']>, { kind: 'queued' }>

/** What a queued run is: one that goes on when Docker is back, or one that has not begun. */
export const queuedTitle = ({ reason, hasBegun, phase }: Queued): string =>
  reason === 'docker' && hasBegun ? 'Interrupted' : `${phaseWords[phase]} is queued`

export const cleanUpErrorText = (error: {
  readonly type: string
  readonly message?: string
  readonly runId?: number
}): string =>
  error.type === 'running'
    ? `Run ${error.runId ?? ''} has not ended yet. Nothing was removed; stop it first.`
    : commandErrorText(error)

export const commandErrorText = (error: { readonly type: string; readonly message?: string }): string => {
  switch (error.type) {
    case 'already_running':
      return 'A run of this issue is live already.'
    case 'nothing_to_validate':
      return 'There is no plan that waits for validation.'
    case 'nothing_to_push':
      return 'What waits for you is no longer what was shown. Look at it again.'
    case 'no_agent':
      return error.message ?? 'No agent is installed.'
    case 'forge':
      return `The forge refused: ${error.message ?? 'no reason given'}`
    case 'owner_gone':
      return 'The engine does not answer.'
    default:
      return error.message ?? 'It did not work. Diagnostics has the details.'
  }
}
