import type { AgentAdapter, EndedStart } from '@main/ports/agent-adapter'
import { readLine, type CodexLine } from './stream-lines'

/*
 * What a failed start of Codex means, from what the real binary was seen to print (test/fixtures/codex). A resume that
 * fails prints nothing on standard output; a provider that fails ends the turn with a line of its own.
 */

/** The one line that tells why a session was not opened. */
const notOpened = /^Error: thread\/resume: (.*)$/m
/** Gone, empty, torn and unreadable: no session can be made of what is there. */
const stateMissing =
  /no rollout found for thread id|failed to read session metadata|failed to parse first rollout record|list_turns is not supported yet/
/**
 * It is there, and whole: put away by a person, not to be written, or of another model's server than the one of the
 * configuration, which is so once AGENT_BASE_URL was set or taken away (0.99 went on all the same).
 */
const notLoadable =
  /failed: session \S+ is archived|failed to resume local thread recorder: Permission denied|Cannot change this thread's model provider from |"type":"modelProviderNotConfigured"/
/** How versions before 0.130 said these two (0.99 did; between them no version was tried). */
const olderStateMissing = /^Error: failed to parse thread ID from rollout file$/m
const olderNotLoadable = /^Error: Fatal error: Codex cannot access session files at /m
/** The command line was not understood, and not for a word that has nothing to do with the session. */
const noSuchCommand =
  /^error: (?:unrecognized subcommand 'resume'|unexpected argument '(?:resume|[0-9a-f-]{36})')/m

export function resumeFailure(ended: EndedStart): ReturnType<AgentAdapter['resumeFailure']> {
  if (ended.exitCode === 0) return null
  if (ended.sawSession !== null) return wasRefusedAtOnce(ended) ? 'refused' : null
  if (noSuchCommand.test(ended.stderrTail)) return 'unsupported_version'
  const why = notOpened.exec(ended.stderrTail)?.[1] ?? ''
  if (notLoadable.test(why) || olderNotLoadable.test(ended.stderrTail)) return 'refused'
  const isMissing = stateMissing.test(why) || olderStateMissing.test(ended.stderrTail)
  return isMissing ? 'state_missing' : null
}

const tooLong = /^Codex ran out of room in the model's context window\./

/** The very first request was too long: what is remembered leaves no room for a prompt. */
function wasRefusedAtOnce({ stdoutTail }: EndedStart): boolean {
  const lines = linesOf(stdoutTail)
  const isWhole = lines.some((line) => line.type === 'thread.started')
  const hasWorked = lines.some((line) => line.type === 'item.completed' && line.item.type !== 'error')
  return isWhole && !hasWorked && tooLong.test(failureOf(lines) ?? '')
}

type ProviderFailure = NonNullable<ReturnType<AgentAdapter['providerFailure']>>

export function providerFailure(ended: EndedStart): ProviderFailure | null {
  if (ended.exitCode === 0) return null
  const message = failureOf(linesOf(ended.stdoutTail))
  return message === null ? null : { type: typeOf(message), message, retryAfterMs: null }
}

function typeOf(message: string): ProviderFailure['type'] {
  if (accountWords.test(message)) return 'account_limit'
  if (loginWords.test(message)) return 'login'
  return retryableWords.test(message) ? 'retryable' : 'other'
}

/** The plan or the balance is used up; waiting a few seconds does not help. */
const accountWords =
  /^(?:Quota exceeded\.|You've (?:hit|reached) your (?:workspace )?(?:usage|credit) limit|Usage limit reached)/
const loginWords =
  /^(?:unexpected status 40[13] |Missing environment variable: |Your access token could not be refreshed)/
/** The API told a status that passes, the stream broke, or nobody answered. */
const retryableWords =
  /^(?:unexpected status (?:408|425|429|5\d\d) |exceeded retry limit, last status: (?:408|425|429|5\d\d)|We.re currently experiencing high demand|stream disconnected before completion|Selected model is at capacity|timeout waiting for|Connection failed|error sending request)/

/** What the last turn failed with. A CLI that was killed while it tried again told no end. */
function failureOf(lines: readonly CodexLine[]): string | null {
  const last = lines.findLast(({ type }) => type === 'turn.failed' || type === 'turn.completed')
  return last?.type === 'turn.failed' ? last.error.message : null
}

/** The tail begins anywhere, so its first line may be torn; it reads as nothing then. */
const linesOf = (tail: string): readonly CodexLine[] =>
  tail.split('\n').flatMap((text) => (text.trim() === '' ? [] : (readLine(text) ?? [])))
