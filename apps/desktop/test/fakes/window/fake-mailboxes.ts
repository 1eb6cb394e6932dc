import type { EngineStatus } from '@shared/contract/app'
import type { MailboxDetail, MailboxRow, ProjectSummary } from '@shared/contract/mailboxes'
import type { TimelineRow } from '@shared/contract/sessions'
import { branch128 } from './fake-runs'

const minute = 60_000
const hour = 60 * minute

type MiniSpec = string

/** `A A B/C C*`: letters in order, `/` a fallback before the next one, `*` live, `-` a run without a session. */
const mini = (spec: MiniSpec): MailboxRow['miniThread'] => {
  let id = 300
  let isBroken = false
  const nodes: MailboxRow['miniThread'] = []
  for (const sign of spec) {
    if (sign === '/') isBroken = true
    else if (sign === '*') nodes.push({ ...nodes.pop()!, live: true })
    else {
      nodes.push({
        runId: (id += 1) as never,
        letter: sign === '-' ? null : sign,
        badge: sign === '-' ? 'none' : isBroken ? 'state_missing' : 'resumed',
        live: false,
      })
      isBroken = false
    }
  }
  return nodes
}

interface RowSpec extends Partial<MailboxRow> {
  readonly iid: number
  readonly title: string
  readonly path: string
  readonly ago: number
  readonly thread: MiniSpec
}

const row = (
  now: number,
  id: number,
  projectId: number,
  { path, ago, thread, ...rest }: RowSpec,
): MailboxRow =>
  ({
    id,
    projectId,
    kind: 'issue',
    projectPath: path,
    status: 'in_development',
    needsYou: null,
    isOpen: true,
    isUnread: false,
    updatedAt: now - ago,
    latestRun: null,
    miniThread: mini(thread),
    costUsd: null,
    costUnknown: 0,
    ...rest,
  }) as MailboxRow

const run = (id: number, phase: string, state: string, outcome: string | null = null) =>
  ({ id, phase, state, outcome, startedAt: Date.now() - 252_000, endedAt: null }) as MailboxRow['latestRun']

export function fakeMailboxes(now: number): MailboxRow[] {
  return [
    row(now, 1, 1, {
      iid: 128,
      title: 'Retry idempotent carrier calls when the upstream answers 429 or times out',
      path: 'harbour/freight-api',
      ago: 4 * minute,
      thread: 'ABAA/CCC*',
      status: 'in_review',
      latestRun: run(431, 'review_fix', 'running'),
      costUsd: 7.84,
      costUnknown: 2,
      isUnread: true,
    }),
    row(now, 2, 4, {
      iid: 12,
      title: 'Search index skips headings with inline code',
      path: 'lumen-tools/docs-kit',
      ago: 11 * minute,
      thread: 'AA*',
      latestRun: run(430, 'development', 'running'),
      costUsd: 1.02,
    }),
    row(now, 3, 1, {
      iid: 131,
      title: 'Which timezone do pickup windows use in the CSV export?',
      path: 'harbour/freight-api',
      ago: 22 * minute,
      thread: 'A',
      status: 'waiting_info',
      needsYou: 'answer_questions',
      latestRun: run(425, 'analysis', 'ended', 'succeeded'),
      costUsd: 0.31,
      isUnread: true,
    }),
    row(now, 4, 5, {
      iid: 240,
      title: 'fold() is off by one hour across the 1916 transition in Europe/Dublin',
      path: 'mirel/tzfold',
      ago: 34 * minute,
      thread: 'AABB',
      status: 'in_ci',
      latestRun: run(424, 'ci_fix', 'ended', 'succeeded'),
      costUsd: null,
      costUnknown: 4,
    }),
    row(now, 5, 3, {
      iid: 94,
      title: 'Split tariff import so one bad row does not abort 40,000 good ones',
      path: 'harbour/tariff-tables',
      ago: hour,
      thread: 'AA',
      status: 'waiting_validation',
      needsYou: 'validate_plan',
      latestRun: run(420, 'analysis', 'ended', 'succeeded'),
      costUsd: 0.58,
      isUnread: true,
    }),
    row(now, 6, 2, {
      iid: 57,
      title: 'Offline queue loses the last scan after a forced restart',
      path: 'harbour/driver-app',
      ago: 2 * hour,
      thread: 'AA/BB',
      status: 'blocked',
      needsYou: 'blocked',
      latestRun: run(419, 'development', 'ended', 'timed_out'),
      costUsd: 3.12,
      isUnread: true,
    }),
    row(now, 7, 1, {
      iid: 342,
      kind: 'merge_request',
      title: 'Retry idempotent carrier calls (closes #128)',
      path: 'harbour/freight-api',
      ago: 3 * hour,
      thread: '---',
      status: 'in_review',
      latestRun: run(417, 'answer', 'ended', 'succeeded'),
      costUsd: 0.44,
    }),
    row(now, 8, 1, {
      iid: 119,
      title: 'Reject shipments whose declared weight is zero',
      path: 'harbour/freight-api',
      ago: 50 * hour,
      thread: 'AAAA',
      status: 'in_review',
      latestRun: run(397, 'review_fix', 'ended', 'succeeded'),
      costUsd: 2.05,
    }),
    row(now, 9, 2, {
      iid: 61,
      title: 'Show the depot name instead of its code on the hand-over screen',
      path: 'harbour/driver-app',
      ago: 70 * hour,
      thread: 'A/BBBBBBB',
      status: 'in_review',
      latestRun: run(390, 'review_fix', 'ended', 'succeeded'),
      costUsd: 12.4,
    }),
    row(now, 10, 6, {
      iid: 1,
      title: 'A long history: five hundred sessions',
      path: 'local/demo',
      ago: 90 * hour,
      thread: 'AAAAAAAA',
      status: 'in_development',
      latestRun: run(1499, 'development', 'ended', 'succeeded'),
      costUsd: 128.3,
      costUnknown: 71,
    }),
    row(now, 11, 1, {
      iid: 133,
      title: 'Audit log export',
      path: 'harbour/freight-api',
      ago: 91 * hour,
      thread: '',
      status: null,
      latestRun: null,
      costUsd: null,
    }),
    row(now, 12, 3, {
      iid: 101,
      title: 'Currency of a tariff is lost when it is copied',
      path: 'harbour/tariff-tables',
      ago: 92 * hour,
      thread: 'A',
      status: 'functional_analysis',
      latestRun: run(432, 'analysis', 'queued'),
      costUsd: null,
    }),
  ]
}

