import type { AdapterId } from '@shared/model/words'
import { parseFailure } from '../../core/run/run-row'
import type { Clock } from '../../ports/clock'
import type { Store } from '../../ports/stores'

/** Runs that wait because this agent was not signed in are due now, and look for themselves. */
export function lookAgainForLogin(
  { runs }: Pick<Store, 'runs'>,
  clock: Pick<Clock, 'now'>,
  adapter: AdapterId,
): void {
  for (const run of runs.listLive()) {
    const isWaiting = run.state === 'queued' && parseFailure(run.error)?.type === 'login_missing'
    if (isWaiting && run.adapter === adapter) runs.update(run.id, { nextAttemptAt: clock.now() })
  }
}
