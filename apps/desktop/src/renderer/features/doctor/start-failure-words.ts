import type { StartFailure } from '@shared/contract/shell-bridge'
import type { IconName } from '../../components/icon'

export interface FailureCard {
  readonly test: string
  readonly icon: IconName
  readonly tone: 'warn' | 'bad'
  readonly title: string
  readonly text: string
  readonly facts: readonly (readonly [string, string])[]
  /** Whether the database can be put together again here. */
  readonly canRestore?: boolean
  /** Whether there is a backup to put back by hand. */
  readonly hasBackup?: boolean
  /** Whether the engine can be started again here. */
  readonly canStart?: boolean
}

/** Why there is no engine, in words; nothing was changed unless the words say so. */
export function failureCard(failure: StartFailure): FailureCard {
  switch (failure.type) {
    case 'database_newer':
      return {
        test: 'error-database-newer',
        icon: 'database',
        tone: 'warn',
        title: 'This data was written by a newer Alfred',
        text: `Your data ${failure.writtenBy === null ? `has format ${failure.dataFormat}` : `was last opened with Alfred ${failure.writtenBy} (format ${failure.dataFormat})`}. This Alfred reads format ${failure.appFormat}. To keep it safe, nothing was opened or changed. Install the newer Alfred${failure.backup === null ? '' : ', or put back the backup'}.`,
        hasBackup: failure.backup !== null,
        facts: [backupFact(failure.backup)],
      }
    case 'database_damaged':
      return {
        test: 'error-database-damaged',
        icon: 'database',
        tone: 'bad',
        title: 'The database is damaged',
        text: `A check found parts that cannot be read. Nothing was deleted. ${failure.backup === null ? 'There is no backup; the run folders are complete' : 'There is a backup, and the run folders are complete'} and can be read in again. The damaged file is moved aside and kept.`,
        canRestore: true,
        facts: [['Found', failure.message], backupFact(failure.backup)],
      }
    case 'database_locked':
      return {
        test: 'error-database-locked',
        icon: 'lock',
        tone: 'warn',
        title: 'Another program uses the database',
        text: 'Two writers would damage it, so this Alfred did not start. Close the other program, then start Alfred again.',
        facts: [['Told', failure.message]],
      }
    case 'disk_full':
      return {
        test: 'error-disk-full',
        icon: 'hard-drive',
        tone: 'bad',
        title: 'The disk is full',
        text: 'Alfred could not open its database. Free some space, then start Alfred again; nothing is lost.',
        facts: [['Told', failure.message]],
      }
    case 'not_writable':
      return {
        test: 'error-not-writable',
        icon: 'folder',
        tone: 'bad',
        title: 'The data folder cannot be written',
        text: 'Alfred needs to write to its own folder. Make it yours again, then start Alfred.',
        facts: [['Told', failure.message]],
      }
    case 'owner_silent':
      return {
        test: 'error-second-instance',
        icon: 'warning',
        tone: 'warn',
        title: 'Alfred is already running without a window',
        text: 'It was asked to hand over the data and did not answer within 10s. A second copy on the same data would make two writers of one memory, so this one closes. End the other one, then start Alfred again.',
        facts: [
          ['Process', failure.pid === null ? 'unknown' : String(failure.pid)],
          ['Command', failure.command ?? 'unknown'],
        ],
      }
    case 'engine_lost':
      return {
        test: 'error-engine-lost',
        icon: 'circle-x',
        tone: 'bad',
        title: 'Alfred stopped working',
        text: 'This should not happen. What runs goes on in its container, and nothing that was stored is lost: start again, and it is found and followed.',
        canStart: true,
        facts: [['Told', failure.message]],
      }
    case 'unexpected':
      return {
        test: 'error-unexpected',
        icon: 'circle-x',
        tone: 'bad',
        title: 'Alfred could not start',
        text: 'This should not happen. The log in the data folder has the details.',
        facts: [['Told', failure.message]],
      }
  }
}

const backupFact = (backup: string | null): readonly [string, string] => ['Newest backup', backup ?? 'none']
