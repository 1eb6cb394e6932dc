import type { RunFailure } from '@shared/contract/runs'
import type { CommandLabel, Outcome, Phase } from '@shared/model/words'
import { phaseWords } from '@shared/phase-words'
import type { RunResult } from '../result/parse-result'
import type { Changed } from './changed-since'
import { asCode, cutText, neutralise } from './neutralise'
import type { WhyRefused } from './refused-push'

/*
 * Every text that Alfred writes to a forge. What the agent wrote comes in here and is made harmless here.
 */

/** GitHub takes 65,536 characters; a plan that is longer is cut and says so. */
const MAX_TEXT = 50_000

const fromAgent = (text: string, iid: number): string => cutText(neutralise(text, iid), MAX_TEXT)

export const acknowledgementText = (isQuestion: boolean): string =>
  isQuestion
    ? 'Alfred has taken this question up. The answer comes as a comment.'
    : 'Alfred has taken this issue up and analyses it first. The analysis goes into the description, the plan comes as a comment. Nothing is changed before that.'

const WHAT_CHANGED: Readonly<Record<Changed, string>> = {
  issue: 'Title or description have changed',
  section: "Alfred's part of the description was changed by somebody",
  plan: 'The comment with the plan was changed by somebody, or is gone,',
}

export const planAgainText = (what: Changed): string =>
  `${WHAT_CHANGED[what]} since the plan was made. Alfred makes the plan again; then it can be validated.${
    what === 'issue' ? '' : ' To change a plan, say so in a comment and set `ai::retry`.'
  }`

/** What was developed is kept meanwhile. null: all is as it was validated again. */
export const validateAgainText = (what: Changed | null): string =>
  `${
    what === null
      ? '**Title, description and plan are as they were validated again.** Nothing is pushed until somebody who may write here has looked at it.'
      : `**${WHAT_CHANGED[what]} since the plan was validated.** What was changed is not followed, and nothing is pushed until somebody who may write here has looked at it.`
  }\n\nTo go on with the plan as Alfred wrote it, set the label \`ai::validate_plan\`. To have it made again, set \`ai::retry\`.`

/** Why a command label was taken off without effect. */
export type Refusal = 'own_account' | 'busy' | 'no_plan' | 'not_built'

const WHY_REFUSED: Readonly<Record<Refusal, string>> = {
  own_account:
    "it was set with Alfred's own account, which proves nothing. Set it with the account of somebody who may write here.",
  busy: 'Alfred is at work on this issue already. Set it again when that is done, if it is still wanted.',
  no_plan: 'no plan waits for a validation here.',
  not_built: 'Alfred does not work on checks and reviews by itself yet, so this is for people.',
}

export const refusedText = (label: CommandLabel, login: string, why: Refusal): string =>
  `\`${label}\` of ${asCode(login)} was taken off and does nothing: ${WHY_REFUSED[why]}`

export const sectionText = (functionalAnalysis: string, iid: number): string =>
  `## Functional analysis\n\n${fromAgent(functionalAnalysis, iid)}`

export function planText(plan: string, iid: number, next: 'validate' | 'develop' | 'end'): string {
  const what = {
    validate:
      'To go on, set the label `ai::validate_plan`; a comment validates nothing. To have it changed, say what in a comment and set `ai::retry`.',
    develop: 'Development begins now.',
    end: 'This was asked for as an analysis, so it ends here.',
  }[next]
  return `## Plan\n\n${fromAgent(plan, iid)}\n\n---\n\n${what}`
}

export const questionsText = (questions: readonly string[], iid: number): string =>
  `Alfred needs to know before it goes on:\n\n${questions
    .map((question, at) => `${at + 1}. ${fromAgent(question, iid).replace(/\n/g, '\n   ')}`)
    .join('\n')}\n\nAnswer in a comment; Alfred goes on by itself.`

/** How many questions such a text asks: further lines of one are indented. */
export const countQuestions = (text: string): number => text.match(/^\d+\. /gm)?.length ?? 0

export const nothingToDoText = (summary: string | null, iid: number): string =>
  `Alfred found nothing to do here.${summary === null ? '' : `\n\n${fromAgent(summary, iid)}`}\n\nIf there is, say what in a comment; Alfred goes on by itself.`

/** What an answer beside the workflow says; nobody waits for an answer to its questions. */
export function asideText(result: RunResult, iid: number): string | null {
  const text = result.answer ?? (result.questions.length > 0 ? result.questions.join('\n\n') : result.summary)
  return text === null ? null : answerText(text, iid)
}

export const answerText = (answer: string, iid: number): string => fromAgent(answer, iid)

export const planValidatedText = (login: string): string =>
  `The plan was validated by ${asCode(login)}. Development begins.`

export const changeOpenedText = (reference: string): string =>
  `The work is done: ${reference}. It waits for the checks and for a review.`

export const changeClosedText = (): string =>
  'The change was closed without being merged, so Alfred leaves it: nothing more is done here by itself, and the branch stays. To have it done otherwise, say how in a comment and set `ai::retry`.'

export const statusRestoredText = (login: string): string =>
  `The status label was changed by ${asCode(login)}. It shows what Alfred does, so it was put back. The same change made again stays until Alfred's next step. To steer, use the labels \`ai::validate_plan\` and \`ai::retry\`, or take the assignment away to pause.`

export const retryText = (phase: Phase, login: string): string =>
  `${phaseWords[phase]} is tried again, as ${asCode(login)} asked.`

