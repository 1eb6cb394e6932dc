import { describe, expect, it } from 'vitest'
import { createSettableClock } from '../../../../test/fakes/settable-clock'
import { diskFull, StorageError } from '../../ports/storage-failure'
import { createStorageWatch } from './storage-watch'

const settled = async (): Promise<void> => {
  for (let turn = 0; turn < 20; turn += 1) await Promise.resolve()
}

function bench() {
  const clock = createSettableClock(1_000)
  const disk = { free: 50_000_000 as number | null, canWrite: true }
  const changes: string[] = []
  const closing = new AbortController()
  const watch = createStorageWatch({
    disk: { freeBytes: () => Promise.resolve(disk.free) },
    clock,
    folder: '/data',
    reserveBytes: 10_000_000,
    tryWrite: () => {
      if (!disk.canWrite) throw diskFull('no')
    },
    onChange: () => changes.push(watch.trouble()?.type ?? (watch.hasRoom() ? 'fine' : 'low')),
  })
  void watch.run(closing.signal)
  const pass = async (ms: number): Promise<void> => {
    clock.advance(ms)
    await settled()
  }
  return { watch, disk, changes, closing, pass }
}

describe('the watch over the data folder', () => {
  it('has no room below the reserve, and again above it, without any trouble', async () => {
    const { watch, disk, pass } = bench()
    await settled()
    expect(watch.hasRoom()).toBe(true)
    disk.free = 9_000_000
    await pass(30_000)
    expect([watch.hasRoom(), watch.trouble()]).toEqual([false, null])
    disk.free = 11_000_000
    await pass(2_000)
    expect(watch.hasRoom()).toBe(true)
  })

  it('lets those who wait go on when room was made, not when only a little can be written', async () => {
    const { watch, disk, pass } = bench()
    await settled()
    disk.free = 400_000
    watch.met(diskFull('full'))
    let goesOn = false
    void watch.untilUsable(new AbortController().signal).then(() => (goesOn = true))
    await settled()
    await pass(2_000)
    expect([goesOn, watch.trouble()?.type]).toEqual([false, 'disk_full'])
    disk.free = 20_000_000
    await pass(2_000)
    expect([goesOn, watch.trouble()]).toEqual([true, null])
  })

  it('tries again in the end where room was made somewhere else', async () => {
    const { watch, pass } = bench()
    await settled()
    watch.met(diskFull('full'))
    await settled()
    for (let second = 0; second < 28; second += 2) await pass(2_000)
    expect(watch.trouble()?.type).toBe('disk_full')
    for (let second = 0; second < 6; second += 2) await pass(2_000)
    expect(watch.trouble()).toBeNull()
  })

  it('waits while nothing can be written, and tells each change once', async () => {
    const { watch, disk, changes, pass } = bench()
    await settled()
    disk.canWrite = false
    for (let time = 0; time < 3; time += 1)
      watch.met(new StorageError('database_locked', 'busy', 'SQLITE_BUSY'))
    await pass(2_000)
    expect(watch.trouble()).toEqual({ type: 'database_locked', since: 1_000 })
    disk.canWrite = true
    await pass(2_000)
    expect(changes).toEqual(['fine', 'database_locked', 'fine'])
  })

  it('never waits out a damaged database, and leaves alone what is none of its own', async () => {
    const { watch, pass } = bench()
    await settled()
    watch.met(new Error('a defect'))
    expect(watch.trouble()).toBeNull()
    watch.met(new StorageError('database_damaged', 'malformed', 'SQLITE_CORRUPT'))
    watch.met(diskFull('full'))
    for (let time = 0; time < 40; time += 1) await pass(2_000)
    expect(watch.trouble()?.type).toBe('database_damaged')
  })
})
