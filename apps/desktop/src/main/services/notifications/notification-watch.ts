import type { MailboxId, RunId } from '@shared/model/ids'
import { mailboxReference } from '@shared/format/references'
import type { LlmSession, Mailbox, Project, Run } from '@shared/model/records'
import type { SettingScope } from '@shared/model/settings'
import { memoryLetter, type KeptMemory } from '@shared/timeline/memory-letters'
import { countQuestions } from '../../core/workflow/texts'
import { isTalk } from '../../core/run/talk'
import type { Clock } from '../../ports/clock'
import type { Logger } from '../../ports/logger'
import type { Store } from '../../ports/stores'
import type { TimelineReader } from '../../ports/timeline-reader'
import { aside } from '../aside'
import { figuresOf } from '../queries/timeline-rows'
import { dayBudgetsAround } from '../runs/budgets'
import type { SettingReader } from '../settings/setting-values'
import { startOfDay } from '../start-of-day'
import type { ChangeFeed } from '../status/change-feed'
import { outboxPayloadSchema } from '../workflow/outbox-payload'
import type { NotificationService } from './notification-service'
import { budgetText, cutOffText, interruptedText, needsYouText, runEndedText } from './notification-texts'

/*
 * Notices what a person should be told: runs that end, runs that cannot go on because Docker is away, and mailboxes
 * that begin to wait for somebody.
 */

interface Parts {
  readonly store: Store
  readonly timeline: Pick<TimelineReader, 'memories'>
  readonly clock: Clock
  readonly logger: Pick<Logger, 'error'>
  readonly settings: SettingReader
  readonly changes: ChangeFeed
  readonly notifications: NotificationService
}

export interface NotificationWatch {
  /** What the engine before this one had no time to tell. */
  catchUp(): void
  /** The engine of containers does not answer, or does again. */
  engineSeen(isAway: boolean): void
  /** A run has ended or is queued again. */
  runSettled(run: Run): void
  close(): void
}

/** An engine that is only started again is back by then. */
const awayPatienceMs = 10_000

export function startNotificationWatch(parts: Parts): NotificationWatch {
  const { store, changes } = parts
  /** Runs of which was told that Docker keeps them from going on. */
  const told = new Set<RunId>()
  let away: AbortController | null = null
  const unsubscribe = changes.subscribe((events) => {
    const ids = new Set(events.flatMap((event) => (event.type === 'mailbox' ? [event.mailboxId] : [])))
    for (const id of ids) lookAt(parts, id)
  })
  return {
    catchUp: () => store.mailboxes.listUntold().forEach((id) => lookAt(parts, id)),
    engineSeen(isAway) {
      if (!isAway) away?.abort()
      if (!isAway) away = null
      if (!isAway || away !== null) return
      away = new AbortController()
      aside(parts.logger, 'telling that Docker is away', tellAway(parts, told, away.signal))
    },
    runSettled(run) {
      const isTold = told.delete(run.id)
      if (run.state === 'queued') return isTold ? undefined : tellCutOff(parts, run)
      tellEnded(parts, run)
      tellBudgets(parts, run)
    },
    close() {
      away?.abort()
      unsubscribe()
    },
  }
}

async function tellAway(
  { store, clock, notifications }: Parts,
  told: Set<RunId>,
  isBack: AbortSignal,
): Promise<void> {
  await clock.sleep(awayPatienceMs, isBack)
  if (isBack.aborted) return
  const runs = store.runs
    .listLive()
    .filter(({ state, runner }) => state !== 'queued' && runner === 'container')
  if (runs.length === 0) return
  for (const { id } of runs) told.add(id)
  notifications.tell(interruptedText(runs.length), {})
}

function tellCutOff({ store, notifications }: Parts, run: Run): void {
  const isInterrupted = store.runs.listAttempts(run.id).at(-1)?.outcome === 'interrupted'
  if (!isInterrupted || run.startedAt === null) return
  notifications.tell(cutOffText, { mailboxId: run.mailboxId, runId: run.id })
}

/** What was told last stands in the store, so that it is told once, also over a crash. */
function lookAt({ store, notifications }: Parts, id: MailboxId): void {
  const mailbox = findMailbox(store, id)
  if (mailbox === null) return
  const { needsYou, title } = mailbox
  store.transaction(() => {
    if (!store.mailboxes.tell(id, needsYou) || needsYou === null) return
    const text = needsYouText(
      needsYou,
      referenceOf(store, mailbox),
      title,
      needsYou === 'answer_questions' ? countAsked(store, id) : 0,
    )
    if (text !== null) notifications.tell(text, { mailboxId: id })
  })
}

