import { join } from 'node:path'
import Database from 'better-sqlite3'
import { findNativeBinding } from '@main/adapters/db/native-binding'

/**
 * The database of a data folder, opened by the SQLite that the engine uses: locks of two of them in one process do not
 * see each other.
 */
export const openEngineDatabase = (dataFolder: string, options: Database.Options = {}): Database.Database =>
  openDatabaseFile(join(dataFolder, 'alfred.db'), options)

export function openDatabaseFile(file: string, options: Database.Options = {}): Database.Database {
  const nativeBinding = findNativeBinding(process.env, undefined)
  return new Database(file, { ...options, ...(nativeBinding === undefined ? {} : { nativeBinding }) })
}
