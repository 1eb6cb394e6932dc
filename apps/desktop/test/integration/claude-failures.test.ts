import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { RunDetail } from '@shared/contract/runs'
import type { MailboxId } from '@shared/model/ids'
import { countTurns, inOrder, say, type Answer } from '../fakes/model-server/answers'
import { createHurriedClock } from '../fakes/hurried-clock'
import { agentImageTag, testRuntime } from './support/agent-container'
import { createClaudeBench, toldTo, type ClaudeBench, type ClaudeBenchOptions } from './support/claude-bench'
import { value } from './support/engine-bench'

/*
 * What the provider of the model does wrong, as the real Claude Code tells it: the outcome of the run, its words, and
 * what is counted.
 */

let bench: ClaudeBench
beforeAll(() => agentImageTag(testRuntime(), ['claude-code']))
afterEach(() => bench.remove())

const status = (code: 401 | 403 | 404 | 429 | 500 | 529): Answer => ({ kind: 'status', status: code })

/** The analysis of a new issue, which meets these answers. */
const analysisThatMeets = (...answers: readonly [Answer, ...Answer[]]): Promise<MailboxId> =>
  analysisOf({ script: inOrder(...answers) })

/** The same, with an engine whose pauses between two attempts are over sooner. */
const repeatedAnalysisThatMeets = (...answers: readonly [Answer, ...Answer[]]): Promise<MailboxId> =>
  analysisOf({ script: inOrder(...answers), clock: createHurriedClock(5) })

async function analysisOf(options: ClaudeBenchOptions): Promise<MailboxId> {
  bench = await createClaudeBench(options)
  await bench.setting('MAX_LLM_RETRIES', 1)
  return bench.newIssue()
}

async function runThatMeets(...answers: readonly [Answer, ...Answer[]]): Promise<RunDetail> {
  const mailboxId = await analysisThatMeets(...answers)
  return bench.latest(mailboxId)
}

const latestRow = async (mailboxId: MailboxId) =>
  value(await bench.client.call('sessions', 'timeline', { mailboxId, beforeRunId: null, limit: 1 })).rows.at(
    -1,
  )

/** The run once it waits for its next attempt; then it is stopped, since nobody waits that long in a test. */
async function waited(mailboxId: MailboxId): Promise<RunDetail> {
  const row = await bench.until(async () => (await latestRow(mailboxId)) ?? null)
  const run = await bench.waiting(row.runId)
  // Said in the window, not on the forge.
  const { banners } = value(await bench.client.call('app', 'status', {}))
  expect(banners).toContainEqual({
    code: run.failure?.type,
    severity: 'warn',
    facts: {
      adapter: 'claude-code',
      until: run.nextAttemptAt,
      ...(run.failure?.type === 'account_limit' && { freeAt: run.failure.freeAt ?? null }),
    },
  })
  const { kinds } = await bench.onForge(1, 'status::functional_analysis')
  expect(kinds).toEqual(['acknowledgement'])
  value(await bench.client.call('runs', 'stop', { runId: row.runId }))
  await bench.ended(row.runId)
  return run
}

const inMinutes = (run: RunDetail): number => ((run.nextAttemptAt ?? 0) - Date.now()) / 60_000

describe('a provider error that may pass', () => {
  it.each<readonly [string, Answer, readonly Answer[]]>([
    ['429', status(429), []],
    ['500', status(500), []],
    // The CLI asks once more by itself, for the whole answer.
    ['a connection that drops', { kind: 'drop' }, [{ kind: 'drop' }]],
  ])(
    '%s is repeated in the same run and counted as a retry; the next attempt remembers the first',
    async (_name, first, more) => {
      const mailboxId = await repeatedAnalysisThatMeets(first, ...more, say('the plan'))
      const run = await bench.latest(mailboxId)
      expect(run.row).toMatchObject({ outcome: 'succeeded', attempts: 2 })
      expect(run.llmRetries).toBe(1)
      const turns = bench.model.turns()
      expect(turns.at(-1)?.headers['x-claude-code-session-id']).toBe(
        turns[0]?.headers['x-claude-code-session-id'],
      )
      // Unanswered, and then asked again.
      expect(toldTo(turns.at(-1)).split('Phase: analysis')).toHaveLength(3)
      expect(run.attempts.map(({ outcome }) => outcome)).toEqual(['failed', 'succeeded'])
    },
  )

  it('ends the run when it does not pass, in the words of the provider', async () => {
    const mailboxId = await repeatedAnalysisThatMeets(status(500))
    const run = await bench.latest(mailboxId)
    expect(run.row).toMatchObject({ outcome: 'failed', attempts: 2, badge: 'no_prior_session' })
    expect(run.llmRetries).toBe(1)
    expect(run.failure).toMatchObject({
      type: 'provider_error',
      message: expect.stringContaining('API Error: 500 Internal server error'),
    })
    expect(run.row.nativeSessionId).not.toBeNull()
    const { kinds, lastComment } = await bench.onForge(1, 'status::blocked')
    expect(kinds).toEqual(['acknowledgement', 'blocked'])
    expect(lastComment).toContain('API Error: 500 Internal server error')
  })

  it('in the middle of a stream is made good by the CLI, and counted by nobody', async () => {
    const mailboxId = await analysisThatMeets({ kind: 'cut' }, say('whole again'))
    const run = await bench.latest(mailboxId)
    expect(run.row).toMatchObject({ outcome: 'succeeded', attempts: 1 })
    expect(run.llmRetries).toBe(0)
    expect(await bench.texts(run.row.runId, 'text')).toContain('whole again')
  })
})

