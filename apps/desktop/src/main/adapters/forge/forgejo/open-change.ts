import type { Project } from '@shared/model/records'
import { err, ok, type Result } from '@shared/result'
import type { Forge, ForgeChange, ForgeError } from '@main/ports/forge'
import { readBranch, waitForBranch } from './branches'
import { findOpenChange, toChange } from './changes'
import { type ForgejoContext, type Repository, repositoryOf } from './forgejo-context'
import { pullSchema } from './parsers'
import { readAs } from './read-answer'
import type { ForgejoFailure } from './status-errors'

/*
 * Opens a change once. It is looked for before, and again after every answer that leaves open whether it was made.
 */

type NewChange = Parameters<Forge['openChange']>[1]

export async function openChange(
  context: ForgejoContext,
  project: Project,
  change: NewChange,
): Promise<Result<ForgeChange, ForgeError>> {
  const at = repositoryOf(context, project)
  if (!at.ok) return at
  const repository = at.value
  const open = await findOpenChange(context, repository, change)
  if (!open.ok) return open
  if (open.value !== null) return ok(open.value)
  const first = await post(context, repository, change)
  if (first.ok || !mayMissBranch(first.error))
    return first.ok ? first : otherOr(context, repository, change, first)
  // The API learns of a first push only later, and says then that the branch is not there.
  const isThere = await waitForBranch(context, repository, change.sourceBranch)
  if (!isThere.ok) return isThere
  if (!isThere.value) {
    return err({
      type: 'not_found',
      message: `The forge does not know the branch ${change.sourceBranch}.`,
      retryable: false,
    })
  }
  const again = await findOpenChange(context, repository, change)
  if (!again.ok) return again
  if (again.value !== null) return ok(again.value)
  const second = await post(context, repository, change)
  if (second.ok || second.error.status !== 404)
    return second.ok ? second : otherOr(context, repository, change, second)
  const target = await readBranch(context, repository, change.targetBranch)
  return target.ok && target.value === null ? noTarget(change) : second
}

const noTarget = ({ targetBranch }: NewChange): Result<never, ForgeError> =>
  err({
    type: 'invalid',
    message: `The forge has no branch ${targetBranch} for the change to go to: it was renamed or deleted.`,
    retryable: false,
  })

const mayMissBranch = ({ status }: ForgeError & Partial<ForgejoFailure>): boolean =>
  status === 404 || status === 500

/** It may be there in spite of the error: made by somebody else, or by this very request. */
async function otherOr(
  context: ForgejoContext,
  repository: Repository,
  change: NewChange,
  failed: Result<never, ForgeError & Partial<ForgejoFailure>>,
): Promise<Result<ForgeChange, ForgeError>> {
  if (failed.ok || (failed.error.type !== 'conflict' && failed.error.maybeApplied !== true)) return failed
  const other = await findOpenChange(context, repository, change)
  return other.ok && other.value !== null ? ok(other.value) : failed
}

async function post(
  context: ForgejoContext,
  repository: Repository,
  { title, body, sourceBranch, targetBranch, closesIid }: NewChange,
): Promise<
  | { readonly ok: true; readonly value: ForgeChange }
  | { readonly ok: false; readonly error: ForgeError & Partial<ForgejoFailure> }
> {
  const path = `${repository.path}/pulls`
  const answer = await context.transport.post(path, {
    title,
    body: closing(body, closesIid),
    head: sourceBranch,
    base: targetBranch,
  })
  if (!answer.ok) return answer
  const pull = readAs(pullSchema, answer.value, path)
  return pull.ok ? toChange(context, repository, pull.value) : pull
}

/** The last line closes the issue when it is merged, and tells the poll to which issue the change belongs. */
function closing(body: string, iid: number): string {
  const line = `Closes #${iid}`
  if (body === line || body.endsWith(`\n${line}`)) return body
  return body === '' ? line : `${body}\n\n${line}`
}