function referenceOf(store: Store, { projectId, kind, iid }: Mailbox): string {
  const { forgeId } = store.forges.getProject(projectId)
  return mailboxReference(kind, iid, store.forges.getForge(forgeId).kind)
}

/** Of the comment that asked last. */
function countAsked(store: Store, id: MailboxId): number {
  const comments = store.outbox
    .listByMailbox(id)
    .map(({ payload }) => outboxPayloadSchema.safeParse(payload).data)
  const asked = comments.findLast(
    (comment) => comment?.type === 'comment' && comment.markerKind === 'questions',
  )
  return asked?.type === 'comment' ? countQuestions(asked.text) : 0
}

function findMailbox(store: Store, id: MailboxId) {
  try {
    return store.mailboxes.get(id)
  } catch {
    // Removed with its project, after the change was told.
    return null
  }
}

/** Of what a day's budget is used, before it keeps new runs from starting. */
const toldFrom = 0.8

/** Once a day for each scope whose budget it is. */
function tellBudgets(parts: Parts, run: Run): void {
  const { store, clock, notifications } = parts
  const project = store.forges.getProject(store.mailboxes.get(run.mailboxId).projectId)
  const today = startOfDay(clock.now())
  const told = store.notifications
    .list(200)
    .filter(({ kind, createdAt }) => kind === 'budget' && createdAt >= today)
  for (const day of dayBudgetsAround(parts, project)) {
    const { scope, scopeId, budgetUsd, spentUsd } = day
    const isTold = told.some(({ setting }) => setting?.scope === scope && setting.scopeId === scopeId)
    if (isTold || spentUsd < budgetUsd * toldFrom) continue
    notifications.tell(budgetText(day, scopeName(store, project, scope), store.runs.countLive().running), {
      setting: { key: 'DAY_BUDGET_USD', scope, scopeId },
    })
  }
}

/** null: the app, which needs no name. */
function scopeName(store: Store, project: Project, scope: SettingScope): string | null {
  if (scope === 'app') return null
  const { slug } = store.forges.getOrganization(project.organizationId)
  return scope === 'organization' ? slug : `${slug}/${project.slug}`
}

function tellEnded(parts: Parts, run: Run): void {
  const { store, settings, notifications } = parts
  const mailbox = store.mailboxes.get(run.mailboxId)
  // Who talks with an agent is told by its answer.
  if (run.outcome === null || isTalk(run.phase)) return
  const sessions = store.sessions.listByRun(run.id)
  const { RUN_TIMEOUT, RUN_MEMORY } = settings.ofProject(mailbox.projectId).values
  const text = runEndedText({
    reference: referenceOf(store, mailbox),
    phase: run.phase,
    outcome: run.outcome,
    session: sessions.at(-1) ?? null,
    leftMemory: leftMemory(parts, sessions.at(-1), mailbox.memoryRemovedAt),
    costUsd: figuresOf(sessions).costUsd,
    durationMs: run.startedAt === null || run.endedAt === null ? null : run.endedAt - run.startedAt,
    timeoutMs: RUN_TIMEOUT,
    memoryLimitBytes: RUN_MEMORY,
    commits: run.commits,
    keptInWorkspace: run.startedAt !== null,
  })
  if (text !== null) notifications.tell(text, { mailboxId: mailbox.id, runId: run.id })
}

/** What another adapter remembers of the issue, that this one began without; null: that is not what happened. */
function leftMemory(
  { store, timeline }: Parts,
  session: LlmSession | undefined,
  memoryRemovedAt: number | null,
): KeptMemory | null {
  if (session?.resumeFallback !== 'adapter_changed') return null
  const { mailboxId, attemptId } = session
  const prior = store.sessions.findPriorOfAnyAdapter(mailboxId, attemptId)
  if (prior === null || prior.adapter === session.adapter) return null
  const { adapter, nativeSessionId, createdAt } = prior
  const index = timeline
    .memories(mailboxId)
    .findIndex((memory) => memory.adapter === adapter && memory.nativeSessionId === nativeSessionId)
  const isRemoved = memoryRemovedAt !== null && createdAt <= memoryRemovedAt
  return index === -1 ? null : { letter: memoryLetter(index), adapter, isRemoved }
}
