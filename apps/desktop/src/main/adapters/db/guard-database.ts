import type { Database, Statement } from 'better-sqlite3'
import { StorageError } from '@main/ports/storage-failure'
import { toDatabaseFailure } from './database-errors'

type AnyFunction = (...args: unknown[]) => unknown

/**
 * Makes every statement and transaction of this database throw a StorageError for what a disk or a damaged file can
 * do, and tells `onFailure` each time. Everything else is thrown on as it is. Call it before statements are prepared.
 */
export function guardDatabase(db: Database, onFailure: (failure: StorageError) => void): void {
  const translate = (error: unknown): unknown => {
    if (error instanceof StorageError) return error
    const failure = toDatabaseFailure(error, db.name)
    if (failure === null) return error
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown'
    const translated = new StorageError(failure.type, failure.message, code, error)
    onFailure(translated)
    return translated
  }
  const guarded =
    (work: AnyFunction): AnyFunction =>
    (...args) => {
      try {
        return work(...args)
      } catch (error) {
        throw translate(error)
      }
    }
  const guardAll = (target: object, names: readonly string[]): void => {
    const methods = target as Record<string, AnyFunction>
    for (const name of names) {
      const method = methods[name]
      if (method !== undefined) methods[name] = guarded(method.bind(target))
    }
  }

  const prepare = db.prepare.bind(db)
  db.prepare = ((sql: string) => {
    const statement: Statement = guarded(() => prepare(sql))() as Statement
    guardAll(statement, ['run', 'get', 'all'])
    return statement
  }) as typeof db.prepare
  guardAll(db, ['exec', 'pragma'])
  const transaction = db.transaction.bind(db)
  db.transaction = ((step: AnyFunction) => {
    const made = transaction(step)
    const variants = ['deferred', 'immediate', 'exclusive'] as const
    return Object.assign(
      guarded(made as AnyFunction),
      Object.fromEntries(variants.map((name) => [name, guarded(made[name])])),
    )
  }) as unknown as typeof db.transaction
}
