import { describe, expect, it } from 'vitest'
import { notRepeated } from './not-repeated'

const failure = { type: 'docker_unreachable', message: 'Docker is away.' } as const

describe('a terminal', () => {
  it('does not wait for what is missing', () => {
    expect(notRepeated({ type: 'not_ready', failure, nextAttemptAt: 5 })).toEqual({
      type: 'prepare_failed',
      failure,
    })
  })

  it('ends when its container is gone', () => {
    const interrupted = {
      type: 'interrupted',
      canGoOn: true,
      isCollected: false,
      nextAttemptAt: 5,
      workedUntil: 4,
      failure,
    } as const
    expect(notRepeated(interrupted)).toEqual({ ...interrupted, canGoOn: false })
  })

  it('begins, stops and ends like any run', () => {
    const begin = { type: 'begin', now: 1 } as const
    expect(notRepeated(begin)).toBe(begin)
  })
})
