import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Run, RunAttempt, RunStart } from '@shared/model/records'
import { decide, evolve, newRun, type RunCommand, type RunMachineState } from './run-machine'
import { attemptOutcomeOf, parseFailure, rowPatchOf, stateOfRun } from './run-row'

type Rows = {
  run: Pick<
    Run,
    | 'state'
    | 'outcome'
    | 'error'
    | 'llmRetries'
    | 'nextAttemptAt'
    | 'startedAt'
    | 'deadline'
    | 'remainingMs'
    | 'endedAt'
  >
  attempts: { number: number; outcome: RunAttempt['outcome'] }[]
  starts: Pick<RunStart, 'kind'>[]
}

const newRows = (): Rows => ({
  run: {
    state: 'queued',
    outcome: null,
    error: null,
    llmRetries: 0,
    nextAttemptAt: null,
    startedAt: null,
    deadline: null,
    remainingMs: null,
    endedAt: null,
  },
  attempts: [],
  starts: [],
})

/** Stores events as a supervisor does, and gives the machine's own state beside it. */
function store(commands: readonly RunCommand[]): { state: RunMachineState; rows: Rows } {
  let state = newRun()
  const rows = newRows()
  for (const command of commands) {
    const decision = decide(state, command)
    if (!decision.ok) continue
    for (const event of decision.value) {
      state = evolve(state, event)
      Object.assign(rows.run, rowPatchOf(event, rows.run, 1_000))
      if (event.type === 'attempt_begun') {
        const isSame = rows.attempts.at(-1)?.number === event.attempt
        if (isSame) rows.attempts.pop()
        rows.attempts.push({ number: event.attempt, outcome: null })
        // An attempt that goes on keeps the starts that it had.
        if (!isSame) rows.starts = []
      }
      if (event.type === 'start_begun') rows.starts.push({ kind: event.start })
      if (event.type === 'collect_begun') rows.starts.push({ kind: 'collect' })
      const last = rows.attempts.at(-1)
      if (last !== undefined) last.outcome ??= attemptOutcomeOf(event)
    }
  }
  return { state, rows }
}

const failure = { type: 'provider_error', message: '529 overloaded' } as const
const commands: fc.Arbitrary<RunCommand> = fc.constantFrom<RunCommand>(
  { type: 'begin', now: 1_000_000 },
  { type: 'prepared', deadline: 5_000 },
  { type: 'prepare_failed', failure },
  { type: 'exited', exit: { outcome: 'succeeded', failure: null, fallback: null, isCollected: false } },
  {
    type: 'exited',
    exit: { outcome: 'failed', failure, fallback: { reason: 'refused', hasTime: true }, isCollected: true },
  },
  {
    type: 'provider_failed',
    failure,
    retry: { type: 'retryable', max: 2, nextAttemptAt: 9 },
    workedUntil: 8,
  },
  { type: 'provider_failed', failure, retry: { type: 'wait', nextAttemptAt: 9 }, workedUntil: 8 },
  { type: 'interrupted', canGoOn: true, isCollected: false, nextAttemptAt: 9, failure, workedUntil: 8 },
  { type: 'not_ready', nextAttemptAt: 9, failure },
  { type: 'stop', ending: { outcome: 'timed_out', failure: { type: 'timed_out', message: 'time' } } },
  { type: 'collected' },
)

describe('a stored run', () => {
  test('reads back as the state that was stored, at every step', () => {
    fc.assert(
      fc.property(fc.array(commands, { maxLength: 25 }), (sequence) => {
        const { state, rows } = store(sequence)
        const read = stateOfRun(rows.run, rows.attempts, rows.starts)
        // A run that was stopped in the queue never began the attempt it waited for.
        expect(read).toEqual(state.kind === 'ended' ? { ...state, attempt: read.attempt } : state)
        expect(rows.run.outcome !== null).toBe(rows.run.state === 'ended')
      }),
      { numRuns: 1000 },
    )
  })

  test('keeps the deadline over a fallback start', () => {
    const patch = rowPatchOf(
      { type: 'start_begun', start: 'fallback', deadline: null },
      { startedAt: 5, deadline: 700, remainingMs: null },
      9,
    )
    expect(patch).toEqual({ state: 'running', startedAt: 5, deadline: 700, remainingMs: null })
  })

  describe('that waits for its next start', () => {
    const requeued = (
      why: 'interrupted' | 'llm_retry' | 'account_limit',
      run: { deadline: number | null; remainingMs: number | null },
    ) =>
      rowPatchOf(
        {
          type: 'requeued',
          why,
          attempt: 2,
          llmRetries: 0,
          nextAttemptAt: 90_000,
          failure,
          workedUntil: 400,
        },
        { startedAt: 5, ...run },
        80_000,
      )

    test.each(['interrupted', 'llm_retry'] as const)(
      'keeps what its work left of the time, however long it waits (%s)',
      (why) =>
        expect(requeued(why, { deadline: 700, remainingMs: null })).toMatchObject({
          deadline: null,
          remainingMs: 300,
        }),
    )

    test('has no less than no time', () =>
      expect(requeued('interrupted', { deadline: 300, remainingMs: null })).toMatchObject({ remainingMs: 0 }))

    test('has all its time again after a wait for the account or a login', () =>
      expect(requeued('account_limit', { deadline: 700, remainingMs: null })).toMatchObject({
        deadline: null,
        remainingMs: null,
      }))

    test('keeps what was left when nothing was started meanwhile', () =>
      expect(requeued('interrupted', { deadline: null, remainingMs: 250 })).toMatchObject({
        remainingMs: 250,
      }))
  })

  test('is in its last start, whatever starts an attempt that went on had before', () => {
    const run = { state: 'running', outcome: null, error: null, llmRetries: 0, nextAttemptAt: null } as const
    const attempts = [{ number: 1, outcome: null }]
    const kinds = (...all: RunStart['kind'][]) => all.map((kind) => ({ kind }))
    expect(stateOfRun(run, attempts, kinds('first', 'fallback', 'first'))).toMatchObject({ start: 'first' })
    expect(stateOfRun(run, attempts, kinds('first', 'fallback'))).toMatchObject({ start: 'fallback' })
  })

  test('reads a failure that it does not understand as none', () => {
    expect(parseFailure('{"type":"made_up","message":"x"}')).toBeNull()
    expect(parseFailure('not json')).toBeNull()
    expect(parseFailure(JSON.stringify(failure))).toEqual(failure)
  })
})
