/** Structured log; the implementation redacts known secrets and token patterns before it writes. */
export interface Logger {
  info(message: string, fields?: LogFields): void
  warn(message: string, fields?: LogFields): void
  error(message: string, fields?: LogFields): void
  /** A logger whose lines carry `fields` too. */
  with(fields: LogFields): Logger
}

export type LogFields = Readonly<Record<string, string | number | boolean | null | undefined>>
