import { stackOf } from '@shared/defect'
import type { Clock } from '../../ports/clock'
import type { Logger } from '../../ports/logger'
import type { AgentsService } from './agents-service'

/*
 * Every agent CLI is looked at once a day: its version by asking the program, its login by reading its files. Nothing
 * of it needs a network: no provider is asked, which would cost tokens, and no image is made.
 */

interface Parts {
  readonly agents: Pick<AgentsService, 'checkOlderThan' | 'list'>
  readonly clock: Clock
  readonly logger: Pick<Logger, 'error'>
  /** Tells of logins that end soon. */
  readonly tellLogins: (rows: Awaited<ReturnType<AgentsService['list']>>) => void
}

/** The start of the app has enough to do. */
const firstAfterMs = 20_000
/** Also how long a look that Docker did not answer waits for the next one. */
const lookEveryMs = 30 * 60_000
const dayMs = 24 * 3_600_000

/** Until the signal aborts. */
export async function runDailyAgentChecks(parts: Parts, signal: AbortSignal): Promise<void> {
  const { clock, logger } = parts
  await clock.sleep(firstAfterMs, signal)
  while (!signal.aborted) {
    await look(parts, signal).catch((defect: unknown) =>
      logger.error(`the daily look at the agents failed: ${stackOf(defect)}`),
    )
    await clock.sleep(lookEveryMs, signal)
  }
}

async function look({ agents, tellLogins }: Parts, signal: AbortSignal): Promise<void> {
  await agents.checkOlderThan(dayMs, signal)
  if (signal.aborted) return
  const rows = await agents.list()
  if (!signal.aborted) tellLogins(rows)
}
