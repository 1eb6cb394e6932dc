import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'

/** Where git keeps its locks: no ref's name may end like one. */
const isLock = (name: string): boolean => name.endsWith('.lock')

/**
 * Removes locks that git processes left in a repository of the app when they were killed, with the engine or by a loss
 * of power: each would refuse every later change. Only for an engine that has just become the owner of the data.
 */
export function removeStaleLocks(gitDir: string): void {
  const inRefs = list(join(gitDir, 'refs'), true).map((name) => join('refs', name))
  for (const name of [...list(gitDir, false), ...inRefs])
    if (isLock(name)) rmSync(join(gitDir, name), { force: true })
}

/** Nothing where there is no repository yet. */
function list(folder: string, recursive: boolean): readonly string[] {
  try {
    return readdirSync(folder, { recursive, encoding: 'utf8' })
  } catch {
    return []
  }
}
