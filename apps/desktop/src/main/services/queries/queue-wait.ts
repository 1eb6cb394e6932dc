import type { QueueWait } from '@shared/contract/waits'
import type { Run } from '@shared/model/records'
import { waitsForBudget } from '../runs/budgets'
import type { QueryParts } from './query-parts'

/** Why a queued run does not start yet, and at which time it is looked at again where that is known. */
export function queueWait(
  parts: Pick<QueryParts, 'store' | 'settings' | 'clock' | 'waiting'>,
  run: Run,
): QueueWait {
  const waiting = parts.waiting()
  // what runs on this computer itself needs no Docker
  if (waiting !== null && !(waiting === 'docker' && run.runner === 'host'))
    return { reason: waiting, at: null }
  if (run.nextAttemptAt !== null && run.nextAttemptAt > parts.clock.now())
    return { reason: 'retry_at', at: run.nextAttemptAt }
  return { reason: waitsForBudget(parts, run) ? 'budget' : 'slot', at: null }
}
