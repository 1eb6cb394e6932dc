import { describe, expect, it } from 'vitest'
import { readSettingValue } from './setting-values'

describe('the VALUE of a setting', () => {
  it.each([
    ['RUN_TIMEOUT', '45m', 2_700_000],
    ['RUN_TIMEOUT', '60000', 60_000],
    ['RUN_MEMORY', '4 GB', 4e9],
    ['AGENT_SESSION_RESUME', 'off', false],
    ['AGENT_SESSION_RESUME', 'true', true],
    ['AGENT_MODEL', 'null', null],
    ['AGENT_MODEL', '4', '4'],
    ['AGENT_MODEL', 'on', 'on'],
    ['TRUSTED_PEOPLE', '["7"]', ['7']],
    ['BRANCH_PREFIX', '', ''],
  ] as const)('%s %j is read as it is meant', (key, text, value) => {
    expect(readSettingValue(key, text)).toEqual(value)
  })

  it.each([
    ['RUN_TIMEOUT', '1s', 1_000],
    ['RUN_TIMEOUT', 'soon', 'soon'],
    ['MAX_RUNS', '0', 0],
  ] as const)('%s %j is left for the engine to refuse', (key, text, value) => {
    expect(readSettingValue(key, text)).toBe(value)
  })
})
