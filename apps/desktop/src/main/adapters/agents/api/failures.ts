import { z } from 'zod'
import type { AgentAdapter, EndedStart } from '@main/ports/agent-adapter'
import { parseJsonLine } from '../json-line'

/*
 * What a failed run of the api mode means. Its program (resources/api-agent) says what it was told: the provider's status
 * and code, or its own code where nobody answered.
 */

const errorSchema = z.object({
  type: z.literal('error'),
  message: z.string(),
  status: z.number().int().nullable(),
  code: z.string(),
  retry_after_ms: z.number().nonnegative().nullable(),
  /** When the account may go on, epoch ms. */
  retry_at: z.number().positive().nullable(),
})
type ErrorLine = z.infer<typeof errorSchema>

type ProviderFailure = NonNullable<ReturnType<AgentAdapter['providerFailure']>>

export function providerFailure({ exitCode, stdoutTail }: EndedStart): ProviderFailure | null {
  if (exitCode === 0) return null
  const error = lastError(stdoutTail)
  if (error === null) return null
  const { message, retry_after_ms: retryAfterMs, retry_at: retryAt } = error
  return { type: typeOf(error), message, retryAfterMs, ...(retryAt === null ? {} : { retryAt }) }
}

/** The tail begins anywhere, so its first line may be torn; it reads as nothing then. */
function lastError(tail: string): ErrorLine | null {
  const lines = tail.split('\n').map((line) => errorSchema.safeParse(parseJsonLine(line)))
  return lines.findLast(({ success }) => success)?.data ?? null
}

/** The balance is used up; waiting a few seconds does not help. */
const usedUp = /credit balance is too low|exceeded your current quota/i
/** Nobody answered, or the answer broke off. */
const passing: ReadonlySet<string> = new Set(['unreachable', 'cut', 'no_answer'])

function typeOf({ status, code, message, retry_at: retryAt }: ErrorLine): ProviderFailure['type'] {
  const isUsedUp = retryAt !== null || status === 402 || usedUp.test(message)
  if (isUsedUp || code === 'insufficient_quota' || code === 'billing_error') return 'account_limit'
  if (status === 401 || status === 403 || code === 'no_key') return 'login'
  if (status === null) return passing.has(code) ? 'retryable' : 'other'
  return status === 408 || status === 429 || status >= 500 ? 'retryable' : 'other'
}
