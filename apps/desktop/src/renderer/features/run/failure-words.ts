import type { RunDetail, RunFailure } from '@shared/contract/runs'
import type { SettingKey } from '@shared/model/settings'
import { formatBytes } from '@shared/format'
import { isSaved } from '@shared/timeline/state-growth'
import { formatLimit } from './run-words'

/** What the person can do about a failure, beside reading on; the notice draws a button for each. */
export type FailureAction =
  | 'retry'
  | 'retry_with_memory'
  | 'raw_log'
  | 'show_check'
  | 'build_image'
  | 'diagnostics'
  | 'settings'

export interface FailureWords {
  /** What happened, as a sentence. */
  readonly title: string
  /** What it means for the work. */
  readonly whatHappened: string
  /** The same where the session is not known to hold this run; for words that promise it. */
  readonly unsaved?: string
  /** What happens by itself, or what to do. */
  readonly whatToDo: string
  readonly actions: readonly FailureAction[]
  /** The one that the button to the settings leads to. */
  readonly setting?: SettingKey
  /** Whether the engine's own message says more than these words. */
  readonly showsMessage: boolean
}

const kept = 'The work is kept in the workspace, and the session too.'
const workKept = 'The work is kept in the workspace.'

/** The words for each way a run can fail; the engine sends only the type and the facts. */
export const failureWords: Readonly<Record<RunFailure['type'], FailureWords>> = {
  agent_failed: {
    title: 'The agent ended with an error.',
    whatHappened: `${kept} A retry goes on with this memory.`,
    unsaved: workKept,
    whatToDo: 'The raw log says what it printed last.',
    actions: ['retry', 'raw_log'],
    showsMessage: true,
  },
  agent_reported_failure: {
    title: 'The agent said that it could not do it.',
    whatHappened: kept,
    unsaved: workKept,
    whatToDo: 'Its last words say why. Add to the issue what it lacks, then retry.',
    actions: ['retry'],
    showsMessage: true,
  },
  provider_error: {
    title: 'The model provider failed.',
    whatHappened: `Alfred tried again as often as it may. ${kept}`,
    unsaved: `Alfred tried again as often as it may. ${workKept}`,
    whatToDo: 'Retry when the provider works again.',
    actions: ['retry', 'raw_log'],
    showsMessage: true,
  },
  account_limit: {
    title: 'The account is out of usage.',
    whatHappened: 'This start used up no attempt.',
    whatToDo: 'The run goes on by itself when the limit ends. Other adapters go on meanwhile.',
    actions: [],
    showsMessage: true,
  },
  login_missing: {
    title: 'The agent is not signed in.',
    whatHappened: 'Its runs wait instead of failing, and nothing is lost.',
    whatToDo: 'Sign in, or mount a login file; then retry, or wait until Alfred looks again.',
    actions: ['retry', 'settings'],
    showsMessage: true,
  },
  agent_missing: {
    title: 'The agent of this run is not there any more.',
    whatHappened: 'Nothing was posted, and its memory is kept.',
    whatToDo: 'Choose another agent in the settings, or go back to a version that has it, then retry.',
    actions: ['settings', 'retry'],
    showsMessage: true,
  },
  timed_out: {
    title: 'The time limit was reached.',
    whatHappened: 'The last save of the session is complete, so a retry goes on with this memory.',
    unsaved: workKept,
    whatToDo: 'Retry, or raise the limit for this project first.',
    actions: ['retry', 'settings'],
    setting: 'RUN_TIMEOUT',
    showsMessage: true,
  },
  out_of_memory: {
    title: 'The container ran out of memory.',
    whatHappened: 'The session is kept.',
    unsaved: workKept,
    whatToDo: 'A retry with more raises the memory limit of this project.',
    actions: ['retry_with_memory', 'retry', 'settings'],
    setting: 'RUN_MEMORY',
    showsMessage: false,
  },
  disk_limit: {
    title: 'The run used more disk than it may.',
    whatHappened: 'It was stopped before the disk was full. What it wrote is in the workspace.',
    whatToDo: 'Free space or raise the disk limit, then retry.',
    actions: ['retry', 'settings'],
    setting: 'RUN_DISK',
    showsMessage: true,
  },
  budget_used: {
    title: 'The budget of the run is used.',
    whatHappened: kept,
    unsaved: workKept,
    whatToDo: 'Raise the budget of a run in the settings, then retry.',
    actions: ['settings', 'retry'],
    setting: 'RUN_BUDGET_USD',
    showsMessage: true,
  },
  stopped: {
    title: 'Stopped by a person.',
    whatHappened: `${kept} Nothing more was posted.`,
    unsaved: `${workKept} Nothing more was posted.`,
    whatToDo: 'A retry goes on from here.',
    actions: ['retry'],
    showsMessage: false,
  },
  interrupted: {
    title: 'The run was interrupted.',
    whatHappened: 'Docker or this computer went away while it ran. Nothing is lost.',
    whatToDo: 'It goes on by itself when Docker is back; if it does not, retry.',
    actions: ['retry', 'diagnostics'],
    showsMessage: true,
  },
  bundle_refused: {
    title: 'The result of this run was not accepted.',
    whatHappened: 'Its git bundle failed the check. Nothing was pushed.',
    whatToDo: workKept,
    actions: ['show_check', 'retry'],
    showsMessage: true,
  },
  result_refused: {
    title: 'The result file of this run was not accepted.',
    whatHappened: 'It does not have the form that was asked for. Nothing was posted.',
    whatToDo: 'Retry; the agent gets the same task again.',
    actions: ['retry', 'raw_log'],
    showsMessage: true,
  },
  push_refused: {
    title: 'The forge refused the push.',
    whatHappened: 'The commits are kept here.',
    whatToDo: 'Look at the branch rules and the token of Alfred there, then retry.',
    actions: ['retry'],
    showsMessage: true,
  },
  image_missing: {
    title: 'The agent image is not there.',
    whatHappened: 'No container was started.',
    whatToDo: 'Build the image, then retry.',
    actions: ['build_image', 'retry'],
    showsMessage: true,
  },
  docker_unreachable: {
    title: 'Docker is not reachable.',
    whatHappened: 'No container was started, and nothing is lost.',
    whatToDo: 'Start Docker. The run goes on by itself, or retry.',
    actions: ['retry', 'diagnostics'],
    showsMessage: true,
  },
  workspace_failed: {
    title: 'The workspace could not be made ready.',
    whatHappened: 'The agent was not started.',
    whatToDo: 'Read the reason, then retry.',
    actions: ['retry', 'raw_log'],
    showsMessage: true,
  },
  stream_replaced: {
    title: 'The output of this run was tampered with.',
    whatHappened:
      'A stream file was replaced or cut while it was read, so the run was stopped and nothing of it was taken.',
    whatToDo: 'Look at the raw log before you retry.',
    actions: ['raw_log', 'retry'],
    showsMessage: true,
  },
  output_too_large: {
    title: 'The run printed more than it may.',
    whatHappened: `It was stopped. ${kept}`,
    unsaved: `It was stopped. ${workKept}`,
    whatToDo: 'Look at what it printed, then retry.',
    actions: ['raw_log', 'retry'],
    showsMessage: true,
  },
  forge_changed: {
    title: 'The issue changed while this run worked.',
    whatHappened:
      'It was closed, taken away from Alfred or moved on, so nothing was posted. The work is kept.',
    whatToDo: 'Assign it to Alfred again to go on.',
    actions: [],
    showsMessage: true,
  },
  unexpected: {
    title: 'Alfred itself failed.',
    whatHappened: `${kept} The log has the details.`,
    unsaved: `${workKept} The log has the details.`,
    whatToDo: 'Retry. If it happens again, copy the details into a report.',
    actions: ['retry', 'diagnostics'],
    showsMessage: true,
  },
}

