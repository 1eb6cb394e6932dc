import { describe, expect, it } from 'vitest'
import { createSettableClock } from '../../../../test/fakes/settable-clock'
import type { BackupError } from '../../ports/backups'
import type { Result } from '@shared/result'
import { runDailyBackups } from './daily-backup'

const dayMs = 24 * 3_600_000

async function passed(
  days: number,
  more: { readonly free?: number; readonly answer?: Result<string, BackupError> } = {},
) {
  const clock = createSettableClock(0)
  const made: number[] = []
  const met: unknown[] = []
  const closing = new AbortController()
  const nothing = (): void => undefined
  void runDailyBackups(
    {
      backups: {
        newestDaily: () => made.at(-1) ?? null,
        makeDaily: (now) => {
          made.push(now)
          return Promise.resolve(more.answer ?? { ok: true, value: 'x' })
        },
      },
      clock,
      logger: { info: nothing, warn: nothing, error: nothing },
      storage: { hasRoom: () => true, freeBytes: () => more.free ?? null, met: (error) => met.push(error) },
      reserveBytes: 1_000,
      databaseBytes: () => 500,
    },
    closing.signal,
  )
  for (let time = 0; time < days * dayMs; time += 10 * 60_000) {
    clock.advance(10 * 60_000)
    for (let turn = 0; turn < 10; turn += 1) await Promise.resolve()
  }
  closing.abort()
  return { made, met }
}

describe('the daily copy', () => {
  it('is made soon after the start, and then once a day', async () => {
    const { made } = await passed(3)
    expect(made).toHaveLength(3)
    expect(made[0]).toBeLessThan(60 * 60_000)
    for (const [index, at] of made.slice(1).entries())
      expect(at - (made[index] ?? 0)).toBeGreaterThanOrEqual(dayMs)
  })

  it('waits for room for it beside the reserve of the disk', async () => {
    expect((await passed(2, { free: 1_999 })).made).toEqual([])
    expect((await passed(2, { free: 2_000 })).made).toHaveLength(2)
  })

  it('tells of damage that it finds', async () => {
    const answer = { ok: false, error: { type: 'database_damaged', message: 'malformed' } } as const
    expect((await passed(1, { answer })).met).toMatchObject([{ type: 'database_damaged' }])
  })
})
