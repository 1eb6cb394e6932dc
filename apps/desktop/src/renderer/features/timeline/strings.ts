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

/** What became of a memory, which the band says first. */
export const breakTitle = ({ letter, beganFresh }: MemoryBreak): string =>
  `${letter === null ? 'A memory' : `Memory ${letter}`} ${beganFresh ? 'ends here' : 'was not resumed'}.`

/** Why a memory ended, as the rest of the band's sentence: short enough for a narrow window. */
export const breakReason = (gap: MemoryBreak, run: string, letter: string | null): string => {
  const fresh = letter === null ? `${run} started fresh` : `${run} started fresh as memory ${letter}`
  const after = gap.beganFresh ? `so ${fresh}` : 'and no fresh session began'
  if (gap.isNotTried)
    return `It failed twice, so it was not tried${gap.beganFresh ? `: ${fresh}` : `, ${after}`}.`
  if (gap.isRemoved) return `It was removed at cleanup, ${after}.`
  const reason = {
    state_missing: gap.wasTried ? 'The agent could not load it' : 'Its state file was gone',
    unsupported_version: 'This agent cannot read it',
    refused: 'The agent refused to resume it',
  }[gap.reason]
  return `${reason}, ${after}.`
}

export { runErrorText } from '../../lib/run-error-text'
