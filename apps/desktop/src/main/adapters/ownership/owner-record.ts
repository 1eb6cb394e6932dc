import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { writeFileAtomically } from '../system/write-file'

export const ownerKindSchema = z.enum(['desktop', 'headless'])
export type OwnerKind = z.infer<typeof ownerKindSchema>

const ownerRecordSchema = z.object({
  pid: z.number().int().positive(),
  kind: ownerKindSchema,
  /** As it was typed, so that a person can find it: `alfred watch`. */
  command: z.string(),
  appVersion: z.string(),
  /** Epoch milliseconds. */
  startedAt: z.number(),
})
export type OwnerRecord = z.infer<typeof ownerRecordSchema>

const recordFile = (dataFolder: string): string => join(dataFolder, 'engine.owner.json')

/** Says who owns the data folder; for people and messages only, the lock alone decides. */
export function writeOwnerRecord(dataFolder: string, owner: OwnerRecord): void {
  writeFileAtomically(recordFile(dataFolder), `${JSON.stringify(owner)}\n`, { isShortLived: true })
}

/** Who the owner says it is; null where it has not said so (yet). May be left over from a killed owner. */
export function readOwnerRecord(dataFolder: string): OwnerRecord | null {
  try {
    return ownerRecordSchema.parse(JSON.parse(readFileSync(recordFile(dataFolder), 'utf8')))
  } catch {
    return null
  }
}

export function removeOwnerRecord(dataFolder: string): void {
  rmSync(recordFile(dataFolder), { force: true })
}
