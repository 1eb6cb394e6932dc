import { constants } from 'node:fs'
import { copyFile, mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { err, ok, type Result } from '@shared/result'
import { copyUntrustedFile } from '../run-folder/copy-untrusted-file'
import { openPlain } from '../session-import/plain-files'
import { openOnThread, SqlFailure, type ThreadDatabase } from './thread-database'

/*
 * An SQLite database that somebody else wrote. It is never opened itself: most of it may lie in the write-ahead log
 * beside it, which even reading would touch. All happens on a copy, and on a thread of its own.
 */

/** Larger ones are not copied: the copy takes room beside the data for as long as it is looked at. */
export const maxDatabaseBytes = 1_000_000_000

export type CopyProblem =
  | { readonly type: 'too_large'; readonly bytes: number }
  /** It cannot be read, or its copy not be written; `why` is what the system says. */
  | { readonly type: 'not_copied'; readonly why: string }
  /** No database, or a damaged one, or one that changed while it was copied. */
  | { readonly type: 'damaged' }

export interface CopiedDatabase extends Pick<ThreadDatabase, 'ask'> {
  /**
   * Writes the database with its log in it, page for page, so that the same log beside it would say nothing new, and
   * tells where. null: it has no log.
   */
  writeWithLog(target: string): Promise<string | null>
  /** Ends the thread and removes the copy. */
  close(): Promise<void>
}

/** `work` is a folder for the copy alone. A log that is no plain file counts as none. */
export async function openCopyOf(
  file: string,
  work: string,
  nativeBinding: string | undefined,
): Promise<Result<CopiedDatabase, CopyProblem>> {
  const size = await sizeOf(file)
  if (size === null) return err({ type: 'not_copied', why: 'it cannot be opened' })
  const logSize = await sizeOf(`${file}-wal`)
  const bytes = size + (logSize ?? 0)
  if (bytes > maxDatabaseBytes) return err({ type: 'too_large', bytes })
  const discard = (): Promise<void> => rm(work, { recursive: true, force: true })
  const copy = join(work, 'copy.db')
  try {
    await mkdir(work, { recursive: true, mode: 0o700 })
    for (const end of logSize === null ? [''] : ['', '-wal']) {
      const copied = await copyUntrustedFile(`${file}${end}`, `${copy}${end}`, maxDatabaseBytes)
      if (copied.ok) continue
      await discard()
      return err({ type: 'not_copied', why: copied.error.message })
    }
  } catch (failure) {
    // Where not even the folder could be made there is nothing to remove.
    await discard().catch(() => undefined)
    return err({ type: 'not_copied', why: (failure as NodeJS.ErrnoException).code ?? String(failure) })
  }
  const db = openOnThread(copy, nativeBinding)
  const close = async (): Promise<void> => {
    await db.end()
    await discard()
  }
  const problem = await problemOf(db)
  const writeWithLog = async (target: string): Promise<string | null> => {
    if (logSize === null || logSize === 0) return null
    await db.ask('PRAGMA wal_checkpoint(TRUNCATE)')
    await copyFile(copy, target, constants.COPYFILE_FICLONE)
    return target
  }
  if (problem === null) return ok({ ask: (sql, ...values) => db.ask(sql, ...values), writeWithLog, close })
  await close()
  return err(problem)
}

async function sizeOf(path: string): Promise<number | null> {
  const file = await openPlain(path)
  if (file === null) return null
  await file.handle.close()
  return file.bytes
}

/** null: it is whole. */
async function problemOf(db: ThreadDatabase): Promise<CopyProblem | null> {
  try {
    for (const pragma of ['trusted_schema = OFF', 'cell_size_check = ON', 'foreign_keys = OFF'])
      await db.ask(`PRAGMA ${pragma}`)
    const [first] = await db.ask('PRAGMA integrity_check(1)')
    return first?.['integrity_check'] === 'ok' ? null : { type: 'damaged' }
  } catch (failure) {
    const code = failure instanceof SqlFailure ? failure.code : null
    // Memory or room that ran out, say, tells nothing of the database.
    if (code !== null && /^SQLITE_(?:CORRUPT|NOTADB)/.test(code)) return { type: 'damaged' }
    return { type: 'not_copied', why: code ?? String(failure) }
  }
}
