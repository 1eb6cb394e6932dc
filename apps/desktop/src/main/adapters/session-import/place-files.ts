import { chownSync, lstatSync, mkdirSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import type { SandboxUser } from '@main/core/sandbox/sandbox-user'

/**
 * Moves staged files (paths with `/`) into a state folder. An agent wrote there before: on the way down nothing but
 * folders is walked through; else a sentence says what is in the way. A file that is replaced is kept beside: it may be
 * a memory that runs added to since it was copied here. No container may be running.
 */
export function placeFiles(
  staged: string,
  stateFolder: string,
  paths: readonly string[],
  user: SandboxUser,
): string | null {
  for (const path of paths) {
    const parts = path.split('/')
    let folder = stateFolder
    for (const part of ['', ...parts.slice(0, -1)]) {
      folder = join(folder, part)
      makeFolder(folder, user)
      if (lstatSync(folder).isDirectory()) continue
      return `In the session state ${folder} is no folder, and is left alone.`
    }
    const target = join(stateFolder, ...parts)
    const there = lstatSync(target, { throwIfNoEntry: false })
    if (there !== undefined && !there.isFile())
      return `In the session state ${target} is no plain file, and is left alone.`
    if (there !== undefined) renameSync(target, placeBeside(target))
    renameSync(join(staged, ...parts), target)
  }
  return null
}

function placeBeside(target: string): string {
  for (let number = 1; ; number += 1) {
    const beside = `${target}.replaced-${number}`
    if (lstatSync(beside, { throwIfNoEntry: false }) === undefined) return beside
  }
}

function makeFolder(folder: string, user: SandboxUser): void {
  if (lstatSync(folder, { throwIfNoEntry: false }) !== undefined) return
  mkdirSync(folder, { mode: 0o700 })
  give(folder, user)
}

/** Only root can give something away; otherwise it is the user's own already. The path is one that was just made. */
export function give(path: string, { uid, gid }: SandboxUser): void {
  if (process.getuid?.() === 0) chownSync(path, uid, gid)
}
