import { describe, expect, it } from 'vitest'
import { err, ok, type Result } from '@shared/result'
import { createSettableClock } from '../../../../test/fakes/settable-clock'
import type { ContainerError } from '../../ports/container-runtime'
import { unlessLeft, untilAnswered } from './engine-patience'

const failed = (
  type: ContainerError['type'],
  retryable = type === 'unreachable',
): Result<never, ContainerError> => err({ type, message: type, retryable })

/** Asks with these answers, the last of them for ever; time passes whenever somebody sleeps. */
function asked(...answers: readonly Result<string, ContainerError>[]) {
  const clock = createSettableClock()
  const detach = new AbortController()
  const told: string[] = []
  let calls = 0
  const answer = untilAnswered(
    () => {
      calls += 1
      setImmediate(() => clock.advance(5_000))
      return Promise.resolve(answers[Math.min(calls, answers.length) - 1] ?? ok(''))
    },
    { clock, detach: detach.signal, onUnreachable: ({ type }) => void told.push(type) },
  )
  return { answer, detach, told, calls: () => calls }
}

describe('the engine of containers is asked', () => {
  it('until it answers, and everybody hears that it did not', async () => {
    const { answer, told } = asked(failed('unreachable'), failed('not_permitted'), ok('there'))
    expect(await answer).toEqual(ok('there'))
    expect(told).toEqual(['unreachable', 'not_permitted'])
  })

  it('some times more when it fails by itself, as it does while it shuts down', async () => {
    const shuttingDown = failed('unexpected', true)
    expect(await asked(shuttingDown, shuttingDown, ok('back')).answer).toEqual(ok('back'))
    const broken = asked(shuttingDown)
    expect(await broken.answer).toEqual(shuttingDown)
    expect(broken.calls()).toBe(5)
  })

  it('once when its answer stays the same', async () => {
    const missing = asked(failed('image_missing'))
    expect(await missing.answer).toEqual(failed('image_missing'))
    expect(missing.calls()).toBe(1)
  })

  it('for nobody who has left, although it never answers', async () => {
    const detach = new AbortController()
    const answer = untilAnswered(() => new Promise<never>(() => undefined), {
      clock: createSettableClock(),
      detach: detach.signal,
      onUnreachable: () => undefined,
    })
    detach.abort()
    expect(await answer).toBeNull()
  })

  it('and a failure that comes when everybody has left ends nothing', async () => {
    const unhandled: unknown[] = []
    const note = (reason: unknown): void => void unhandled.push(reason)
    process.on('unhandledRejection', note)
    const left = AbortSignal.abort()
    expect(await unlessLeft(Promise.reject(new Error('closed meanwhile')), left)).toBeNull()
    await new Promise((resolve) => setTimeout(resolve, 10))
    process.off('unhandledRejection', note)
    expect(unhandled).toEqual([])
  })
})
