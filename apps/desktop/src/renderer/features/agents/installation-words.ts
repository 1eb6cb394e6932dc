import type { AgentHistoryRow, InstallationRow } from '@shared/contract/app'
import type { SessionBadge } from '@shared/contract/sessions'
import { counted, formatBytes } from '@shared/format'
import type { IconName } from '../../components/icon'

const signIn =
  'Its runs wait instead of failing. Put its login file into .agent-credentials in the data folder, mount one, or name an environment variable that holds a key.'

const setKey =
  'Its runs wait instead of failing. Name an environment variable that holds a key, as api=ANTHROPIC_API_KEY.'

const loginLooks: Readonly<
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

type LoginLook = (typeof loginLooks)['found']

/** The api mode has a key or none, and is there whether anybody wants it or not. */
export function loginLookOf({
  adapter,
  loginState,
}: Pick<InstallationRow, 'adapter' | 'loginState'>): LoginLook {
  if (adapter !== 'api') return loginLooks[loginState]
  if (loginState === 'found') return { ...loginLooks.found, text: 'API key set' }
  return loginState === 'missing'
    ? { icon: 'minus', tone: 'text-ink-3', text: 'No key', help: setKey }
    : loginLooks[loginState]
}

/** `In harbour/pier: not signed in`, for each login that projects have in place of the app's. */
export const projectLoginsOf = ({
  adapter,
  projectLogins,
}: Pick<InstallationRow, 'adapter' | 'projectLogins'>): readonly LoginLook[] =>
  projectLogins.map(({ projects, loginState }) => {
    const look = loginLookOf({ adapter, loginState })
    const state = look.text.startsWith('API') ? look.text : look.text.toLowerCase()
    const { icon, tone } = loginLooks[loginState]
    // Also a key of the api mode is missed where a project uses it.
    return { ...look, icon, tone, text: `In ${projects}: ${state}` }
  })

/** Why it cannot resume, or where it cannot; that nothing keeps it from it. */
export const resumeWords = ({
  reason,
  projectReasons,
}: Pick<InstallationRow, 'reason' | 'projectReasons'>): string =>
  reason === null && projectReasons.length === 0
    ? 'all conditions hold'
    : [reason, ...projectReasons].filter((part) => part !== null).join(' ')

/** `sha256:9e41c07d…52aa` */
export const shortDigest = (digest: string): string => {
  const hex = digest.replace(/^sha256:/, '')
  return hex.length <= 13 ? `sha256:${hex}` : `sha256:${hex.slice(0, 8)}…${hex.slice(-4)}`
}

export interface Condition {
  readonly text: string
  readonly holds: boolean
}

/** Why this installation can or cannot resume, condition by condition; of a CLI that is not there, that alone. */
export function conditionsOf(row: InstallationRow, isResumeOn: boolean | null): readonly Condition[] {
  const { version, verifiedRange } = row
  const isHost = row.runner === 'host'
  if (version === null)
    return [{ text: `Installed ${isHost ? 'on this computer' : 'in this image'}`, holds: false }]
  // Where the app's settings count for no project, those of the projects decide.
  const why = row.resumable ? '' : (row.reason ?? row.projectReasons.join(' '))
  const canResume = row.statePath !== null && !/cannot resume/.test(why)
  return [
    ...(isResumeOn === null
      ? []
      : [
          {
            text: 'AGENT_SESSION_RESUME is on',
            holds: row.resumable || (isResumeOn && !/AGENT_SESSION_RESUME is off/.test(why)),
          },
        ]),
    { text: 'Adapter declares resumable sessions', holds: canResume },
    ...(canResume && verifiedRange !== null && !isHost
      ? [{ text: `${version} is inside the verified range`, holds: !/verified range/.test(why) }]
      : []),
    { text: 'Runner is a container', holds: !isHost },
    ...(canResume && !isHost
      ? [{ text: 'State path is apart from credentials', holds: !/overlap/.test(why) }]
      : []),
  ]
}

/** Where a CLI is that keeps sessions: on the host none are kept. */
export const keepsSessions = ({ version, runner, statePath }: InstallationRow): boolean =>
  version !== null && runner === 'container' && statePath !== null

/** `184 MB for 23 issues` */
export function onDiskWords({ bytes, issues, isComplete }: AgentHistoryRow['sessions']): string {
  if (issues === 0) return 'nothing yet'
  return `${isComplete ? '' : 'more than '}${formatBytes(bytes)} for ${counted(issues, 'issue')}`
}

/** A word or two behind the count of such runs. */
export const lastRunWords: Readonly<Record<SessionBadge, string>> = {
  pending: 'resuming',
  resumed: 'resumed',
  no_prior_session: 'first',
  adapter_changed: 'adapter changed',
  state_missing: 'missing',
  unsupported_version: 'wrong version',
  refused: 'refused',
  chosen_fresh: 'fresh by choice',
  unproven: 'not proven',
  none: 'no session',
}
