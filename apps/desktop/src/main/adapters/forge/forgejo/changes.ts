import type { Project } from '@shared/model/records'
import { ok, type Result } from '@shared/result'
import type { ChangeLook, ForgeChange, ForgeError } from '@main/ports/forge'
import { type ForgejoContext, type Repository, repositoryOf } from './forgejo-context'
import { type Pull, pullSchema, pullsSchema, type TimelineEntry } from './parsers'
import { getAllPages, getAs } from './read-answer'
import { pathOf } from './transport'
import { sourceBranchOf, toForgeChange } from './views'

/*
 * Changes (pull requests) of a branch. No list can be asked for a branch, and the address of base and head gives the
 * oldest of a pair. So they are found by what refers to the issue, since every change of Alfred's names its issue, and by
 * that address.
 */

/** A push to the base shows as a conflict only after a check, and while it checks a server says that it cannot merge. */
const checkTakesMs = 2_000

/** Newest first. `timeline` is that of the issue, `base` the branch that a change most likely goes to. */
export async function readChangesOf(
  context: ForgejoContext,
  repository: Repository,
  facts: { readonly branch: string; readonly base: string; readonly timeline: readonly TimelineEntry[] },
): Promise<Result<readonly ForgeChange[], ForgeError>> {
  const { branch, base, timeline } = facts
  const oldest = await findByBaseAndHead(context, repository, base, branch)
  if (!oldest.ok) return oldest
  const numbers = new Set(timeline.flatMap((entry) => referringPull(entry, repository)))
  if (oldest.value !== null) numbers.add(oldest.value.number)
  const changes: ForgeChange[] = []
  for (const number of [...numbers].toSorted((a, b) => b - a)) {
    const pull = await getAs(context.transport, pathOfPull(repository, number), pullSchema)
    if (!pull.ok && pull.error.type !== 'not_found') return pull
    if (!pull.ok || sourceBranchOf(pull.value) !== branch) continue
    const change = await toChange(context, repository, pull.value)
    if (!change.ok) return change
    changes.push(change.value)
  }
  return ok(changes)
}

const pathOfPull = (repository: Repository, number: number): string => `${repository.path}/pulls/${number}`

function referringPull({ ref_issue: issue }: TimelineEntry, { fullName }: Repository): readonly number[] {
  const isHere = issue?.repository?.full_name === undefined || issue.repository.full_name === fullName
  return issue?.pull_request && isHere ? [issue.number] : []
}

/** What is left of the address is the head, slashes and all. */
const withSlashes = (branch: string): string => branch.split('/').map(encodeURIComponent).join('/')

/** null: there is none, or the repository is empty. */
async function findByBaseAndHead(
  { transport }: ForgejoContext,
  repository: Repository,
  base: string,
  head: string,
): Promise<Result<Pull | null, ForgeError>> {
  const found = await getAs(
    transport,
    `${repository.path}${pathOf`/pulls/${base}/`}${withSlashes(head)}`,
    pullSchema,
  )
  return !found.ok && found.error.type === 'not_found' ? ok(null) : found
}

export async function findOpenChange(
  context: ForgejoContext,
  repository: Repository,
  { sourceBranch, targetBranch }: { readonly sourceBranch: string; readonly targetBranch: string },
): Promise<Result<ForgeChange | null, ForgeError>> {
  const isIt = (pull: Pull): boolean =>
    pull.state === 'open' && sourceBranchOf(pull) === sourceBranch && pull.base.ref === targetBranch
  const oldest = await findByBaseAndHead(context, repository, targetBranch, sourceBranch)
  if (!oldest.ok) return oldest
  if (oldest.value === null) return ok(null)
  if (isIt(oldest.value)) return toChange(context, repository, oldest.value)
  // An old one is in the way; whether there is an open one too, only the list of all open ones tells.
  const open = await listOpen(context, repository)
  if (!open.ok) return open
  const found = open.value.filter(isIt).toSorted((a, b) => b.number - a.number)[0]
  return found === undefined ? ok(null) : toChange(context, repository, found)
}

/** One that was closed or merged meanwhile is left so, whatever the server says of the request. */
export async function closeChange(
  context: ForgejoContext,
  project: Project,
  changeIid: number,
): Promise<Result<void, ForgeError>> {
  const repository = repositoryOf(context, project)
  if (!repository.ok) return repository
  const path = pathOfPull(repository.value, changeIid)
  const isOpen = async (): Promise<Result<boolean, ForgeError>> => {
    const pull = await getAs(context.transport, path, pullSchema)
    return pull.ok ? ok(pull.value.state === 'open') : pull
  }
  const before = await isOpen()
  if (!before.ok) return before
  if (!before.value) return ok(undefined)
  const closed = await context.transport.patch(path, { state: 'closed' })
  if (closed.ok) return ok(undefined)
  const after = await isOpen()
  return after.ok && !after.value ? ok(undefined) : closed
}

/** Whether an open change, anybody's, comes from the branch or goes to it. */
export async function isInOpenChange(
  context: ForgejoContext,
  project: Project,
  branch: string,
): Promise<Result<boolean, ForgeError>> {
  const repository = repositoryOf(context, project)
  if (!repository.ok) return repository
  const open = await listOpen(context, repository.value)
  if (!open.ok) return open
  return ok(open.value.some((pull) => sourceBranchOf(pull) === branch || pull.base.ref === branch))
}

export async function lookAtChange(
  context: ForgejoContext,
  project: Project,
  changeIid: number,
): Promise<Result<ChangeLook, ForgeError>> {
  const repository = repositoryOf(context, project)
  if (!repository.ok) return repository
  const { transport } = context
  const pull = await getAs(transport, pathOfPull(repository.value, changeIid), pullSchema)
  if (!pull.ok) return pull
  const place = { baseUrl: transport.baseUrl, fullName: repository.value.fullName }
  return ok(toForgeChange(pull.value, place, { sourceBranch: '', hasConflicts: mayConflict(pull.value) }))
}

const listOpen = ({ transport }: ForgejoContext, repository: Repository) =>
  getAllPages(transport, `${repository.path}/pulls`, pullsSchema, {
    until: 'total',
    query: { state: 'open' },
  })

/** A conflict is only told when the server says so twice, with the time for a check between. */
export async function toChange(
  { transport, clock }: ForgejoContext,
  repository: Repository,
  first: Pull,
): Promise<Result<ForgeChange, ForgeError>> {
  let pull = first
  if (mayConflict(pull)) {
    await clock.sleep(checkTakesMs)
    const again = await getAs(transport, pathOfPull(repository, pull.number), pullSchema)
    if (!again.ok) return again
    pull = again.value
  }
  const place = { baseUrl: transport.baseUrl, fullName: repository.fullName }
  return ok(
    toForgeChange(pull, place, {
      sourceBranch: sourceBranchOf(pull) ?? pull.head.label,
      hasConflicts: mayConflict(pull),
    }),
  )
}

/** A draft is never mergeable, whatever it holds. */
const mayConflict = ({ state, draft, merged, mergeable }: Pull): boolean =>
  state === 'open' && merged !== true && draft !== true && mergeable === false
