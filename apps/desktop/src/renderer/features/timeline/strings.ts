import type { Outcome, ResumeFailure } from '@shared/model/words'

export const outcomeWords: Readonly<Record<Outcome, string>> = {
  succeeded: 'Done',
  failed: 'Failed',
  timed_out: 'Timed out',
  stopped: 'Stopped',
  interrupted: 'Interrupted',
  out_of_memory: 'Out of memory',
  result_refused: 'Result refused',
  account_limit: 'Out of usage',
}

/** Why a memory ended, as the middle of the band's sentence. */
export const breakReason = (reason: ResumeFailure, run: string, letter: string | null): string => {
  const fresh = letter === null ? `${run} started fresh` : `${run} started fresh as memory ${letter}`
  return {
    state_missing: `Its state file was gone, so ${fresh}.`,
    unsupported_version: `This version of the agent cannot read its state, so ${fresh}.`,
    refused: `The agent refused to resume it, so ${fresh}.`,
  }[reason]
}

export const notTriedReason = (letter: string | null): string =>
  letter === null
    ? 'It failed twice in a row and was not tried again, so this run started fresh.'
    : `It failed twice in a row and was not tried again; this run started fresh as memory ${letter}.`

export { runErrorText } from '../../lib/run-error-text'
