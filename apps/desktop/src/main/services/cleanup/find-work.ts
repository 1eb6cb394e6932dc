import { ok, type Result } from '@shared/result'
import type { WorkInTheWay } from '@shared/cleanup-words'
import type { RunId } from '@shared/model/ids'
import type { Mailbox, Run } from '@shared/model/records'
import type { DataRemover } from '../../ports/data-remover'
import type { Git, GitError } from '../../ports/git'
import type { Store } from '../../ports/stores'

interface Parts {
  readonly store: Store
  readonly git: Pick<Git, 'openMailboxRepository'>
  readonly remover: DataRemover
}

interface Places {
  readonly workspace: string
  readonly repository: string
}

/** Runs that are looked through at once for the last one that had a container: all that follow may have failed to start. */
const runsAtOnce = 20

/** What would be lost with workspace and repository of a mailbox; null: nothing. Nobody uses the mailbox meanwhile. */
export async function findWork(
  parts: Parts,
  mailbox: Mailbox,
  places: Places,
): Promise<Result<WorkInTheWay | null, GitError>> {
  const isUncollected = lastWorkIsUncollected(parts, mailbox) && parts.remover.holdsAnything(places.workspace)
  const nothing = isUncollected ? { commits: 0, files: [], isUncollected } : null
  // Opening makes what is missing, so it is looked for first.
  if (!parts.remover.exists(places.repository)) return ok(nothing)
  const repository = await parts.git.openMailboxRepository(places.repository)
  if (!repository.ok) return repository
  const here = await repository.value.workHere(pushedShas(parts.store, mailbox))
  if (!here.ok) return here
  const { commits, keptFiles } = here.value
  return ok(commits > 0 || keptFiles.length > 0 ? { commits, files: keptFiles, isUncollected } : nothing)
}

/** The host does not look into a workspace: what counts is whether its last run could bring out what it did. */
function lastWorkIsUncollected({ store }: Parts, mailbox: Mailbox): boolean {
  const hadContainer = ({ id }: Run): boolean =>
    store.runs
      .listAttempts(id)
      .some((attempt) => store.runs.listStarts(attempt.id).some(({ containerId }) => containerId !== null))
  for (let before: RunId | null = null; ;) {
    const runs: readonly Run[] = store.runs.listByMailbox(mailbox.id, runsAtOnce, before)
    const last = runs.find(hadContainer)
    if (last !== undefined) return last.commits === null
    before = runs.at(-1)?.id ?? null
    if (before === null) return false
  }
}

/** A branch that was merged and deleted on the forge is gone there, but it was pushed. */
function pushedShas(store: Store, mailbox: Mailbox): readonly string[] {
  return store.outbox
    .listByMailbox(mailbox.id)
    .flatMap(({ kind, state, remoteId }) =>
      kind === 'push' && state === 'sent' && remoteId !== null ? [remoteId] : [],
    )
}
