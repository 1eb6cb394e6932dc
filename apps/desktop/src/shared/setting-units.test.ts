import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { formatSetting, parseUnits } from './setting-units'

describe('settings in units', () => {
  it.each([
    ['RUN_TIMEOUT', '45m', 2_700_000],
    ['RUN_TIMEOUT', '1h 30m', 5_400_000],
    ['POLL_INTERVAL', '30s', 30_000],
    ['RUN_MEMORY', '4 GB', 4e9],
    ['RUN_DISK', '1.5 GB', 1.5e9],
    ['RUN_CPUS', '1 CPU', 1],
    ['RUN_PIDS', '512 processes', 512],
    ['CLEANUP_AFTER_DAYS', '14 days', 14],
    ['MAX_RUNS', '1 run', 1],
  ] as const)('%s is written as %s and read back', (key, text, value) => {
    expect([formatSetting(key, value), parseUnits(key, text)]).toEqual([text, value])
  })

  it.each([
    ['RUN_TIMEOUT', '90s', 90_000],
    ['RUN_MEMORY', '512MB', 512e6],
    ['RUN_MEMORY', '1 GiB', 1024 ** 3],
    ['CLEANUP_AFTER_DAYS', '1 days', 1],
  ] as const)('%s takes %s too', (key, text, value) => {
    expect(parseUnits(key, text)).toBe(value)
  })

  it.each([
    ['RUN_TIMEOUT', 'soon'],
    ['RUN_TIMEOUT', '4 GB'],
    ['RUN_TIMEOUT', '30'],
    ['RUN_MEMORY', '30m'],
    ['RUN_CPUS', '2 runs'],
    ['AGENT_MODEL', '30m'],
  ] as const)('%s has no unit in %s', (key, text) => {
    expect(parseUnits(key, text)).toBeNull()
  })

  it('writes times and sizes so that they read back the same', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 1e13 }), (n) => {
        expect(parseUnits('RUN_TIMEOUT', formatSetting('RUN_TIMEOUT', n))).toBe(n)
        expect(parseUnits('RUN_MEMORY', formatSetting('RUN_MEMORY', n))).toBe(n)
      }),
    )
  })

  it('leaves values without units as they are', () => {
    expect([
      formatSetting('AGENT_MODEL', null),
      formatSetting('AGENT_RUNNER', 'host'),
      formatSetting('TRUSTED_PEOPLE', ['7']),
    ]).toEqual(['-', 'host', '["7"]'])
  })
})
