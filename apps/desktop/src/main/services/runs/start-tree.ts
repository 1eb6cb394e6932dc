import type { StartKind } from '@shared/model/records'
import type { Phase, SessionMode } from '@shared/model/words'
import { isTalk } from '../../core/run/talk'
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
  /** A person decided against what the last run left in the workspace. */
  readonly isTakenBack: boolean
}

const readOnlyPhases: readonly Phase[] = ['analysis', 'answer']

export function startTree(facts: TreeFacts): StartTree {
  const goesOnWithOthers = isTalk(facts.phase) || (facts.retriesFailedRun && facts.mode === 'resume')
  const goesOn = facts.kind !== 'first' || facts.attempt > 1 || (goesOnWithOthers && !facts.isTakenBack)
  // However often it is begun and whoever collects it, it never works on the branch.
  if (readOnlyPhases.includes(facts.phase) && !facts.branchExists)
    return goesOn ? 'temporary_as_is' : 'temporary'
  return goesOn ? 'workspace' : 'branch'
}
