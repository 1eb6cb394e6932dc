import type { Logger } from '@main/ports/logger'

export interface KeptLogger extends Logger {
  /** What was told as an error, in order. */
  readonly errors: readonly string[]
}

/** A log that only keeps errors. */
export function createKeptLogger(): KeptLogger {
  const errors: string[] = []
  const logger: KeptLogger = {
    errors,
    info: () => undefined,
    warn: () => undefined,
    error: (message) => void errors.push(message),
    with: () => logger,
  }
  return logger
}
