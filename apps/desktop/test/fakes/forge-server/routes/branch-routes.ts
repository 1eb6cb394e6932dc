import { created, noContent, ok, plainText, Refusal } from '../answer'
import { settlePushed } from '../acts/pushed'
import { requiredText, textField } from '../fields'
import type { ForgeRepository } from '../forge-model'
import { list, totalHeaders } from '../paging'
import type { RouteContext } from '../route-context'
import type { Handler, Route } from '../router'
import { branchView, protectionOf } from '../views/branch-view'
import type { Json } from '../views/user-view'

/*
 * Branches as the API knows them, which after a push may be a moment behind git.
 */

async function viewOf(
  context: RouteContext,
  repository: ForgeRepository,
  name: string,
  sha: string,
): Promise<Json> {
  const commit = await context.git.commit(repository.id, sha)
  if (commit === null) throw context.refuse.notFound()
  return branchView(repository, name, commit, context.caller.user, context.views.parts)
}

const all: Handler = async (context) => {
  const repository = context.repository()
  if (repository.branches.size === 0) return list(null, totalHeaders(0))
  const names = [...repository.branches].sort(([a], [b]) => (a < b ? -1 : 1))
  const { items, headers } = context.linkedPage(names)
  return list(await Promise.all(items.map(([name, sha]) => viewOf(context, repository, name, sha))), headers)
}

const read: Handler = async (context) => {
  const repository = context.repository()
  const name = context.param('branch')
  const sha = repository.branches.get(name)
  if (sha !== undefined) return ok(await viewOf(context, repository, name, sha))
  const isInGit = (await context.git.branches(repository.id)).has(name)
  if (isInGit && context.traits.lateBranchStatus === 500) {
    throw new Refusal({
      ...plainText(500, 'Internal Server Error'),
      contentType: 'text/plain; charset=utf-8',
    })
  }
  throw context.refuse.notFound(
    context.traits.isForgejo ? [`branch does not exist [name: ${name}]`] : undefined,
  )
}

const remove: Handler = async (context) => {
  const repository = context.repository()
  const name = context.param('branch')
  const { refuse, traits } = context
  context.mustNotBeArchived(repository)
  context.mustWrite(repository)
  if (!repository.branches.has(name)) {
    if (traits.missingBranchDeleted === 204) return noContent
    if (traits.missingBranchDeleted === 500) throw refuse.unexpected()
    throw refuse.notFound([`branch does not exist [name: ${name}]`])
  }
  if (name === repository.defaultBranch) {
    throw refuse(
      403,
      traits.kind === 'gitea'
        ? 'can not delete default or pull request target branch'
        : 'can not delete default branch',
    )
  }
  if (protectionOf(repository, name) !== undefined) throw refuse(403, 'branch protected')
  await context.git.git(repository.id, ['update-ref', '-d', `refs/heads/${name}`])
  await settlePushed(context, repository, context.signedIn())
  return noContent
}

const make: Handler = async (context) => {
  const repository = context.repository()
  const { refuse } = context
  context.mustNotBeArchived(repository)
  context.mustWrite(repository)
  const name = requiredText(context.body, 'new_branch_name', refuse)
  const from = textField(context.body, 'old_branch_name', refuse) ?? repository.defaultBranch
  if ((await context.git.tryGit(repository.id, ['check-ref-format', `refs/heads/${name}`])) === null) {
    throw refuse(422, '[BranchName]: GitRefName')
  }
  const sha = repository.branches.get(from)
  if (sha === undefined) throw refuse(404, 'The old branch does not exist')
  if (repository.branches.has(name)) throw refuse(409, 'The branch already exists.')
  if ((await context.git.tryGit(repository.id, ['update-ref', `refs/heads/${name}`, sha])) === null) {
    throw refuse(409, 'The branch with the same name already exists.')
  }
  await settlePushed(context, repository, context.signedIn())
  return created(await viewOf(context, repository, name, sha))
}

const protections: Handler = (context) => {
  const repository = context.repository()
  context.mustAdminister(repository)
  return ok(repository.protections.map(({ rule }) => ({ rule_name: rule })))
}

const at = 'repos/:owner/:repo/branches'

export const branchRoutes: readonly Route[] = [
  { method: 'GET', pattern: at, category: 'repository', handle: all },
  { method: 'POST', pattern: at, category: 'repository', handle: make },
  { method: 'GET', pattern: `${at}/*branch`, category: 'repository', handle: read },
  { method: 'DELETE', pattern: `${at}/*branch`, category: 'repository', handle: remove },
  {
    method: 'GET',
    pattern: 'repos/:owner/:repo/branch_protections',
    category: 'repository',
    handle: protections,
  },
]
