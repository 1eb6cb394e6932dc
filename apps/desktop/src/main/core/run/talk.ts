import type { Phase } from '@shared/model/words'

/** Whether a run of this phase is a person's talk with a memory: it stands beside the workflow and has no result. */
export const isTalk = (phase: Phase): phase is 'chat' | 'terminal' => phase === 'chat' || phase === 'terminal'
