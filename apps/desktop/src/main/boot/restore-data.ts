import { join } from 'node:path'
import type { RestoreReport } from '@shared/contract/restore'
import type { StartFailure } from '@shared/contract/shell-bridge'
import { err, ok, type Result } from '@shared/result'
import { openDatabase } from '../adapters/db/open-database'
import { restoreDatabase } from '../adapters/db/restore/restore-database'
import { restoreLocalIssues } from '../adapters/forge/local/restore-issues'
import { readRunRecords } from '../adapters/run-folder/read-run-records'
import { createSystemClock } from '../adapters/system/system-clock'
import type { EngineOptions } from './engine-options'
import { own, toStartFailure } from './open-data'

export type RestoreOptions = Pick<
  EngineOptions,
  'dataFolder' | 'kind' | 'version' | 'command' | 'nativeBinding' | 'clock'
>

/**
 * Restores a damaged database from its newest whole backup and the run folders. Value null: the database is whole,
 * and nothing was done. Error: it is in use, of a newer app, locked, or there is no room for the new one.
 */
export async function restoreData(
  options: RestoreOptions,
): Promise<Result<RestoreReport | null, StartFailure>> {
  const { dataFolder, nativeBinding, version } = options
  const file = join(dataFolder, 'alfred.db')
  const now = (options.clock ?? createSystemClock()).now()
  const owned = await own(options, now)
  if (!owned.ok) return err(toStartFailure(owned.error, file))
  try {
    const opened = openDatabase(file, { appVersion: version, now, nativeBinding })
    if (opened.ok) {
      opened.value.db.close()
      return ok(null)
    }
    if (opened.error.type !== 'database_damaged') return err(toStartFailure(opened.error, file))
    const { records, refused } = await readRunRecords(join(dataFolder, 'runs'))
    const restored = restoreDatabase({
      file,
      records,
      nativeBinding,
      complete: (db) => restoreLocalIssues(db, now),
    })
    if (!restored.ok) return err(toStartFailure(restored.error, file))
    return ok({ ...restored.value, refused: [...refused, ...restored.value.refused] })
  } finally {
    owned.value.release()
  }
}
