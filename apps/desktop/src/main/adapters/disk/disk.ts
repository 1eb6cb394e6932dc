import { lstat, opendir, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import type { Disk, FolderSize } from '@main/ports/disk'

/** A clone with its dependencies has some hundred thousand files; more than this is not worth counting. */
const maxEntries = 2_000_000

/** How many files are asked for at once: the pool of the runtime has four threads, which others use too. */
const batchSize = 64

export function createDisk(): Disk {
  return {
    freeBytes: async (path) => {
      try {
        const { bavail, bsize } = await statfs(path)
        return bavail * bsize
      } catch {
        return null
      }
    },
    sizeOf: measure,
  }
}

async function measure(folder: string, maxBytes: number, signal?: AbortSignal): Promise<FolderSize> {
  const waiting = [folder]
  const seen = new Set<string>()
  let bytes = 0
  let files = 0
  let isComplete = true
  for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
    const names = await namesIn(at)
    if (names === null) {
      isComplete = at === folder
      continue
    }
    for (let from = 0; from < names.length; from += batchSize) {
      const entries = await Promise.all(
        names.slice(from, from + batchSize).map((name) => look(join(at, name))),
      )
      for (const entry of entries) {
        if (entry === null || (entry.links > 1 && !entry.isFolder && !addNew(seen, entry.id))) continue
        bytes += entry.bytes
        files += 1
        if (entry.isFolder) waiting.push(entry.path)
      }
      if (bytes > maxBytes || files > maxEntries || signal?.aborted === true)
        return { bytes, files, isComplete: false }
    }
  }
  return { bytes, files, isComplete }
}

async function namesIn(folder: string): Promise<readonly string[] | null> {
  try {
    const names: string[] = []
    for await (const entry of await opendir(folder)) {
      names.push(entry.name)
      if (names.length > maxEntries) break
    }
    return names
  } catch {
    return null
  }
}

interface Entry {
  readonly path: string
  readonly id: string
  readonly isFolder: boolean
  readonly links: number
  readonly bytes: number
}

/** lstat only: a link counts as itself, so nothing outside is ever reached. null when it has gone meanwhile. */
async function look(path: string): Promise<Entry | null> {
  try {
    const { dev, ino, nlink, blocks, size, ...stats } = await lstat(path)
    const isFolder = (stats.mode & 0o170000) === 0o040000
    return {
      path,
      id: `${dev}:${ino}`,
      isFolder,
      links: nlink,
      bytes: Number.isFinite(blocks) ? blocks * 512 : size,
    }
  } catch {
    return null
  }
}

function addNew(seen: Set<string>, id: string): boolean {
  if (seen.has(id)) return false
  seen.add(id)
  return true
}
