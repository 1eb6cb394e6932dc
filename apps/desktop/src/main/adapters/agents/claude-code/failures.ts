import type { AgentAdapter, EndedStart } from '@main/ports/agent-adapter'
import { readLine, type ClaudeLine, type ResultLine } from './stream-lines'

/*
 * What a failed start of Claude Code means, from what the real binary was seen to print (test/fixtures/claude-code).
 * An API error comes with exit code 1 and a final line that still says `subtype: success`.
 */

interface LastLines {
  readonly result: ResultLine | null
  /** The CLI's own word for an API error, from the message that tells it. */
  readonly error: string | null
  /** How often the CLI summed the conversation up; each counts as a turn. */
  readonly summaries: number
  /** When the account's allowance begins anew (epoch seconds), if it was told to be used up. */
  readonly resetsAt: number | null
}

/** Missing, corrupt and unreadable look the same: no model was asked, no session began. */
const notFound = /^No conversation found with session ID: /m
/** Versions before 2.1.332 (no one between was tried) write to the session first, and say so when they may not. */
const notOpened = /^Failed to resume session: /m
const noSuchOption = /^error: unknown option '(?:--resume|-r)/m

export function resumeFailure(ended: EndedStart): ReturnType<AgentAdapter['resumeFailure']> {
  if (ended.exitCode === 0) return null
  const { result, summaries } = readTail(ended.stdoutTail)
  if (ended.sawSession === null) {
    if (noSuchOption.test(ended.stderrTail)) return 'unsupported_version'
    const said = [ended.stderrTail, ...(result?.errors ?? [])]
    if (said.some((text) => notFound.test(text))) return 'state_missing'
    return said.some((text) => notOpened.test(text)) ? 'refused' : null
  }
  return result !== null && wasTooLong(result) && isFirstTurn(result, summaries) ? 'refused' : null
}

type ProviderFailure = NonNullable<ReturnType<AgentAdapter['providerFailure']>>

export function providerFailure(ended: EndedStart): ProviderFailure | null {
  const { result, error, resetsAt } = readTail(ended.stdoutTail)
  if (ended.exitCode === 0 || result === null || !isOfProvider(result, error)) return null
  const message = result.result ?? ''
  const failure = (type: ProviderFailure['type']): ProviderFailure => ({ type, message, retryAfterMs: null })

  const status = result.api_error_status
  if (wasTooLong(result)) return failure('other')
  const isUsedUp = error === 'rate_limit' && resetsAt !== null
  if (isUsedUp || error === 'billing_error' || accountWords.test(message))
    return { ...failure('account_limit'), ...(resetsAt === null ? {} : { retryAt: resetsAt * 1000 }) }
  if (error === 'authentication_failed' || status === 401 || status === 403) return failure('login')
  if (status === 408 || status === 429 || (status !== null && status >= 500)) return failure('retryable')
  if (status !== null) return failure('other')
  // Nobody answered: no network, no such host, a time limit.
  return error === 'server_error' || error === 'rate_limit' ? failure('retryable') : null
}

/** The plan or the balance is used up; waiting a few seconds does not help. */
const accountWords =
  /^(?:Credit balance is too low|You've hit your (?!fast )|You're out of (?:extra )?usage|Claude AI usage limit reached)/

function isOfProvider(result: ResultLine, error: string | null): boolean {
  if (!result.is_error) return false
  if (result.subtype !== 'success') return false
  return error !== null || result.api_error_status !== null || wasTooLong(result)
}

const wasTooLong = ({ terminal_reason, api_error_status }: ResultLine): boolean =>
  terminal_reason === 'prompt_too_long' || api_error_status === 413

/** The run's own prompt was not answered, not even after the conversation before it was summed up. */
const isFirstTurn = ({ num_turns }: ResultLine, summaries: number): boolean =>
  num_turns !== null && num_turns - summaries <= 1

/** The tail begins anywhere, so its first line may be torn; it reads as nothing then. */
function readTail(tail: string): LastLines {
  const lines = tail
    .split('\n')
    .map((text): ClaudeLine | null => (text.trim() === '' ? null : readLine(text)))
  const results = lines.filter((line) => line?.type === 'result')
  const errors = lines.flatMap((line) =>
    line?.type === 'assistant' && typeof line.error === 'string' ? [line.error] : [],
  )
  const summaries = lines.filter((line) => line?.type === 'system' && line.subtype === 'compact_boundary')
  const limit = lines
    .flatMap((line) => (line?.type === 'rate_limit_event' ? [line.rate_limit_info] : []))
    .at(-1)
  return {
    result: results.at(-1) ?? null,
    error: errors.at(-1) ?? null,
    summaries: summaries.length,
    resetsAt: limit?.status === 'rejected' ? limit.resetsAt : null,
  }
}
