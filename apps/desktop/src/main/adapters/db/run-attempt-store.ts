import type { Database } from 'better-sqlite3'
import type { RunAttempt } from '@shared/model/records'
import type { RunStore } from '@main/ports/stores'
import { createRowPatcher } from './patch-row'
import { existing, fromJson, selectList, toJson } from './row-values'

export const attemptColumns = {
  id: 'id',
  runId: 'run_id',
  number: 'number',
  imageDigest: 'image_digest',
  outcome: 'outcome',
  startedAt: 'started_at',
  endedAt: 'ended_at',
} satisfies Record<keyof RunAttempt, string>

const columns = selectList(attemptColumns)

/** The part of the run store that writes `run_attempts`. */
export type RunAttemptStore = Pick<
  RunStore,
  'addAttempt' | 'updateAttempt' | 'setSandbox' | 'sandboxOf' | 'listAttempts'
>

/** Writes `run_attempts`. */
export function createRunAttemptStore(db: Database): RunAttemptStore {
  const add = db.prepare<[number, number, number], RunAttempt>(
    `INSERT INTO run_attempts (run_id, number, started_at)
     VALUES (?, 1 + coalesce((SELECT max(number) FROM run_attempts WHERE run_id = ?), 0), ?) RETURNING ${columns}`,
  )
  const list = db.prepare<[number], RunAttempt>(
    `SELECT ${columns} FROM run_attempts WHERE run_id = ? ORDER BY number`,
  )
  const setSandbox = db.prepare<[string, number]>('UPDATE run_attempts SET sandbox = ? WHERE id = ?')
  const sandboxOf = db.prepare<[number], { sandbox: string | null }>(
    'SELECT sandbox FROM run_attempts WHERE id = ?',
  )
  const patchRow = createRowPatcher<Parameters<RunStore['updateAttempt']>[1]>(
    db,
    'run_attempts',
    attemptColumns,
  )

  return {
    addAttempt: (runId, at) => existing(add.get(runId, runId, at), 'attempt of run', runId),
    updateAttempt: patchRow,
    setSandbox: (id, sandbox) => {
      setSandbox.run(toJson(sandbox), id)
    },
    sandboxOf: (id) => {
      const { sandbox } = existing(sandboxOf.get(id), 'attempt', id)
      return sandbox === null ? null : fromJson(sandbox)
    },
    listAttempts: (runId) => list.all(runId),
  }
}
