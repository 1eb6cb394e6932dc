import Database from 'better-sqlite3'
import { readFile, readdir, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { findNativeBinding } from '@main/adapters/db/native-binding'

/*
 * A state that nobody touched for a long time, as a CLI's own clean-up would find it: by the time of its files and by
 * the times that stand in them.
 */

const dayMs = 24 * 3_600_000
const time = /\b20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d/g

export async function ageState(folder: string, days: number): Promise<void> {
  const then = (Date.now() - days * dayMs) / 1000
  const entries = await readdir(folder, { withFileTypes: true, recursive: true })
  for (const entry of entries) {
    const path = join(entry.parentPath, entry.name)
    if (entry.isFile() && entry.name.endsWith('.db')) ageDatabase(path, days)
    else if (entry.isFile() && /\.(jsonl?|ya?ml)$/.test(entry.name)) await ageText(path, days)
  }
  // Last, since writing in a folder is what makes it new.
  for (const entry of entries) {
    await utimes(join(entry.parentPath, entry.name), then, then).catch((error: unknown) => {
      // The log of a database is gone once it is closed.
      if (!/-(wal|shm)$/.test(entry.name)) throw error
    })
  }
}

async function ageText(file: string, days: number): Promise<void> {
  const text = await readFile(file, 'utf8')
  const aged = text.replaceAll(time, (found) =>
    new Date(Date.parse(`${found}Z`) - days * dayMs).toISOString().slice(0, 19),
  )
  if (aged !== text) await writeFile(file, aged)
}

/** Every column that tells a time in milliseconds, in every table. */
function ageDatabase(file: string, days: number): void {
  const nativeBinding = findNativeBinding(process.env, undefined)
  const db = new Database(file, nativeBinding === undefined ? {} : { nativeBinding })
  try {
    const columns = db
      .prepare<[], { tableName: string; columnName: string }>(
        `SELECT m.name AS tableName, c.name AS columnName FROM sqlite_schema AS m, pragma_table_info(m.name) AS c
         WHERE m.type = 'table' AND c.name LIKE 'time\\_%' ESCAPE '\\' AND c.type LIKE 'INT%'`,
      )
      .all()
    for (const { tableName, columnName } of columns)
      db.prepare(`UPDATE "${tableName}" SET "${columnName}" = "${columnName}" - ?`).run(days * dayMs)
    if (columns.length === 0) throw new Error(`${file} tells no time that could be made older`)
  } finally {
    db.close()
  }
}
