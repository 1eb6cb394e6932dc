import type { AgentAdapter, EndedStart } from '@main/ports/agent-adapter'
import { readLine, type ResultLine } from '../claude-code/stream-lines'

/*
 * What a failed start of Grok Build means, from what the real binary was seen to print (test/fixtures/grok-build).
 */

/** It then asks its maker for the session, so what stands behind this tells of the network and the login. */
const notFound = /^Session "[^"\n]*" not found locally, restoring conversation from remote/m
/** Damaged, or not to be read or written: nothing of it was opened, and no model was asked. */
const notOpened = /^Couldn't create session: Session does not exist/
const noSuchOption = /^error: unexpected argument '--resume/m

export function resumeFailure(ended: EndedStart): ReturnType<AgentAdapter['resumeFailure']> {
  if (ended.exitCode === 0) return null
  const result = readResult(ended.stdoutTail)
  const [error = ''] = result?.errors ?? []
  if (ended.sawSession === null) {
    if (noSuchOption.test(ended.stderrTail)) return 'unsupported_version'
    return notFound.test(ended.stderrTail) || notOpened.test(error) ? 'state_missing' : null
  }
  return tooLong.test(error) && (result?.num_turns ?? 0) === 0 ? 'refused' : null
}

type ProviderFailure = NonNullable<ReturnType<AgentAdapter['providerFailure']>>

export function providerFailure(ended: EndedStart): ProviderFailure | null {
  const [error = ''] = readResult(ended.stdoutTail)?.errors ?? []
  if (ended.exitCode === 0 || error === '') return null
  const type = typeOf(error)
  return type === null ? null : { type, message: messageIn(error), retryAfterMs: null }
}

const tooLong = /maximum context length|context_length_exceeded|prompt is too long/i
const usedUp =
  /^insufficient_quota|exceeded your current quota|credits? (?:balance|exhausted)|payment required/i
const signedOut = /^Not signed in\.|Unauthorized \(401\)/
/** The CLI repeats these itself for a while, and tells no status then. */
const rateLimit = /^[\w ]+: .*rate limit|rate_limit_exceeded/i

function typeOf(error: string): ProviderFailure['type'] | null {
  if (usedUp.test(error)) return 'account_limit'
  if (signedOut.test(error)) return 'login'
  if (rateLimit.test(error)) return 'retryable'
  const status = Number(/"http_status": (\d{3})/.exec(error)?.[1] ?? NaN)
  if (Number.isNaN(status)) return null
  if (status === 401 || status === 403) return 'login'
  return status === 408 || status === 429 || status >= 500 ? 'retryable' : 'other'
}

/** Without what the CLI puts around the provider's words and behind them. */
function messageIn(error: string): string {
  const inside =
    /"message": ("(?:[^"\\]|\\.)*")/.exec(error)?.[1] ??
    /^Internal error: ("(?:[^"\\]|\\.)*")/.exec(error)?.[1]
  const [message = ''] = (inside === undefined ? error : unquoted(inside)).split('\n')
  return message
}

function unquoted(text: string): string {
  try {
    return String(JSON.parse(text))
  } catch {
    return text
  }
}

/** The tail begins anywhere, so its first line may be torn; it reads as nothing then. */
function readResult(tail: string): ResultLine | null {
  const lines = tail.split('\n').map((text) => (text.trim() === '' ? null : readLine(text)))
  return lines.filter((line) => line?.type === 'result').at(-1) ?? null
}
