import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { RunFailure } from '@shared/contract/runs'
import { outcomeSchema, resumeFailureSchema } from '@shared/model/words'
import {
  decide,
  effectsOf,
  evolve,
  newRun,
  type RunCommand,
  type RunEvent,
  type RunMachineState,
  type StartExit,
} from './run-machine'

const failure: RunFailure = { type: 'agent_failed', message: 'exit code 1', exitCode: 1 }
const exit = (patch: Partial<StartExit> = {}): RunCommand => ({
  type: 'exited',
  exit: { outcome: 'succeeded', failure: null, fallback: null, isCollected: true, ...patch },
})
const begin: RunCommand = { type: 'begin', now: 10_000 }
const prepared: RunCommand = { type: 'prepared', deadline: 50_000 }
const stop: RunCommand = { type: 'stop', ending: { outcome: 'stopped', failure: null } }
const timeUp: RunCommand = {
  type: 'stop',
  ending: { outcome: 'timed_out', failure: { type: 'timed_out', message: '45 minutes' } },
}
const interrupted: RunCommand = {
  type: 'interrupted',
  canGoOn: true,
  isCollected: false,
  nextAttemptAt: 11_000,
  failure,
  workedUntil: 5_000,
}
const interruptedForGood: RunCommand = { ...interrupted, canGoOn: false }

/** Runs the commands, gives the last state, all events and all effects. */
function play(commands: readonly RunCommand[], from: RunMachineState = newRun()) {
  let state = from
  const events: RunEvent[] = []
  for (const command of commands) {
    const decision = decide(state, command)
    if (!decision.ok) throw new Error(decision.error.message)
    for (const event of decision.value) state = evolve(state, event)
    events.push(...decision.value)
  }
  return { state, types: events.map((event) => event.type), effects: events.flatMap(effectsOf) }
}

