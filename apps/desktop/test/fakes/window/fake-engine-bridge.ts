import type { EngineStatus } from '@shared/contract/app'
import type { AlfredBridge } from '@shared/contract/shell-bridge'
import type { TimelineRow } from '@shared/contract/sessions'
import type { QueryChannel, QueryInput, QueryOutput } from '@renderer/lib/engine-client'
import { fakeDetail, fakeMailboxes, fakeProjects, fakeStatus } from './fake-mailboxes'
import { fakeDiff, fakeEvents, fakePrompt, fakeRawLog, fakeRunDetail } from './fake-run-screens'
import { fakeRow, manySessions, nineSessions } from './fake-runs'
import {
  fakeAgentHistory,
  fakeAgentImages,
  fakeAgents,
  fakeDoctor,
  fakeScopes,
  fakeSettings,
  resetFakeSetting,
  setFakeSetting,
} from './fake-settings-and-agents'
import { createFakeTracker } from './fake-tracker'

/*
 * `window.alfred` without an engine: enough of the contract, from memory, to look at the window and to work on it.
 * Scenarios (`?scenario=`): docker, empty, busy, quit. Anything not answered here is `not_found`.
 */

type QueryHandlers = { readonly [C in QueryChannel]?: (input: QueryInput<C>) => QueryOutput<C> }
type Listener = (event: unknown) => void

export interface FakeEngine {
  readonly bridge: AlfredBridge
  /** Appends a session to #128, as a new run would. */
  readonly addRun: () => void
  readonly askToQuit: () => void
  readonly openView: (link: string) => void
  /** Adds an event to a run's transcript and tells of it, as a live run does. */
  readonly say: (runId: number, text: string) => void
  /** Everything that was asked, newest last. */
  readonly calls: { readonly channel: string; readonly input: unknown }[]
}

