import type { Database } from 'better-sqlite3'
import type { OutboxItem, OutboxStore } from '@main/ports/stores'
import { createRowPatcher } from './patch-row'
import { fromJson, selectList, toJson } from './row-values'

type OutboxRow = Omit<OutboxItem, 'payload'> & { readonly payload: string }

const outboxColumns = {
  id: 'id',
  key: 'key',
  kind: 'kind',
  mailboxId: 'mailbox_id',
  runId: 'run_id',
  seq: 'seq',
  target: 'target',
  payload: 'payload',
  state: 'state',
  attempts: 'attempts',
  nextAttemptAt: 'next_attempt_at',
  lastError: 'last_error',
  remoteId: 'remote_id',
  postedSha256: 'posted_sha256',
  createdAt: 'created_at',
  sentAt: 'sent_at',
} satisfies Record<keyof OutboxItem, string>

const columns = selectList(outboxColumns)

/** An item waits for every unfinished one before it in its mailbox, so that posts keep their order. */
const dueSql = `SELECT ${columns} FROM outbox INDEXED BY outbox_due
  WHERE state IN ('waiting', 'sending') AND next_attempt_at <= ?
    AND NOT EXISTS (
      SELECT 1 FROM outbox earlier INDEXED BY outbox_unfinished
      WHERE earlier.state IN ('waiting', 'sending') AND earlier.mailbox_id = outbox.mailbox_id AND earlier.seq < outbox.seq
    )
  ORDER BY next_attempt_at, mailbox_id LIMIT ?`

const addSql = `INSERT INTO outbox (key, kind, mailbox_id, run_id, seq, target, payload, state, next_attempt_at, created_at)
  VALUES (:key, :kind, :mailboxId, :runId,
    1 + coalesce((SELECT max(seq) FROM outbox WHERE mailbox_id = :mailboxId), 0),
    :target, :payload, 'waiting', :at, :at)
  ON CONFLICT (key) DO NOTHING`

/** Writes `outbox`. */
export function createOutboxStore(db: Database): OutboxStore {
  const add = db.prepare<[object]>(addSql)
  const listDue = db.prepare<[number, number], OutboxRow>(dueSql)
  const listByMailbox = db.prepare<[number], OutboxRow>(
    `SELECT ${columns} FROM outbox WHERE mailbox_id = ? ORDER BY seq`,
  )
  const listByRun = db.prepare<[number], OutboxRow>(
    `SELECT ${columns} FROM outbox WHERE run_id = ? ORDER BY seq`,
  )
  const countWaiting = db
    .prepare<[], number>(
      "SELECT count(*) FROM outbox INDEXED BY outbox_due WHERE state IN ('waiting', 'sending')",
    )
    .pluck()
  const moveWaiting = db.prepare<[number]>(
    `UPDATE outbox INDEXED BY outbox_due SET next_attempt_at = max(0, next_attempt_at + ?)
      WHERE state IN ('waiting', 'sending')`,
  )
  const findByKey = db.prepare<[string], OutboxRow>(`SELECT ${columns} FROM outbox WHERE key = ?`)
  const patchRow = createRowPatcher<Parameters<OutboxStore['update']>[1]>(db, 'outbox', outboxColumns)

  return {
    add: (item) => {
      add.run({ ...item, payload: toJson(item.payload) })
    },
    listDue: (now, limit) => listDue.all(now, limit).map(toItem),
    update: patchRow,
    listByMailbox: (mailboxId) => listByMailbox.all(mailboxId).map(toItem),
    listByRun: (runId) => listByRun.all(runId).map(toItem),
    countWaiting: () => countWaiting.get() ?? 0,
    moveWaiting: (ms) => {
      moveWaiting.run(ms)
    },
    findByKey: (key) => {
      const row = findByKey.get(key)
      return row === undefined ? null : toItem(row)
    },
  }
}

const toItem = (row: OutboxRow): OutboxItem => ({ ...row, payload: fromJson(row.payload) })
