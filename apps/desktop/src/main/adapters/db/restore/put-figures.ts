import type { Database } from 'better-sqlite3'
import type { LlmSession } from '@shared/model/records'
import type { RunRecord } from '@main/core/restore/run-record'
import { spendingTime, usedOf } from '../session-figures-store'

/*
 * What the starts of a recorded session used, and when its cost was told. Records of the first versions know the sums
 * alone: those are taken as what its last start used, and as spent when it ended.
 */

export function putFigures(db: Database, record: RunRecord, recorded: LlmSession, sessionId: number): void {
  db.prepare('DELETE FROM session_figures WHERE session_id = ?').run(sessionId)
  db.prepare('DELETE FROM spendings WHERE session_id = ?').run(sessionId)
  const put = db.prepare(
    `INSERT INTO session_figures
       (session_id, start, native_session_id, input_tokens, cached_tokens, output_tokens, cost_usd, turns, tool_calls)
     VALUES (:sessionId, :start, :nativeSessionId, :inputTokens, :cachedTokens, :outputTokens, :costUsd, :turns, :toolCalls)`,
  )
  const isOwn = ({ sessionId: of }: { readonly sessionId: number }): boolean => of === recorded.id
  for (const figures of record.figures?.filter(isOwn) ?? sumsOf(record, recorded))
    put.run({ ...figures, sessionId })
  const spend = db.prepare('INSERT INTO spendings (session_id, at, cost_usd) VALUES (?, ?, ?)')
  for (const { at, costUsd } of record.spendings?.filter(isOwn) ?? spentBy(recorded))
    spend.run(sessionId, at, costUsd)
}

function sumsOf({ starts }: RunRecord, session: LlmSession) {
  const used = usedOf(session)
  if (used === null) return []
  const numbers = (starts ?? [])
    .filter(({ attemptId, kind }) => attemptId === session.attemptId && kind !== 'collect')
    .map(({ number }) => number)
  return [{ ...used, start: Math.max(1, ...numbers), nativeSessionId: session.nativeSessionId }]
}

const spentBy = ({ costUsd, createdAt, endedAt }: LlmSession) =>
  costUsd === null || costUsd === 0 ? [] : [{ at: spendingTime(endedAt ?? createdAt), costUsd }]
