import { describe, expect, it } from 'vitest'
import { decide, type RunCommand, type RunMachineState } from './run-machine'
import { saidOnce } from './said-once'

const running: RunMachineState = {
  kind: 'running',
  start: 'first',
  abandoned: null,
  attempt: 1,
  llmRetries: 0,
}
const failure = { type: 'interrupted', message: 'gone' } as const
const interrupted: RunCommand = {
  type: 'interrupted',
  canGoOn: true,
  isCollected: true,
  nextAttemptAt: 9,
  failure,
  workedUntil: 5,
}
const failed = (retry: Extract<RunCommand, { type: 'provider_failed' }>['retry']): RunCommand => ({
  type: 'provider_failed',
  failure: { type: 'provider_error', message: 'HTTP 529' },
  retry,
  workedUntil: 5,
})
const cut: readonly RunCommand[] = [
  interrupted,
  failed({ type: 'retryable', max: 2, nextAttemptAt: 9 }),
  failed({ type: 'wait', nextAttemptAt: 9 }),
]
const eventsOf = (command: RunCommand) => {
  const decided = decide(running, command)
  return decided.ok ? decided.value.map(({ type }) => type) : []
}

describe('a message of a person', () => {
  it.each(cut)('is given again by itself while no agent has begun with it: $type', (command) => {
    expect(saidOnce(command, false)).toBe(command)
    expect(eventsOf(command)).toEqual(['requeued'])
  })

  it.each(cut)('is given to no agent twice: $type ends the turn', (command) =>
    expect(eventsOf(saidOnce(command, true))).toEqual(['run_ended']),
  )

  it('is not asked for again when its container is gone, and what was made is collected', () => {
    const gone: RunCommand = { ...interrupted, isCollected: false }
    expect(eventsOf(saidOnce(gone, true))).toEqual(['collect_begun'])
  })

  it('changes nothing else of how a turn ends', () => {
    const exited: RunCommand = {
      type: 'exited',
      exit: { outcome: 'succeeded', failure: null, fallback: null, isCollected: true },
    }
    expect(saidOnce(exited, true)).toBe(exited)
  })
})