export function createFakeEngine(scenario: string): FakeEngine {
  const now = Date.now()
  const mailboxes = scenario === 'empty' ? [] : fakeMailboxes(now)
  let runs = new Map<number, TimelineRow[]>([
    [1, nineSessions(now)],
    [
      2,
      nineSessions(now)
        .slice(0, 1)
        .map((row) => ({ ...row, runId: 429 as never }))
        .concat([
          {
            ...nineSessions(now)[8]!,
            runId: 430 as never,
            phase: 'development',
            badge: 'pending',
            resumed: false,
          },
        ]),
    ],
    [5, nineSessions(now).slice(0, 2)],
    [10, manySessions(now)],
    [
      12,
      [
        fakeRow(
          {
            id: 432,
            phase: 'analysis',
            ago: 20_000,
            took: null,
            state: 'queued',
            startedAt: null,
            badge: 'no_prior_session',
            nativeSessionId: null,
            costUsd: null,
          },
          now,
        ),
      ],
    ],
  ])
  let status: EngineStatus = statusOf(scenario, now)
  const streams = new Map<string, Set<Listener>>()
  const quitListeners = new Set<() => void>()
  const viewListeners = new Set<(link: string) => void>()
  const calls: { channel: string; input: unknown }[] = []
  const emit = (channel: string, event: unknown): void =>
    streams.get(channel)?.forEach((listener) => listener(event))
  const changed = (mailboxId: number, runId: number): void => {
    emit('app.changes', {
      events: [
        { type: 'run', runId, mailboxId },
        { type: 'mailbox', mailboxId, projectId: 1 },
      ],
    })
    emit('app.statusChanges', status)
  }
  const setRun = (runId: number, change: Partial<TimelineRow>): void => {
    for (const [mailboxId, rows] of runs) {
      if (!rows.some((row) => row.runId === runId)) continue
      runs = new Map(runs).set(
        mailboxId,
        rows.map((row) => (row.runId === runId ? { ...row, ...change } : row)),
      )
      changed(mailboxId, runId)
    }
  }
  const findRun = (runId: number) =>
    [...runs].flatMap(([mailboxId, rows]) =>
      rows.filter((row) => row.runId === runId).map((row) => ({ mailboxId, row })),
    )[0]
  const addRun = (mailboxId = 1, change: Partial<TimelineRow> = {}): number => {
    const rows = runs.get(mailboxId) ?? []
    const id = Math.max(0, ...rows.map((row) => row.runId)) + 1
    const last = rows.at(-1)
    const row = fakeRow(
      {
        id,
        phase: 'review_fix',
        ago: 0,
        took: null,
        badge: 'pending',
        resumed: false,
        nativeSessionId: last?.nativeSessionId ?? null,
        ...change,
      } as never,
      Date.now(),
    )
    runs = new Map(runs).set(mailboxId, [...rows, row])
    changed(mailboxId, id)
    return id
  }

  const transcripts = new Map<number, ReturnType<typeof fakeEvents>>()
  const events = (runId: number) => {
    const known = transcripts.get(runId) ?? fakeEvents(runId, findRun(runId)?.row.startedAt ?? now)
    transcripts.set(runId, known)
    return known
  }
  const tracker = createFakeTracker(now)
  const buildImage = (): void => {
    let step = 0
    const timer = setInterval(() => {
      step += 1
      status = {
        ...status,
        image:
          step > 8
            ? {
                state: 'ready',
                step: null,
                fraction: null,
                detail: null,
                tag: 'alfred/agent:1',
                sizeBytes: 614_000_000,
                agents: ['demo', 'claude-code'],
              }
            : {
                sizeBytes: null,
                agents: [],
                state: 'building',
                step: 'Installing git',
                fraction: step / 9,
                detail: `step ${step} of 9`,
                tag: null,
              },
      }
      emit('app.statusChanges', status)
      if (step > 8) clearInterval(timer)
    }, 500)
  }

  const list = ({
    filter,
    projectId,
    text,
  }: QueryInput<'mailboxes.list'>): QueryOutput<'mailboxes.list'> => ({
    rows: mailboxes.filter(
      (row) =>
        (projectId === null || row.projectId === projectId) &&
        (!text || `#${row.iid} ${row.title}`.toLowerCase().includes(text.toLowerCase())) &&
        (filter === 'all-open' ||
          (filter === 'needs-you' && row.needsYou !== null) ||
          (filter === 'running' && row.latestRun?.state === 'running') ||
          row.status === filter.replace('-', '_')),
    ),
    hasMore: false,
  })
  const detail = ({ mailboxId }: QueryInput<'mailboxes.get'>): QueryOutput<'mailboxes.get'> => {
    const row = mailboxes.find((one) => one.id === mailboxId)
    if (!row) throw new Error('no such mailbox')
    return fakeDetail(row, runs.get(row.id) ?? [], now)
  }
  const timeline = ({
    mailboxId,
    beforeRunId,
    limit,
  }: QueryInput<'sessions.timeline'>): QueryOutput<'sessions.timeline'> => {
    const all = runs.get(mailboxId) ?? []
    const before = all.filter((row) => beforeRunId === null || row.runId < beforeRunId)
    const rows = before.slice(-limit)
    const above = before.slice(0, -limit || undefined).filter(() => before.length > limit)
    return {
      rows,
      total: all.length,
      hasEarlier: before.length > limit,
      rail: { memories: memoriesOf(above) },
    }
  }
  const queries: QueryHandlers = {
    'app.info': () => ({
      version: '1.0.0',
      dataFolder: '/home/nadia/.local/share/alfred',
      platform: 'linux',
      ownerKind: 'desktop',
      isFirstStart: scenario === 'first-start',
      personLogin: 'nadia',
    }),
    'app.status': () => status,
    'app.notifications': () => notifications(now),
    'mailboxes.projects': () => (scenario === 'empty' ? [] : fakeProjects()),
    'mailboxes.pendingPush': () => null,
    'mailboxes.counts': () => ({
      'all-open': mailboxes.length,
      'needs-you': scenario === 'empty' ? 0 : 3,
      running: 2,
      'in-ci': 1,
      'in-review': 4,
      blocked: 1,
      done: 27,
    }),
    'mailboxes.list': list,
    'mailboxes.get': detail,
    'sessions.timeline': timeline,
    'mailboxes.home': ({ list: input, sessions: limit }) => {
      const mailboxId = list(input).rows[0]?.id
      const first =
        mailboxId === undefined
          ? null
          : { mailbox: detail({ mailboxId }), timeline: timeline({ mailboxId, beforeRunId: null, limit }) }
      return { list: list(input), first }
    },
    'runs.get': ({ runId }) => {
      const found = findRun(runId)
      const mailbox = mailboxes.find((one) => one.id === found?.mailboxId)
      if (!found || !mailbox) throw new Error('no such run')
      const memory = (runs.get(mailbox.id) ?? []).filter(
        (row) => row.nativeSessionId === found.row.nativeSessionId,
      )
      return fakeRunDetail(found.row, mailbox.id, mailbox.iid, mailbox.title, memory)
    },
    'runs.events': ({ runId, afterSeq, beforeSeq, limit }) => {
      const all = events(runId)
      const fitting = all.filter((one) => one.seq > (afterSeq ?? 0) && one.seq < (beforeSeq ?? Infinity))
      return {
        events: afterSeq === null ? fitting.slice(-limit) : fitting.slice(0, limit),
        total: all.length,
      }
    },
    'runs.diff': () => ({ patch: fakeDiff, cut: false }),
    'runs.prompt': () => ({ text: fakePrompt }),
    'runs.rawLog': ({ stream, offset, limit }) => ({
      text: stream === 'stdout' ? fakeRawLog.slice(offset, offset + limit) : '',
      offset,
      totalBytes: stream === 'stdout' ? fakeRawLog.length : 0,
    }),
    'app.agents': () => fakeAgents(now),
    'app.agentImages': fakeAgentImages,
    'app.agentHistory': ({ adapter }) => fakeAgentHistory(adapter),
    'app.doctor': () => ({ lines: fakeDoctor(scenario), report: 'Alfred 1.0.0, linux' }),
    'settings.scopes': fakeScopes,
    'settings.list': ({ scope, scopeId }) => fakeSettings(scope, scopeId),
  }

  const commands: Readonly<Record<string, (input: Record<string, unknown>) => unknown>> = {
    'app.checkAgents': () => fakeAgents(Date.now()),
    'app.checkInstallation': ({ adapter }) => fakeAgents(Date.now()).find((row) => row.adapter === adapter),
    'app.buildImage': () => {
      buildImage()
      return { tag: 'alfred/agent:1', digest: 'sha256:9e41c07d' }
    },
    'settings.set': ({ scope, scopeId, key, value, consent }) => {
      const place = [scope as 'app', scopeId as number, key as 'RUN_TIMEOUT'] as const
      const problem = setFakeSetting(...place, value, consent === true)
      if (problem) return { refused: problem }
      emit('app.changes', { events: [{ type: 'settings' }] })
      return null
    },
    'settings.reset': ({ scope, scopeId, key }) => {
      resetFakeSetting(scope as 'app', scopeId as number, key as 'RUN_TIMEOUT')
      emit('app.changes', { events: [{ type: 'settings' }] })
    },
    'demo.start': ({ runner }) => {
      if (scenario.includes('docker') && runner === 'container')
        return {
          refused: { type: 'docker_unreachable', message: 'unix:///var/run/docker.sock does not answer' },
        }
      buildImage()
      return { projectId: 6, mailboxIds: [10] }
    },
    'app.setPaused': ({ isPaused }) => {
      status = { ...status, isPaused: Boolean(isPaused) }
      emit('app.statusChanges', status)
    },
    'runs.stop': ({ runId }) => {
      setRun(runId as number, { state: 'stopping' })
      setTimeout(
        () =>
          setRun(runId as number, {
            state: 'ended',
            outcome: 'stopped',
            endedAt: Date.now(),
            result: 'stopped by you',
          }),
        2_000,
      )
    },
    'runs.retry': ({ runId, resumeChoice }) => {
      const found = findRun(Number(runId))
      const isFresh = resumeChoice === 'fresh'
      const id = addRun(
        found?.mailboxId ?? 1,
        isFresh
          ? {
              badge: 'chosen_fresh',
              mode: 'chosen_fresh',
              nativeSessionId: 'f00dcafe-0000-4000-8000-00000000beef',
            }
          : {},
      )
      return { runId: id }
    },
    'mailboxes.validatePlan': () => undefined,
    'mailboxes.markSeen': () => undefined,
    'mailboxes.startWork': () => undefined,
    'mailboxes.cleanUp': () => ({ memoryRemoved: true }),
    'mailboxes.approvePush': () => ({ runId: 1 }),
    'app.openedNotification': () => undefined,
    'app.markNotificationsRead': () => {
      status = { ...status, unreadNotifications: 0 }
      emit('app.statusChanges', status)
    },
  }

  const bridge: AlfredBridge = {
    invoke: async (channel, input) => {
      calls.push({ channel, input })
      await new Promise((resolve) => setTimeout(resolve, scenario === 'slow' ? 1_500 : 4))
      const query = (queries as Readonly<Record<string, (input: unknown) => unknown>>)[channel]
      try {
        if (query) return { ok: true, value: query(input) }
        const trackerQuery = tracker.queries[channel]
        if (trackerQuery) return { ok: true, value: trackerQuery(input as Record<string, unknown>) }
        const command = commands[channel] ?? tracker.commands[channel]
        if (command) {
          const answer = command(input as Record<string, unknown>) ?? null
          if (channel.startsWith('tracker.'))
            emit('app.changes', {
              events: [
                tracker.changed(
                  (input as { projectId?: unknown }).projectId,
                  (input as { iid?: unknown }).iid,
                ),
              ],
            })
          const refused = refusalOf(answer)
          return refused ? { ok: false, error: refused } : { ok: true, value: answer }
        }
      } catch (error) {
        return { ok: false, error: { type: 'not_found', what: String(error) } }
      }
      return { ok: false, error: { type: 'not_found', what: channel } }
    },
    subscribe: (channel, _key, listener) => {
      const listeners = streams.get(channel) ?? new Set()
      streams.set(channel, listeners.add(listener))
      return () => listeners.delete(listener)
    },
    shell: {
      platform: 'linux',
      startFailure: null,
      restored: null,
      restore: () => undefined,
      startEngine: () => undefined,
      minimize: () => undefined,
      maximizeToggle: () => undefined,
      close: () => undefined,
      quit: () => quitListeners.forEach((listener) => listener()),
      saveText: (fileName, text) => void calls.push({ channel: 'saveText', input: { fileName, text } }),
      copyText: (text) => void calls.push({ channel: 'copyText', input: text }),
      showDataFolder: () => undefined,
      showSessionsFolder: () => undefined,
      showBackup: () => undefined,
      showsRun: () => undefined,
      pictureReady: () => undefined,
      openExternal: (url) => void calls.push({ channel: 'openExternal', input: url }),
      onOpenView: (listener) => (viewListeners.add(listener), () => viewListeners.delete(listener)),
      onQuitAsked: (listener) => (quitListeners.add(listener), () => quitListeners.delete(listener)),
      answerQuit: (answer) => void calls.push({ channel: 'answerQuit', input: answer }),
      onWindowState: () => () => undefined,
    },
  }
  return {
    bridge,
    addRun: () => void addRun(),
    askToQuit: () => quitListeners.forEach((listener) => listener()),
    openView: (link) => viewListeners.forEach((listener) => listener(link)),
    say: (runId, text) => {
      const all = events(runId)
      const event = {
        seq: (all.at(-1)?.seq ?? 0) + 1,
        at: Date.now(),
        kind: 'text' as const,
        payload: { text },
      }
      all.push(event)
      emit('runs.live', { events: [event] })
    },
    calls,
  }
}

