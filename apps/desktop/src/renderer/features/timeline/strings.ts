import type { Outcome } from '@shared/model/words'
import type { MemoryBreak } from '@shared/timeline/memory-break'

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

/** Why a memory ended, as the rest of the band's sentence: short enough for a narrow window. */
export const breakReason = (gap: MemoryBreak, run: string, letter: string | null): string => {
  const fresh = letter === null ? `${run} started fresh` : `${run} started fresh as memory ${letter}`
  if (gap.isNotTried) return `It failed twice, so it was not tried: ${fresh}.`
  if (gap.isRemoved) return `It was removed at cleanup, so ${fresh}.`
  return {
    state_missing: `${gap.wasTried ? 'The agent could not load it' : 'Its state file was gone'}, so ${fresh}.`,
    unsupported_version: `This agent cannot read it, so ${fresh}.`,
    refused: `The agent refused to resume it, so ${fresh}.`,
  }[gap.reason]
}

export { runErrorText } from '../../lib/run-error-text'
