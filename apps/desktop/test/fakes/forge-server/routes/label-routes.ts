import { created, noContent, ok } from '../answer'
import { flagField, requiredText, textField, type Fields } from '../fields'
import type { ForgeLabel, ForgeRepository } from '../forge-model'
import { list } from '../paging'
import type { RouteContext } from '../route-context'
import type { Handler, Route } from '../router'
import { sortedByName } from '../views/issue-view'
import { organizationOf } from './server-routes'

/*
 * Labels of repositories and organizations. Names are not unique: the same name twice makes two labels.
 */

const ofRepository: Handler = (context) => {
  const repository = context.tracker()
  const { items, headers } = context.pageWithoutLinks(sortedByName(repository.labels))
  return list(
    items.map((label) => context.views.label(label, repository)),
    headers,
  )
}

function newLabel(context: RouteContext): ForgeLabel {
  const { body, refuse, state } = context
  const name = requiredText(body, 'name', refuse)
  return {
    name,
    color: colorOf(context, requiredText(body, 'color', refuse)),
    description: textField(body, 'description', refuse) ?? '',
    isExclusive: flagField(body, 'exclusive') ?? false,
    isArchived: flagField(body, 'is_archived') ?? false,
    id: state.idOf('label'),
  }
}

/** With or without `#`, three digits too; stored as six in small letters. */
function colorOf({ traits, refuse }: RouteContext, text: string): string {
  const digits = text.replace(/^#/, '').toLowerCase()
  if (/^[0-9a-f]{6}$/.test(digits)) return digits
  if (/^[0-9a-f]{3}$/.test(digits)) return [...digits].map((digit) => digit + digit).join('')
  throw refuse(422, `${traits.isForgejo ? 'bad color code' : 'invalid color'}: ${text}`)
}

const make: Handler = (context) => {
  const repository = context.tracker()
  context.signedIn()
  context.mustWrite(repository)
  const label = newLabel(context)
  repository.labels.push(label)
  return created(context.views.label(label, repository))
}

function labelOf(context: RouteContext, repository: ForgeRepository): ForgeLabel | undefined {
  return repository.labels.find(({ id }) => id === context.id('id'))
}

const read: Handler = (context) => {
  const repository = context.tracker()
  const label = labelOf(context, repository)
  if (label === undefined) throw context.refuse.notFound()
  return ok(context.views.label(label, repository))
}

const edit: Handler = (context) => {
  const repository = context.tracker()
  context.mustWrite(repository)
  const label = labelOf(context, repository)
  if (label === undefined) throw context.refuse.notFound()
  change(context, label, context.body)
  return ok(context.views.label(label, repository))
}

function change(context: RouteContext, label: ForgeLabel, body: Fields): void {
  const color = textField(body, 'color', context.refuse)
  label.name = textField(body, 'name', context.refuse) ?? label.name
  label.description = textField(body, 'description', context.refuse) ?? label.description
  if (color !== undefined) label.color = colorOf(context, color)
  label.isExclusive = flagField(body, 'exclusive') ?? label.isExclusive
  label.isArchived = flagField(body, 'is_archived') ?? label.isArchived
}

/** Its events go with it: nobody can say any more who had set it. */
const remove: Handler = (context) => {
  const repository = context.tracker()
  context.mustWrite(repository)
  const label = labelOf(context, repository)
  if (label === undefined) return noContent
  repository.labels.splice(repository.labels.indexOf(label), 1)
  for (const issue of repository.issues) {
    issue.labels = issue.labels.filter((each) => each !== label)
    const kept = issue.entries.filter((entry) => entry.label !== label)
    issue.entries.splice(0, issue.entries.length, ...kept)
  }
  return noContent
}

const ofOrganization: Handler = (context) => {
  const owner = organizationOf(context)
  const { items, headers } = context.pageWithoutLinks(sortedByName(owner.labels))
  return list(
    items.map((label) => organizationLabel(context, label)),
    headers,
  )
}

const makeForOrganization: Handler = (context) => {
  const owner = organizationOf(context)
  const user = context.signedIn()
  if (!user.isAdmin && owner.members.get(user.id) !== 'admin') {
    throw context.refuse(403, 'Must be an organization owner')
  }
  const label = newLabel(context)
  owner.labels.push(label)
  return created(organizationLabel(context, label))
}

const organizationLabel = (context: RouteContext, label: ForgeLabel): Record<string, unknown> => ({
  id: label.id,
  name: label.name,
  exclusive: label.isExclusive,
  is_archived: label.isArchived,
  color: label.color,
  description: label.description,
  url: `${context.views.parts.addresses.root}/api/v1/orgs/${context.param('org')}/labels/${label.id}`,
})

const at = 'repos/:owner/:repo/labels'

export const labelRoutes: readonly Route[] = [
  { method: 'GET', pattern: at, category: 'issue', handle: ofRepository },
  { method: 'POST', pattern: at, category: 'issue', handle: make },
  { method: 'GET', pattern: `${at}/:id`, category: 'issue', handle: read },
  { method: 'PATCH', pattern: `${at}/:id`, category: 'issue', handle: edit },
  { method: 'DELETE', pattern: `${at}/:id`, category: 'issue', handle: remove },
  { method: 'GET', pattern: 'orgs/:org/labels', category: 'organization', handle: ofOrganization },
  { method: 'POST', pattern: 'orgs/:org/labels', category: 'organization', handle: makeForOrganization },
]
