import type { z } from 'zod'
import type { mailboxesContract, MailboxDetail, MailboxRow, ProjectSummary } from '@shared/contract/mailboxes'
import type { OutputOf } from '@shared/contract/define'
import type { MailboxId, ProjectId } from '@shared/model/ids'
import type { Mailbox, Project } from '@shared/model/records'
import type { ForgeKind } from '@shared/model/words'
import { sessionOfRun } from '@shared/timeline/fold-attempts'
import { memoryKey, memoryLetter } from '@shared/timeline/memory-letters'
import { branchName } from '../../core/session/branch-name'
import { hadChecks, isMerge } from '../../core/workflow/decide'
import type { PostFacts } from '../../core/workflow/facts'
import type { ThreadRecord, ThreadRun } from '../../ports/timeline-reader'
import { settingsOfPhase } from '../../core/settings/phase-settings'
import { chooseAdapter } from '../runs/choose-adapter'
import { nextPhase } from '../runs/next-phase'
import { mailboxProgress, type Checks } from './mailbox-progress'
import { nowStrip } from './now-strip'
import type { QueryParts } from './query-parts'
import { badgeOf } from './timeline-rows'
import { approvalInForce } from '../workflow/approval-in-force'
import { toPost } from '../workflow/to-post'

/** Sessions in the small thread of a row of the list. */
const miniThreadLength = 8

type Input<K extends keyof typeof mailboxesContract> = z.infer<(typeof mailboxesContract)[K]['input']>

export interface MailboxQueries {
  projects(): ProjectSummary[]
  list(input: Input<'list'>): OutputOf<typeof mailboxesContract.list>
  counts(): OutputOf<typeof mailboxesContract.counts>
  /** null: there is no such mailbox. */
  get(id: MailboxId): Promise<MailboxDetail | null>
  find(projectPath: string, iid: number): { readonly mailboxId: MailboxId } | null
}

export function createMailboxQueries(parts: QueryParts): MailboxQueries {
  const { store } = parts
  return {
    projects() {
      const openByProject = store.mailboxes.countsByProject()
      return store.forges.listProjects().map((project) => {
        const forge = store.forges.getForge(project.forgeId)
        return {
          id: project.id,
          forgeKind: forge.kind,
          forgeName: forge.name,
          organization: store.forges.getOrganization(project.organizationId).slug,
          slug: project.slug,
          isDemo: project.isDemo,
          isWatched: project.isWatched,
          openCount: openByProject.get(project.id) ?? 0,
        }
      })
    },
    list(input) {
      // One more than asked for says whether there is more, without counting.
      const found = store.mailboxes.list({ ...input, limit: input.limit + 1 })
      return { rows: toMailboxRows(parts, found.slice(0, input.limit)), hasMore: found.length > input.limit }
    },
    counts: () => ({ ...store.mailboxes.counts(null) }),
    get: (id) => mailboxDetail(parts, id),
    find(projectPath, iid) {
      const project = findProject(parts, projectPath)
      const mailbox = project === null ? null : store.mailboxes.find(project.id, 'issue', iid)
      return mailbox === null ? null : { mailboxId: mailbox.id }
    },
  }
}

export const pathOf = ({ store }: Pick<QueryParts, 'store'>, project: Project): string =>
  `${store.forges.getOrganization(project.organizationId).slug}/${project.slug}`

/** By `organization/project`, or by the project's name alone where only one has it. */
function findProject(parts: QueryParts, path: string): Project | null {
  const projects = parts.store.forges.listProjects()
  const whole = projects.find((project) => pathOf(parts, project) === path)
  if (whole) return whole
  const named = projects.filter((project) => project.slug === path)
  return named.length === 1 ? (named[0] ?? null) : null
}

function toMailboxRows(parts: QueryParts, mailboxes: readonly Mailbox[]): MailboxRow[] {
  const { store, timeline } = parts
  const places = new Map<ProjectId, Pick<MailboxRow, 'forgeKind' | 'projectPath'>>()
  const placeOf = (id: ProjectId): Pick<MailboxRow, 'forgeKind' | 'projectPath'> => {
    const place = places.get(id) ?? readPlace(parts, id)
    places.set(id, place)
    return place
  }
  const threads = timeline.threads(
    mailboxes.map(({ id }) => id),
    miniThreadLength,
  )
  return mailboxes.map((mailbox) => {
    const { id, projectId, kind, iid, title, status, needsYou, isOpen, updatedAt, seenAt } = mailbox
    const totals = store.sessions.totals(id)
    const thread = threads.get(id)
    return {
      id,
      projectId,
      kind,
      iid,
      title,
      ...placeOf(projectId),
      status,
      needsYou,
      isOpen,
      isUnread: seenAt === null || seenAt < updatedAt,
      updatedAt,
      latestRun: toRunSummary(thread?.runs.at(-1)?.run),
      miniThread: thread === undefined ? [] : miniThread(thread),
      costUsd: totals.sessions === totals.costUnknown ? null : totals.costUsd,
      costUnknown: totals.costUnknown,
    }
  })
}

