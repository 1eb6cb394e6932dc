import type { RailEdge, TimelineRow } from '@shared/contract/sessions'
import { counted } from '@shared/format'
import type { LlmSession, Run } from '@shared/model/records'
import { sessionOfRun } from '@shared/timeline/fold-attempts'
import { sessionBadge } from '@shared/timeline/session-badge'
import { parseFailure } from '../../core/run/run-row'
import type { Installation } from '../../ports/stores'
import type { MemoryRecord, TimelineRecord } from '../../ports/timeline-reader'

/** From the rows of a run to what the timeline shows of it. */
export function toTimelineRow(record: TimelineRecord, installations: readonly Installation[]): TimelineRow {
  const { run, sessions, attempts } = record
  const session = sessionOfRun(sessions)
  return {
    runId: run.id,
    sessionId: session?.id ?? null,
    phase: run.phase,
    state: run.state,
    outcome: run.outcome,
    adapter: run.adapter,
    adapterVersion: versionOf(record, installations),
    provider: session?.provider ?? run.provider,
    model: session?.model ?? run.model,
    runner: run.runner,
    attempts,
    ...memoryFields(session),
    sessionOffReason: run.sessionOffReason,
    badge: badgeOf(run, session),
    isImported: run.trigger === 'import',
    startedAt: run.startedAt,
    createdAt: run.createdAt,
    endedAt: run.endedAt,
    ...figuresOf(sessions),
    commits: run.commits,
    result: resultSentence(record),
  }
}

function memoryFields(session: LlmSession | null) {
  return {
    sessionName: session?.sessionName ?? null,
    nativeSessionId: session?.nativeSessionId ?? null,
    requestedSessionId: session?.requestedSessionId ?? null,
    mode: session?.mode ?? 'none',
    resumed: session?.resumed ?? false,
    resumeFallback: session?.resumeFallback ?? null,
    stateBytesBefore: session?.stateBytesBefore ?? null,
    stateBytesAfter: session?.stateBytesAfter ?? null,
    stateSavedAt: session?.stateSavedAt ?? null,
    idSetAside: session?.idSetAside ?? false,
  } as const
}

/** A run that is still queued has no session yet: it is waiting, not without one. */
export function badgeOf(
  run: Pick<Run, 'state'>,
  session: Pick<LlmSession, 'mode' | 'resumed' | 'resumeFallback'> | null,
): TimelineRow['badge'] {
  if (session === null) return run.state === 'ended' ? 'none' : 'pending'
  return sessionBadge({ ...session, state: run.state })
}

const versionOf = (
  { run, imageDigest }: TimelineRecord,
  installations: readonly Installation[],
): string | null =>
  installations.find(
    (found) =>
      found.adapter === run.adapter &&
      found.runner === run.runner &&
      found.imageDigest === (imageDigest ?? ''),
  )?.version ?? null

/** Null where none is known. */
export function sumOf(figures: readonly (number | null)[]): number | null {
  const known = figures.filter((value) => value !== null)
  return known.length === 0 ? null : known.reduce((total, value) => total + value, 0)
}

/** Of all attempts together; null where no attempt told the figure. */
export function figuresOf(sessions: readonly LlmSession[]) {
  const sum = (figure: (session: LlmSession) => number | null): number | null => sumOf(sessions.map(figure))
  return {
    costUsd: sum((session) => session.costUsd),
    inputTokens: sum((session) => session.inputTokens),
    cachedTokens: sum((session) => session.cachedTokens),
    outputTokens: sum((session) => session.outputTokens),
    turns: sum((session) => session.turns),
  }
}

/** One phrase from facts; null while the run goes on or where there is nothing to say. */
export function resultSentence({ run, push }: TimelineRecord): string | null {
  if (run.state !== 'ended') return null
  if (run.trigger === 'import') return 'ready for the next run'
  if (run.outcome !== 'succeeded') return parseFailure(run.error)?.message ?? null
  if (run.result === 'questions') return 'asked questions'
  if (run.commits !== null && run.commits > 0) {
    return `${push === 'sent' ? 'pushed' : 'made'} ${counted(run.commits, 'commit')}`
  }
  if (run.result === 'nothing') return 'nothing to do'
  if (run.phase === 'analysis') return 'wrote the plan'
  return run.phase === 'answer' ? 'answered' : 'no commits'
}

export const toRailEdge = (memories: readonly MemoryRecord[]): RailEdge => ({
  memories: memories.map(({ adapter, nativeSessionId, firstRunId, lastRunId }) => ({
    key: `${adapter}:${nativeSessionId}`,
    firstRunId,
    lastRunId,
  })),
})