const project = (
  id: number,
  forgeKind: string,
  organization: string,
  slug: string,
  openCount: number,
): ProjectSummary =>
  ({
    id,
    forgeKind,
    forgeName: forgeKind === 'local' ? 'local' : `git.${organization}.example`,
    organization,
    slug,
    isDemo: forgeKind === 'local',
    isWatched: true,
    openCount,
  }) as ProjectSummary

export const fakeProjects = (): ProjectSummary[] => [
  project(1, 'gitlab', 'harbour', 'freight-api', 5),
  project(2, 'gitlab', 'harbour', 'driver-app', 2),
  project(3, 'gitlab', 'harbour', 'tariff-tables', 2),
  project(4, 'forgejo', 'lumen-tools', 'docs-kit', 1),
  project(5, 'github', 'mirel', 'tzfold', 1),
  project(6, 'local', 'local', 'demo', 1),
]

const steps = (text: string): MailboxDetail['progress'] =>
  text.split(' ').map((part) => {
    const [step, state] = part.split('=')
    return { step, state } as MailboxDetail['progress'][number]
  })

const sum = (
  rows: readonly TimelineRow[],
  of: (row: TimelineRow) => number | null,
): { readonly total: number | null; readonly unknown: number } => {
  const known = rows.map(of).filter((value) => value !== null)
  return {
    total: known.length === 0 ? null : known.reduce((a, b) => a + b, 0),
    unknown: rows.length - known.length,
  }
}