/** Commands that refuse say so in `refused`. */
const refusalOf = (answer: unknown): unknown =>
  typeof answer === 'object' && answer !== null && 'refused' in answer ? answer.refused : null

function statusOf(scenario: string, now: number): EngineStatus {
  const status = fakeStatus(now)
  if (scenario === 'empty')
    return { ...status, running: 0, queued: 0, needsYou: 0, runs: [], unreadNotifications: 0 }
  if (scenario !== 'docker') return status
  return {
    ...status,
    docker: { ...status.docker, state: 'unreachable', version: null },
    banners: [
      {
        code: 'docker_unreachable',
        severity: 'bad',
        facts: {
          endpoint: 'unix:///run/user/1000/docker.sock',
          since: now - 4 * 60_000,
          interrupted: 2,
          interval: 5_000,
        },
      },
      { code: 'image_missing', severity: 'bad', facts: { message: 'base: HTTP 403' } },
    ],
  }
}

function memoriesOf(rows: readonly TimelineRow[]): QueryOutput<'sessions.timeline'>['rail']['memories'] {
  const memories = new Map<
    string,
    { key: string; firstRunId: TimelineRow['runId']; lastRunId: TimelineRow['runId'] }
  >()
  for (const row of rows) {
    if (row.nativeSessionId === null) continue
    const key = `${row.adapter}:${row.nativeSessionId}`
    memories.set(key, { key, firstRunId: memories.get(key)?.firstRunId ?? row.runId, lastRunId: row.runId })
  }
  return [...memories.values()]
}

