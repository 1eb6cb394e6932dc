import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'

/** The lines of the input as they come, until it ends or the signal aborts; nothing is waited for then. */
export const linesUntil = (input: Readable, signal: AbortSignal): AsyncIterable<string> =>
  createInterface({ input, signal, crlfDelay: Infinity })
