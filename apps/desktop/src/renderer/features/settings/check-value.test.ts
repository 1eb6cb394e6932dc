import { describe, expect, it } from 'vitest'
import { checkValue } from './check-value'

describe('a value that does not fit', () => {
  it.each([
    ['RUN_MEMORY', 1_000_000, 'At least 64 MB.'],
    ['RUN_TIMEOUT', 200 * 3_600_000, 'At most 1d.'],
    ['MAX_RUNS', 0, 'At least 1.'],
    ['MAX_RUNS', 1.5, 'A whole number.'],
    ['BRANCH_PREFIX', 'a b/', 'Letters, digits, - and _, parts ended by /.'],
    ['AGENT_CREDENTIAL_MOUNTS', ['codex=/a:/b', 'nonsense'], 'Line 2: Adapter=/host/path:/container/path.'],
  ] as const)('of %s is refused in its own units', (key, value, words) => {
    expect(checkValue(key, value)).toBe(words)
  })

  it('is told from one that does', () => {
    expect(checkValue('RUN_MEMORY', 4e9)).toBeNull()
    expect(checkValue('AGENT_MODEL', null)).toBeNull()
  })
})
