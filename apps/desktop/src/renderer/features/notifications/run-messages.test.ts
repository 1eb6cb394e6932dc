import { describe, expect, it } from 'vitest'
import { needsYouMessage, runMessage, type ToldRun } from './run-messages'

const run = (patch: Partial<ToldRun>): ToldRun => ({
  state: 'running',
  outcome: null,
  badge: 'pending',
  phase: 'review_fix',
  result: null,
  iid: 128,
  ...patch,
})

describe('runMessage', () => {
  it('tells begin, proof and end of a run', () => {
    expect(runMessage(run({ state: 'queued' }), run({}))).toBe('Review fix on 128 started')
    expect(runMessage(run({}), run({ badge: 'resumed' }))).toBe('Resumed, remembered')
    expect(runMessage(run({}), run({ badge: 'state_missing' }))).toBe('Started fresh: state missing')
    expect(runMessage(run({}), run({ state: 'stopping' }))).toBe('Stopping')
    expect(
      runMessage(run({}), run({ state: 'ended', outcome: 'succeeded', result: 'pushed 1 commit' })),
    ).toBe('Finished: pushed 1 commit')
    expect(runMessage(run({}), run({ state: 'ended', outcome: 'timed_out' }))).toBe(
      'Review fix on 128: timed out',
    )
  })

  it('tells the memory where a run began and proved or lost it in one look', () => {
    const queued = run({ state: 'queued' })
    expect(runMessage(queued, run({ badge: 'resumed' }))).toBe('Resumed, remembered')
    expect(runMessage(queued, run({ badge: 'refused' }))).toBe('Started fresh: refused')
    expect(runMessage(queued, run({ badge: 'no_prior_session' }))).toBe('Review fix on 128 started')
  })

  it('says nothing when only figures changed, or when it sees a live run for the first time', () => {
    expect(runMessage(run({}), run({}))).toBeNull()
    expect(runMessage(null, run({}))).toBeNull()
  })
})

describe('needsYouMessage', () => {
  it('tells once what a person has to do', () => {
    expect(needsYouMessage(null, 'validate_plan', 94)).toBe('Needs you: validate the plan for 94')
    expect(needsYouMessage('validate_plan', 'validate_plan', 94)).toBeNull()
    expect(needsYouMessage('validate_plan', null, 94)).toBeNull()
  })
})
