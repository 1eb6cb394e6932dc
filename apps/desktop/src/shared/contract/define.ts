import { z } from 'zod'

/*
 * One contract, two transports: Electron IPC for the window, `engine.sock` for `alfred`.
 * Channel name = `domain.entry`. Queries read; commands change and have a closed error union; streams push.
 */

/** Errors that any entry can end with, beside its own. */
export const commonErrorSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('unexpected'), incidentId: z.string() }),
  z.object({ type: z.literal('invalid_input'), message: z.string() }),
  z.object({ type: z.literal('not_found'), what: z.string() }),
  z.object({ type: z.literal('owner_gone'), message: z.string() }),
  /** The disk is full, or the database is locked or damaged; the message is for people. */
  z.object({ type: z.literal('storage_failed'), message: z.string() }),
])
export type CommonError = z.infer<typeof commonErrorSchema>

export interface QueryEntry<I extends z.ZodType = z.ZodType, O extends z.ZodType = z.ZodType> {
  readonly kind: 'query'
  readonly input: I
  readonly output: O
}

export interface CommandEntry<
  I extends z.ZodType = z.ZodType,
  O extends z.ZodType = z.ZodType,
  E extends z.ZodType = z.ZodType,
> {
  readonly kind: 'command'
  readonly input: I
  readonly output: O
  readonly error: E
}

export interface StreamEntry<K extends z.ZodType = z.ZodType, V extends z.ZodType = z.ZodType> {
  readonly kind: 'stream'
  /** What a subscriber asks for; `z.null()` where there is only one. */
  readonly key: K
  readonly event: V
}

export type ContractEntry = QueryEntry | CommandEntry | StreamEntry
export type Contract = Readonly<Record<string, ContractEntry>>

export const query = <I extends z.ZodType, O extends z.ZodType>(entry: {
  input: I
  output: O
}): QueryEntry<I, O> => ({
  kind: 'query',
  ...entry,
})

export const command = <I extends z.ZodType, O extends z.ZodType, E extends z.ZodType = z.ZodNever>(entry: {
  input: I
  output: O
  error?: E
}): CommandEntry<I, O, E> => ({
  kind: 'command',
  input: entry.input,
  output: entry.output,
  error: (entry.error ?? z.never()) as E,
})

export const stream = <K extends z.ZodType, V extends z.ZodType>(entry: {
  key: K
  event: V
}): StreamEntry<K, V> => ({
  kind: 'stream',
  ...entry,
})

export type InputOf<T> = T extends { input: infer I extends z.ZodType } ? z.input<I> : never
export type OutputOf<T> = T extends { output: infer O extends z.ZodType } ? z.infer<O> : never
export type ErrorOf<T> =
  T extends CommandEntry<z.ZodType, z.ZodType, infer E> ? z.infer<E> | CommonError : CommonError
export type KeyOf<T> = T extends StreamEntry<infer K, z.ZodType> ? z.input<K> : never
export type EventOf<T> = T extends StreamEntry<z.ZodType, infer V> ? z.infer<V> : never
