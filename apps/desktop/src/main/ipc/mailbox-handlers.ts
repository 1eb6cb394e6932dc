import type { mailboxesContract } from '@shared/contract/mailboxes'
import { err, ok } from '@shared/result'
import type { CleanupService } from '../services/cleanup/cleanup-service'
import type { FinishedWorkspaces } from '../services/cleanup/finished-workspaces'
import type { MailboxActions } from '../services/mailbox-actions'
import type { MailboxQueries } from '../services/queries/mailbox-queries'
import type { HandlersOf } from './dispatch'
import { readTimelinePage, type SessionHandlerParts } from './session-handlers'

export interface MailboxHandlerParts {
  readonly queries: MailboxQueries
  readonly actions: MailboxActions
  readonly cleanup: Pick<CleanupService, 'cleanUpMailbox'>
  readonly finishedWorkspaces: Pick<FinishedWorkspaces, 'list' | 'free'>
  readonly personLogin: string
  readonly sessions: SessionHandlerParts
}

export function createMailboxHandlers({
  queries,
  actions,
  cleanup,
  finishedWorkspaces,
  personLogin,
  sessions,
}: MailboxHandlerParts): HandlersOf<typeof mailboxesContract> {
  return {
    projects: () => ok(queries.projects()),
    list: (input) => ok(queries.list(input)),
    home: async ({ list: input, sessions: limit }) => {
      const list = queries.list(input)
      const mailboxId = list.rows[0]?.id
      const mailbox = mailboxId === undefined ? null : await queries.get(mailboxId)
      if (mailboxId === undefined || mailbox === null) return ok({ list, first: null })
      const timeline = readTimelinePage(sessions, { mailboxId, beforeRunId: null, limit })
      return ok({ list, first: { mailbox, timeline } })
    },
    counts: () => ok(queries.counts()),
    get: async ({ mailboxId }) => {
      const found = await queries.get(mailboxId)
      return found === null ? err({ type: 'not_found', what: `mailbox ${mailboxId}` }) : ok(found)
    },
    find: ({ projectPath, iid }) => ok(queries.find(projectPath, iid)),
    markSeen: ({ mailboxId }) => actions.markSeen(mailboxId),
    validatePlan: ({ mailboxId }) => actions.validatePlan(mailboxId),
    pendingPush: async ({ mailboxId }) => ok(await actions.pendingPush(mailboxId)),
    approvePush: ({ mailboxId, headSha }) => actions.approvePush(mailboxId, headSha),
    goOnWithoutPush: ({ mailboxId, headSha }) => actions.goOnWithout(mailboxId, headSha),
    discardPush: ({ mailboxId, headSha }) => actions.discardPush(mailboxId, headSha),
    cleanUp: ({ mailboxId, force }) => cleanup.cleanUpMailbox(mailboxId, force, personLogin),
    finishedWorkspaces: async () => ok([...(await finishedWorkspaces.list())]),
    freeWorkspaces: async ({ mailboxIds }) => ok(await finishedWorkspaces.free(mailboxIds, personLogin)),
    startWork: ({ mailboxId }) => actions.startWork(mailboxId),
  }
}
