import { describe, expect, it } from 'vitest'
import type { SettingRow } from '@shared/contract/settings'
import { chainOf, resetTarget, spokenStrip, stripCells, type ScopeRow } from './scope-chain'

const scopes: readonly ScopeRow[] = [
  { scope: 'app', scopeId: 0, name: 'App', overrides: 0 },
  { scope: 'organization', scopeId: 1, name: 'harbour', overrides: 1 },
  { scope: 'project', scopeId: 1, name: 'harbour/freight-api', overrides: 1 },
]
const chain = chainOf(scopes, scopes[2]!)
const row = (part: Partial<SettingRow>): SettingRow => ({
  key: 'RUN_TIMEOUT',
  label: '',
  about: '',
  type: 'duration',
  scopes: ['app', 'organization', 'project'],
  defaultValue: 2_700_000,
  value: 2_700_000,
  origin: 'default',
  strip: { app: null, organization: null, project: null },
  problem: null,
  unagreed: null,
  ...part,
})
const duration = { kind: 'duration' } as const

describe('what the scopes say', () => {
  it('is read out with the one in force', () => {
    const set = row({
      origin: 'organization',
      strip: { app: null, organization: { value: 1_800_000 }, project: null },
    })
    expect(spokenStrip(stripCells(set, chain, 'project', duration))).toBe(
      'App 45m, harbour 30m, in force, project not set',
    )
  })

  it('is the default of the app where nobody says anything', () => {
    expect(stripCells(row({}), chain, 'project', duration).map((cell) => cell.state)).toEqual([
      'in-force',
      'unset',
      'unset',
    ])
  })

  it('ends at the scope that is edited', () => {
    expect(stripCells(row({}), chain, 'organization', duration)).toHaveLength(2)
  })

  it('keeps a value of false or an empty list as one', () => {
    const off = row({
      key: 'AGENT_SESSION_RESUME',
      defaultValue: true,
      origin: 'project',
      strip: { app: null, organization: null, project: { value: false } },
    })
    expect(stripCells(off, chain, 'project', { kind: 'switch' }).at(-1)).toMatchObject({
      text: 'off',
      state: 'in-force',
    })
  })

  it('keeps a scope that says that nothing is set', () => {
    const taken = row({
      key: 'AGENT_MODEL',
      defaultValue: null,
      value: null,
      origin: 'project',
      strip: { app: null, organization: { value: 'large' }, project: { value: null } },
    })
    const cells = stripCells(taken, chain, 'project', { kind: 'text', unset: "the CLI's own" })
    expect(cells.map(({ text, state }) => [text, state])).toEqual([
      ["the CLI's own", 'overruled'],
      ['large', 'overruled'],
      ["the CLI's own", 'in-force'],
    ])
  })

  it('falls back to the next scope that speaks', () => {
    const set = { app: { value: 1 }, organization: { value: 2 }, project: { value: 3 } }
    expect(resetTarget(row({ strip: set }), chain, 'project')).toBe('harbour')
    expect(resetTarget(row({ strip: { ...set, organization: null } }), chain, 'project')).toBe('App')
    expect(resetTarget(row({ strip: set }), chain, 'app')).toBe('default')
  })
})