describe('the run machine', () => {
  test('goes from the queue through preparing and running to its end', () => {
    const { state, types, effects } = play([begin, prepared, exit()])
    expect(types).toEqual(['attempt_begun', 'start_begun', 'run_ended'])
    expect(state).toEqual({ kind: 'ended', attempt: 1, llmRetries: 0, outcome: 'succeeded', failure: null })
    expect(effects.map((effect) => effect.type)).toEqual(['prepare', 'start_container', 'finish'])
  })

  test('does not begin before the next attempt is due', () => {
    const queued: RunMachineState = { kind: 'queued', attempt: 2, llmRetries: 0, nextAttemptAt: 10_001 }
    expect(decide(queued, begin).ok).toBe(false)
    expect(decide(queued, { type: 'begin', now: 10_001 }).ok).toBe(true)
  })

  test('starts a failed resume once more, fresh, inside the same attempt and without counting a retry', () => {
    const fallback = { reason: 'state_missing', hasTime: true } as const
    const { state, effects } = play([begin, prepared, exit({ outcome: 'failed', failure, fallback })])
    expect(state).toEqual({ kind: 'running', attempt: 1, llmRetries: 0, start: 'fallback', abandoned: null })
    expect(effects.at(-1)).toEqual({ type: 'start_container', start: 'fallback' })
    // A fallback start never falls back again.
    expect(play([exit({ outcome: 'failed', failure, fallback })], state).state).toMatchObject({
      outcome: 'failed',
    })
  })

  test('stops a start that works in another thread, then falls back', () => {
    const { state, effects } = play([
      begin,
      prepared,
      { type: 'abandon_start', reason: 'state_missing' },
      { type: 'abandon_start', reason: 'state_missing' },
      exit({ outcome: 'failed', failure, fallback: { reason: 'state_missing', hasTime: true } }),
    ])
    expect(state).toMatchObject({ kind: 'running', start: 'fallback' })
    expect(effects.map((effect) => effect.type)).toEqual([
      'prepare',
      'start_container',
      'stop_container',
      'start_container',
    ])
  })

  test('ends timed out when no time is left for the fresh start', () => {
    const { state } = play([
      begin,
      prepared,
      exit({ outcome: 'failed', failure, fallback: { reason: 'refused', hasTime: false } }),
    ])
    expect(state).toMatchObject({ kind: 'ended', outcome: 'timed_out' })
  })

  test('repeats after a provider error at most as often as allowed', () => {
    const retry: RunCommand = {
      type: 'provider_failed',
      failure,
      retry: { type: 'retryable', max: 2, nextAttemptAt: 9_000 },
      workedUntil: 8_000,
    }
    const { state, types } = play([begin, prepared, retry, begin, prepared, retry, begin, prepared, retry])
    expect(types.filter((type) => type === 'requeued')).toHaveLength(2)
    expect(state).toMatchObject({ kind: 'ended', outcome: 'failed', attempt: 3, llmRetries: 2 })
  })

  test('keeps the attempt number when the account limit cut the start', () => {
    const limit: RunCommand = {
      type: 'provider_failed',
      failure,
      retry: { type: 'wait', nextAttemptAt: 99_000 },
      workedUntil: 8_000,
    }
    const { state, effects } = play([begin, prepared, limit])
    expect(state).toEqual({ kind: 'queued', attempt: 1, llmRetries: 0, nextAttemptAt: 99_000 })
    expect(effects.at(-1)).toEqual({ type: 'schedule', at: 99_000 })
  })

  test('keeps the attempt number when nothing could begin yet, however often', () => {
    const notReady: RunCommand = { type: 'not_ready', failure, nextAttemptAt: 9_000 }
    const { state } = play(Array.from({ length: 20 }, () => [begin, notReady]).flat())
    expect(state).toEqual({ kind: 'queued', attempt: 1, llmRetries: 0, nextAttemptAt: 9_000 })
  })

  test('goes on with the next attempt after an interruption, and ends only when it cannot', () => {
    expect(play([begin, prepared, interrupted]).state).toEqual({
      kind: 'queued',
      attempt: 2,
      llmRetries: 0,
      nextAttemptAt: 11_000,
    })
    expect(play([begin, prepared, { ...interruptedForGood, isCollected: true }]).state).toMatchObject({
      kind: 'ended',
      outcome: 'interrupted',
    })
  })

  test.each([
    ['queued', []],
    ['preparing', [begin]],
    ['running', [begin, prepared]],
  ] as const)('can be stopped while %s', (_state, before) => {
    const { state } = play([
      ...before,
      stop,
      ...(before.length > 0 ? [exit({ outcome: 'failed', failure })] : []),
    ])
    expect(state).toMatchObject({ kind: 'ended', outcome: 'stopped' })
  })

  test('keeps the first reason for stopping', () => {
    expect(play([begin, prepared, timeUp, stop, exit()]).state).toMatchObject({ outcome: 'timed_out' })
  })

  test('ends when preparing comes to its end after the stop', () => {
    expect(play([begin, stop, prepared]).state).toMatchObject({ kind: 'ended', outcome: 'stopped' })
  })

  test.each([
    ['KILL', [begin, prepared, stop, exit({ isCollected: false, outcome: 'failed' })], 'stopped'],
    [
      'the time limit',
      [begin, prepared, timeUp, exit({ isCollected: false, outcome: 'failed' })],
      'timed_out',
    ],
    [
      'too little memory',
      [begin, prepared, exit({ isCollected: false, outcome: 'out_of_memory' })],
      'out_of_memory',
    ],
    ['the loss of its container', [begin, prepared, interruptedForGood], 'interrupted'],
    ['a stop that finds its container gone', [begin, prepared, stop, interruptedForGood], 'stopped'],
  ] as const)('collects in a container of its own after %s', (_name, commands, outcome) => {
    const before = play(commands)
    expect(before.state).toMatchObject({ kind: 'stopping', step: 'collecting' })
    expect(before.effects.at(-1)).toEqual({ type: 'start_container', start: 'collect' })
    expect(play([{ type: 'collected' }], before.state).state).toMatchObject({ kind: 'ended', outcome })
  })

  test('refuses commands that make no sense, in words', () => {
    expect(decide(newRun(), exit())).toEqual({
      ok: false,
      error: { type: 'not_possible_now', message: 'exited while the run is queued' },
    })
  })

  const ending = fc.record({
    outcome: fc.constantFrom(...outcomeSchema.options),
    failure: fc.option(fc.constant(failure)),
  })
  const anyCommand: fc.Arbitrary<RunCommand> = fc.oneof(
    fc.record({ type: fc.constant('begin' as const), now: fc.integer({ min: 0, max: 100_000 }) }),
    fc.constant(prepared),
    fc.constant({ type: 'prepare_failed' as const, failure }),
    fc.record({
      type: fc.constant('abandon_start' as const),
      reason: fc.constantFrom(...resumeFailureSchema.options),
    }),
    fc
      .record({
        outcome: fc.constantFrom(...outcomeSchema.options),
        isCollected: fc.boolean(),
        fallback: fc.option(
          fc.record({ reason: fc.constantFrom(...resumeFailureSchema.options), hasTime: fc.boolean() }),
        ),
      })
      .map(exit),
    fc.record({
      type: fc.constant('provider_failed' as const),
      workedUntil: fc.nat(90_000),
      failure: fc.constant(failure),
      retry: fc.oneof(
        fc.record({
          type: fc.constant('retryable' as const),
          max: fc.integer({ min: 0, max: 3 }),
          nextAttemptAt: fc.nat(90_000),
        }),
        fc.record({ type: fc.constant('wait' as const), nextAttemptAt: fc.nat(90_000) }),
        fc.constant({ type: 'never' as const }),
      ),
    }),
    fc.record({
      type: fc.constant('not_ready' as const),
      nextAttemptAt: fc.nat(90_000),
      failure: fc.constant(failure),
    }),
    fc.record({
      type: fc.constant('interrupted' as const),
      workedUntil: fc.nat(90_000),
      canGoOn: fc.boolean(),
      isCollected: fc.boolean(),
      nextAttemptAt: fc.nat(90_000),
      failure: fc.constant(failure),
    }),
    fc.record({ type: fc.constant('stop' as const), ending }),
    fc.constant({ type: 'collected' as const }),
  )

  const allowed: Record<RunMachineState['kind'], readonly RunMachineState['kind'][]> = {
    queued: ['preparing', 'ended'],
    preparing: ['running', 'queued', 'stopping', 'ended'],
    running: ['running', 'queued', 'stopping', 'ended'],
    stopping: ['stopping', 'ended'],
    ended: [],
  }

  test('makes no illegal transition, never goes back in attempts, and sends TERM before a stop can end it', () => {
    fc.assert(
      fc.property(fc.array(anyCommand, { maxLength: 40 }), (commands) => {
        let state = newRun()
        let termSent = false
        let containerRuns = false
        for (const command of commands) {
          const decision = decide(state, command)
          if (!decision.ok) continue
          for (const event of decision.value) {
            const next = evolve(state, event)
            expect(allowed[state.kind]).toContain(next.kind)
            expect(next.attempt).toBeGreaterThanOrEqual(state.attempt)
            expect(next.llmRetries).toBeGreaterThanOrEqual(state.llmRetries)
            // Only `stop` ends a live container, and it asks nicely first.
            if (command.type === 'stop' && containerRuns) expect(next.kind).toBe('stopping')
            if (event.type === 'termination_begun') termSent = true
            if (event.type === 'run_ended' && containerRuns && command.type === 'stop')
              expect(termSent).toBe(true)
            containerRuns = next.kind === 'running'
            expect(
              next.kind === 'ended' ? outcomeSchema.safeParse(next.outcome).success : !('outcome' in next),
            ).toBe(true)
            state = next
          }
        }
      }),
      { numRuns: 1000 },
    )
  })

  test('never changes a run that has ended', () => {
    fc.assert(
      fc.property(ending, anyCommand, (end, command) => {
        const state: RunMachineState = { kind: 'ended', attempt: 1, llmRetries: 0, ...end }
        const decision = decide(state, command)
        expect(decision).toEqual({ ok: true, value: [] })
      }),
    )
  })
})
