import { describe, expect, it } from 'vitest'
import { alfredLabels, exclusiveScope, toStatusLabel } from './labels'

describe('the labels that steer Alfred', () => {
  it('has every status, type and command once, each with a colour', () => {
    const names = alfredLabels.map((label) => label.name)
    expect(names).toContain('status::waiting_validation')
    expect(names).toContain('type::bug')
    expect(names).toContain('ai::validate_plan')
    expect(new Set(names).size).toBe(names.length)
    for (const { color } of alfredLabels) expect(color).toMatch(/^#[0-9a-f]{6}$/)
  })

  it('names the same status label with and without its scope', () => {
    expect(toStatusLabel('in_ci')).toBe('status::in_ci')
    expect(toStatusLabel('status::in_ci')).toBe('status::in_ci')
  })

  it('allows one status and one type, and any number of commands', () => {
    expect(exclusiveScope('status::done')).toBe('status::')
    expect(exclusiveScope('type::bug')).toBe('type::')
    expect(exclusiveScope('ai::retry')).toBeNull()
    expect(exclusiveScope('area::parser')).toBeNull()
    expect(exclusiveScope('bug')).toBeNull()
  })
})