describe('an account that cannot go on', () => {
  it('and is used up until a time makes the run wait until then, and uses up no attempt', async () => {
    const resetsAt = Math.floor(Date.now() / 1000) + 3600
    const run = await waited(await analysisThatMeets({ kind: 'account_limit', resetsAt }))
    expect(run.failure).toMatchObject({
      type: 'account_limit',
      message: expect.stringContaining("You've hit your 5-hour limit"),
      freeAt: resetsAt * 1000,
    })
    expect(run.nextAttemptAt).toBe(resetsAt * 1000)
    expect(run).toMatchObject({ llmRetries: 0, row: { attempts: 1 } })
  })

  it('goes on by itself and remembers, once the account may again', async () => {
    const resetsAt = Math.floor(Date.now() / 1000) + 12
    const mailboxId = await analysisThatMeets({ kind: 'account_limit', resetsAt }, say('the plan'))
    const run = await bench.latest(mailboxId)
    expect(run.row).toMatchObject({ outcome: 'succeeded', attempts: 1 })
    expect(run.llmRetries).toBe(0)
    const [before, after] = bench.model.turns()
    expect((after?.at ?? 0) / 1000).toBeGreaterThanOrEqual(resetsAt)
    expect(after?.headers['x-claude-code-session-id']).toBe(before?.headers['x-claude-code-session-id'])
  })

  it('and has no money left makes the run wait too', async () => {
    const run = await waited(await analysisThatMeets({ kind: 'quota' }))
    expect(run.failure).toMatchObject({ type: 'account_limit', message: 'Credit balance is too low' })
    expect(run.failure?.freeAt).toBeUndefined()
    expect(inMinutes(run)).toBeGreaterThan(5)
    expect(run).toMatchObject({ llmRetries: 0, row: { attempts: 1 } })
  })

  it.each([
    [401, /Not logged in|Invalid API key|authenticate/],
    [403, /Failed to authenticate. API Error: 403/],
  ] as const)('and is not let in (%d) makes the run wait instead of failing', async (code, words) => {
    const run = await waited(await analysisThatMeets(status(code)))
    expect(run.failure).toMatchObject({ type: 'login_missing', message: expect.stringMatching(words) })
    expect(run).toMatchObject({ llmRetries: 0, row: { attempts: 1, resumeFallback: 'no_prior_session' } })
    expect(inMinutes(run)).toBeGreaterThan(2)
  })
})

describe('an error that does not pass', () => {
  it('as a model that is not there ends the run in words, without a retry', async () => {
    const run = await runThatMeets(status(404))
    expect(run.row).toMatchObject({ outcome: 'failed', attempts: 1 })
    expect(run.failure).toMatchObject({
      type: 'agent_failed',
      message: expect.stringContaining("There's an issue with the selected model"),
    })
    expect(run.llmRetries).toBe(0)
  })

  it('as a prompt that is too long ends a fresh run in words', async () => {
    const run = await runThatMeets({ kind: 'context_overflow' })
    expect(run.row).toMatchObject({ outcome: 'failed', attempts: 1, badge: 'no_prior_session' })
    expect(run.failure).toMatchObject({
      type: 'agent_failed',
      message: expect.stringContaining('Prompt is too long'),
    })
    expect(run.llmRetries).toBe(0)
  })
})

describe('a memory that is too long for the model', () => {
  it('is refused after its first event: one fresh session in the same run, which is not resumed any more', async () => {
    bench = await createClaudeBench({ script: countTurns })
    const mailboxId = await bench.newIssue()
    await bench.latest(mailboxId)
    bench.model.play(({ number }) => (number > 1 ? { kind: 'context_overflow' } : say('read again')))
    const run = await bench.run(mailboxId, 'development')
    expect(run.row).toMatchObject({ outcome: 'succeeded', attempts: 1, badge: 'refused', resumed: false })
    expect(run.attempts[0]?.starts.map(({ kind }) => kind)).toEqual(['first', 'fallback'])
    expect(run.llmRetries).toBe(0)
    const last = bench.model.turns().at(-1)
    expect(last?.turn.number).toBe(1)
    expect(toldTo(last)).not.toContain('Phase: analysis')
    const [analysis, development] = await bench.sessions(mailboxId)
    expect(development).toMatchObject({
      resumeFallback: 'refused',
      requestedSessionId: analysis?.nativeSessionId,
    })
    expect(development?.nativeSessionId).not.toBe(analysis?.nativeSessionId)
  })
})

describe('a model that says nothing any more', () => {
  it.each(['nothing', 'first_words'] as const)(
    '(after %s) meets the time limit; the memory is kept',
    async (after) => {
      bench = await createClaudeBench({ script: () => ({ kind: 'hang', after }) })
      await bench.setting('RUN_TIMEOUT', 12_000)
      const run = await bench.latest(await bench.newIssue())
      expect(run.row).toMatchObject({
        outcome: 'timed_out',
        attempts: 1,
        nativeSessionId: expect.any(String),
      })
      expect(run.failure).toMatchObject({ type: 'timed_out', message: expect.stringContaining('12s') })
      expect(run.llmRetries).toBe(0)
      expect(run.row.stateBytesAfter).toBeGreaterThan(0)
    },
  )
})
