import type { Run } from '@shared/model/records'
import type { MailboxRepository } from '../../ports/git'
import type { Store } from '../../ports/stores'
import { declinedAt } from '../workflow/waiting-push'
import type { PreparedBase } from './prepare-base'

/** Runs that are looked through for the last one that had a container. */
const mostRuns = 50

type Following = Pick<Run, 'id' | 'mailboxId'>

/** The run before this one that left the workspace as it is: one that never had a container changed nothing there. */
const lastInWorkspace = (store: Store, run: Following): Run | null =>
  store.runs
    .listByMailbox(run.mailboxId, mostRuns, run.id)
    .find(({ id }) =>
      store.runs
        .listAttempts(id)
        .some((attempt) => store.runs.listStarts(attempt.id).some(({ containerId }) => containerId !== null)),
    ) ?? null

/** Whether a person has decided against what lies in the workspace, so that nobody goes on with it. */
export function isTakenBack(store: Store, run: Following): boolean {
  const last = lastInWorkspace(store, run)
  return last !== null && isTakenBackSince(store, last)
}

/** Whether commits of the mailbox were left out or discarded since the run has ended. */
function isTakenBackSince(store: Store, { mailboxId, endedAt }: Run): boolean {
  const declined = store.outbox
    .listByMailbox(mailboxId)
    .flatMap(({ kind, state, runId }) =>
      kind === 'push' && state === 'failed' && runId !== null ? [runId] : [],
    )
  return [...new Set(declined)].some((runId) => (declinedAt(store, runId) ?? -1) >= (endedAt ?? 0))
}

/**
 * What a talk begins with: the last commit of the workspace, as far as it was taken in. No forge is asked for it. null:
 * there is no such commit any more, or nobody goes on with it. `branch`: the issue's, which has a name by now.
 */
export async function baseOfLastWork(
  store: Store,
  run: Following,
  branch: string,
  repository: MailboxRepository,
): Promise<PreparedBase | null> {
  const last = lastInWorkspace(store, run)
  if (last === null || isTakenBackSince(store, last)) return null
  const baseSha = last.headSha ?? last.baseSha
  if (baseSha === null) return null
  const isThere = await repository.commitCount(baseSha, baseSha)
  if (!isThere.ok) return null
  const own = await repository.ownBranch(branch)
  const there = await repository.remoteBranch(branch)
  const branchExists = (own.ok && own.value !== null) || (there.ok && there.value !== null)
  return { baseSha, branchExists }
}
