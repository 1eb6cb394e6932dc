import { describe, expect, it } from 'vitest'
import type { Harvest } from './harvest'
import { judgeExit, type ExitFacts } from './judge-exit'

const collected: Harvest = {
  isCollected: true,
  isLeftBehind: false,
  entryFailure: null,
  head: null,
  isKept: false,
  uncommitted: [],
  wasTerminated: false,
  refusal: null,
  result: null,
}
const facts = (patch: Partial<ExitFacts> = {}): ExitFacts => ({
  exitCode: 0,
  outOfMemory: false,
  isAbandoned: false,
  isStopping: false,
  engineWasAway: false,
  asked: null,
  state: null,
  agent: { exitCode: patch.exitCode ?? 0, stdoutTail: '', stderrTail: '', sawSession: null, result: null },
  harvest: collected,
  remainingMs: 1_000,
  cutOffs: 0,
  wasWatched: true,
  now: 1_000,
  endedAt: 900,
  maxRetries: 2,
  memoryLimitBytes: 4_000_000_000,
  ...patch,
})
const silent: Parameters<typeof judgeExit>[1] = {
  resumeFailure: () => null,
  providerFailure: () => null,
  tellsResult: false,
}
const judge = (patch: Partial<ExitFacts>, adapter: Partial<typeof silent> = {}) =>
  judgeExit(facts(patch), { ...silent, ...adapter })

