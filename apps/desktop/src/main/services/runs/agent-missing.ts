import type { RunFailure } from '@shared/contract/runs'
import type { RunId } from '@shared/model/ids'
import { notInThisVersion } from './choose-adapter'
import { failure, type RunParts } from './run-parts'

/** Why this version cannot go on with a run that another one took up: it lacks the run's adapter. null: it has it. */
export function agentMissing(
  { store, adapters }: Pick<RunParts, 'store' | 'adapters'>,
  runId: RunId,
): RunFailure | null {
  const { adapter } = store.runs.get(runId)
  return adapters.find(adapter) === null ? failure('agent_missing', notInThisVersion(adapter).message) : null
}
