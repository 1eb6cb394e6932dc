import { roleOf } from '../access'
import { noContent, ok } from '../answer'
import { loseForkPulls } from '../acts/pushed'
import { flagField, textField } from '../fields'
import type { ForgeRepository } from '../forge-model'
import { fullName } from '../forge-state'
import { list, totalHeaders } from '../paging'
import type { RouteContext } from '../route-context'
import type { Handler, Route } from '../router'

/*
 * A repository: read by name or id, renamed, transferred, archived, deleted; and who was let in.
 */

const read: Handler = (context) => ok(context.views.repository(context.repository()))

const readById: Handler = (context) => {
  const found = context.state.repositories.find((each) => each.id === context.id('id') && !each.isDeleted)
  if (found === undefined || roleOf(found, context.caller.user) === null) throw context.refuse.notFound()
  return ok(context.views.repository(found))
}

const edit: Handler = (context) => {
  const repository = context.repository()
  context.mustAdminister(repository)
  const name = textField(context.body, 'name', context.refuse)
  if (name !== undefined && name !== repository.name) {
    leaveName(context, repository)
    repository.name = name
  }
  const isArchived = flagField(context.body, 'archived')
  if (isArchived !== undefined) repository.archivedAt = isArchived ? context.now : null
  const branch = textField(context.body, 'default_branch', context.refuse)
  if (branch !== undefined) repository.defaultBranch = branch
  repository.isPrivate = flagField(context.body, 'private') ?? repository.isPrivate
  repository.hasIssues = flagField(context.body, 'has_issues') ?? repository.hasIssues
  repository.hasPulls = flagField(context.body, 'has_pull_requests') ?? repository.hasPulls
  const takesMergeCommits = flagField(context.body, 'allow_merge_commits') ?? !repository.onlySquashes
  repository.onlySquashes = !takesMergeCommits
  return ok(context.views.repository(repository))
}

const leaveName = ({ state }: RouteContext, repository: ForgeRepository): void => {
  state.formerNames.set(fullName(repository).toLowerCase(), repository)
}

const transfer: Handler = (context) => {
  const repository = context.repository()
  context.mustAdminister(repository)
  const owner = context.state.user(textField(context.body, 'new_owner', context.refuse) ?? '')
  if (owner === undefined) throw context.refuse.notFound()
  leaveName(context, repository)
  repository.owner = owner
  return { status: 202, json: context.views.repository(repository) }
}

const remove: Handler = async (context) => {
  const repository = context.repository()
  context.mustAdminister(repository)
  repository.isDeleted = true
  loseForkPulls(context.state, repository)
  await context.git.remove(repository.id)
  return noContent
}

const collaborators: Handler = (context) => {
  const repository = context.repository()
  const people = context.state.users.filter(({ id }) => repository.collaborators.has(id))
  return list(
    people.map((user) => context.views.user(user)),
    totalHeaders(people.length),
  )
}

/** Who loses their access loses their issues there too. */
const removeCollaborator: Handler = (context) => {
  const repository = context.repository()
  context.mustAdminister(repository)
  const user = context.state.user(context.param('login'))
  if (user === undefined) throw context.refuse.notFound()
  repository.collaborators.delete(user.id)
  for (const issue of repository.issues) issue.assignees = issue.assignees.filter((each) => each !== user)
  return noContent
}

/** Members of teams have `none`, also in their own eyes, where the server does not look at teams. */
const permission: Handler = (context) => {
  const repository = context.repository()
  const user = context.state.user(context.param('login'))
  const isAdmin = roleOf(repository, context.caller.user) === 'admin'
  if (!isAdmin && context.signedIn() !== user) {
    throw context.refuse(
      403,
      'Only admins can query all permissions, repo admins can query all repo permissions, collaborators can query only their own',
    )
  }
  if (user === undefined) throw context.refuse.notFound()
  const own = repository.collaborators.get(user.id) ?? null
  const role = (context.traits.isForgejo ? roleOf(repository, user) : own) ?? 'none'
  return ok({
    permission: role,
    role_name: role,
    user: { ...context.views.user(user), active: false, last_login: '0001-01-01T00:00:00Z', is_admin: false },
  })
}

const at = 'repos/:owner/:repo'

export const repositoryRoutes: readonly Route[] = [
  { method: 'GET', pattern: at, category: 'repository', handle: read },
  { method: 'PATCH', pattern: at, category: 'repository', handle: edit },
  { method: 'DELETE', pattern: at, category: 'repository', handle: remove },
  { method: 'POST', pattern: `${at}/transfer`, category: 'repository', handle: transfer },
  { method: 'GET', pattern: `${at}/collaborators`, category: 'repository', handle: collaborators },
  {
    method: 'DELETE',
    pattern: `${at}/collaborators/:login`,
    category: 'repository',
    handle: removeCollaborator,
  },
  {
    method: 'GET',
    pattern: `${at}/collaborators/:login/permission`,
    category: 'repository',
    handle: permission,
  },
  { method: 'GET', pattern: 'repositories/:id', category: 'repository', handle: readById },
]