describe('what the end of a start means', () => {
  it('is success when the CLI ended well and what it left was accepted', () =>
    expect(judge({}).command).toMatchObject({
      type: 'exited',
      exit: { outcome: 'succeeded', fallback: null },
    }))

  it('is no success without the final word of a CLI that always has one', () => {
    expect(judge({}, { tellsResult: true }).command).toMatchObject({
      exit: {
        outcome: 'failed',
        failure: {
          type: 'agent_failed',
          message: 'The agent ended without saying how it went.',
          exitCode: 0,
        },
      },
    })
    const agent = { ...facts().agent, result: { succeeded: true, text: 'done' } }
    expect(judge({ agent }, { tellsResult: true }).command).toMatchObject({ exit: { outcome: 'succeeded' } })
  })

  it('is a refused result when it was not accepted, and only if the CLI ended well', () => {
    const refusal = { type: 'bundle_refused', message: 'fsck' } as const
    const harvest = { ...collected, refusal }
    expect(judge({ harvest }).command).toMatchObject({
      exit: { outcome: 'result_refused', failure: refusal },
    })
    expect(judge({ harvest, exitCode: 1 }).command).toMatchObject({ exit: { outcome: 'failed' } })
  })

  it('is a fallback when the adapter recognises the failure of a resume, with the row changed for it', () => {
    const verdict = judge({ asked: 'abc', exitCode: 4 }, { resumeFailure: () => 'refused' })
    expect(verdict.command).toMatchObject({ exit: { fallback: { reason: 'refused', hasTime: true } } })
    expect(verdict.sessionPatch).toEqual({
      mode: 'resume',
      requestedSessionId: 'abc',
      resumed: false,
      resumeFallback: 'refused',
      nativeSessionId: null,
    })
  })

  it('has no time for a fallback once the deadline has passed', () =>
    expect(
      judge({ asked: 'abc', exitCode: 4, remainingMs: 0 }, { resumeFailure: () => 'refused' }).command,
    ).toMatchObject({
      exit: { fallback: { hasTime: false } },
    }))

  it('is no lost state where a look finds it, and finds that it cannot be written', () => {
    const reasonOf = (isReadOnly: boolean, told: 'state_missing' | 'unsupported_version') =>
      judge({ asked: 'abc', exitCode: 1, state: { isReadOnly } }, { resumeFailure: () => told }).sessionPatch
        .resumeFallback
    expect(reasonOf(true, 'state_missing')).toBe('refused')
    expect(reasonOf(false, 'state_missing')).toBe('state_missing')
    expect(reasonOf(true, 'unsupported_version')).toBe('unsupported_version')
  })

  it('falls back as state missing when the start was abandoned, whatever its exit code', () =>
    expect(judge({ asked: 'abc', isAbandoned: true, exitCode: 143 }).command).toMatchObject({
      exit: { fallback: { reason: 'state_missing' } },
    }))

  it('asks no classifier about a resume that nobody asked for, or that went well', () => {
    const resumeFailure = () => 'refused' as const
    expect(judge({ exitCode: 4 }, { resumeFailure }).command).toMatchObject({
      exit: { outcome: 'failed', fallback: null },
    })
    expect(judge({ asked: 'abc' }, { resumeFailure }).command).toMatchObject({
      exit: { outcome: 'succeeded', fallback: null },
    })
  })

  it('tells memory apart, also from a failed resume', () =>
    expect(
      judge({ outOfMemory: true, exitCode: 137, asked: 'abc' }, { resumeFailure: () => 'refused' }).command,
    ).toMatchObject({
      exit: { outcome: 'out_of_memory', fallback: null },
    }))

  it('is an interruption when nothing was collected, or somebody else sent TERM', () => {
    expect(judge({ harvest: { ...collected, isCollected: false }, exitCode: 137 }).command).toMatchObject({
      type: 'interrupted',
      canGoOn: true,
      isCollected: false,
    })
    expect(judge({ exitCode: 143 }).command).toMatchObject({ type: 'interrupted', isCollected: true })
    expect(judge({ exitCode: 1, engineWasAway: true }).command).toMatchObject({ type: 'interrupted' })
  })

  it.each([0, 1, 130])(
    'is an interruption when an agent answers %i to a TERM of somebody else',
    (exitCode) => {
      const harvest = { ...collected, wasTerminated: true }
      expect(judge({ harvest, exitCode }).command).toMatchObject({ type: 'interrupted', canGoOn: true })
    },
  )

  it('is success when the agent had told its own before somebody else sent TERM', () => {
    const harvest = { ...collected, wasTerminated: true }
    const agent = { ...facts().agent, result: { succeeded: true, text: 'Done.' } }
    expect(judge({ harvest, agent }).command).toMatchObject({ exit: { outcome: 'succeeded' } })
  })

  it('does not go on for ever with a run that is always cut off', () => {
    expect(judge({ exitCode: 143, cutOffs: 3 }).command).toMatchObject({ canGoOn: true })
    expect(judge({ exitCode: 143, cutOffs: 4 }).command).toMatchObject({
      type: 'interrupted',
      canGoOn: false,
    })
  })

  it('goes on however often Alfred or the engine of containers was away', () => {
    expect(judge({ exitCode: 143, cutOffs: 9, engineWasAway: true }).command).toMatchObject({ canGoOn: true })
    expect(
      judge({ exitCode: 137, cutOffs: 9, wasWatched: false, harvest: { ...collected, isCollected: false } })
        .command,
    ).toMatchObject({ canGoOn: true })
  })

  it('does not go on when its time was used up, and counts that until the container ended', () => {
    expect(judge({ exitCode: 143, remainingMs: 0 }).command).toMatchObject({ canGoOn: false })
    expect(judge({ exitCode: 143 }).command).toMatchObject({ canGoOn: true, workedUntil: 900 })
  })

  it('is no interruption when the entry tried to collect and could not', () => {
    const left = { ...collected, isLeftBehind: true }
    expect(judge({ harvest: left }).command).toMatchObject({
      type: 'exited',
      exit: { outcome: 'succeeded', isCollected: true },
    })
    const refusal = { type: 'bundle_refused', message: 'It lies in the workspace.' } as const
    expect(judge({ harvest: { ...left, refusal } }).command).toMatchObject({
      exit: { outcome: 'result_refused', failure: refusal },
    })
  })

  it('leaves the reason of a stop to the machine', () =>
    expect(
      judge({ isStopping: true, exitCode: 143, harvest: { ...collected, isCollected: false } }).command,
    ).toMatchObject({
      type: 'exited',
      exit: { isCollected: false },
    }))

  it('repeats a provider error after the pause that was asked for', () =>
    expect(
      judge(
        { exitCode: 1 },
        { providerFailure: () => ({ type: 'retryable', message: '529', retryAfterMs: 250 }) },
      ).command,
    ).toEqual({
      type: 'provider_failed',
      failure: { type: 'provider_error', message: '529', exitCode: 1 },
      retry: { type: 'retryable', max: 2, nextAttemptAt: 1_250 },
      workedUntil: 900,
    }))

  it.each([
    ['account_limit', 'account_limit'],
    ['login', 'login_missing'],
  ] as const)('waits instead of failing on %s', (type, failure) =>
    expect(
      judge({ exitCode: 1 }, { providerFailure: () => ({ type, message: 'x', retryAfterMs: null }) }).command,
    ).toMatchObject({
      failure: { type: failure },
      retry: { type: 'wait' },
    }),
  )

  it.each([
    ['until the time that the provider tells', { retryAt: 3_600_000 }, 3_600_000, 3_600_000],
    ['as long as the provider tells', { retryAfterMs: 60_000 }, 61_000, 61_000],
    ['a moment, when that time is over already', { retryAt: 500 }, 3_000, 3_000],
    ['a quarter of an hour, when that time cannot be', { retryAt: 9e12 }, 901_000, undefined],
    ['a quarter of an hour, when nothing is told', {}, 901_000, undefined],
  ])(
    'waits for the account %s, and tells only a time that was told',
    (_name, told, nextAttemptAt, freeAt) => {
      const failure = { type: 'account_limit', message: 'x', retryAfterMs: null, ...told } as const
      const { command } = judge({ exitCode: 1 }, { providerFailure: () => failure })
      expect(command).toMatchObject({ retry: { type: 'wait', nextAttemptAt } })
      expect(command).toHaveProperty('failure', {
        type: 'account_limit',
        message: 'x',
        exitCode: 1,
        ...(freeAt !== undefined && { freeAt }),
      })
    },
  )

  it('fails with the last words of the CLI', () => {
    const agent = {
      exitCode: 3,
      stdoutTail: '',
      stderrTail: 'first\nlast words\n',
      sawSession: null,
      result: null,
    }
    expect(judge({ exitCode: 3, agent }).command).toMatchObject({
      exit: { failure: { type: 'agent_failed', message: 'last words', exitCode: 3 } },
    })
  })

  it('quotes the error, not the place in the program where it came from', () => {
    const stderrTail =
      'Error: no such model\n    at run (file:///opt/cli.js:1:1)\n    at async file:///opt/cli.js:9:1\n'
    const agent = { exitCode: 1, stdoutTail: '', stderrTail, sawSession: null, result: null }
    expect(judge({ exitCode: 1, agent }).command).toMatchObject({
      exit: { failure: { message: 'Error: no such model' } },
    })
  })

  it('takes the word of an agent that says it failed and exits 0', () => {
    const agent = {
      exitCode: 0,
      stdoutTail: '',
      stderrTail: '',
      sawSession: null,
      result: { succeeded: false, text: 'I gave up' },
    }
    expect(judge({ agent }).command).toMatchObject({
      exit: { failure: { type: 'agent_reported_failure', message: 'I gave up' } },
    })
  })

  it('says that the workspace could not be made', () =>
    expect(
      judge({ exitCode: 70, harvest: { ...collected, entryFailure: 'no such base' } }).command,
    ).toMatchObject({
      exit: { failure: { type: 'workspace_failed', message: 'no such base' } },
    }))
})
