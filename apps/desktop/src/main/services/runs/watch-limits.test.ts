import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { RunFailure } from '@shared/contract/runs'
import { createKeptLogger, type KeptLogger } from '../../../../test/fakes/kept-logger'
import { createSettableClock, type SettableClock } from '../../../../test/fakes/settable-clock'
import { unhandledDuring } from '../../../../test/fakes/unhandled-rejections'
import { watchLimits, type LimitFacts, type LimitWatch } from './watch-limits'

let clock: SettableClock
let ended: AbortController
let reached: RunFailure['type'][]
let moved: number[]
let logger: KeptLogger
beforeEach(() => {
  logger = createKeptLogger()
  clock = createSettableClock()
  ended = new AbortController()
  reached = []
  moved = []
})
afterEach(() => ended.abort())

const watch = (patch: Partial<LimitFacts> = {}): LimitWatch =>
  watchLimits(
    {
      clock,
      logger,
      disk: {
        freeBytes: () => Promise.resolve(null),
        sizeOf: () => Promise.resolve({ bytes: 0, isComplete: true }),
      } as unknown as LimitFacts['disk'],
      deadline: 60_000,
      timeoutMs: 60_000,
      folders: ['/workspace'],
      maxBytes: 100,
      reserveBytes: 2_000_000_000,
      dataFolder: '/data',
      isAtWork: () => Promise.resolve(true),
      onDeadlineMoved: (deadline) => moved.push(deadline),
      signal: ended.signal,
      ...patch,
    },
    (failure) => reached.push(failure.type),
  )

/** Time as it passes while the computer is awake. */
async function pass(ms: number): Promise<void> {
  for (let left = ms; left > 0; left -= 1_000) {
    clock.advance(Math.min(1_000, left))
    await new Promise(setImmediate)
  }
}

describe('the limits of a start', () => {
  it('are reached once its time has passed, and not before', async () => {
    watch()
    await pass(55_000)
    expect(reached).toEqual([])
    await pass(10_000)
    expect(reached).toEqual(['timed_out'])
  })

  it('take no time off it for a night in which the computer slept', async () => {
    watch()
    await pass(20_000)
    clock.advance(8 * 3_600_000)
    await new Promise(setImmediate)
    expect(reached).toEqual([])
    expect(moved).toHaveLength(1)
    await pass(25_000)
    expect(reached).toEqual([])
    await pass(20_000)
    expect(reached).toEqual(['timed_out'])
  })

  it.each([8 * 3_600_000, -2 * 3_600_000])(
    'stay where they were when the wall clock jumps by %i ms',
    async (ms) => {
      watch()
      await pass(20_000)
      clock.jump(ms)
      await pass(35_000)
      expect(reached).toEqual([])
      expect(moved).toEqual([60_000 + ms])
      await pass(10_000)
      expect(reached).toEqual(['timed_out'])
    },
  )

  it('are moved by a sleep also before its first tick afterwards', async () => {
    const limits = watch()
    await pass(20_000)
    clock.jump(3_600_000.4)
    limits.account()
    expect(moved).toEqual([3_660_000])
  })

  it('are moved once, and by nothing else than a jump', async () => {
    const limits = watch()
    await pass(20_000)
    clock.jump(3_600_000)
    await pass(20_000)
    limits.account()
    expect(moved).toHaveLength(1)
  })

  it('wait for a container that somebody paused, and give it back that time', async () => {
    let paused = false
    const limits = watch({ isAtWork: () => Promise.resolve(paused ? null : true) })
    const look = async (ms: number): Promise<void> => {
      for (let left = ms; left > 0; left -= 5_000) {
        await pass(5_000)
        limits.seen({ paused })
      }
    }
    await look(20_000)
    paused = true
    await look(600_000)
    paused = false
    await look(35_000)
    expect(reached).toEqual([])
    await look(15_000)
    expect(reached).toEqual(['timed_out'])
  })

  it('are none for a start that ended by itself in time', async () => {
    watch({ isAtWork: () => Promise.resolve(false) })
    await pass(70_000)
    expect(reached).toEqual([])
  })

  it('are told when the disk is used up', async () => {
    const disk = {
      freeBytes: () => Promise.resolve(null),
      sizeOf: () => Promise.resolve({ bytes: 101, isComplete: true }),
    } as unknown as LimitFacts['disk']
    watch({ disk })
    await pass(30_000)
    expect(reached).toEqual(['disk_limit'])
  })

  it('are reached when less than its reserve is left on the disk', async () => {
    let free = 3_000_000_000
    const disk = {
      freeBytes: () => Promise.resolve(free),
      sizeOf: () => Promise.resolve({ bytes: 0, isComplete: true }),
    } as unknown as LimitFacts['disk']
    watch({ disk })
    await pass(11_000)
    expect(reached).toEqual([])
    free = 1_900_000_000
    await pass(11_000)
    expect(reached).toEqual(['disk_limit'])
  })

  it('end nothing when they cannot be looked at', async () => {
    const disk = {
      freeBytes: () => Promise.reject(new Error('no such disk')),
    } as unknown as LimitFacts['disk']
    const isAtWork = () => Promise.reject(new Error('no such container'))
    const unhandled = await unhandledDuring(async () => {
      watch({ disk, isAtWork })
      await pass(61_000)
    })
    expect(unhandled).toEqual([])
    expect(logger.errors).toEqual([
      expect.stringMatching(/disk of a run failed: Error: no such disk\n +at /),
      expect.stringMatching(/time of a run failed: Error: no such container\n +at /),
    ])
  })
})
