import type { Database } from 'better-sqlite3'
import type { SessionId } from '@shared/model/ids'
import type { FiguresOfStart, Spending, UsedFigures } from '@shared/model/records'
import type { SessionStore, UsedTokens } from '@main/ports/stores'

/** The part of the session store that writes `session_figures` and `spendings`. */
export type SessionFiguresStore = Pick<
  SessionStore,
  'noteUsed' | 'figuresOf' | 'spendingsOf' | 'usedEarlier' | 'costSince'
>

const spendingStepMs = 15 * 60_000

/** Costs are kept in steps of a quarter of an hour: a day of any time zone begins with one. */
export const spendingTime = (at: number): number => Math.floor(at / spendingStepMs) * spendingStepMs

const putSql = `INSERT INTO session_figures
    (session_id, start, native_session_id, input_tokens, cached_tokens, output_tokens, cost_usd, turns, tool_calls)
  VALUES (:sessionId, :start, :nativeSessionId, :inputTokens, :cachedTokens, :outputTokens, :costUsd, :turns, :toolCalls)
  ON CONFLICT (session_id, start) DO UPDATE SET
    native_session_id = coalesce(excluded.native_session_id, native_session_id),
    input_tokens = coalesce(excluded.input_tokens, input_tokens),
    cached_tokens = coalesce(excluded.cached_tokens, cached_tokens),
    output_tokens = coalesce(excluded.output_tokens, output_tokens),
    cost_usd = coalesce(excluded.cost_usd, cost_usd),
    turns = coalesce(excluded.turns, turns),
    tool_calls = coalesce(excluded.tool_calls, tool_calls)`

const sumUpSql = `UPDATE llm_sessions SET (input_tokens, cached_tokens, output_tokens, cost_usd, turns, tool_calls) =
    (SELECT sum(input_tokens), sum(cached_tokens), sum(output_tokens), sum(cost_usd), sum(turns), sum(tool_calls)
     FROM session_figures WHERE session_id = :id AND start > 0)
  WHERE id = :id`

const inMemory = (
  figures: string,
): string => `session_figures AS ${figures} INDEXED BY session_figures_by_native_id
    CROSS JOIN llm_sessions AS of_${figures} ON of_${figures}.id = ${figures}.session_id
  WHERE ${figures}.native_session_id = :nativeId AND mailbox_id = :mailboxId AND adapter = :adapter`

/** A copy that was brought in begins the count anew (start 0): its CLI goes on with the sums that stand in that copy. */
const usedEarlierSql = `SELECT sum(used.input_tokens) AS inputTokens, sum(used.cached_tokens) AS cachedTokens,
    sum(used.output_tokens) AS outputTokens, sum(used.cost_usd) AS costUsd
  FROM ${inMemory('used')}
    AND (used.session_id < :id OR (used.session_id = :id AND used.start < :start))
    AND used.session_id >= coalesce(
      (SELECT max(copied.session_id) FROM ${inMemory('copied')} AND copied.start = 0 AND copied.session_id < :id), 0)`

const ofProjects = (session: string): string =>
  `(SELECT project_id FROM mailboxes WHERE id = ${session}) IN (SELECT value FROM json_each(:within))`

/** Writes `session_figures` and `spendings`, and the figures of `llm_sessions`, which are their sums. */
export function createSessionFiguresStore(db: Database): SessionFiguresStore {
  const put = db.prepare<[object]>(putSql)
  const sumUp = db.prepare<[object]>(sumUpSql)
  const cost = db.prepare<[number], number | null>('SELECT cost_usd FROM llm_sessions WHERE id = ?').pluck()
  const spend = db.prepare<[number, number, number]>(
    `INSERT INTO spendings (session_id, at, cost_usd) VALUES (?, ?, ?)
     ON CONFLICT (session_id, at) DO UPDATE SET cost_usd = cost_usd + excluded.cost_usd`,
  )
  const list = db.prepare<[number], FiguresOfStart>(
    `SELECT session_id AS sessionId, start, native_session_id AS nativeSessionId, input_tokens AS inputTokens,
       cached_tokens AS cachedTokens, output_tokens AS outputTokens, cost_usd AS costUsd, turns,
       tool_calls AS toolCalls
     FROM session_figures WHERE session_id = ? ORDER BY start`,
  )
  const listSpendings = db.prepare<[number], Spending>(
    'SELECT session_id AS sessionId, at, cost_usd AS costUsd FROM spendings WHERE session_id = ? ORDER BY at',
  )
  const usedEarlier = db.prepare<[object], UsedTokens>(usedEarlierSql)
  const spentSql =
    'SELECT coalesce(sum(cost_usd), 0.0) FROM spendings INDEXED BY spendings_by_time WHERE at >= :at'
  const begunSql =
    'SELECT count(*) FROM llm_sessions INDEXED BY llm_sessions_by_time WHERE created_at >= :at AND cost_usd IS NULL'
  const endedSql = `SELECT count(*) FROM llm_sessions INDEXED BY llm_sessions_without_cost
    WHERE ended_at >= :at AND cost_usd IS NULL AND created_at < :at`
  const since = (sql: string) => db.prepare<[object], number>(sql).pluck()
  const spent = since(spentSql)
  const begun = since(begunSql)
  const ended = since(endedSql)
  const spentWithin = since(
    `${spentSql} AND ${ofProjects('(SELECT mailbox_id FROM llm_sessions WHERE id = session_id)')}`,
  )
  const begunWithin = since(`${begunSql} AND ${ofProjects('mailbox_id')}`)
  const endedWithin = since(`${endedSql} AND ${ofProjects('mailbox_id')}`)

  const noteUsed = (id: SessionId, { start, nativeSessionId, ...told }: Told, at: number): void => {
    const before = cost.get(id) ?? 0
    put.run({ ...nothingTold, ...told, sessionId: id, start, nativeSessionId })
    sumUp.run({ id })
    const spentNow = (cost.get(id) ?? 0) - before
    if (spentNow !== 0) spend.run(id, spendingTime(at), spentNow)
  }

  return {
    noteUsed: (id, use, at) => db.transaction(noteUsed)(id, use, at),
    figuresOf: (id) => list.all(id),
    spendingsOf: (id) => listSpendings.all(id),
    usedEarlier: ({ id, mailboxId, adapter }, nativeId, start) =>
      usedEarlier.get({ id, mailboxId, adapter, nativeId, start }) ?? nothingTold,
    costSince: (at, within = null) => {
      const [known, ...unknown] =
        within === null ? [spent, begun, ended] : [spentWithin, begunWithin, endedWithin]
      const asked = within === null ? { at } : { at, within: JSON.stringify(within) }
      return {
        knownUsd: known.get(asked) ?? 0,
        unknown: unknown.reduce((sum, count) => sum + (count.get(asked) ?? 0), 0),
      }
    },
  }
}

type Told = Parameters<SessionStore['noteUsed']>[1]

export const nothingTold = {
  inputTokens: null,
  cachedTokens: null,
  outputTokens: null,
  costUsd: null,
  turns: null,
  toolCalls: null,
} as const satisfies UsedFigures

/** The figures of a session alone; null where none is known. */
export function usedOf(session: UsedFigures): UsedFigures | null {
  const { inputTokens, cachedTokens, outputTokens, costUsd, turns, toolCalls } = session
  const used = { inputTokens, cachedTokens, outputTokens, costUsd, turns, toolCalls }
  return Object.values(used).every((figure) => figure === null) ? null : used
}
