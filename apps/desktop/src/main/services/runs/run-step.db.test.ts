import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { RunFailure } from '@shared/contract/runs'
import type { MailboxId, RunId } from '@shared/model/ids'
import { openTestStore, type TestStore } from '../../../../test/fakes/open-test-store'
import { seedMailbox, seedRun } from '../../../../test/fakes/seed-mailbox'
import type { RunCommand } from '../../core/run/run-machine'
import { openStart, readRunRows, readRunState, takeStep } from './run-step'

let opened: TestStore
let mailboxId: MailboxId
let runId: RunId
beforeEach(() => {
  opened = openTestStore()
  mailboxId = seedMailbox(opened.store)
  runId = seedRun(opened.store, mailboxId).id
})
afterEach(() => opened.remove())

const failure: RunFailure = { type: 'interrupted', message: 'gone' }
const take = (command: RunCommand, now = 100) => takeStep(opened.store, runId, command, now)
const taken = (...commands: readonly RunCommand[]): void => {
  for (const command of commands) {
    const step = take(command)
    if (!step.ok) throw new Error(step.error.message)
  }
}
const begin: RunCommand = { type: 'begin', now: 100 }
const prepared: RunCommand = { type: 'prepared', deadline: 5_000 }

describe('a step of a run', () => {
  it('stores attempt and start together with the state that needs them', () => {
    taken(begin, prepared)
    const { runs } = opened.store
    const [attempt] = runs.listAttempts(runId)
    expect(runs.get(runId)).toMatchObject({ state: 'running', deadline: 5_000, startedAt: 100 })
    expect(runs.listStarts(attempt!.id)).toMatchObject([{ kind: 'first', containerId: null }])
  })

  it('is stored whole or not at all', () => {
    taken(begin)
    expect(() =>
      takeStep(opened.store, runId, prepared, 100, () => {
        throw new Error('the disk is full')
      }),
    ).toThrow('the disk is full')
    const [attempt] = opened.store.runs.listAttempts(runId)
    expect(opened.store.runs.get(runId).state).toBe('preparing')
    expect(opened.store.runs.listStarts(attempt!.id)).toEqual([])
  })

  it('gives an interrupted run a new attempt and frees its mailbox meanwhile', () => {
    opened.store.locks.take(mailboxId, runId, 90)
    taken(begin, prepared, {
      type: 'interrupted',
      canGoOn: true,
      isCollected: false,
      nextAttemptAt: 50,
      failure,
      workedUntil: 100,
    })
    expect(opened.store.locks.find(mailboxId)).toBeNull()
    expect(opened.store.runs.listAttempts(runId)).toMatchObject([
      { number: 1, outcome: 'interrupted', endedAt: 100 },
    ])
    taken(begin)
    expect(opened.store.runs.listAttempts(runId).map(({ number, outcome }) => [number, outcome])).toEqual([
      [1, 'interrupted'],
      [2, null],
    ])
    expect(opened.store.runs.get(runId)).toMatchObject({ deadline: null, remainingMs: 4_900 })
  })

  it('lets an attempt that could not begin go on, and frees its mailbox meanwhile', () => {
    opened.store.locks.take(mailboxId, runId, 90)
    const notReady: RunCommand = { type: 'not_ready', failure, nextAttemptAt: 50 }
    taken(begin, notReady)
    expect(opened.store.locks.find(mailboxId)).toBeNull()
    expect(opened.store.runs.get(runId)).toMatchObject({ state: 'queued', remainingMs: null })
    taken(begin, notReady, begin, prepared)
    expect(opened.store.runs.listAttempts(runId)).toMatchObject([{ number: 1, outcome: null, endedAt: null }])
  })

  it('keeps what is left of its time while it cannot begin', () => {
    taken(
      begin,
      prepared,
      {
        type: 'interrupted',
        canGoOn: true,
        isCollected: false,
        nextAttemptAt: 50,
        failure,
        workedUntil: 1_000,
      },
      begin,
      { type: 'not_ready', failure, nextAttemptAt: 50 },
    )
    expect(opened.store.runs.get(runId)).toMatchObject({ state: 'queued', remainingMs: 4_000 })
  })

  it('lets a start that the account limit cut go on in its attempt', () => {
    taken(
      begin,
      prepared,
      { type: 'provider_failed', failure, retry: { type: 'wait', nextAttemptAt: 50 }, workedUntil: 100 },
      begin,
    )
    expect(opened.store.runs.listAttempts(runId)).toMatchObject([{ number: 1, outcome: null, endedAt: null }])
    expect(readRunState(opened.store, runId)).toMatchObject({ kind: 'preparing', attempt: 1 })
  })

  it('ends the start that it leaves, so that an attempt which goes on has none until its next one', () => {
    const open = () => openStart(readRunRows(opened.store, runId).starts)
    taken(begin, prepared)
    expect(open()?.kind).toBe('first')
    const exit = { outcome: 'failed', failure, isCollected: true } as const
    taken({ type: 'exited', exit: { ...exit, fallback: { reason: 'refused', hasTime: true } } })
    expect(open()?.kind).toBe('fallback')
    const wait = { type: 'wait', nextAttemptAt: 50 } as const
    taken({ type: 'provider_failed', failure, retry: wait, workedUntil: 100 }, begin)
    expect(open()).toBeNull()
    taken(prepared)
    expect(readRunState(opened.store, runId)).toMatchObject({ kind: 'running', start: 'first' })
    taken({ type: 'exited', exit: { ...exit, fallback: null, isCollected: false } })
    expect(open()?.kind).toBe('collect')
    taken({ type: 'collected' })
    expect(readRunRows(opened.store, runId).starts.map(({ endedAt }) => endedAt)).toEqual([
      100, 100, 100, 100,
    ])
  })

  it('remembers why a run stops, so that a restart ends it for the same reason', () => {
    const why: RunFailure = { type: 'timed_out', message: 'The time limit of 30m 00s was reached.' }
    taken(begin, prepared, { type: 'stop', ending: { outcome: 'timed_out', failure: why } })
    expect(readRunState(opened.store, runId)).toMatchObject({
      kind: 'stopping',
      step: 'terminating',
      ending: { outcome: 'timed_out', failure: why },
    })
  })

  it('ends attempt, lock and run at once', () => {
    opened.store.locks.take(mailboxId, runId, 90)
    taken(begin, prepared, {
      type: 'exited',
      exit: { outcome: 'succeeded', failure: null, fallback: null, isCollected: true },
    })
    expect(opened.store.runs.get(runId)).toMatchObject({ state: 'ended', outcome: 'succeeded', endedAt: 100 })
    expect(opened.store.locks.find(mailboxId)).toBeNull()
  })

  it('means nothing when it comes too late, and then writes nothing alongside', () => {
    taken({ type: 'stop', ending: { outcome: 'stopped', failure: null } })
    let written = 0
    const step = takeStep(opened.store, runId, prepared, 200, () => (written += 1))
    expect(step).toMatchObject({ ok: true, value: { events: [] } })
    expect(written).toBe(0)
  })
})
