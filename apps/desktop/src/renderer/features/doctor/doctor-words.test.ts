import { describe, expect, it } from 'vitest'
import type { DoctorLine } from '@shared/contract/app'
import { passWords, putLine } from './doctor-words'

const line = (check: string, state: DoctorLine['state']): DoctorLine => ({
  check,
  state,
  group: 'computer',
  title: check,
  detail: '',
  fix: null,
})

describe('the words of the checks', () => {
  it('count what passes, also while some are still made', () => {
    expect(passWords([])).toBe('Checking this computer.')
    expect(passWords([line('git', 'passed'), line('docker', 'checking')])).toBe('1 of 2 checks pass so far.')
    expect(passWords([line('git', 'passed'), line('docker', 'failed')])).toBe('1 of 2 checks pass.')
  })

  it('put a result in the place of its check', () => {
    const lines = [line('docker', 'checking'), line('git', 'passed')]
    expect(putLine(lines, line('docker', 'failed')).map((one) => one.state)).toEqual(['failed', 'passed'])
    expect(putLine(lines, line('disk', 'passed'))).toHaveLength(3)
  })
})
