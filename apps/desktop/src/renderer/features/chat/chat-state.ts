import { EngineError } from '../../lib/engine-client'
import { chatRefusal } from '../../lib/chat-refusal'

/** What is known of one answer of the engine. */
interface Answer {
  readonly data: unknown
  readonly error: Error | null
}

export type ChatState =
  | { readonly type: 'missing' | 'loading' }
  | { readonly type: 'failed'; readonly problem: string }
  /** `problem`: why it may be out of date. */
  | { readonly type: 'shown'; readonly problem: string | null }

/**
 * What a chat screen shows: a chat is gone when the engine says so, and not when it did not answer. What was read
 * before stays, with what is being written in it.
 */
export function chatStateOf(own: readonly Answer[], others: readonly Answer[]): ChatState {
  if (own.some(({ error }) => isNotFound(error))) return { type: 'missing' }
  const answers = [...own, ...others]
  const error = answers.find((answer) => answer.error !== null)?.error ?? null
  const problem = error === null ? null : problemOf(error)
  if (answers.every(({ data }) => data !== undefined)) return { type: 'shown', problem }
  return problem === null ? { type: 'loading' } : { type: 'failed', problem }
}

const isNotFound = (error: Error | null): boolean =>
  error instanceof EngineError && error.error.type === 'not_found'

const problemOf = (error: Error): string =>
  error instanceof EngineError ? chatRefusal(error.error, 0) : error.message
