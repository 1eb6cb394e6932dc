import { open } from 'node:fs/promises'
import type { HandMadeLayout, Rekeying, StageError } from '@main/ports/hand-made-sessions'
import { formatBytes } from '@shared/format'
import type { PlainFile } from './plain-files'
import { parseRecord } from './read-records'

/** The largest session that is copied; a CLI needs far more memory than that to go on with one. */
export const maxSessionBytes = 100_000_000

/** Of a session that is larger. */
export const tooLarge = (bytes: number): StageError => ({
  type: 'too_large',
  message: `The session has ${formatBytes(bytes)}; at most ${formatBytes(maxSessionBytes)} are copied.`,
})

/** Read and written at once; a file is copied in such steps, so that other work gets its turn. */
const chunkBytes = 1_000_000

/** A longer record is left out: no CLI writes one, and reading it would take all turns of everybody else. */
const maxRecordBytes = 16_000_000

export interface CopiedFile {
  readonly bytes: number
  readonly essential: number
  readonly leftOut: number
}

/**
 * Copies a file of JSON record by record, each re-keyed; the text of one in which nothing changes stays as it is. What
 * cannot be read is left out: some CLIs would refuse the whole session for it.
 */
export async function copyRecords(
  file: PlainFile,
  target: string,
  isOneRecord: boolean,
  layout: HandMadeLayout,
  change: Rekeying,
): Promise<CopiedFile> {
  const content = await wholeFile(file)
  const copy = await open(target, 'wx', 0o600)
  const counts = { bytes: 0, essential: 0, leftOut: 0 }
  let chunk: string[] = []
  let taken = 0
  const flush = async (): Promise<void> => {
    const { bytesWritten } = await copy.write(Buffer.from(chunk.join(''), 'utf8'))
    counts.bytes += bytesWritten
    chunk = []
    taken = 0
  }
  try {
    for (const line of isOneRecord ? [textOf(content)] : linesOf(content)) {
      taken += line?.length ?? maxRecordBytes
      if (taken >= chunkBytes) await flush()
      if (line?.trim() === '') continue
      const record = line === null ? null : parseRecord(line)
      if (line === null || record === null) {
        counts.leftOut += 1
        continue
      }
      const now = layout.rekey(record, change)
      if (now === null) continue
      if (layout.isEssential(record)) counts.essential += 1
      chunk.push(`${now === record ? line : JSON.stringify(now)}\n`)
    }
    await flush()
    await copy.sync()
    return counts
  } finally {
    await copy.close()
  }
}

/** As long as it was when it was opened: what a CLI that still works appends meanwhile is not waited for. */
async function wholeFile({ handle, bytes }: PlainFile): Promise<Buffer> {
  const buffer = Buffer.allocUnsafe(bytes)
  let filled = 0
  while (filled < bytes) {
    const { bytesRead } = await handle.read(buffer, filled, bytes - filled, filled)
    if (bytesRead === 0) break
    filled += bytesRead
  }
  return buffer.subarray(0, filled)
}

function* linesOf(content: Buffer): Generator<string | null> {
  let start = 0
  while (start < content.length) {
    const end = content.indexOf(0x0a, start)
    const stop = end === -1 ? content.length : end
    yield textOf(content.subarray(start, stop))
    start = stop + 1
  }
}

/** null: longer than any record. */
const textOf = (bytes: Buffer): string | null =>
  bytes.length > maxRecordBytes ? null : bytes.toString('utf8')
