import type { AgentHistoryRow, AgentImageRow, InstallationRow } from '@shared/contract/app'
import type { SessionBadge } from '@shared/contract/sessions'
import { counted, formatBytes } from '@shared/format'

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

/** For a screen reader, when one was looked at alone: `codex 0.171.0 in alfred-agent:1: can resume.` */
export function checkedWords(row: InstallationRow, place: string): string {
  if (row.version === null) return `${row.adapter} is not ${place}.`
  return `${row.adapter} ${row.version} ${place}: ${row.resumable ? 'can resume' : `cannot resume. ${resumeWords(row)}`}`
}

/** One whose sessions nobody has tried: it works, and every run starts fresh. */
export const isUnverified = ({ resumable, runner, reason }: InstallationRow): boolean =>
  !resumable && runner === 'container' && reason?.includes(unverifiedWords) === true

/** One that is so old that it refuses how Alfred starts it: every run with it fails. */
export const doesNotStart = ({ version, reason }: InstallationRow): boolean =>
  version !== null && reason?.includes('does not start:') === true

/** In its line; the whole sentence stands beside it, with the range in a column of its own. */
export const unverifiedWords = 'outside the verified range'

/** `@anthropic-ai/claude-code@2.1.332` of the line that installs it: `2.1.332` */
export const pinnedVersion = (line: string): string => line.slice(line.lastIndexOf('@') + 1)

/** What a version that nobody has tried, or that does not start, means for runs, and what mends it. */
export function noticeWords(row: InstallationRow): string {
  const { adapter, reason, verifiedRange, pinLine } = row
  if (doesNotStart(row)) {
    const needed = `${reason ?? ''} Runs with it fail.`
    return pinLine === null
      ? `${needed} Update ${adapter} in the image.`
      : `${needed} Pin ${pinnedVersion(pinLine)} in the image, or build an image with ${adapter}.`
  }
  const works = 'It works, but nobody has proven that it can resume.'
  return pinLine === null
    ? `${works} Verified: ${verifiedRange ?? 'no version'}.`
    : `${works} The next app update may verify it, or pin ${pinnedVersion(pinLine)} in the image.`
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
      ? [
          {
            text: `${version} is inside the verified range`,
            holds: !/verified range|does not start/.test(why),
          },
        ]
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

/** What Alfred made itself, where no base could be pulled, is nobody's to know here. */
const ownBases: ReadonlySet<string> = new Set(['collected', 'debootstrap'])

/** `on node:24-bookworm-slim · used by 4 projects · 1.9 GB` */
export function imageUseWords({ projects, base, sizeBytes }: Omit<AgentImageRow, 'digest' | 'tag'>): string {
  const on = base === 'unknown' || ownBases.has(base) ? null : `on ${base}`
  const use = projects === 0 ? 'used by no project' : `used by ${counted(projects ?? 0, 'project')}`
  return [on, projects === null ? null : use, formatBytes(sizeBytes)]
    .filter((part) => part !== null)
    .join(' · ')
}
