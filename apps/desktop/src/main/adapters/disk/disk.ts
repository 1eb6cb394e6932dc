import { lstat, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import type { Disk, FolderSize } from '@main/ports/disk'
import { fileId, inFolder, type HeldFolder } from './held-folder'

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

/** `id` is what the folder was seen to be; null: it is the first one. */
interface Waiting {
  readonly path: string
  readonly id: string | null
}

async function measure(folder: string, maxBytes: number, signal?: AbortSignal): Promise<FolderSize> {
  const waiting: Waiting[] = [{ path: folder, id: null }]
  const seen = new Set<string>()
  const size = { bytes: 0, files: 0, isComplete: true }
  const isEnough = (): boolean => size.bytes > maxBytes || size.files > maxEntries || signal?.aborted === true
  for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
    const { path, id } = at
    const wasRead = await inFolder(path, async (held) => {
      // A link on the way may lead elsewhere by now: only the folder that was seen is counted.
      const names = id === null || held.id === id ? await held.names(maxEntries) : null
      if (names === null) return false
      for (let from = 0; from < names.length && !isEnough(); from += batchSize) {
        const batch = names.slice(from, from + batchSize)
        for (const entry of await Promise.all(batch.map((name) => look(held, name)))) {
          if (entry === null || (entry.links > 1 && !entry.isFolder && !addNew(seen, entry.id))) continue
          size.bytes += entry.bytes
          size.files += 1
          if (entry.isFolder) waiting.push({ path: join(path, entry.name), id: entry.id })
        }
      }
      return true
    })
    if (isEnough()) return { ...size, isComplete: false }
    // Without the first one there is nothing to count.
    if (wasRead !== true) size.isComplete = path === folder
  }
  return size
}

interface Entry {
  readonly name: string
  readonly id: string
  readonly isFolder: boolean
  readonly links: number
  readonly bytes: number
}

/** lstat only: a link counts as itself, so nothing outside is ever reached. null when it has gone meanwhile. */
async function look(held: HeldFolder, name: string): Promise<Entry | null> {
  try {
    const { nlink, blocks, size, mode, ...stats } = await lstat(held.at(name))
    return {
      name,
      id: fileId(stats),
      isFolder: (mode & 0o170000) === 0o040000,
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
