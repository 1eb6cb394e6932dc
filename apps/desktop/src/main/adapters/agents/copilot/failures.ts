import type { AgentAdapter, EndedStart } from '@main/ports/agent-adapter'
import { readLine, type ErrorLine } from './stream-lines'

/*
 * What a failed start of Copilot means, from what the real binary was seen to print (test/fixtures/copilot). What it
 * says of a session goes to standard error before any event; an error of the provider is an event.
 */

/** Nothing was found under the id; also where the session's file is gone or empty. */
const notFound = /^Error: No session, task, or name matched '/m
const corrupt = /^Error: Session file is corrupted/m
const notLoadable = /^Error: Session '[^'\n]*' was found but could not be loaded\./m
const noSuchOption = /^error: (?:unknown option|unexpected argument) '--resume/m

export function resumeFailure(ended: EndedStart): ReturnType<AgentAdapter['resumeFailure']> {
  if (ended.exitCode === 0) return null
  const { error, hasWorked } = readTail(ended.stdoutTail)
  if (error !== null) return isTooLong(error) && !hasWorked ? 'refused' : null
  if (ended.stdoutTail.trim() !== '') return null
  if (noSuchOption.test(ended.stderrTail)) return 'unsupported_version'
  if (notFound.test(ended.stderrTail) || corrupt.test(ended.stderrTail)) return 'state_missing'
  return notLoadable.test(ended.stderrTail) ? 'refused' : null
}

type ProviderFailure = NonNullable<ReturnType<AgentAdapter['providerFailure']>>

export function providerFailure(ended: EndedStart): ProviderFailure | null {
  if (ended.exitCode === 0) return null
  const { error } = readTail(ended.stdoutTail)
  const failure = (type: ProviderFailure['type'], message: string): ProviderFailure => ({
    type,
    message,
    retryAfterMs: null,
  })
  if (error !== null) return failure(typeOf(error), error.data.message)
  const signedOut = /^Error: (No authentication information found\.)/m.exec(ended.stderrTail)?.[1]
  return signedOut === undefined ? null : failure('login', signedOut)
}

const usedUp =
  /insufficient_quota|exceeded your (?:current|monthly|premium)|no quota|quota exceeded|payment required/i
const tooLong =
  /maximum context length|context_length_exceeded|prompt is too long|model_max_prompt_tokens_exceeded/i

const isTooLong = ({ data }: ErrorLine): boolean => tooLong.test(data.message)

function typeOf({ data }: ErrorLine): ProviderFailure['type'] {
  const { errorType, statusCode, message } = data
  if (errorType === 'quota' || statusCode === 402 || usedUp.test(message)) return 'account_limit'
  if (errorType === 'authentication' || errorType === 'authorization') return 'login'
  if (statusCode === 401 || statusCode === 403) return 'login'
  if (errorType === 'rate_limit' || statusCode === 429 || statusCode === 408) return 'retryable'
  if (statusCode !== null) return statusCode >= 500 ? 'retryable' : 'other'
  // Nobody answered, or the answer broke off.
  return unreachable.test(message) ? 'retryable' : 'other'
}

const unreachable = /^(?:Could not connect to|Failed to get response from the AI model)/

interface LastLines {
  readonly error: ErrorLine | null
  /** The agent used a tool, so the run's own prompt was not too long. */
  readonly hasWorked: boolean
}

/** The tail begins anywhere, so its first line may be torn; it reads as nothing then. */
function readTail(tail: string): LastLines {
  const lines = tail
    .split('\n')
    .map(readLine)
    .flatMap((line) => (line === null || line === 'silent' ? [] : [line]))
  return {
    error: lines.findLast((line) => line.type === 'session.error') ?? null,
    hasWorked: lines.some((line) => line.type === 'tool.execution_complete'),
  }
}
