import { constants, type BigIntStats } from 'node:fs'
import { lstat, mkdir, open, rename, rm, type FileHandle } from 'node:fs/promises'
import { dirname } from 'node:path'
import { charactersOver, secretReach } from '@main/core/redact/safe-cut'
import type { LogPage, RunLogs } from '@main/ports/run-logs'

/** Read at a time. */
const chunkBytes = 1_000_000

export function createRunLogs(): RunLogs {
  return {
    async redact(raw, target, redact) {
      const source = await openPlain(raw)
      if (source === null) return
      try {
        await mkdir(dirname(target), { recursive: true, mode: 0o700 })
        await writeRedacted(source, `${target}.new`, redact)
        await rename(`${target}.new`, target)
      } finally {
        await source.close()
      }
      await rm(raw, { force: true })
    },
    remove: (path) => rm(path, { recursive: true, force: true, maxRetries: 3 }),
    async read(path, offset, limit) {
      const file = await openPlain(path)
      if (file === null) return null
      try {
        return await readPage(file, offset, limit)
      } finally {
        await file.close()
      }
    },
    async readText(path, maxBytes) {
      const file = await openPlain(path)
      if (file === null) return null
      try {
        return (await readPage(file, 0, maxBytes)).text
      } finally {
        await file.close()
      }
    },
    sizeOf: async (path) => {
      const stats = await lstat(path, { bigint: true }).catch((): BigIntStats | null => null)
      return stats?.isFile() === true ? Number(stats.size) : null
    },
  }
}

async function openPlain(path: string): Promise<FileHandle | null> {
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK).catch(
    () => null,
  )
  if (file === null) return null
  if ((await file.stat()).isFile()) return file
  await file.close()
  return null
}

async function writeRedacted(
  source: FileHandle,
  target: string,
  redact: (text: string) => string,
): Promise<void> {
  const copy = await open(target, 'w', 0o600)
  try {
    const decoder = new TextDecoder('utf-8', { fatal: false, ignoreBOM: true })
    const chunk = Buffer.allocUnsafe(chunkBytes)
    let held = ''
    for (let at = 0; ;) {
      const { bytesRead } = await source.read(chunk, 0, chunk.length, at)
      at += bytesRead
      held += decoder.decode(chunk.subarray(0, bytesRead), { stream: bytesRead > 0 })
      const cut = bytesRead === 0 ? held.length : endOfWhole(held, redact)
      if (cut > 0) await copy.writeFile(redact(held.slice(0, cut)))
      held = held.slice(cut)
      if (bytesRead === 0) return
    }
  } finally {
    await copy.close()
  }
}

/** How much can be redacted by itself: no secret that lies there goes on in what is not read yet. */
function endOfWhole(held: string, redact: (text: string) => string): number {
  const edge = Math.max(0, held.length - secretReach)
  const before = held.slice(Math.max(0, edge - secretReach), edge)
  return edge - charactersOver(before, held.slice(edge), redact)
}

async function readPage(file: FileHandle, offset: number, limit: number): Promise<LogPage> {
  const { size } = await file.stat()
  const wanted = Math.max(0, Math.min(limit, size - offset))
  const { buffer, bytesRead } = await file.read({ buffer: Buffer.alloc(wanted), position: offset })
  const whole = buffer.subarray(0, endOfCharacters(buffer.subarray(0, bytesRead)))
  return {
    text: new TextDecoder('utf-8', { fatal: false, ignoreBOM: true }).decode(whole),
    offset,
    totalBytes: size,
  }
}

/** Leaves the bytes of a character that is cut at the end to the next page; bytes that are no UTF-8 stay. */
function endOfCharacters(bytes: Uint8Array): number {
  for (let back = 1; back <= Math.min(3, bytes.length - 1); back += 1) {
    const byte = bytes[bytes.length - back] ?? 0
    if (byte < 0x80) return bytes.length
    if (byte >= 0xc0)
      return (byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2) > back ? bytes.length - back : bytes.length
  }
  return bytes.length
}