function notifications(now: number): QueryOutput<'app.notifications'> {
  const one = (
    id: number,
    kind: string,
    title: string,
    body: string,
    ago: number,
    isRead: boolean,
    mailboxId: number | null,
  ) =>
    ({
      id,
      kind,
      title,
      body,
      mailboxId,
      runId: null,
      createdAt: now - ago,
      isRead,
    }) as QueryOutput<'app.notifications'>[number]
  return [
    one(
      9,
      'needs-you',
      '2 questions for you · #131',
      'Which timezone do pickup windows use?',
      18 * 60_000,
      false,
      3,
    ),
    one(
      8,
      'needs-you',
      'The plan waits for you · #94',
      'Split tariff import so one bad row does not abort 40,000 good ones',
      60 * 60_000,
      false,
      5,
    ),
    one(7, 'blocked', 'Blocked · #57 development', 'Timed out after 30m', 2 * 3_600_000, false, 6),
    one(
      6,
      'run-finished-fallback',
      'Done without memory · #128 review fix',
      'State missing, 2.4 MB. Fresh as memory C.',
      4 * 3_600_000,
      true,
      1,
    ),
    one(
      5,
      'run-finished',
      'Review fix done · #121',
      'Round the fuel surcharge once, at the end',
      50 * 3_600_000,
      true,
      null,
    ),
  ]
}
