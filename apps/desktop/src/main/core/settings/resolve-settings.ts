import type { z } from 'zod'
import { issueWords } from '@shared/input-words'
import { formatSetting, unitHint } from '@shared/setting-units'
import {
  settingDefinitions,
  settingKeySchema,
  type SettingKey,
  type SettingScope,
  type SettingValues,
  type StoredSetting,
} from '@shared/model/settings'
import { isForOneProject, needsConsent } from '@shared/model/setting-consent'
import { err, ok, type Result } from '@shared/result'

/** The scopes that hold for a place, from the weakest: `organization` and `project` are null where there is none. */
export interface SettingPlace {
  readonly organizationId: number | null
  readonly projectId: number | null
}

export const appPlace: SettingPlace = { organizationId: null, projectId: null }

/** Who says the value that is in force; `default` is the app's built-in one. */
export type SettingOrigin = 'default' | SettingScope

/** A stored value that is ignored, and why, in words. */
export interface SettingProblem {
  /** `unagreed`: the value is good, but nobody has agreed to what it means. */
  readonly type: 'not_valid' | 'unagreed'
  readonly key: string
  readonly scope: SettingScope
  readonly scopeId: number
  readonly value: unknown
  readonly message: string
}

/** What each scope says (checked values only); a scope that says nothing has no entry. */
export type SettingStrip = Readonly<Partial<Record<SettingScope, unknown>>>

export interface ResolvedSettings {
  readonly values: SettingValues
  readonly origins: Readonly<Record<SettingKey, SettingOrigin>>
  readonly strips: Readonly<Record<SettingKey, SettingStrip>>
  readonly problems: readonly SettingProblem[]
}

const scopes = ['app', 'organization', 'project'] as const

/**
 * The settings in force at a place. A stored value that is not valid (any more), stands in a scope that its setting or
 * this value does not have, or means something that nobody has agreed to, is reported and passed over: the next weaker
 * scope counts.
 */
export function resolveSettings(stored: readonly StoredSetting[], place: SettingPlace): ResolvedSettings {
  const values: Partial<Record<SettingKey, unknown>> = {}
  const origins: Partial<Record<SettingKey, SettingOrigin>> = {}
  const strips: Partial<Record<SettingKey, SettingStrip>> = {}
  const problems: SettingProblem[] = []
  const here = stored.filter((row) => row.scopeId === scopeIdAt(place, row.scope))

  for (const key of settingKeySchema.options) {
    const strip: Partial<Record<SettingScope, unknown>> = {}
    values[key] = settingDefinitions[key].fallback
    origins[key] = 'default'
    for (const scope of scopes) {
      const row = here.find((candidate) => candidate.key === key && candidate.scope === scope)
      if (row === undefined) continue
      const checked = checkSetting(key, scope, row.value)
      const { scopeId, value } = row
      if (!checked.ok) {
        problems.push({ type: 'not_valid', key, scope, scopeId, value, message: checked.error.message })
        continue
      }
      if (row.agreedAt === null && needsConsent(key, checked.value)) {
        const message = `nobody has agreed to ${formatSetting(key, checked.value)} yet, so it does not count.`
        problems.push({ type: 'unagreed', key, scope, scopeId, value, message })
        continue
      }
      strip[scope] = checked.value
      values[key] = checked.value
      origins[key] = scope
    }
    strips[key] = strip
  }
  // Every key was filled in above.
  return { values, origins, strips, problems } as ResolvedSettings
}

/** What would be in force if somebody had agreed to it; null: nothing waits for that. */
export function unagreedValue(
  { problems, origins }: Pick<ResolvedSettings, 'problems' | 'origins'>,
  key: SettingKey,
): { readonly value: unknown } | null {
  const last = problems.findLast((problem) => problem.type === 'unagreed' && problem.key === key)
  const origin = origins[key]
  if (last === undefined) return null
  return origin === 'default' || scopes.indexOf(last.scope) > scopes.indexOf(origin) ? last : null
}

export interface SettingError {
  readonly type: 'invalid_value' | 'wrong_scope'
  readonly message: string
}

/** Checks a value before it is stored, and when it is read. Errors: not valid, or not for this scope. */
export function checkSetting(
  key: SettingKey,
  scope: SettingScope,
  value: unknown,
): Result<unknown, SettingError> {
  const { schema, appOnly } = settingDefinitions[key]
  if (appOnly && scope !== 'app') {
    return err({ type: 'wrong_scope', message: `${key} is set for the whole app only, not for a ${scope}` })
  }
  const parsed = schema.safeParse(value)
  if (parsed.success) {
    if (scope !== 'project' && isForOneProject(key, parsed.data))
      return err({
        type: 'wrong_scope',
        message: `${key} can be ${String(parsed.data)} for a project only, where a person agreed to it, and never for ${scopeWords[scope]}. Set it for each project that is meant.`,
      })
    return ok(parsed.data)
  }
  const reasons = parsed.error.issues.map((issue) => problemWords(key, issue))
  return err({ type: 'invalid_value', message: `${[...new Set(reasons)].join('; ')}.` })
}

const scopeWords = { app: 'the whole app', organization: 'an organization' } as const

function problemWords(key: SettingKey, issue: z.core.$ZodIssue): string {
  const hint = unitHint(key)
  if (hint !== null && issue.code === 'invalid_type') return `${key} must be ${hint}`
  const [entry] = issue.path
  const name = typeof entry === 'number' ? `${key}: entry ${entry + 1}` : key
  return `${name} ${issueWords(issue, (limit) => formatSetting(key, limit))}`
}

function scopeIdAt(place: SettingPlace, scope: SettingScope): number | null {
  if (scope === 'app') return 0
  return scope === 'organization' ? place.organizationId : place.projectId
}
