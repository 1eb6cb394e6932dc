import type { Redact } from '@main/core/redact/redact'
import type { Clock } from '@main/ports/clock'
import type { LogFields, Logger } from '@main/ports/logger'
import type { RotatingFile } from './rotating-file'

/** A longer text says nothing more, and a log must stay readable. */
const longestText = 8_000

type Level = 'info' | 'warn' | 'error'

export interface FileLoggerParts {
  readonly file: Pick<RotatingFile, 'append'>
  readonly clock: Pick<Clock, 'now'>
  readonly redact: Redact
}

/** Writes one JSON object per line: `at` (ISO), `level`, `message`, then the fields. Secrets are taken out first. */
export function createFileLogger(parts: FileLoggerParts, fields: LogFields = {}): Logger {
  const { file, clock, redact } = parts
  const clean = (value: LogFields[string]): LogFields[string] =>
    typeof value === 'string' ? shorten(redact(value)) : value

  function write(level: Level, message: string, more: LogFields = {}): void {
    const all = Object.entries({ ...fields, ...more }).map(([name, value]) => [name, clean(value)])
    const at = new Date(clock.now()).toISOString()
    // The head comes first for readers, and once more so that no field of the same name replaces it.
    const head = { at, level, message: clean(message) }
    file.append(JSON.stringify({ ...head, ...Object.fromEntries(all), ...head }))
  }

  return {
    info: (message, more) => write('info', message, more),
    warn: (message, more) => write('warn', message, more),
    error: (message, more) => write('error', message, more),
    with: (more) => createFileLogger(parts, { ...fields, ...more }),
  }
}

const shorten = (text: string): string =>
  text.length <= longestText ? text : `${text.slice(0, longestText)} … (${text.length} characters)`
