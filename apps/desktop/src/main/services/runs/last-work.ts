import type { Run } from '@shared/model/records'
import type { MailboxRepository } from '../../ports/git'
import type { Store } from '../../ports/stores'
import { declinedAt } from '../workflow/waiting-push'
import type { RunContext } from './run-context'
import type { PreparedBase } from './prepare-base'

/** Runs that are looked through for the last one that had a container. */
const mostRuns = 50

/**
 * The run before this one that left the workspace as it is; null: none did, or a person has decided against what lies
 * there, so that nobody goes on with it.
 */
export function lastWork(store: Store, run: Pick<Run, 'id' | 'mailboxId'>): Run | null {
  const last = store.runs
    .listByMailbox(run.mailboxId, mostRuns, run.id)
    .find(({ id }) =>
      store.runs
        .listAttempts(id)
        .some((attempt) => store.runs.listStarts(attempt.id).some(({ containerId }) => containerId !== null)),
    )
  if (last === undefined) return null
  return isTakenBackSince(store, last) ? null : last
}

/** Whether commits of the mailbox were left out or discarded since the run has ended. */
export function isTakenBackSince(store: Store, { mailboxId, endedAt }: Run): boolean {
  const declined = store.outbox
    .listByMailbox(mailboxId)
    .flatMap(({ kind, state, runId }) =>
      kind === 'push' && state === 'failed' && runId !== null ? [runId] : [],
    )
  return [...new Set(declined)].some((runId) => (declinedAt(store, runId) ?? -1) >= (endedAt ?? 0))
}

/**
 * What a talk begins with: the last commit of the workspace, as far as it was taken in. No forge is asked for it. null:
 * there is no such commit any more.
 */
export async function baseOfLastWork(
  store: Store,
  { run, mailbox }: Pick<RunContext, 'run' | 'mailbox'>,
  repository: MailboxRepository,
): Promise<PreparedBase | null> {
  const last = lastWork(store, run)
  const baseSha = last === null ? null : (last.headSha ?? last.baseSha)
  if (baseSha === null || mailbox.branchName === null) return null
  const isThere = await repository.commitCount(baseSha, baseSha)
  if (!isThere.ok) return null
  const own = await repository.ownBranch(mailbox.branchName)
  const there = await repository.remoteBranch(mailbox.branchName)
  const branchExists = (own.ok && own.value !== null) || (there.ok && there.value !== null)
  return { baseSha, branchExists }
}
