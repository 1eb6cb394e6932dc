import type { InstallationRow } from '@shared/contract/app'
import { formatDuration } from '@shared/format'
import { formatExactCost } from '@shared/format/costs'
import { endsSoon, leftUntil } from '@shared/login-end'
import type { IconName } from '../../components/icon'

/*
 * How an agent is signed in, in words: as its files and variables say, and as its provider said when it was asked.
 */

type LoginState = InstallationRow['loginState']
type Login = Pick<InstallationRow, 'adapter' | 'loginState' | 'loginEndsAt' | 'loginSource'>
type LoginFacts = Pick<InstallationRow, 'loginSource' | 'loginMounts' | 'loginProof' | 'runner'>

export interface LoginLook {
  readonly icon: IconName
  readonly tone: string
  readonly text: string
  /** What it means for the work, and what to do. */
  readonly help?: string
}

const signIn =
  'Its runs wait instead of failing. Sign in in a terminal, which fills .agent-credentials in the data folder; or mount a login file, or name an environment variable that holds a key.'

const signInAgain =
  'After that, its runs wait instead of failing. Sign in again in a terminal, or put a new login file where the old one is.'

const setKey =
  'Its runs wait instead of failing. Name an environment variable that holds a key, as api=ANTHROPIC_API_KEY.'

const looks: Readonly<Record<LoginState, LoginLook>> = {
  not_needed: { icon: 'minus', tone: 'text-ink-3', text: 'Not needed' },
  found: { icon: 'circle-check', tone: 'text-ok', text: 'Signed in' },
  expired: { icon: 'clock', tone: 'text-warn', text: 'Expired', help: signIn },
  missing: { icon: 'circle-x', tone: 'text-bad', text: 'Not signed in', help: signIn },
  unknown: { icon: 'circle-help', tone: 'text-ink-3', text: 'unknown' },
}

/** The api mode has a key or none, and is there whether anybody wants it or not. */
export function loginLookOf(
  { adapter, loginState, loginEndsAt, loginSource }: Login,
  now: number,
): LoginLook {
  if (loginState === 'found') {
    if (endsSoon(loginEndsAt, now))
      return {
        icon: 'clock',
        tone: 'text-warn',
        text: `Expires in ${leftUntil(loginEndsAt, now)}`,
        help: signInAgain,
      }
    const isKey = adapter === 'api' || (loginSource?.kind === 'environment' && isKeyName(loginSource.name))
    return isKey ? { icon: 'key', tone: 'text-ok', text: 'API key set' } : looks.found
  }
  if (adapter === 'api' && loginState === 'missing')
    return { icon: 'minus', tone: 'text-ink-3', text: 'No key', help: setKey }
  return looks[loginState]
}

/** `In harbour/pier: not signed in`, for each login that projects have in place of the app's. */
export const projectLoginsOf = (
  { adapter, projectLogins }: Pick<InstallationRow, 'adapter' | 'projectLogins'>,
  now: number,
): readonly LoginLook[] =>
  projectLogins.map(({ projects, loginState, loginEndsAt }) => {
    const look = loginLookOf({ adapter, loginState, loginEndsAt, loginSource: null }, now)
    const state = look.text.startsWith('API') ? look.text : look.text.toLowerCase()
    // Also a key of the api mode is missed where a project uses it.
    const { icon, tone } = loginState === 'found' ? look : looks[loginState]
    return { ...look, icon, tone, text: `In ${projects}: ${state}` }
  })

const isKeyName = (name: string): boolean => name.endsWith('KEY')

/** What signs it in: `Long-lived setup token`, `API key in OPENAI_API_KEY`, `Login file auth.json`; null: nothing known. */
export function loginKindWords({ loginSource: source }: Pick<LoginFacts, 'loginSource'>): string | null {
  if (source === null) return null
  if (source.kind === 'file') return `Login file ${source.name}`
  if (source.name === 'CLAUDE_CODE_OAUTH_TOKEN') return 'Long-lived setup token'
  return `${isKeyName(source.name) ? 'API key' : 'Token'} in ${source.name}`
}

/** What of this computer its runs get to read for the login; null where they run on it. */
export function loginMountWords({
  runner,
  loginMounts,
}: Pick<LoginFacts, 'runner' | 'loginMounts'>): string | null {
  if (runner === 'host') return null
  if (loginMounts === 0) return 'nothing'
  return `read-only, ${loginMounts === 1 ? '1 file' : `${loginMounts} files or folders`}`
}

export interface ProofWords {
  readonly tone: string
  readonly icon: IconName
  readonly text: string
}

/** What the provider said last, and when: `a one-word answer 2m ago, $0.0004`. */
export function proofWords(proof: NonNullable<LoginFacts['loginProof']>, ago: string): ProofWords {
  const { outcome, message, tookMs, costUsd } = proof
  switch (outcome) {
    case 'answered':
      return {
        icon: 'circle-check',
        tone: 'text-ok',
        text: `a one-word answer ${ago}, in ${formatDuration(tookMs)}, ${costUsd === null ? 'cost unknown' : formatExactCost(costUsd)}`,
      }
    case 'refused':
      return { icon: 'circle-x', tone: 'text-bad', text: `refused ${ago}: ${message ?? 'it gave no reason'}` }
    case 'failed':
      return {
        icon: 'warning',
        tone: 'text-warn',
        text: `no answer ${ago}: ${message ?? 'it gave no reason'}`,
      }
  }
}

/** One unit is enough: `just now`, `4m ago`, `1h ago`, `3d ago`. */
export function agoWords(ms: number): string {
  if (ms < 60_000) return 'just now'
  if (ms < 3_600_000) return `${Math.floor(ms / 60_000)}m ago`
  return ms < 86_400_000 ? `${Math.floor(ms / 3_600_000)}h ago` : `${Math.floor(ms / 86_400_000)}d ago`
}