function readPlace(parts: QueryParts, projectId: ProjectId): Pick<MailboxRow, 'forgeKind' | 'projectPath'> {
  const project = parts.store.forges.getProject(projectId)
  return {
    forgeKind: parts.store.forges.getForge(project.forgeId).kind,
    projectPath: pathOf(parts, project),
  }
}

function toRunSummary(run: ThreadRun['run'] | undefined): MailboxRow['latestRun'] {
  if (run === undefined) return null
  const { id, phase, state, outcome, startedAt, endedAt } = run
  return { id, phase, state, outcome, startedAt, endedAt }
}

function miniThread({ runs, memoryKeys }: ThreadRecord): MailboxRow['miniThread'] {
  return runs.map(({ run, sessions }) => {
    const session = sessionOfRun(sessions)
    const badge = badgeOf(run, session)
    const nativeId =
      session?.nativeSessionId ?? (badge === 'pending' ? session?.requestedSessionId : null) ?? null
    const index = nativeId === null ? -1 : memoryKeys.indexOf(memoryKey(run.adapter, nativeId))
    return {
      runId: run.id,
      letter: index === -1 ? null : memoryLetter(index),
      badge,
      live: run.state !== 'ended',
    }
  })
}

async function mailboxDetail(parts: QueryParts, id: MailboxId): Promise<MailboxDetail | null> {
  const { store, settings } = parts
  const mailbox = findMailbox(parts, id)
  if (mailbox === null) return null
  const project = store.forges.getProject(mailbox.projectId)
  const { values, origins } = settings.of(project)
  // Its texts are the forge's; while that does not answer, what the database knows is shown.
  const snapshot =
    mailbox.kind === 'issue' ? await parts.forgeOf(project).readIssue(project, mailbox.iid, null) : null
  const issue = snapshot?.ok === true ? snapshot.value.issue : null
  const labels = [...(issue?.labels ?? [])]
  const totals = store.sessions.totals(id)
  const posts = store.outbox.listByMailbox(id).map(toPost)
  const plan = store.plans.find(id)
  const origin = origins.AGENT_SESSION_RESUME
  const phase = nextPhase(store, mailbox)
  const adapter = chooseAdapter({
    settings: settingsOfPhase(values, phase),
    phase,
    project,
    installations: store.installations.list(),
    images: store.images.list(),
    adapters: parts.adapters,
    allowsDemonstration: parts.allowsDemonstration,
  })
  const {
    projectId,
    kind,
    iid,
    title,
    status,
    needsYou,
    isOpen,
    branchName: frozenName,
    baseBranch,
    changeIid,
    memoryRemovedAt,
  } = mailbox
  return {
    id,
    projectId,
    kind,
    iid,
    title,
    body: issue?.body ?? '',
    projectPath: pathOf(parts, project),
    forgeKind: store.forges.getForge(project.forgeId).kind,
    isDemo: project.isDemo,
    status,
    needsYou,
    isOpen,
    branchName: frozenName,
    nextBranchName: frozenName ?? branchName({ prefix: values.BRANCH_PREFIX, iid, title }),
    baseBranch,
    changeIid,
    labels,
    url: issue?.url ?? null,
    progress: mailboxProgress({
      mailbox,
      labels,
      requiresValidation: values.REQUIRE_PLAN_VALIDATION,
      checks: checksOf(posts, store.forges.getForge(project.forgeId).kind),
      isMerged: isMerge(posts.findLast(({ kind }) => kind === 'status')?.cause ?? ''),
      latestRun: store.runs.latest(id),
    }),
    now: nowStrip(parts, mailbox),
    plan:
      plan === null
        ? null
        : {
            text: plan.plan,
            functionalAnalysis: plan.functionalAnalysis,
            createdAt: plan.createdAt,
            isApproved: approvalInForce(store, id) !== null,
          },
    sessionCount: totals.sessions,
    costUsd: totals.sessions === totals.costUnknown ? null : totals.costUsd,
    costUnknown: totals.costUnknown,
    tokens: totals.sessions === totals.tokensUnknown ? null : totals.tokens,
    tokensUnknown: totals.tokensUnknown,
    nextPollAt: parts.nextPollAt(),
    memoryRemovedAt,
    sessionsOffScope: values.AGENT_SESSION_RESUME ? null : origin === 'default' ? 'app' : origin,
    nextAdapter: adapter.ok ? adapter.value : null,
    terminalLimitMs: values.TERMINAL_LIMIT,
  }
}

/** The local forge has no commit statuses. */
const checksOf = (posts: readonly PostFacts[], kind: ForgeKind): Checks =>
  hadChecks(posts) ? 'seen' : kind === 'local' ? 'never' : 'may_come'

/** A client may hold the id of a mailbox that was removed meanwhile. */
export function findMailbox({ store }: Pick<QueryParts, 'store'>, id: MailboxId): Mailbox | null {
  try {
    return store.mailboxes.get(id)
  } catch {
    return null
  }
}
