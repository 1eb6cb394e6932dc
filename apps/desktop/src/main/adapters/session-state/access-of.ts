import { constants } from 'node:fs'
import { access, lstat } from 'node:fs/promises'

/**
 * What the user of the runs, whose the folder is, may do with what lies in it. The app may be somebody else, who may do
 * everything.
 */
export async function accessOf(
  folder: string,
  path: string,
): Promise<{ canRead: boolean; canWrite: boolean }> {
  const [owner, stats] = await Promise.all([folder, path].map((one) => lstat(one).catch(() => null)))
  if (!owner || !stats) return { canRead: true, canWrite: true }
  const shift = stats.uid === owner.uid ? 6 : stats.gid === owner.gid ? 3 : 0
  const mayWrite = ((stats.mode >> shift) & constants.W_OK) !== 0
  return {
    canRead: ((stats.mode >> shift) & constants.R_OK) !== 0,
    canWrite: mayWrite && !(await isOnReadOnlyDisk(path)),
  }
}

const isOnReadOnlyDisk = (path: string): Promise<boolean> =>
  access(path, constants.W_OK).then(
    () => false,
    (failure: NodeJS.ErrnoException) => failure.code === 'EROFS',
  )
