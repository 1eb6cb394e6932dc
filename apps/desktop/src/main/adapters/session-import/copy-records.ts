import { open } from 'node:fs/promises'
import type { HandMadeLayout, Rekeying } from '@main/ports/hand-made-sessions'
import type { PlainFile } from './plain-files'
import { parseRecord } from './read-records'

/** Written at once; a file is copied in such steps, so that other work gets its turn. */
const chunkBytes = 1_000_000

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
  let chunkSize = 0
  const flush = async (): Promise<void> => {
    const { bytesWritten } = await copy.write(Buffer.from(chunk.join(''), 'utf8'))
    counts.bytes += bytesWritten
    chunk = []
    chunkSize = 0
  }
  try {
    for (const line of isOneRecord ? [content.toString('utf8')] : linesOf(content)) {
      if (line.trim() === '') continue
      const record = parseRecord(line)
      if (record === null) {
        counts.leftOut += 1
        continue
      }
      const now = layout.rekey(record, change)
      if (now === null) continue
      if (layout.isEssential(record)) counts.essential += 1
      const text = `${now === record ? line : JSON.stringify(now)}\n`
      chunk.push(text)
      chunkSize += text.length
      if (chunkSize >= chunkBytes) await flush()
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
  const buffer = Buffer.alloc(bytes)
  let filled = 0
  while (filled < bytes) {
    const { bytesRead } = await handle.read(buffer, filled, bytes - filled, filled)
    if (bytesRead === 0) break
    filled += bytesRead
  }
  return buffer.subarray(0, filled)
}

function* linesOf(content: Buffer): Generator<string> {
  let start = 0
  while (start < content.length) {
    const end = content.indexOf(0x0a, start)
    const stop = end === -1 ? content.length : end
    yield content.toString('utf8', start, stop)
    start = stop + 1
  }
}
