import { stackOf } from '@shared/defect'
import type { Logger } from '../ports/logger'

/** Lets work go on that nobody waits for: a failure of it is logged with its stack, and never ends the process. */
export function aside(logger: Pick<Logger, 'error'>, what: string, work: Promise<unknown>): void {
  work.catch((defect: unknown) => logger.error(`${what} failed: ${stackOf(defect)}`))
}
