import type { ProjectId } from '@shared/model/ids'
import type { Mailbox, Project } from '@shared/model/records'
import { err, ok, type Result } from '@shared/result'
import type { ForgeError } from '../../ports/forge'
import { storageFailureOf, storageWords } from '../../ports/storage-failure'
import { handledChange, isAsHandled, isIssueAsHandled, type HandledChange } from './handled-change'
import type { WorkflowParts } from './workflow-parts'
import type { WorkflowService } from './workflow-service'

/*
 * One poll of one project: the issues that changed, and the changes of those that wait for something that moves no issue:
 * checks, conflicts, time. Where a look costs a request, a change is read again only when something is new at it, and a
 * project at which everybody waits costs one request beside the list of issues: in turn for edits of comments, and for
 * the checks or the change of one issue, now and then for the issue itself. Only checks that run are asked for with every
 * poll.
 */

export interface ProjectPolls {
  poll(project: Project, signal: AbortSignal): Promise<Result<void, ForgeError>>
}

const CURSOR = 'issues'

/** One in so many polls asks for edits of comments, the others look at changes. */
const TURNS = 3
/** One in so many looks at an issue instead: for what was deleted there, which is seldom, and hurries nobody. */
const ISSUE_TURNS = 15

interface Look {
  readonly iid: number
  readonly at: 'change' | 'checks' | 'issue'
}

export function createProjectPolls(parts: WorkflowParts, workflow: WorkflowService): ProjectPolls {
  const { store } = parts
  const turns = new Map<ProjectId, { poll: number; look: number; issue: number }>()

  /** What is looked at in this poll; null: edits of comments. */
  const nextLook = (project: Project): Look | null => {
    if (parts.forgeOf(project).looks === undefined) return null
    const waiting = waitingOf(parts, project).flatMap((mailbox) => {
      const handled = handledChange(parts, project, mailbox)
      return handled === null ? [] : [{ iid: mailbox.iid, handled }]
    })
    const looks = waiting.flatMap(({ iid, handled }): Look[] => {
      const change = { iid, at: 'change' } as const
      return handled.headStatus === 'pending' ? [change] : [{ iid, at: 'checks' }, change]
    })
    const turn = turns.get(project.id) ?? { poll: 0, look: 0, issue: 0 }
    turns.set(project.id, turn)
    turn.poll += 1
    if (turn.poll % ISSUE_TURNS === 0) {
      turn.issue += 1
      const iid = waiting[turn.issue % waiting.length]?.iid
      return iid === undefined ? null : { iid, at: 'issue' }
    }
    if (looks.length === 0 || turn.poll % TURNS === 0) return null
    turn.look += 1
    return looks[turn.look % looks.length] ?? null
  }

  return {
    poll: async (project, signal) => {
      const look = nextLook(project)
      const seen = new Set<number>()
      let hasMore = true
      while (hasMore && !signal.aborted) {
        const cursor = store.cursors.get(project.forgeId, project.id, CURSOR)
        const how = { leavesEdits: look !== null }
        const page = await parts.forgeOf(project).listChangedIssues(project, cursor, how)
        if (!page.ok) return page
        for (const issue of page.value.issues) {
          if (signal.aborted) return ok(undefined)
          if (!workflow.isOfInterest(project, issue)) continue
          seen.add(issue.iid)
          const considered = await considerSafely(parts, workflow, project, issue.iid)
          if (!considered.ok) return considered
        }
        if (page.value.cursor !== cursor) {
          store.cursors.set(project.forgeId, project.id, CURSOR, page.value.cursor, parts.clock.now())
        }
        // A forge that says "more" without moving on would be asked for ever.
        hasMore = page.value.hasMore && page.value.cursor !== cursor
      }
      for (const mailbox of waitingOf(parts, project)) {
        if (signal.aborted) break
        if (seen.has(mailbox.iid)) continue
        const isNews = await hasNews(parts, project, mailbox, look)
        if (!isNews.ok) return isNews
        if (!isNews.value) continue
        const considered = await considerSafely(parts, workflow, project, mailbox.iid)
        if (!considered.ok) return considered
      }
      return ok(undefined)
    },
  }
}

const waitingOf = ({ store }: WorkflowParts, project: Project): readonly Mailbox[] =>
  store.mailboxes
    .listOpen(project.id)
    .filter(
      ({ kind, status, changeIid }) =>
        kind === 'issue' &&
        (status === 'in_ci' || status === 'in_review' || (status === 'in_development' && changeIid !== null)),
    )

/** Whether the issue has to be read whole. */
async function hasNews(
  parts: WorkflowParts,
  project: Project,
  mailbox: Mailbox,
  look: Look | null,
): Promise<Result<boolean, ForgeError>> {
  const { looks } = parts.forgeOf(project)
  const handled = handledChange(parts, project, mailbox)
  if (looks === undefined || handled === null) return ok(true)
  const isLookedAt = (at: Look['at']): boolean => look?.iid === mailbox.iid && look.at === at
  if (isLookedAt('change')) {
    const change = await looks.change(project, handled.iid)
    if (!change.ok) return newsOf(change.error)
    if (!isAsHandled(change.value, handled)) return ok(true)
  }
  if (isLookedAt('issue')) {
    const issue = await looks.issue(project, mailbox.iid)
    if (!issue.ok) return newsOf(issue.error)
    if (!isIssueAsHandled(issue.value, handled)) return ok(true)
  }
  return isLookedAt('checks') || handled.headStatus === 'pending'
    ? hasNewChecks(looks, project, handled)
    : ok(false)
}

async function hasNewChecks(
  looks: NonNullable<ReturnType<WorkflowParts['forgeOf']>['looks']>,
  project: Project,
  { headSha, headStatus }: HandledChange,
): Promise<Result<boolean, ForgeError>> {
  if (headSha === null) return ok(true)
  const checks = await looks.checks(project, headSha)
  return checks.ok ? ok(checks.value !== headStatus) : newsOf(checks.error)
}

/** What cannot be looked at is read whole, which says why. */
const newsOf = (error: ForgeError): Result<boolean, ForgeError> =>
  error.retryable || error.type === 'unauthorized' ? { ok: false, error } : ok(true)

/**
 * An issue that is gone, or that breaks something, must not keep the others from being seen. Where nothing could be
 * stored, nothing was dealt with: the cursor stays before it.
 */
async function considerSafely(
  parts: WorkflowParts,
  workflow: WorkflowService,
  project: Project,
  iid: number,
): Promise<Result<void, ForgeError>> {
  try {
    const considered = await workflow.consider(project.id, iid)
    if (considered.ok || considered.error.retryable || considered.error.type === 'unauthorized')
      return considered
    parts.logger.warn('an issue cannot be read', {
      project: project.slug,
      iid,
      error: considered.error.message,
    })
  } catch (error) {
    const storage = storageFailureOf(error)
    if (storage !== null) return err({ type: 'unexpected', message: storageWords(storage), retryable: true })
    parts.logger.error('an issue could not be dealt with', {
      project: project.slug,
      iid,
      error: String(error),
    })
  }
  return ok(undefined)
}
