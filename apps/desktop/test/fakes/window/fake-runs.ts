import type { TimelineRow } from '@shared/contract/sessions'

/** Runs for a window without an engine: the nine sessions of #128, and 500 made-up ones. */

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour
const sonnet = 'sonnet-4.5'
const idA = '7c1e44d0-3b52-4f0e-8d61-6a0f0d0f9b2f'
const idB = '019a8c2e-77aa-7c31-9be4-5f1a20b841d7'
const idC = 'd02b91aa-4c1f-4b6e-9a53-0f8e2c1b77e0'
export const branch128 = 'alfred/issue-128-retry-idempotent-carrier-calls'

type Spec = Partial<TimelineRow> & {
  readonly id: number
  readonly phase: TimelineRow['phase']
  /** How long ago it began, and how long it took; null while it runs. */
  readonly ago: number
  readonly took: number | null
}

export function fakeRow({ id, ago, took, ...rest }: Spec, now: number): TimelineRow {
  const startedAt = now - ago
  return {
    runId: id,
    sessionId: id + 1000,
    state: took === null ? 'running' : 'ended',
    outcome: took === null ? null : 'succeeded',
    adapter: 'claude-code',
    adapterVersion: '2.1.332',
    provider: null,
    model: sonnet,
    runner: 'container',
    attempts: 1,
    sessionName: branch128,
    nativeSessionId: idA,
    requestedSessionId: rest.badge === 'resumed' ? (rest.nativeSessionId ?? idA) : null,
    mode: rest.badge === 'no_prior_session' || rest.badge === 'adapter_changed' ? 'fresh' : 'resume',
    resumed: rest.badge === 'resumed',
    resumeFallback: null,
    sessionOffReason: null,
    badge: 'resumed',
    stateBytesBefore: null,
    stateBytesAfter: null,
    stateSavedAt: null,
    idSetAside: false,
    isImported: false,
    startedAt,
    createdAt: startedAt - 2_000,
    endedAt: took === null ? null : startedAt + took,
    costUsd: null,
    inputTokens: null,
    cachedTokens: null,
    outputTokens: null,
    turns: 12,
    commits: 0,
    result: null,
    ...rest,
  } as TimelineRow
}

const sized = (before: number, age: number, ago: number, now: number, grown = 1.1) => ({
  stateBytesBefore: before,
  stateBytesAfter: Math.round(before * grown),
  stateSavedAt: now - ago - age,
})

const tokens = (sum: number) => ({
  inputTokens: Math.round(sum * 0.2),
  cachedTokens: Math.round(sum * 0.7),
  outputTokens: sum - Math.round(sum * 0.2) - Math.round(sum * 0.7),
})

