import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  settingDefinitions,
  settingKeySchema,
  settingScopeSchema,
  type StoredSetting,
} from '@shared/model/settings'
import { appPlace, checkSetting, resolveSettings, unagreedValue } from './resolve-settings'

const place = { organizationId: 3, projectId: 7 }
const at = (
  scope: StoredSetting['scope'],
  scopeId: number,
  key: string,
  value: unknown,
  agreedAt: number | null = null,
): StoredSetting => ({ scope, scopeId, key, value, agreedAt })

describe('resolveSettings', () => {
  it('gives the built-in default where no scope says anything', () => {
    const { values, origins, strips, problems } = resolveSettings([], place)
    expect(values.RUN_TIMEOUT).toBe(45 * 60_000)
    expect(origins.RUN_TIMEOUT).toBe('default')
    expect(strips.RUN_TIMEOUT).toEqual({})
    expect(problems).toEqual([])
  })

  it('lets the project win over the organization over the app, and says so', () => {
    const all = [
      at('project', 7, 'RUN_TIMEOUT', 30_000),
      at('app', 0, 'RUN_TIMEOUT', 10_000),
      at('organization', 3, 'RUN_TIMEOUT', 20_000),
    ]
    const withoutProject = resolveSettings(all.slice(1), place)
    expect([withoutProject.values.RUN_TIMEOUT, withoutProject.origins.RUN_TIMEOUT]).toEqual([
      20_000,
      'organization',
    ])
    const resolved = resolveSettings(all, place)
    expect([resolved.values.RUN_TIMEOUT, resolved.origins.RUN_TIMEOUT]).toEqual([30_000, 'project'])
    expect(resolved.strips.RUN_TIMEOUT).toEqual({ app: 10_000, organization: 20_000, project: 30_000 })
  })

  it('hears only the scopes of its place', () => {
    const others = [at('project', 8, 'RUN_CPUS', 1), at('organization', 4, 'RUN_CPUS', 1)]
    expect(resolveSettings(others, place).origins.RUN_CPUS).toBe('default')
    expect(resolveSettings([at('project', 7, 'RUN_CPUS', 1)], appPlace).origins.RUN_CPUS).toBe('default')
  })

  it('lets a project take back what its organization set', () => {
    const stored = [at('organization', 3, 'AGENT_MODEL', 'big'), at('project', 7, 'AGENT_MODEL', null)]
    const { values, origins } = resolveSettings(stored, place)
    expect([values.AGENT_MODEL, origins.AGENT_MODEL]).toEqual([null, 'project'])
  })

  it('reports an invalid value and goes on with the next weaker scope', () => {
    const stored = [at('project', 7, 'RUN_TIMEOUT', 'soon'), at('app', 0, 'RUN_TIMEOUT', 60_000)]
    const { values, origins, strips, problems } = resolveSettings(stored, place)
    expect([values.RUN_TIMEOUT, origins.RUN_TIMEOUT]).toEqual([60_000, 'app'])
    expect(strips.RUN_TIMEOUT).toEqual({ app: 60_000 })
    expect(problems).toEqual([
      {
        type: 'not_valid',
        key: 'RUN_TIMEOUT',
        scope: 'project',
        scopeId: 7,
        value: 'soon',
        message: 'RUN_TIMEOUT must be a duration, as in 30m or 1h 30m.',
      },
    ])
  })

  it('ignores a setting of the whole app that stands in a narrower scope', () => {
    const { values, problems } = resolveSettings([at('project', 7, 'MAX_RUNS', 9)], place)
    expect(values.MAX_RUNS).toBe(2)
    expect(problems[0]?.message).toContain('whole app only')
  })

  it('ignores the host runner of a whole app or organization, and hears that of a project', () => {
    const wide = [at('app', 0, 'AGENT_RUNNER', 'host'), at('organization', 3, 'AGENT_RUNNER', 'host')]
    const passedOver = resolveSettings(wide, place)
    expect([passedOver.values.AGENT_RUNNER, passedOver.origins.AGENT_RUNNER]).toEqual([
      'container',
      'default',
    ])
    expect(passedOver.problems.map(({ scope }) => scope)).toEqual(['app', 'organization'])
    const agreed = resolveSettings([...wide, at('project', 7, 'AGENT_RUNNER', 'host', 5)], place)
    expect([agreed.values.AGENT_RUNNER, agreed.origins.AGENT_RUNNER]).toEqual(['host', 'project'])
  })

  it('passes over what a person must agree to and nobody has, and says what waits for that', () => {
    const [ofApp, ofProject] = [['codex=/h/a:/home/agent/a'], ['codex=/h/b:/home/agent/b']]
    const stored = [
      at('app', 0, 'AGENT_CREDENTIAL_MOUNTS', ofApp, 5),
      at('project', 7, 'AGENT_CREDENTIAL_MOUNTS', ofProject),
      at('project', 7, 'AGENT_RUNNER', 'host'),
    ]
    const resolved = resolveSettings(stored, place)
    expect(resolved.values).toMatchObject({ AGENT_CREDENTIAL_MOUNTS: ofApp, AGENT_RUNNER: 'container' })
    expect(resolved.problems.map(({ type, key, message }) => [type, key, message])).toEqual([
      ['unagreed', 'AGENT_RUNNER', 'nobody has agreed to host yet, so it does not count.'],
      [
        'unagreed',
        'AGENT_CREDENTIAL_MOUNTS',
        'nobody has agreed to ["codex=/h/b:/home/agent/b"] yet, so it does not count.',
      ],
    ])
    expect(unagreedValue(resolved, 'AGENT_CREDENTIAL_MOUNTS')).toMatchObject({ value: ofProject })
    expect(unagreedValue(resolved, 'RUN_CPUS')).toBeNull()
  })

  it('waits for no agreement to what a narrower scope takes the place of', () => {
    const stored = [
      at('app', 0, 'AGENT_CREDENTIAL_MOUNTS', ['codex=/h/a:/home/agent/a']),
      at('project', 7, 'AGENT_CREDENTIAL_MOUNTS', []),
    ]
    const resolved = resolveSettings(stored, place)
    expect(resolved.values.AGENT_CREDENTIAL_MOUNTS).toEqual([])
    expect(unagreedValue(resolved, 'AGENT_CREDENTIAL_MOUNTS')).toBeNull()
  })

  it('passes over keys that it does not know, as a newer app may have left them', () => {
    expect(resolveSettings([at('app', 0, 'TOMORROW', 1)], place).problems).toEqual([])
  })

  it('always yields valid values, whatever was stored', () => {
    const rows = fc.record({
      scope: fc.constantFrom(...settingScopeSchema.options),
      scopeId: fc.constantFrom(0, 3, 7),
      key: fc.constantFrom(...settingKeySchema.options, 'TOMORROW', '__proto__'),
      value: fc.jsonValue(),
      agreedAt: fc.constantFrom(null, 5),
    })
    fc.assert(
      fc.property(fc.array(rows), (stored) => {
        const { values } = resolveSettings(stored, place)
        for (const key of settingKeySchema.options) {
          expect(settingDefinitions[key].schema.safeParse(values[key]).success).toBe(true)
        }
      }),
    )
  })
})

