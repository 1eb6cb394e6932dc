import { describe, expect, it } from 'vitest'
import { isFiltering, noFilter, passesFilter } from './timeline-filter'

const row = { phase: 'ci_fix', state: 'ended', outcome: 'failed', badge: 'resumed' } as const

describe('the filter of a timeline', () => {
  it('shows everything until something is chosen', () => {
    expect(isFiltering(noFilter)).toBe(false)
    expect(passesFilter(noFilter, row, 'A')).toBe(true)
  })

  it('shows what fits all that was chosen', () => {
    expect(passesFilter({ ...noFilter, phase: 'ci_fix', memory: 'A' }, row, 'A')).toBe(true)
    expect(passesFilter({ ...noFilter, phase: 'ci_fix', memory: 'B' }, row, 'A')).toBe(false)
    expect(passesFilter({ ...noFilter, outcome: 'not_succeeded' }, row, null)).toBe(true)
    expect(passesFilter({ ...noFilter, outcome: 'live' }, { ...row, state: 'running' }, null)).toBe(true)
    expect(passesFilter({ ...noFilter, badge: 'refused' }, row, null)).toBe(false)
  })
})
