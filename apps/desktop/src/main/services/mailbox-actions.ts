import type { z } from 'zod'
import type { mailboxesContract, PendingPush } from '@shared/contract/mailboxes'
import { trackerErrorMessage } from '@shared/tracker-words'
import type { MailboxId, RunId } from '@shared/model/ids'
import type { Mailbox, Run } from '@shared/model/records'
import { err, ok, type Result } from '@shared/result'
import type { Clock } from '../ports/clock'
import type { Store } from '../ports/stores'
import type { Tracker } from '../ports/tracker'
import { findMailbox } from './queries/mailbox-queries'
import type { RunService } from './runs/run-service'
import type { ChangeFeed } from './status/change-feed'
import type { RunPusher, RunRequests } from './workflow/ports-of-workflow'
import { runOfWaitingPush } from './workflow/waiting-push'
import type { LeftOut, NotLeftOut, WorkflowService } from './workflow/workflow-service'

type ActionError =
  | z.infer<(typeof mailboxesContract)['validatePlan']['error']>
  | { readonly type: 'not_found'; readonly what: string }
type Done = Promise<Result<null, ActionError>>

/** A diff that is longer is cut. */
const maxDiffBytes = 2_000_000

/** What a person does with a mailbox by one click; on the forge it is the person who does it, never Alfred. */
export interface MailboxActions {
  markSeen(id: MailboxId): Result<null, { readonly type: 'not_found'; readonly what: string }>
  validatePlan(id: MailboxId): Done
  /** What a push that waits for a person would publish; null when none waits. */
  pendingPush(id: MailboxId): Promise<PendingPush | null>
  /** Agrees to publish `headSha`; another one, meanwhile, is nothing that the person has seen. */
  approvePush(id: MailboxId, headSha: string): Result<{ readonly runId: RunId }, ActionError>
  /** Goes on without `headSha`; says where it is kept. */
  goOnWithout(id: MailboxId, headSha: string): Promise<Result<LeftOut, ActionError>>
  discardPush(id: MailboxId, headSha: string): Promise<Result<{ readonly runId: RunId }, ActionError>>
  startWork(id: MailboxId): Done
}

interface Parts {
  readonly store: Store
  readonly clock: Clock
  readonly tracker: Tracker
  readonly runs: Pick<RunService, 'request'>
  readonly requests: Pick<RunRequests, 'whyNoAgent'>
  readonly pusher: Pick<RunPusher, 'describePush'>
  readonly workflow: Pick<WorkflowService, 'approvePush' | 'goOnWithout' | 'discardPush'>
  /** Who sits at this computer. */
  readonly personLogin: string
  readonly changes: ChangeFeed
  /** Lets the workflow look at the issue now, instead of at the next poll. */
  readonly onIssueChanged: (mailbox: Mailbox) => void
}

const notFound = (id: number) => err({ type: 'not_found', what: `mailbox ${id}` } as const)

export function createMailboxActions(parts: Parts): MailboxActions {
  const { store, clock, tracker } = parts
  return {
    markSeen(id) {
      const mailbox = findMailbox(parts, id)
      if (mailbox === null) return notFound(id)
      // a window says so for every mailbox it opens; what is no news is not told, or all would be read again
      if (mailbox.seenAt !== null && mailbox.seenAt >= mailbox.updatedAt) return ok(null)
      store.mailboxes.update(id, { seenAt: clock.now() }, clock.now())
      parts.changes.publish({ type: 'mailbox', mailboxId: id, projectId: mailbox.projectId })
      return ok(null)
    },
    async validatePlan(id) {
      const mailbox = findMailbox(parts, id)
      if (mailbox === null) return notFound(id)
      if (mailbox.status !== 'waiting_validation') return err({ type: 'nothing_to_validate' })
      const { kind, name } = store.forges.getForge(store.forges.getProject(mailbox.projectId).forgeId)
      // Alfred's own account proves nothing, and who sits here has no other one there that Alfred could use.
      if (kind !== 'local') {
        const message = `A plan is validated on ${name}: set the label ai::validate_plan on the issue, with an account that may write there.`
        return err({ type: 'forge', message })
      }
      const labelled = await tracker.addLabel(mailbox, 'ai::validate_plan')
      if (!labelled.ok) return err({ type: 'forge', message: trackerErrorMessage(labelled.error) })
      parts.onIssueChanged(mailbox)
      return ok(null)
    },
    async pendingPush(id) {
      const mailbox = findMailbox(parts, id)
      const run = mailbox === null ? null : runOfWaitingPush(store, mailbox)
      return run === null ? null : describe(parts, run)
    },
    approvePush(id, headSha) {
      const mailbox = findMailbox(parts, id)
      if (mailbox === null) return notFound(id)
      const runId = parts.workflow.approvePush(id, headSha, parts.personLogin)
      return runId === null ? err({ type: 'nothing_to_push' }) : ok({ runId })
    },
    async goOnWithout(id, headSha) {
      if (findMailbox(parts, id) === null) return notFound(id)
      const left = await parts.workflow.goOnWithout(id, headSha, parts.personLogin)
      return left.ok ? left : err(notLeftOut(left.error))
    },
    async discardPush(id, headSha) {
      if (findMailbox(parts, id) === null) return notFound(id)
      const left = await parts.workflow.discardPush(id, headSha, parts.personLogin)
      return left.ok ? ok({ runId: left.value }) : err(notLeftOut(left.error))
    },
    async startWork(id) {
      const mailbox = findMailbox(parts, id)
      if (mailbox === null) return notFound(id)
      if (mailbox.status !== null) return startAgain(parts, mailbox)
      const noAgent = parts.requests.whyNoAgent(id, 'analysis')
      if (noAgent !== null) return err(noAgent)
      const { forgeId } = store.forges.getProject(mailbox.projectId)
      const assigned = await tracker.assign(mailbox, store.forges.getForge(forgeId).accountLogin)
      if (!assigned.ok) return err({ type: 'forge', message: trackerErrorMessage(assigned.error) })
      parts.onIssueChanged(mailbox)
      return ok(null)
    },
  }
}

const notLeftOut = (error: NotLeftOut): ActionError =>
  error.type === 'nothing_to_push' ? error : { type: 'not_taken_back', message: error.message }

async function describe({ pusher }: Parts, run: Run): Promise<PendingPush> {
  const told = await pusher.describePush(run, { maxDiffBytes })
  if (told.ok) {
    const { paths, cut, ...push } = told.value
    return { runId: run.id, ...push, paths: [...paths], patchIsCut: cut, problem: null }
  }
  const nothing = { headSha: '', branch: '', commits: 0, paths: [], patch: null, patchIsCut: false }
  return { runId: run.id, ...nothing, problem: told.error.message }
}

/** It was taken up before: a run of the phase that is next. */
function startAgain({ runs }: Parts, mailbox: Mailbox): Result<null, ActionError> {
  const requested = runs.request(mailbox.id, null, 'auto')
  if (requested.ok) return ok(null)
  const { error } = requested
  switch (error.type) {
    case 'already_running':
    case 'no_agent':
    case 'not_found':
      return err(error)
    case 'not_live':
      return ok(null)
    case 'not_retryable':
      return err({ type: 'not_startable', message: error.message })
    case 'memory_removed':
      return err({ type: 'not_startable', message: 'Memory was removed at cleanup.' })
  }
}