describe('checkSetting', () => {
  it.each([
    ['BRANCH_PREFIX', '../evil/'],
    ['BRANCH_PREFIX', '-x/'],
    ['GIT_AUTHOR_NAME', 'Mia <mia>'],
    ['AGENT_RUNNER', 'cloud'],
    ['RUN_CPUS', Number.NaN],
  ] as const)('refuses %s = %j', (key, value) => {
    expect(checkSetting(key, 'project', value)).toMatchObject({ ok: false, error: { type: 'invalid_value' } })
  })

  it.each([
    ['RUN_TIMEOUT', 1_000, 'RUN_TIMEOUT must be at least 10s.'],
    ['RUN_MEMORY', 'much', 'RUN_MEMORY must be a size, as in 4 GB or 512 MB.'],
    ['RUN_MEMORY', 1, 'RUN_MEMORY must be at least 64 MB.'],
    ['RUN_PIDS', 1.5, 'RUN_PIDS must be a whole number.'],
    ['TRUSTED_PEOPLE', ['a', ''], 'TRUSTED_PEOPLE: entry 2 must not be empty.'],
  ] as const)('says in words why %s = %j is refused', (key, value, message) => {
    expect(checkSetting(key, 'project', value)).toMatchObject({ error: { message } })
  })

  it('names the wrong scope', () => {
    expect(checkSetting('MAX_RUNS', 'organization', 3)).toMatchObject({ error: { type: 'wrong_scope' } })
  })
})
