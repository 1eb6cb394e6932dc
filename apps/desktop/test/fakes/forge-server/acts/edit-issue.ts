import { canBeAssigned } from '../access'
import { numberField, textField, textsField, type Fields } from '../fields'
import type { ForgeIssue, ForgeUser } from '../forge-model'
import type { RouteContext } from '../route-context'
import { setAssignees, setBody, setOpen, setTitle } from './issue-acts'
import { noteMentions } from './references'

/*
 * The fields that an issue and a pull request are edited by, in the order in which the servers write them.
 */

export function editIssue(context: RouteContext, issue: ForgeIssue): void {
  const { state, refuse, traits, body } = context
  const user = context.signedIn()
  const title = textField(body, 'title', refuse)
  const text = textField(body, 'body', refuse)
  const version = traits.hasContentVersion ? numberField(body, 'content_version', refuse) : undefined
  const assignees = textsField(body, 'assignees', refuse)
  if (version !== undefined && version !== issue.contentVersion)
    throw refuse(409, 'the issue is already changed')
  if (title !== undefined && title !== '') setTitle(state, issue, title, user)
  if (text !== undefined) {
    setBody(state, issue, text)
    noteMentions(state, issue, text, user)
  }
  editDueDate(context, issue, body)
  if (context.mayWrite(issue.repository) && assignees !== undefined)
    replaceAssignees(context, issue, assignees, user)
  editState(context, issue, user)
}

function editDueDate({ state, refuse }: RouteContext, issue: ForgeIssue, body: Fields): void {
  if (body['unset_due_date'] === true) {
    issue.dueAt = null
    issue.updatedAt = state.now()
    return
  }
  const due = textField(body, 'due_date', refuse)
  if (due === undefined) return
  // The last second of that day.
  issue.dueAt = Date.parse(`${due.slice(0, 10)}T23:59:59Z`)
  issue.updatedAt = state.now()
}

/** One who cannot be assigned ends it with a 500, when everybody was taken off already. */
function replaceAssignees(
  { state, refuse }: RouteContext,
  issue: ForgeIssue,
  logins: readonly string[],
  user: ForgeUser,
): void {
  const people = logins.map((login) => state.user(login))
  const allowed = people.filter((each) => each !== undefined && canBeAssigned(issue.repository, each))
  if (allowed.length < people.length) {
    setAssignees(state, issue, [], user)
    throw refuse.unexpected()
  }
  setAssignees(
    state,
    issue,
    allowed.filter((each) => each !== undefined),
    user,
  )
}

function editState(context: RouteContext, issue: ForgeIssue, user: ForgeUser): void {
  const { state, refuse, traits } = context
  const wanted = textField(context.body, 'state', refuse)
  if (wanted === undefined) return
  if (wanted !== 'open' && wanted !== 'closed') {
    if (traits.unknownStateIsRefused) throw refuse(412, `unknown state: ${wanted}`)
    return
  }
  if (issue.pull !== null && issue.pull.mergedAt !== null) {
    throw refuse(412, 'cannot change state of this pull request, it was already merged')
  }
  const waits = issue.dependsOn.some(({ isOpen }) => isOpen)
  if (wanted === 'closed' && issue.isOpen && waits) {
    const what = traits.isForgejo ? 'issue' : 'issue or pull request'
    throw refuse(412, `cannot close this ${what} because it still has open dependencies`)
  }
  setOpen(state, issue, wanted === 'open', user)
}
