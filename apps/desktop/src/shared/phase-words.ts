import type { KeptMemory } from './timeline/memory-letters'
import type { AdapterId, Phase, ResumeFailure, ResumeFallback } from './model/words'

/** Phases as people read them, at the beginning of a sentence. */
export const phaseWords: Readonly<Record<Phase, string>> = {
  analysis: 'Analysis',
  development: 'Development',
  ci_fix: 'CI fix',
  review_fix: 'Review fix',
  conflict_resolution: 'Conflict resolution',
  answer: 'Answer',
  chat: 'Chat',
  terminal: 'Terminal',
}

/** Why a run did not resume, as one sentence for a notification or a terminal. `left`: the memory of the other adapter. */
export const fallbackSentence = (
  fallback: ResumeFallback,
  adapter: AdapterId,
  left: KeptMemory | null = null,
): string =>
  ({
    no_prior_session: 'First session of this issue.',
    adapter_changed:
      left === null
        ? `Fresh with ${adapter}, which has no session here.`
        : `Fresh with ${adapter}; memory ${left.letter} of ${left.adapter} ${left.isRemoved ? 'was removed at cleanup' : 'is kept'}.`,
    state_missing: 'Its state file was gone, so it started fresh.',
    unsupported_version: `This ${adapter} cannot read its state, so it started fresh.`,
    refused: 'The agent refused to resume, so it started fresh.',
  })[fallback]

/** Whether a fallback lost a memory, as opposed to there having been none to lose. */
export const losesMemory = (fallback: ResumeFallback | null): fallback is ResumeFailure =>
  fallback === 'state_missing' || fallback === 'unsupported_version' || fallback === 'refused'