export const pushWaitsText = (login: string): string =>
  `Nothing is tried again for now, ${asCode(login)}: the last commits touch files that a push would run with the project's secrets, or would close other issues. Somebody has to look at them in Alfred and push them first.`

export const talkWaitsText = (login: string): string =>
  `Nothing is tried again for now, ${asCode(login)}: a person talked with the agent, and commits of that were not pushed. They have to say in Alfred what becomes of them first.`

export const withoutText = (phase: Phase, login: string): string =>
  `The last commits touch files that a push would run with the project's secrets, or would close other issues. ${asCode(login)} goes on without them: they are kept on the computer that runs Alfred, and nothing of them was pushed. ${phaseWords[phase]} is done again.`

export const discardedText = (login: string): string =>
  `**The last commits were discarded** by ${asCode(login)}: they touch files that a push would run with the project's secrets, or would close other issues. Nothing of them was pushed.\n\nSay in a comment what should be done otherwise and set \`ai::retry\`.`

/** Of the issue's title, which may be anybody's: in the title of a change a forge reads closing keywords too. */
export const changeTitle = (title: string, iid: number): string =>
  neutralise(title.replace(/\s+/g, ' ').trim(), iid)
    .slice(0, 240)
    .replace(/[\ud800-\udbff]$/, '')

/** Our own last line closes the issue; the agent's words above it cannot. */
export const changeBody = (summary: string | null, iid: number): string =>
  `${summary === null ? '' : `${fromAgent(summary, iid)}\n\n`}Closes #${iid}`

const HAPPENED: Readonly<Record<RunFailure['type'], string>> = {
  agent_failed: 'the agent ended with an error',
  agent_reported_failure: 'the agent said that it could not do it',
  provider_error: 'the provider of the model answered with errors, also when asked again',
  account_limit: "the account's limit was reached",
  login_missing: 'the agent is not signed in',
  agent_missing: 'its agent is not part of this version of Alfred',
  timed_out: 'the time limit was reached',
  out_of_memory: 'the container ran out of memory',
  disk_limit: 'the disk limit was reached',
  budget_used: 'the budget of the run was used',
  stopped: 'it was stopped',
  interrupted: 'it was interrupted and could not go on',
  bundle_refused: 'the commits that it left were not accepted',
  result_refused: 'the result that it left was not accepted',
  push_refused: 'the push was refused',
  image_missing: 'the image for the container is missing',
  docker_unreachable: 'Docker is not reachable',
  workspace_failed: 'the workspace could not be made ready',
  stream_replaced: 'the output was tampered with',
  output_too_large: 'there was too much output',
  forge_changed: 'the issue was closed or taken away',
  unexpected: 'something went wrong that Alfred did not expect',
}

const TO_DO: Partial<Readonly<Record<RunFailure['type'], string>>> = {
  timed_out: 'Set `ai::retry` to go on with what is there, or give runs more time in the settings first.',
  out_of_memory: 'Give runs more memory in the settings, then set `ai::retry`.',
  budget_used: 'Give runs a larger budget in the settings, then set `ai::retry`.',
  disk_limit: 'Give runs more disk space in the settings, then set `ai::retry`.',
  login_missing: 'Sign the agent in on the computer that runs Alfred, then set `ai::retry`.',
  agent_missing: 'Choose another agent in the settings of Alfred, then set `ai::retry`.',
  image_missing: 'Build the image in Alfred, then set `ai::retry`.',
  docker_unreachable: 'Start Docker on the computer that runs Alfred, then set `ai::retry`.',
  push_refused: "Look at the branch and at the rights of Alfred's account, then set `ai::retry`.",
}

/** The one comment of a failure: what happened, what it means for the work, what to do. */
export function blockedText(failed: {
  readonly phase: Phase
  readonly outcome: Outcome
  readonly failure: RunFailure | null
}): string {
  const type = failed.failure?.type ?? (failed.outcome === 'timed_out' ? 'timed_out' : 'unexpected')
  const message = failed.failure?.message ?? ''
  return [
    `**${phaseWords[failed.phase]} did not succeed:** ${HAPPENED[type]}.`,
    message === '' ? null : `It says: ${asCode(neutralise(message, 0))}`,
    'Nothing was pushed; the work is kept on the computer that runs Alfred.',
    TO_DO[type] ?? 'Set `ai::retry` to try it again; what should be done otherwise can stand in a comment.',
  ]
    .filter((part) => part !== null)
    .join('\n\n')
}

export const noCommitsText = (summary: string | null, iid: number): string =>
  `**Development made no commit.**${summary === null ? '' : ` The agent says:\n\n${fromAgent(summary, iid)}`}\n\nSay in a comment what is missing and set \`ai::retry\`.`

export const noAgentText = (message: string): string =>
  `**No run could be started:** ${asCode(message)}\n\nNothing was begun.`

const AFTER_REFUSAL: Readonly<Record<WhyRefused, string>> = {
  refused:
    "Look at the branch and at the rights of Alfred's account, then set `ai::retry`: they are pushed again. If the work itself has to be different, say how in a comment first; then it is done again.",
  moved:
    'Alfred does not write over the work of others. Set `ai::retry` to have the work done on top of what is there now.',
  gone: 'Set `ai::retry` to have the branch made again with these commits, or close the issue to leave it.',
}

export const pushFailedText = (message: string, why: WhyRefused): string =>
  `**The commits could not be pushed:** ${asCode(neutralise(message, 0))}\n\nThey are kept on the computer that runs Alfred. ${AFTER_REFUSAL[why]}`

export const publishAgainText = (login: string): string =>
  `The commits are pushed again, as ${asCode(login)} asked.`
