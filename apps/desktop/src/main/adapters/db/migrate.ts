import type { Database } from 'better-sqlite3'
import type { Migration } from './migrations'

/** The format of the data: how many migrations it went through. 0 for an empty file. */
export function readFormat(db: Database): number {
  return db.pragma('user_version', { simple: true }) as number
}

/**
 * Brings the database to the last of `steps`, one transaction for each. A failed step leaves the format before it.
 * Throws what SQLite throws, and when a step breaks a foreign key.
 */
export function migrate(db: Database, steps: readonly Migration[]): void {
  const pending = steps.filter((step) => step.format > readFormat(db))
  if (pending.length === 0) return
  // A rebuilt table would cascade its deletes; and this pragma does nothing inside a transaction.
  db.pragma('foreign_keys = OFF')
  try {
    for (const step of pending) applyStep(db, step)
  } finally {
    db.pragma('foreign_keys = ON')
  }
}

function applyStep(db: Database, step: Migration): void {
  db.transaction(() => {
    if (step.format !== readFormat(db) + 1)
      throw new Error(`migration ${step.format} does not follow ${readFormat(db)}`)
    db.exec(step.sql)
    const broken = db.pragma('foreign_key_check') as readonly unknown[]
    if (broken.length > 0) throw new Error(`migration ${step.format} breaks ${broken.length} foreign keys`)
    db.pragma(`user_version = ${step.format}`)
  }).immediate()
}
