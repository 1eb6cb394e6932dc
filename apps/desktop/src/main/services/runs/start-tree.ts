import type { StartKind } from '@shared/model/records'
import type { Phase, SessionMode } from '@shared/model/words'
import type { StartTree } from '../../core/sandbox/sandbox-spec'

/*
 * Which tree a run starts on: what memory believes in must be what it finds.
 */

export interface TreeFacts {
  readonly phase: Phase
  readonly kind: StartKind
  readonly attempt: number
  /** Whether the branch exists: made by a phase run, or on the forge. */
  readonly branchExists: boolean
  readonly mode: SessionMode
  /** The mailbox's run before this one did not succeed, and this one was asked for by retrying it. */
  readonly retriesFailedRun: boolean
}

const readOnlyPhases: readonly Phase[] = ['analysis', 'answer']

export function startTree(facts: TreeFacts): StartTree {
  const goesOn =
    facts.phase === 'chat' ||
    facts.phase === 'terminal' ||
    facts.kind !== 'first' ||
    facts.attempt > 1 ||
    (facts.retriesFailedRun && facts.mode === 'resume')
  if (goesOn) return 'workspace'
  if (readOnlyPhases.includes(facts.phase) && !facts.branchExists) return 'temporary'
  return 'branch'
}