export function fakeDetail(row: MailboxRow, runs: readonly TimelineRow[], now: number): MailboxDetail {
  const live = runs.find((one) => one.state !== 'ended') ?? null
  const cost = sum(runs, (one) => one.costUsd)
  const tokens = sum(runs, (one) =>
    one.inputTokens === null ? null : one.inputTokens + (one.cachedTokens ?? 0) + (one.outputTokens ?? 0),
  )
  return {
    ...row,
    body: 'When the carrier answers 429 or does not answer in time, the call is dropped.\n\n- retry with the same idempotency key\n- honour `Retry-After`\n',
    forgeKind: row.projectPath.startsWith('local') ? 'local' : 'gitlab',
    isDemo: row.projectPath.startsWith('local'),
    branchName:
      runs.length === 0
        ? null
        : row.id === 1
          ? branch128
          : `alfred/issue-${row.iid}-${row.title
              .toLowerCase()
              .replace(/[^a-z0-9]+/g, '-')
              .slice(0, 38)}`,
    nextBranchName: `alfred/issue-${row.iid}-audit-log-export`,
    baseBranch: 'main',
    changeIid: row.id === 1 ? 342 : null,
    labels: [],
    url: row.projectPath.startsWith('local')
      ? null
      : `https://git.harbour.example/${row.projectPath}/-/issues/${row.iid}`,
    progress:
      row.id === 1
        ? steps('analysis=done plan_validated=done development=done ci=done review=current merge=ahead')
        : row.needsYou === 'validate_plan'
          ? steps('analysis=done plan_validated=current development=ahead ci=ahead review=ahead merge=ahead')
          : row.status === 'blocked'
            ? steps('analysis=done plan_validated=done development=failed ci=ahead review=ahead merge=ahead')
            : steps(
                'analysis=done plan_validated=done development=current ci=ahead review=ahead merge=ahead',
              ),
    now: nowStrip(row, live),
    plan:
      row.needsYou === 'validate_plan'
        ? {
            text: '1. Import rows in batches of 500.\n2. Collect bad rows in a report.',
            functionalAnalysis: null,
            createdAt: now - hour,
            isApproved: false,
          }
        : null,
    sessionCount: runs.length,
    costUsd: cost.total,
    costUnknown: cost.unknown,
    tokens: tokens.total,
    tokensUnknown: tokens.unknown,
    nextPollAt: now + 18_000,
    memoryRemovedAt: null,
    sessionsOffScope: null,
    nextAdapter: 'claude-code',
    terminalLimitMs: 8 * hour,
  }
}

function nowStrip(row: MailboxRow, live: TimelineRow | null): MailboxDetail['now'] {
  if (live?.state === 'running')
    return {
      kind: 'live',
      runId: live.runId,
      phase: live.phase,
      startedAt: live.startedAt,
      turn: live.turns,
      activity: 'Editing src/carrier/retry.ts: honour Retry-After when it is an HTTP date',
      contextUsed: 122_000,
      contextMax: 200_000,
    }
  if (live?.state === 'stopping') return { kind: 'stopping', runId: live.runId, phase: live.phase }
  if (live?.state === 'preparing')
    return {
      kind: 'preparing',
      runId: live.runId,
      phase: live.phase,
      step: 'Building the agent image: installing git',
      fraction: 0.42,
    }
  if (live)
    return { kind: 'queued', runId: live.runId, phase: live.phase, hasBegun: false, reason: 'slot', at: null }
  if (row.needsYou)
    return {
      kind: 'needs_you',
      needsYou: row.needsYou,
      detail: row.needsYou === 'answer_questions' ? '2 questions' : null,
    }
  return null
}

export function fakeStatus(now: number): EngineStatus {
  return {
    running: 2,
    queued: 1,
    needsYou: 3,
    isPaused: false,
    docker: {
      state: 'reachable',
      endpoint: 'unix:///run/user/1000/docker.sock',
      source: 'docker context',
      version: '28.5',
      rootless: true,
    },
    image: {
      state: 'ready',
      step: null,
      fraction: null,
      detail: null,
      tag: 'alfred/agent:1',
      sizeBytes: 211_000_000,
      agents: ['demo'],
    },
    forges: [{ name: 'git.harbour.example', state: 'ok', nextPollAt: now + 18_000 }],
    outboxWaiting: 0,
    costTodayUsd: 6.42,
    costTodayUnknown: 2,
    dayBudgetUsd: 25,
    checking: 0,
    databaseBytes: 214_000_000,
    version: '1.0.0',
    banners: [],
    unreadNotifications: 3,
    silence: null,
    runs: [
      {
        runId: 431,
        mailboxId: 1,
        reference: '#128',
        phase: 'review_fix',
        state: 'running',
        title: 'Retry idempotent carrier calls when the upstream answers 429 or times out',
        wait: null,
      },
      {
        runId: 430,
        mailboxId: 2,
        reference: '#12',
        phase: 'development',
        state: 'running',
        title: 'Search index skips headings with inline code',
        wait: null,
      },
      {
        runId: 432,
        mailboxId: 12,
        reference: '#101',
        phase: 'analysis',
        state: 'queued',
        title: 'Currency of a tariff is lost when it is copied',
        wait: { reason: 'slot', at: null },
      },
    ] as unknown as EngineStatus['runs'],
  }
}
