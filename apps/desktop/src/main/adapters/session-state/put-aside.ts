import { randomUUID } from 'node:crypto'
import { lstat, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { formatBytes } from '@shared/format'
import type { PutAside } from '@main/ports/session-state'
import { openCopyOf } from '../db/copied-database'
import { accessOf } from './access-of'

/*
 * A state that a CLI says it cannot read. What a CLI says is no proof: a look at the file is.
 */

/** Where databases are copied to before they are looked at. */
export interface DatabaseCopies {
  readonly stagingFolder: string
  readonly nativeBinding: string | undefined
}

export async function putAside(copies: DatabaseCopies, folder: string, file: string): Promise<PutAside> {
  const stats = await lstat(folder).catch(() => null)
  if (stats === null) return { type: 'not_there' }
  if (!stats.isDirectory()) return { type: 'not_looked_at', why: 'it is no folder' }
  const look = await lookAt(copies, folder, file)
  return look === 'unreadable' ? renamed(folder) : look
}

async function lookAt(
  { stagingFolder, nativeBinding }: DatabaseCopies,
  folder: string,
  file: string,
): Promise<'unreadable' | PutAside> {
  const path = join(folder, file)
  if ((await lstat(path).catch(() => null)) === null) return 'unreadable'
  // What lies beside it can keep it from being opened, too.
  for (const one of [path, `${path}-wal`, `${path}-shm`]) {
    const there = await lstat(one).catch(() => null)
    if (there !== null && !(there.isFile() && (await accessOf(folder, one)).canRead)) return 'unreadable'
  }
  const copy = await openCopyOf(path, join(stagingFolder, randomUUID()), nativeBinding)
  if (copy.ok) {
    await copy.value.close()
    return { type: 'whole' }
  }
  switch (copy.error.type) {
    case 'damaged':
      return 'unreadable'
    case 'too_large':
      return { type: 'not_looked_at', why: `it has ${formatBytes(copy.error.bytes)}` }
    case 'not_copied':
      return { type: 'not_looked_at', why: copy.error.why }
  }
}

async function renamed(folder: string): Promise<PutAside> {
  for (let number = 1; ; number += 1) {
    try {
      await rename(folder, `${folder}.unusable-${number}`)
      return { type: 'put_aside' }
    } catch (failure) {
      const { code } = failure as NodeJS.ErrnoException
      if (code === 'ENOENT') return { type: 'not_there' }
      if (code !== 'ENOTEMPTY' && code !== 'EEXIST')
        return { type: 'not_renamed', why: code ?? String(failure) }
    }
  }
}
