import type { InstallationRow } from '@shared/contract/app'
import type { IconName } from '../../components/icon'

const signIn =
  'Its runs wait instead of failing. Put its login file into .agent-credentials in the data folder, mount one, or name an environment variable that holds a key.'

export const loginLooks: Readonly<
  Record<
    InstallationRow['loginState'],
    {
      readonly icon: IconName
      readonly tone: string
      readonly text: string
      /** What it means for the work, and what to do. */
      readonly help?: string
    }
  >
> = {
  not_needed: { icon: 'minus', tone: 'text-ink-3', text: 'Not needed' },
  found: { icon: 'circle-check', tone: 'text-ok', text: 'Signed in' },
  expired: { icon: 'clock', tone: 'text-warn', text: 'Expired', help: signIn },
  missing: { icon: 'circle-x', tone: 'text-bad', text: 'Not signed in', help: signIn },
  unknown: { icon: 'circle-help', tone: 'text-ink-3', text: 'unknown' },
}

/** `sha256:9e41c07d…52aa` */
export const shortDigest = (digest: string): string => {
  const hex = digest.replace(/^sha256:/, '')
  return hex.length <= 13 ? `sha256:${hex}` : `sha256:${hex.slice(0, 8)}…${hex.slice(-4)}`
}

export interface Condition {
  readonly text: string
  readonly holds: boolean
}

/** Why this installation can or cannot resume, condition by condition. */
export function conditionsOf(row: InstallationRow): readonly Condition[] {
  const version = row.version ?? 'The version'
  return [
    {
      text: 'Adapter declares resumable sessions',
      holds: row.statePath !== null && !/cannot resume/.test(row.reason ?? ''),
    },
    {
      text: `${version} is inside the verified range`,
      holds: row.resumable || !/version/i.test(row.reason ?? ''),
    },
    { text: 'Runner is a container', holds: row.runner === 'container' },
    { text: 'State path is apart from credentials', holds: !/overlap/.test(row.reason ?? '') },
  ]
}
