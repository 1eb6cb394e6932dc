import type { TrackerError } from '@shared/contract/tracker'
import type { ProjectId } from '@shared/model/ids'
import { err, ok, type Result } from '@shared/result'
import { exclusiveScope } from '@main/core/forge/labels'
import type { IssueEdit, IssueRef } from '@main/ports/tracker'
import type { CommentRow } from './comment-store'
import type { IssueRow } from './issue-store'
import { conflict, invalid, type LocalContext, notFound } from './local-context'
import type { LocalStores } from './local-stores'
import type { PersonRow } from './people-store'

/*
 * What can be done to an issue, by whom: the person (tracker) or Alfred (forge). Each is one transaction and moves
 * the issue in the poll order only if something changed.
 */

type Done<T = void> = Result<T, TrackerError>

/** Runs `step` on the issue in one transaction. Error: `not_found`, or what the step says (then nothing stays). */
export function withIssue<T>(
  context: LocalContext,
  ref: IssueRef,
  step: (issue: IssueRow, at: number) => Done<T>,
): Done<T> {
  return context.stores.transaction(() => {
    const issue = context.stores.issues.find(ref.projectId, ref.iid)
    return issue === null ? err(notFound(`issue ${ref.iid}`)) : step(issue, context.clock.now())
  })
}

export interface IssueText {
  readonly title: string
  readonly body: string
  readonly labels: readonly string[]
  readonly assignees: readonly string[]
}

export function createIssue(
  context: LocalContext,
  projectId: ProjectId,
  text: IssueText,
  author: PersonRow,
): Done<IssueRow> {
  const { stores } = context
  const people = findPeople(stores, text.assignees)
  if (!people.ok) return people
  const unknown = text.labels.find((label) => stores.labels.find(projectId, label) === null)
  if (unknown !== undefined) return err(unknownLabel(unknown))
  return stores.transaction(() => {
    const at = context.clock.now()
    const issue = stores.issues.add(
      { projectId, title: text.title, body: text.body, authorId: author.id },
      at,
    )
    for (const label of text.labels) setLabel(stores, issue, label, author, at)
    for (const person of people.value) stores.issues.assign(issue.id, person.id)
    stores.search.index(issue.id)
    return ok(stores.issues.get(issue.id))
  })
}

export function editIssue(context: LocalContext, ref: IssueRef, edit: IssueEdit): Done {
  return withIssue(context, ref, (issue, at) => {
    if (edit.expectedUpdatedAt !== null && issue.textUpdatedAt > edit.expectedUpdatedAt) {
      return err(conflict('Somebody changed the title or the description meanwhile.'))
    }
    const text = { title: edit.title ?? issue.title, body: edit.body ?? issue.body }
    if (text.title === issue.title && text.body === issue.body) return ok(undefined)
    context.stores.issues.setText(issue.id, text, at)
    context.stores.search.index(issue.id)
    return ok(undefined)
  })
}

export function addComment(
  context: LocalContext,
  ref: IssueRef,
  body: string,
  author: PersonRow,
): Done<CommentRow> {
  return withIssue(context, ref, (issue, at) => {
    if (body.trim() === '') return err(invalid('A comment needs text.'))
    const comment = context.stores.comments.add(issue.id, author.id, body, at)
    context.stores.issues.touch(issue.id, at)
    context.stores.search.index(issue.id)
    return ok(comment)
  })
}

export function editComment(
  context: LocalContext,
  ref: IssueRef,
  edit: { readonly commentId: string; readonly body: string; readonly expectedUpdatedAt: number | null },
): Done<CommentRow> {
  const { comments, issues, search } = context.stores
  return withIssue(context, ref, (issue, at) => {
    const comment = /^\d+$/.test(edit.commentId) ? comments.find(Number(edit.commentId)) : null
    if (comment === null || comment.issueId !== issue.id) return err(notFound(`comment ${edit.commentId}`))
    if (edit.expectedUpdatedAt !== null && comment.updatedAt > edit.expectedUpdatedAt) {
      return err(conflict('Somebody changed the comment meanwhile.'))
    }
    if (edit.body.trim() === '') return err(invalid('A comment needs text.'))
    if (comment.body === edit.body) return ok(comment)
    comments.setBody(comment.id, edit.body, at)
    issues.touch(issue.id, at)
    search.index(issue.id)
    return ok(comments.find(comment.id) ?? comment)
  })
}