/** The timeline of the drawings: A, A, A, B beside it, A, A, lost, C, C, C live. */
export function nineSessions(now: number): TimelineRow[] {
  const at = (days: number, hours: number): number => days * day + hours * hour
  const rows: Spec[] = [
    {
      id: 402,
      phase: 'analysis',
      ago: at(3, 5),
      took: 401_000,
      badge: 'no_prior_session',
      resumeFallback: 'no_prior_session',
      stateBytesAfter: 188_000,
      costUsd: 0.62,
      ...tokens(148_000),
      result: 'posted the plan, 3 questions',
    },
    {
      id: 405,
      phase: 'analysis',
      ago: at(3, 3.8),
      took: 190_000,
      costUsd: 0.21,
      ...tokens(61_000),
      ...sized(188_000, 64 * minute, at(3, 3.8), now),
      result: 'revised the plan',
    },
    {
      id: 411,
      phase: 'development',
      ago: at(3, 2.8),
      took: 1_446_000,
      model: 'opus-4.5',
      costUsd: 2.87,
      ...tokens(1_100_000),
      commits: 4,
      ...sized(240_000, 52 * minute, at(3, 2.8), now),
      result: 'pushed 4 commits, opened !342',
    },
    {
      id: 413,
      phase: 'ci_fix',
      ago: at(3, 2),
      took: 333_000,
      adapter: 'codex',
      adapterVersion: '0.61.0',
      model: 'gpt-5-codex',
      nativeSessionId: idB,
      badge: 'adapter_changed',
      resumeFallback: 'adapter_changed',
      outcome: 'failed',
      ...tokens(212_000),
      stateBytesAfter: 96_000,
      result: '2 of 31 jobs failed',
    },
    {
      id: 414,
      phase: 'ci_fix',
      ago: at(3, 1.4),
      took: 527_000,
      costUsd: 0.94,
      ...tokens(330_000),
      commits: 1,
      ...sized(2_100_000, 58 * minute, at(3, 1.4), now),
      result: '31 of 31 jobs green',
    },
    {
      id: 418,
      phase: 'terminal',
      ago: at(2, 22),
      took: 680_000,
      model: null,
      turns: null,
      ...sized(2_300_000, 3 * hour, at(2, 22), now),
      result: 'closed by you',
    },
    {
      id: 427,
      phase: 'review_fix',
      ago: at(0, 5),
      took: 842_000,
      nativeSessionId: idC,
      requestedSessionId: idA,
      resumed: false,
      badge: 'state_missing',
      resumeFallback: 'state_missing',
      costUsd: 1.71,
      ...tokens(604_000),
      commits: 2,
      stateBytesBefore: 2_400_000,
      stateBytesAfter: 1_100_000,
      stateSavedAt: now - at(2, 22),
      result: 'pushed 2 commits, answered 4 threads',
    },
    {
      id: 429,
      phase: 'chat',
      ago: at(0, 4),
      took: 112_000,
      nativeSessionId: idC,
      costUsd: 0.18,
      ...tokens(44_000),
      turns: 2,
      ...sized(1_200_000, 40 * minute, at(0, 4), now),
      result: '2 turns',
    },
    {
      id: 431,
      phase: 'review_fix',
      ago: 252_000,
      took: null,
      nativeSessionId: idC,
      costUsd: 1.31,
      ...tokens(186_000),
      turns: 14,
      ...sized(1_200_000, 215 * minute, 252_000, now, 1),
      stateBytesAfter: null,
    },
  ]
  return rows.map((row) => fakeRow(row, now))
}

const phases = ['analysis', 'development', 'ci_fix', 'review_fix', 'answer', 'conflict_resolution'] as const

/** Five hundred sessions with every badge, some fallbacks, several memories and adapters. */
export function manySessions(now: number, count = 500): TimelineRow[] {
  let memory = 0
  return Array.from({ length: count }, (_, index): TimelineRow => {
    const ago = (count - index) * 50 * minute
    const isCodex = index % 29 === 17
    const isLost = index % 61 === 60
    if (isLost) memory += 1
    const id = isCodex ? idB : `${(0x5a000000 + memory * 7919).toString(16)}-aaaa-4bbb-8ccc-0123456789ab`
    const requested = `${(0x5a000000 + (memory - 1) * 7919).toString(16)}-aaaa-4bbb-8ccc-0123456789ab`
    const badge =
      index === 0
        ? 'no_prior_session'
        : isLost
          ? (['state_missing', 'unsupported_version', 'refused'] as const)[memory % 3]!
          : isCodex && index === 17
            ? 'adapter_changed'
            : index % 97 === 50
              ? 'unproven'
              : 'resumed'
    return fakeRow(
      {
        id: 1_000 + index,
        phase: phases[index % phases.length]!,
        ago,
        took: 60_000 + (index % 13) * 71_000,
        adapter: isCodex ? 'codex' : 'claude-code',
        nativeSessionId: id,
        requestedSessionId: isLost ? requested : id,
        badge,
        resumeFallback: isLost
          ? (badge as 'refused')
          : badge === 'no_prior_session' || badge === 'adapter_changed'
            ? badge
            : null,
        resumed: badge === 'resumed',
        idSetAside: index % 122 === 121,
        costUsd: index % 7 === 3 ? null : (index % 40) / 17,
        ...tokens(20_000 + index * 900),
        commits: index % 3,
        outcome: index % 23 === 22 ? 'timed_out' : index % 31 === 30 ? 'failed' : 'succeeded',
        ...sized(
          200_000 + index * 9_000,
          50 * minute,
          ago,
          now,
          index % 41 === 40 ? 1 : index % 53 === 52 ? 0.4 : 1.1,
        ),
        result: index % 3 ? `pushed ${index % 3} commits` : 'nothing to push',
      },
      now,
    )
  })
}
