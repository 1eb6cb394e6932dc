import { execFile } from 'node:child_process'
import { existsSync, renameSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { z } from 'zod'
import type { BackupError, Backups } from '@main/ports/backups'
import { err, ok, type Result } from '@shared/result'
import { backupTime, dailyBackupFile, listBackups, removeOldDailyBackups } from './backups'
import { markSuspect } from './integrity'
import { appFormat } from './migrations'

export interface DailyBackupOptions {
  /** The database. */
  readonly file: string
  readonly resourcesFolder: string
  readonly nativeBinding: string | undefined
}

const answerSchema = z.object({ damage: z.string().nullable() })

/** The daily copies. Damage that is found is also written down for the next start, see integrity. */
export function createDailyBackups({ file, resourcesFolder, nativeBinding }: DailyBackupOptions): Backups {
  const folder = join(dirname(file), 'backups')
  return {
    newestDaily() {
      const newest = existsSync(folder)
        ? listBackups(folder).find((name) => name.endsWith('-daily.db'))
        : undefined
      return newest === undefined ? null : backupTime(newest)
    },
    async makeDaily(now, signal) {
      const target = dailyBackupFile(folder, appFormat, now)
      const copy = `${target}.partial`
      rmSync(copy, { force: true })
      const task = {
        module: createRequire(import.meta.url).resolve('better-sqlite3'),
        binding: nativeBinding ?? null,
        file,
        copy,
      }
      const done = await runCopy(join(resourcesFolder, 'database', 'check-and-copy.cjs'), task, signal)
      if (!done.ok) {
        rmSync(copy, { force: true })
        if (done.error.type === 'database_damaged') markSuspect(file, done.error.message)
        return done
      }
      renameSync(copy, target)
      removeOldDailyBackups(folder)
      return ok(target)
    },
  }
}

function runCopy(script: string, task: object, signal: AbortSignal): Promise<Result<null, BackupError>> {
  const env = { ...process.env, ELECTRON_RUN_AS_NODE: '1' }
  return new Promise((resolve) => {
    execFile(process.execPath, [script, JSON.stringify(task)], { env, signal }, (error, output, problems) => {
      const answer = answerSchema.safeParse(parse(output))
      if (error !== null || !answer.success)
        resolve(err({ type: 'failed', message: lastLine(problems) || (error?.message ?? 'no answer') }))
      else if (answer.data.damage !== null)
        resolve(err({ type: 'database_damaged', message: answer.data.damage }))
      else resolve(ok(null))
    })
  })
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

const lastLine = (text: string): string => text.trim().split('\n').at(-1) ?? ''