/** What the notice says, from top to bottom. */
export interface FailureSentences {
  readonly title: string
  /** What it means for the work, and what to do. */
  readonly text: string
  /** The engine's own words; null where ours say it all. */
  readonly message: string | null
}

type LimitsOfRun = Pick<RunDetail, 'timeoutMs' | 'sandbox'>

/** The words of this run's failure, with the figures of its limits; its session is promised only where it was saved. */
export function failureSentences(
  run: LimitsOfRun & Pick<RunDetail, 'row'>,
  failure: RunFailure,
): FailureSentences {
  const words = failureWords[failure.type]
  const exit = failure.exitCode == null ? '' : ` (exit code ${failure.exitCode})`
  const whatHappened =
    failure.type === 'bundle_refused'
      ? refusedBundle(failure.message)
      : isSaved(run.row)
        ? words.whatHappened
        : (words.unsaved ?? words.whatHappened)
  return {
    title: titleOf(run, failure),
    text: `${whatHappened} ${words.whatToDo}`,
    message: words.showsMessage && failure.message !== '' ? `${failure.message}${exit}` : null,
  }
}

/** What a bundle must be; it is the agent's, so nothing of it is taken before. */
export const bundleCheck =
  'The bundle must be a plain file of bounded size with the branch of this run alone. Its commits must go on from the one that the run began with and hold no secret that Alfred knows, and git itself must find every object in it whole and harmless.'

/** With the reason in the sentence; what git said of it, in brackets at the end, is told with the check. */
function refusedBundle(message: string): string {
  const reason = message
    .replace(/^The bundle was refused: /, '')
    .replace(/ \(.*\)\.?$/s, '')
    .replace(/\.$/, '')
    // a sentence of its own goes on behind the colon; names in capitals stay
    .replace(/^[A-Z](?=[a-z]* )/, (letter) => letter.toLowerCase())
  return reason === ''
    ? failureWords.bundle_refused.whatHappened
    : `Its git bundle failed the check: ${reason}. Nothing was pushed.`
}

/** Limits are said with their figure: "The time limit of 30m was reached in turn 41." */
function titleOf(
  { timeoutMs, sandbox, row }: LimitsOfRun & Pick<RunDetail, 'row'>,
  { type }: RunFailure,
): string {
  const memory = sandbox?.memoryBytes ?? null
  if (type === 'timed_out') {
    // Not every CLI counts its turns while it works.
    const turn = row.turns === null || row.turns === 0 ? '' : ` in turn ${row.turns}`
    return `The time limit of ${formatLimit(timeoutMs)} was reached${turn}.`
  }
  if (type === 'out_of_memory' && memory !== null)
    return `The container ran out of memory (limit ${formatBytes(memory)}).`
  return failureWords[type].title
}

/** What "Retry with 8.0 GB" gives a run that ran out of memory: twice its limit; null: it is not known. */
export const moreMemory = ({ sandbox }: Pick<RunDetail, 'sandbox'>): number | null =>
  sandbox?.memoryBytes == null ? null : sandbox.memoryBytes * 2
