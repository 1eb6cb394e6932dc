import { describe, expect, it } from 'vitest'
import { createFakeContainerRuntime } from '../../../../test/fakes/fake-container-runtime'
import { createKeptLogger } from '../../../../test/fakes/kept-logger'
import { createSettableClock } from '../../../../test/fakes/settable-clock'
import { unhandledDuring } from '../../../../test/fakes/unhandled-rejections'
import { createEngineWatch, type EngineState, type EngineWatch } from './engine-watch'

const bench = (found: string | null) => {
  const runtime = createFakeContainerRuntime({ info: { endpoint: 'unix:///first.sock' } })
  const clock = createSettableClock(100)
  const findEndpoint = () => Promise.resolve(found)
  const logger = createKeptLogger()
  const told: string[] = []
  const onChange = (state: EngineState): void => void told.push(state.state)
  const watchOf = (heard = onChange): EngineWatch =>
    createEngineWatch({ runtime, clock, logger, findEndpoint, onChange: heard })
  return { runtime, clock, logger, told, watchOf, watch: watchOf() }
}

describe('an engine of containers that does not answer', () => {
  it('is known with what is tried and since when', async () => {
    const { runtime, clock, watch } = bench('unix:///second.sock')
    runtime.failWith('unreachable')
    expect(await watch.askNow()).toMatchObject({
      state: 'unreachable',
      since: 100,
      endpoint: 'unix:///second.sock',
    })
    clock.advance(5_000)
    expect(await watch.askNow()).toMatchObject({ since: 100 })
  })

  it('is away too when it is too old, or refuses this user', async () => {
    const { runtime, watch } = bench(null)
    runtime.failWith('api_too_old')
    expect((await watch.askNow()).state).toBe('too_old')
    runtime.failWith('not_permitted')
    expect((await watch.askNow()).state).toBe('not_permitted')
  })

  it('keeps the place where it answered last, when nothing says where it is now', async () => {
    const { runtime, watch } = bench(null)
    await watch.askNow()
    runtime.failWith('unreachable')
    expect(await watch.askNow()).toMatchObject({ state: 'unreachable', endpoint: 'unix:///first.sock' })
  })

  it('is asked often from the moment that anybody notices', async () => {
    const { runtime, clock, watch } = bench(null)
    watch.start()
    await settle()
    runtime.failWith('unreachable')
    watch.seen({ ok: false, error: { type: 'unreachable', message: 'gone', retryable: true } })
    await settle()
    runtime.failWith(null)
    clock.advance(5_000)
    await settle()
    expect(watch.current().state).toBe('reachable')
    watch.close()
  })

  it('is told to nobody when its answer comes after the close', async () => {
    const { runtime, told, watch } = bench(null)
    runtime.failWith('unreachable')
    const asked = watch.askNow()
    watch.close()
    await asked
    expect(told).toEqual([])
  })

  it('goes on being watched when somebody could not hear of it', async () => {
    const { runtime, clock, logger, watchOf } = bench(null)
    const watch = watchOf(() => {
      throw new Error('deaf')
    })
    const unhandled = await unhandledDuring(async () => {
      watch.start()
      await settle()
      runtime.failWith('unreachable')
      clock.advance(60_000)
      await settle()
    })
    expect(watch.current().state).toBe('unreachable')
    expect(logger.errors).toHaveLength(2)
    expect(unhandled).toEqual([])
    watch.close()
  })
})

const settle = async (): Promise<void> => {
  for (let n = 0; n < 20; n += 1) await Promise.resolve()
}
