import type { StartFailure } from '@shared/contract/shell-bridge'

/** Why there is no engine, for the terminal. */
export function describeStartFailure(failure: StartFailure, dataFolder: string): string {
  switch (failure.type) {
    case 'database_newer':
      return `This data was written by a newer Alfred${failure.writtenBy === null ? '' : ` (${failure.writtenBy})`}: format ${failure.dataFormat}, this one reads up to ${failure.appFormat}. Nothing was changed. ${backupSentence(failure.backup)}.`
    case 'database_damaged':
      return `The database in ${dataFolder} is damaged: ${failure.message}. Nothing was deleted. ${backupSentence(failure.backup)}. Run alfred restore: it puts the database together again from there and from the run folders.`
    case 'database_locked':
      return `The database in ${dataFolder} is locked by another program: ${failure.message}`
    case 'disk_full':
      return `The disk is full: ${failure.message}`
    case 'not_writable':
      return `${dataFolder} cannot be used as the data folder: ${failure.message.replace(/\.$/, '')}. Mend that, or name another folder in ALFRED_HOME.`
    case 'owner_silent': {
      const who =
        failure.pid === null ? 'Another process' : `Process ${failure.pid} (${failure.command ?? 'unknown'})`
      return `${who} owns ${dataFolder} and does not answer.`
    }
    case 'engine_lost':
      return `The engine has ended: ${failure.message}`
    case 'unexpected':
      return `The engine could not start: ${failure.message}`
  }
}

const backupSentence = (backup: string | null): string =>
  backup === null ? 'There is no backup' : `The newest backup: ${backup}`
