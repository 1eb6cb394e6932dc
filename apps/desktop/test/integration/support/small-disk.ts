import { execFileSync } from 'node:child_process'
import { closeSync, mkdirSync, openSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import type { TestContext } from 'vitest'

/*
 * A real file system that is small enough to be filled: a tmpfs, which only root can mount.
 */

export interface SmallDisk {
  /** Takes all the room there is. */
  fill(): void
  /** Gives it back. */
  free(): void
  unmount(): void
}

const ballast = '.ballast'

/** Mounts it at `folder`, which is made. */
export function mountSmallDisk(folder: string, megabytes: number): SmallDisk {
  mkdirSync(folder, { recursive: true })
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m,mode=755`, 'alfred-test', folder])
  const file = join(folder, ballast)
  return {
    fill() {
      const zeros = Buffer.alloc(65_536)
      const handle = openSync(file, 'a')
      try {
        for (let bytes = zeros.length; bytes > 0;) {
          try {
            writeSync(handle, zeros, 0, bytes)
          } catch (error) {
            if (!(error instanceof Error && 'code' in error && error.code === 'ENOSPC')) throw error
            bytes = Math.floor(bytes / 2)
          }
        }
      } finally {
        closeSync(handle)
      }
    },
    free: () => rmSync(file, { force: true }),
    unmount: () => void execFileSync('umount', ['--lazy', folder]),
  }
}

/** Without root there is nothing to mount: a developer's machine skips and says why, CI must have it. */
export function needsRoot(context: TestContext): void {
  if (process.getuid?.() === 0) return
  if (process.env['CI'] !== undefined)
    throw new Error('this test must run as root, to mount a small file system')
  context.skip('only root can mount the small file system that is filled here')
}
