import '../../lib/zod-without-eval'
import { settingDefinitions, type SettingKey } from '@shared/model/settings'
import { formatSettingValue, settingLooks } from './setting-looks'

type Issue = {
  readonly code?: string
  readonly message: string
  readonly minimum?: unknown
  readonly maximum?: unknown
  readonly path: readonly unknown[]
}

/** Why a value does not fit its setting, in its own units; null when it fits. The engine checks again. */
export function checkValue(key: SettingKey, value: unknown): string | null {
  const parsed = settingDefinitions[key].schema.safeParse(value)
  if (parsed.success) return null
  const issue: Issue | undefined = parsed.error.issues[0]
  return issue === undefined ? 'Not a valid value.' : issueWords(key, value, issue)
}

function issueWords(key: SettingKey, value: unknown, issue: Issue): string {
  const { control } = settingLooks[key]
  const where =
    control.kind === 'list' && Array.isArray(value) && typeof issue.path[0] === 'number'
      ? `Line ${issue.path[0] + 1}: `
      : ''
  const isText = control.kind === 'text' || control.kind === 'list'
  if (issue.code === 'too_small' && !isText) return `At least ${formatSettingValue(control, issue.minimum)}.`
  if (issue.code === 'too_big' && !isText) return `At most ${formatSettingValue(control, issue.maximum)}.`
  if (issue.code === 'too_small') return `${where}Not empty.`
  if (issue.code === 'too_big') return `${where}At most ${String(issue.maximum)} letters.`
  if (issue.message.includes('expected int')) return 'A whole number.'
  return `${where}${issue.message.slice(0, 1).toUpperCase()}${issue.message.slice(1).replace(/\.$/, '')}.`
}
