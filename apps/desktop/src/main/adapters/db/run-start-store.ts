import type { Database } from 'better-sqlite3'
import type { RunStart, StreamPosition } from '@shared/model/records'
import type { RunStore } from '@main/ports/stores'
import { createRowPatcher } from './patch-row'
import { existing } from './row-values'

type StartRow = Omit<RunStart, 'stdout' | 'stderr'> & {
  readonly stdoutDevice: string | null
  readonly stdoutInode: string | null
  readonly stdoutOffset: number | null
  readonly stderrDevice: string | null
  readonly stderrInode: string | null
  readonly stderrOffset: number | null
}

const columns = `id, attempt_id AS attemptId, number, kind, asked_session_id AS askedSessionId, container_id AS containerId,
  stdout_device AS stdoutDevice, stdout_inode AS stdoutInode, stdout_offset AS stdoutOffset,
  stderr_device AS stderrDevice, stderr_inode AS stderrInode, stderr_offset AS stderrOffset,
  exit_code AS exitCode, started_at AS startedAt, ended_at AS endedAt`

/** The part of the run store that writes `run_starts`. */
export type RunStartStore = Pick<RunStore, 'addStart' | 'updateStart' | 'setStreamPosition' | 'listStarts'>

/** Writes `run_starts`. */
export function createRunStartStore(db: Database): RunStartStore {
  const add = db.prepare<[number, number, string, number], StartRow>(
    `INSERT INTO run_starts (attempt_id, number, kind, started_at)
     VALUES (?, 1 + coalesce((SELECT max(number) FROM run_starts WHERE attempt_id = ?), 0), ?, ?) RETURNING ${columns}`,
  )
  const list = db.prepare<[number], StartRow>(
    `SELECT ${columns} FROM run_starts WHERE attempt_id = ? ORDER BY number`,
  )
  const setPosition = {
    stdout: db.prepare<[string, string, number, number]>(positionSql('stdout')),
    stderr: db.prepare<[string, string, number, number]>(positionSql('stderr')),
  }
  const patchRow = createRowPatcher<Parameters<RunStore['updateStart']>[1]>(db, 'run_starts', {
    askedSessionId: 'asked_session_id',
    containerId: 'container_id',
    exitCode: 'exit_code',
    endedAt: 'ended_at',
  })

  return {
    addStart: (attemptId, kind, at) =>
      toStart(existing(add.get(attemptId, attemptId, kind, at), 'start of attempt', attemptId)),
    updateStart: patchRow,
    setStreamPosition: (id, stream, { device, inode, offset }) => {
      setPosition[stream].run(device, inode, offset, id)
    },
    listStarts: (attemptId) => list.all(attemptId).map(toStart),
  }
}

const positionSql = (stream: 'stdout' | 'stderr'): string =>
  `UPDATE run_starts SET ${stream}_device = ?, ${stream}_inode = ?, ${stream}_offset = ? WHERE id = ?`

function toStart(row: StartRow): RunStart {
  const { stdoutDevice, stdoutInode, stdoutOffset, stderrDevice, stderrInode, stderrOffset, ...start } = row
  return {
    ...start,
    stdout: toPosition(stdoutDevice, stdoutInode, stdoutOffset),
    stderr: toPosition(stderrDevice, stderrInode, stderrOffset),
  }
}

/** The three are set together, or none is. */
function toPosition(
  device: string | null,
  inode: string | null,
  offset: number | null,
): StreamPosition | null {
  return device === null || inode === null || offset === null ? null : { device, inode, offset }
}