export function addLabel(context: LocalContext, ref: IssueRef, name: string, actor: PersonRow): Done {
  return withIssue(context, ref, (issue, at) => {
    if (context.stores.labels.find(issue.projectId, name) === null) return err(unknownLabel(name))
    if (setLabel(context.stores, issue, name, actor, at)) context.stores.issues.touch(issue.id, at)
    return ok(undefined)
  })
}

/** A label that is not on the issue is no error. */
export function removeLabel(context: LocalContext, ref: IssueRef, name: string, actor: PersonRow): Done {
  const { labels, issues } = context.stores
  return withIssue(context, ref, (issue, at) => {
    const label = labels.find(issue.projectId, name)
    if (label !== null && labels.removeFromIssue(issue.id, label, actor.id, at)) issues.touch(issue.id, at)
    return ok(undefined)
  })
}

/** Leaves the issue with this status label alone; null: with none. The label is made where it is missing. */
export function setStatusLabel(
  context: LocalContext,
  ref: IssueRef,
  status: { readonly name: string; readonly color: string } | null,
  actor: PersonRow,
): Done {
  const { labels, issues } = context.stores
  return withIssue(context, ref, (issue, at) => {
    if (status !== null) labels.ensure(issue.projectId, [status])
    const others = labels
      .ofIssue(issue.id)
      .filter(({ name }) => exclusiveScope(name) === 'status::' && name !== status?.name)
    const removed = others.map((label) => labels.removeFromIssue(issue.id, label, actor.id, at))
    const added = status !== null && setLabel(context.stores, issue, status.name, actor, at)
    if (added || removed.includes(true)) issues.touch(issue.id, at)
    return ok(undefined)
  })
}

export function setAssigned(context: LocalContext, ref: IssueRef, login: string, isAssigned: boolean): Done {
  const { issues } = context.stores
  return withIssue(context, ref, (issue, at) => {
    const people = findPeople(context.stores, [login])
    if (!people.ok) return people
    const [person] = people.value
    if (person === undefined) return ok(undefined)
    const changed = isAssigned ? issues.assign(issue.id, person.id) : issues.unassign(issue.id, person.id)
    if (changed) issues.touch(issue.id, at)
    return ok(undefined)
  })
}

export function setOpen(context: LocalContext, ref: IssueRef, isOpen: boolean): Done {
  return withIssue(context, ref, (issue, at) => {
    if ((issue.isOpen === 1) !== isOpen) context.stores.issues.setOpen(issue.id, isOpen, at)
    return ok(undefined)
  })
}

/** Adds a label and takes the others of its scope off; false when it was there. */
function setLabel(stores: LocalStores, issue: IssueRow, name: string, actor: PersonRow, at: number): boolean {
  const label = stores.labels.find(issue.projectId, name)
  if (label === null) return false
  const scope = exclusiveScope(name)
  if (scope !== null) {
    for (const other of stores.labels.ofIssue(issue.id)) {
      if (other.name !== name && other.name.startsWith(scope))
        stores.labels.removeFromIssue(issue.id, other, actor.id, at)
    }
  }
  return stores.labels.addToIssue(issue.id, label, actor.id, at)
}

function findPeople(stores: LocalStores, logins: readonly string[]): Done<readonly PersonRow[]> {
  const people = logins.map((login) => stores.people.findByLogin(login))
  const missing = people.indexOf(null)
  if (missing !== -1) return err(notFound(`person ${logins[missing]}`))
  return ok(people.filter((person) => person !== null))
}

const unknownLabel = (name: string): TrackerError => notFound(`label ${name}`)
