import { describe, expect, it } from 'vitest'
import type { Harvest } from '../runs/harvest'
import { judgeTerminal } from './judge-terminal'

const harvest: Harvest = {
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
const facts = { exitCode: 0, outOfMemory: false, isStopping: false, harvest, memoryLimitBytes: 4e9 }
const exitOf = (change: Partial<typeof facts>) => {
  const { command } = judgeTerminal({ ...facts, ...change })
  return command.type === 'exited' ? command.exit : null
}

describe('the end of a terminal', () => {
  it('is a success when it was left, also with Ctrl+C', () => {
    expect(exitOf({})).toMatchObject({ outcome: 'succeeded', failure: null, fallback: null })
    expect(exitOf({ exitCode: 130 })).toMatchObject({ outcome: 'succeeded' })
  })

  it('is that of a CLI that failed, which is never begun anew', () => {
    expect(exitOf({ exitCode: 1 })).toMatchObject({
      outcome: 'failed',
      fallback: null,
      failure: { type: 'agent_failed', message: 'The agent ended with code 1.' },
    })
  })

  it('is an interruption when it was ended from outside, and what was made is collected', () => {
    const killed = { ...harvest, isCollected: false }
    expect(exitOf({ exitCode: 137, harvest: killed })).toMatchObject({
      outcome: 'interrupted',
      isCollected: false,
    })
    expect(exitOf({ exitCode: 143, harvest: { ...harvest, wasTerminated: true } })).toMatchObject({
      outcome: 'interrupted',
    })
  })

  it.each([
    ['stopped', { isStopping: true, exitCode: 143 }],
    ['out_of_memory', { outOfMemory: true, exitCode: 137 }],
    ['failed', { harvest: { ...harvest, entryFailure: 'The image has no git (127).' } }],
    [
      'result_refused',
      { harvest: { ...harvest, refusal: { type: 'bundle_refused', message: 'bad' } as const } },
    ],
  ])('is %s', (outcome, change) => {
    expect(exitOf(change)).toMatchObject({ outcome })
  })
})
