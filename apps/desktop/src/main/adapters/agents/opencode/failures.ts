import type { AgentAdapter, EndedStart } from '@main/ports/agent-adapter'
import { errorWords, readLine, type StepError } from './stream-lines'

/*
 * What a failed start of OpenCode means, from what the real binary was seen to print (test/fixtures/opencode). Its own
 * failures go to standard error before any event; those of the provider are events.
 */

const notFound = /^Error: Session not found/m
/** The file of the sessions is none any more, or nobody may read it. It holds all of them, and new ones go into it. */
const noDatabase =
  /^(?:file is not a database|database disk image is malformed|unable to open database file)$/m
/** An older version tries to make the tables that a newer one made its own way. */
const newerState = /^Failed to run the query 'CREATE TABLE /m

export function resumeFailure(ended: EndedStart): ReturnType<AgentAdapter['resumeFailure']> {
  if (ended.exitCode === 0) return null
  if (ended.sawSession === null) {
    if (ended.stdoutTail.trim() !== '') return null
    if (notFound.test(ended.stderrTail) || isStateUnusable(ended)) return 'state_missing'
    return newerState.test(ended.stderrTail) ? 'unsupported_version' : null
  }
  const { error, hasWorked } = readTail(ended.stdoutTail)
  return error?.name === tooLong && !hasWorked ? 'refused' : null
}

export const isStateUnusable = ({ stderrTail }: EndedStart): boolean => noDatabase.test(stderrTail)

type ProviderFailure = NonNullable<ReturnType<AgentAdapter['providerFailure']>>

export function providerFailure(ended: EndedStart): ProviderFailure | null {
  const { error } = readTail(ended.stdoutTail)
  if (ended.exitCode === 0 || error === null) return null
  const failure = (type: ProviderFailure['type']): ProviderFailure => ({
    type,
    message: errorWords(error),
    retryAfterMs: type === 'retryable' ? pauseOf(error) : null,
  })
  switch (error.name) {
    case 'ProviderAuthError':
      return failure('login')
    case tooLong:
      return failure('other')
    case 'APIError':
      return failure(typeOf(error))
    // The CLI's own: an unknown model, a plugin, a defect.
    default:
      return null
  }
}

const tooLong = 'ContextOverflowError'
const usedUp = /insufficient_quota|exceeded your current quota|credit balance is too low|billing/i

function typeOf({ data }: StepError): ProviderFailure['type'] {
  const status = data?.statusCode ?? null
  if (usedUp.test(`${data?.message} ${data?.responseBody}`)) return 'account_limit'
  if (status === 401 || status === 403) return 'login'
  if (status === 408 || status === 429 || (status !== null && status >= 500)) return 'retryable'
  // Nobody answered: no network, no such host.
  return status === null && data?.isRetryable === true ? 'retryable' : 'other'
}

/** The provider's own wait, which it tells in whole seconds. */
function pauseOf({ data }: StepError): number | null {
  const seconds = data?.responseHeaders?.['retry-after']
  return seconds !== undefined && /^\d{1,7}$/.test(seconds) ? Number(seconds) * 1000 : null
}

interface LastLines {
  readonly error: StepError | null
  /** The agent used a tool, so the run's own prompt was not too long. What it only says may be a summary. */
  readonly hasWorked: boolean
}

/** The tail begins anywhere, so its first line may be torn; it reads as nothing then. */
function readTail(tail: string): LastLines {
  const lines = tail.split('\n').map(readLine)
  const errors = lines.flatMap((line) => (line?.type === 'error' ? [line.error] : []))
  return { error: errors.at(-1) ?? null, hasWorked: lines.some((line) => line?.type === 'tool_use') }
}
