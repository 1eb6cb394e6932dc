/*
 * What a scripted model says. The words are the same for every provider; each protocol writes them in its own shape.
 */

/** A model's whole reply, or the way in which it fails. */
export type Answer =
  | {
      readonly kind: 'text'
      readonly text: string
      /** Spread over this time, word by word. */ readonly overMs?: number
    }
  | ToolCall
  | { readonly kind: 'status'; readonly status: FailureStatus; readonly retryAfterSeconds?: number }
  /** The account's allowance is used up until then (epoch seconds). */
  | { readonly kind: 'account_limit'; readonly resetsAt: number }
  /** The account has no money left. */
  | { readonly kind: 'quota' }
  | { readonly kind: 'context_overflow' }
  /** The stream begins, then the connection is gone. */
  | { readonly kind: 'drop' }
  /** The stream begins, then tells an error of its own and ends. */
  | { readonly kind: 'cut' }
  /** Nothing comes any more: not even the head of the answer, or no more than its first words. */
  | { readonly kind: 'hang'; readonly after: 'nothing' | 'first_words' }

export interface ToolCall {
  readonly kind: 'tool'
  readonly name: string
  readonly input: Readonly<Record<string, unknown>>
  /** Said before the call. */
  readonly text?: string
}

export type FailureStatus = 400 | 401 | 403 | 404 | 413 | 429 | 500 | 529

/** What a request asks for, as far as a script needs it. */
export interface Turn {
  /** How many times a person spoke so far, the present one included; what the tools said does not count. */
  readonly number: number
  /** What the person said last. */
  readonly prompt: string
  /** How many tool results followed since. */
  readonly toolResults: number
  readonly model: string
  /** Names of the tools that may be called; none for requests beside the conversation. */
  readonly tools: readonly string[]
}

/** Decides on each request; called in the order in which they arrive. */
export type Script = (turn: Turn) => Answer

export const say = (text: string): Answer => ({ kind: 'text', text })
export const bash = (command: string): ToolCall => ({
  kind: 'tool',
  name: 'Bash',
  input: { command, description: 'scripted command' },
})
export const write = (path: string, content: string): ToolCall => ({
  kind: 'tool',
  name: 'Write',
  input: { file_path: path, content },
})
export const edit = (path: string, before: string, after: string): ToolCall => ({
  kind: 'tool',
  name: 'Edit',
  input: { file_path: path, old_string: before, new_string: after },
})

/** Says which turn it is: a quick look at what the client remembers. */
export const countTurns: Script = ({ number }) => say(`turn ${number}`)

/** One answer for each request, in this order; the last one is repeated. */
export function inOrder(...answers: readonly [Answer, ...Answer[]]): Script {
  let next = 0
  return () => {
    const answer = answers[Math.min(next, answers.length - 1)] ?? answers[0]
    next += 1
    return answer
  }
}

/** The calls one after the other, then the last answer; begins anew with each turn of the person. */
export const work =
  (calls: readonly ToolCall[], last: Answer): Script =>
  ({ toolResults }) =>
    calls[toolResults] ?? last
