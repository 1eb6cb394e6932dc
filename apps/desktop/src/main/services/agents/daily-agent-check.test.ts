import { expect, it } from 'vitest'
import { createSettableClock } from '../../../../test/fakes/settable-clock'
import { runDailyAgentChecks } from './daily-agent-check'

const hourMs = 3_600_000

/** When somebody looked, in hours, while that many passed. */
async function looksIn(hours: number, check: () => Promise<void> = async () => undefined) {
  const clock = createSettableClock(0)
  const closing = new AbortController()
  const looks: number[] = []
  const ages: number[] = []
  const errors: string[] = []
  let told = 0
  void runDailyAgentChecks(
    {
      agents: {
        checkOlderThan: (ageMs) => {
          looks.push(clock.now() / hourMs)
          ages.push(ageMs / hourMs)
          return check()
        },
        list: async () => [],
      },
      clock,
      logger: { error: (message) => errors.push(message) },
      tellLogins: () => {
        told += 1
      },
    },
    closing.signal,
  )
  for (let minute = 0; minute < hours * 60; minute += 1) {
    clock.advance(60_000)
    for (let turn = 0; turn < 20; turn += 1) await Promise.resolve()
  }
  closing.abort()
  return { looks, ages, errors, told }
}

it('looks soon after the start and then again, for what was not looked at for a day', async () => {
  const { looks, ages, told } = await looksIn(24)
  expect(looks[0]).toBeLessThan(0.1)
  expect(looks.length).toBeGreaterThan(24)
  expect(new Set(ages)).toEqual(new Set([24]))
  expect(told).toBe(looks.length)
})

it('goes on after a look that failed', async () => {
  const { looks, errors } = await looksIn(3, () => Promise.reject(new Error('the disk is full')))
  expect(looks.length).toBeGreaterThan(3)
  expect(errors[0]).toContain('the disk is full')
})
