import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { runRecordSchema, type RunRecord } from '@main/core/restore/run-record'
import { runUidSchema } from '@shared/model/ids'
import { openUntrustedFile } from './copy-untrusted-file'

export interface FoundRecords {
  /** Oldest run first. */
  readonly records: readonly RunRecord[]
  /** Folders whose `run.json` cannot be used, with the reason in words. */
  readonly refused: readonly { readonly folder: string; readonly reason: string }[]
}

const maxBytes = 10_000_000

/**
 * Reads `run.json` of every run folder. Only that file, which is never mounted: what lies in `in/` and `out/` is
 * not looked at. A folder without one is a run that never began to work, and is left out without a word.
 */
export async function readRunRecords(runsFolder: string): Promise<FoundRecords> {
  const names = await readdir(runsFolder).catch((): string[] => [])
  const records: RunRecord[] = []
  const refused: { folder: string; reason: string }[] = []
  for (const name of names.toSorted()) {
    if (!runUidSchema.safeParse(name).success) continue
    const folder = join(runsFolder, name)
    const read = await readRecord(join(folder, 'run.json'))
    if (typeof read === 'string') refused.push({ folder, reason: read })
    else if (read !== null && read.run.uid !== name)
      refused.push({ folder, reason: 'it is about another run' })
    else if (read !== null) records.push(read)
  }
  return {
    records: records.toSorted((a, b) => a.run.createdAt - b.run.createdAt || a.run.id - b.run.id),
    refused,
  }
}

/** null: there is none; a text: why it cannot be used. */
async function readRecord(path: string): Promise<RunRecord | string | null> {
  const opened = await openUntrustedFile(path, maxBytes)
  if (!opened.ok) return opened.error.type === 'missing' ? null : opened.error.message
  try {
    const parsed = runRecordSchema.safeParse(JSON.parse(await opened.value.readFile('utf8')))
    if (parsed.success) return parsed.data
    const [issue] = parsed.error.issues
    return `${issue?.path.join('.') || 'run.json'}: ${issue?.message ?? 'is not as it should be'}`
  } catch (error) {
    return `run.json cannot be read: ${error instanceof Error ? error.message : String(error)}`
  } finally {
    await opened.value.close()
  }
}
