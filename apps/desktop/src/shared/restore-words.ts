import type { RestoreReport } from './contract/restore'
import { formatTime } from './format/times'

/*
 * What a restore brought back and what it could not, in the same words in the window and in the terminal.
 */

export interface RestoreWords {
  readonly title: string
  readonly restored: string
  readonly lost: string
  /** Terms and values: files, and run folders that could not be used. */
  readonly facts: readonly (readonly [string, string])[]
}

export function restoreWords(report: RestoreReport, now: number): RestoreWords {
  const { backup, damagedFile, refused } = report
  const made = backup === null ? null : formatTime(backup.at, { now })
  return {
    title: 'The database is restored',
    restored: [
      made === null
        ? 'There was no whole backup, so it is made of the run folders alone.'
        : `It is the backup of ${made}, with what the run folders know.`,
      readIn(report),
      ...goingOn(report.runsGoingOn),
    ].join(' '),
    lost: [lostSince(made), ...textless(report.issuesAdded), ...unreadable(refused.length)].join(' '),
    facts: [
      ['Damaged file, kept', damagedFile ?? 'there was none any more'],
      ...(backup === null ? [] : [['Backup', backup.file] as const]),
      ...refused.map(({ folder, reason }) => [`Not read: ${folder}`, reason] as const),
    ],
  }
}

function readIn({ runsAdded, runsUpdated, sessions }: RestoreReport): string {
  const runs = runsAdded + runsUpdated
  if (runs === 0) return 'The run folders knew nothing more.'
  return `${counted(runs, 'run')} with ${counted(sessions, 'session')} ${runs === 1 ? 'was' : 'were'} read in, so the agents remember.`
}

const goingOn = (runs: number): readonly string[] =>
  runs === 0 ? [] : [`${counted(runs, 'run')} had not ended and ${runs === 1 ? 'goes' : 'go'} on.`]

function lostSince(made: string | null): string {
  const since = made === null ? '' : ` that changed since ${made}`
  return `Lost is what lies in no run folder: settings, approvals, notifications, and texts and comments of issues on this computer's own forge${since}. Of runs that were read in, the transcript is the raw log.`
}

const textless = (issues: number): readonly string[] =>
  issues === 0 ? [] : [`${counted(issues, 'issue')} ${issues === 1 ? 'has' : 'have'} a title only.`]

const unreadable = (folders: number): readonly string[] =>
  folders === 0 ? [] : [`${counted(folders, 'run folder')} could not be read.`]

const counted = (count: number, what: string): string => `${count} ${what}${count === 1 ? '' : 's'}`
