import type { ForgeIssue, ForgeLabel, ForgeUser, TimelineEntry } from '../forge-model'
import type { ForgeState } from '../forge-state'

/*
 * What people do to an issue, with the events and the movement of `updated_at` that follow from it.
 */

type Extra = Partial<
  Pick<
    TimelineEntry,
    'label' | 'assignee' | 'isRemoval' | 'titles' | 'branch' | 'reference' | 'commitSha' | 'reviewId'
  >
>

export function addEntry(
  state: ForgeState,
  issue: ForgeIssue,
  entry: { readonly type: string; readonly user: ForgeUser; readonly body?: string } & Extra,
): TimelineEntry {
  const now = state.now()
  const added: TimelineEntry = {
    ...entry,
    id: state.idOf('entry'),
    body: entry.body ?? '',
    createdAt: now,
    updatedAt: now,
  }
  issue.entries.push(added)
  issue.updatedAt = now
  return added
}

/** Titles are trimmed and cut to 255 bytes without a word. */
export function storedTitle(title: string): string {
  const trimmed = title.trim()
  if (Buffer.byteLength(trimmed) <= 255) return trimmed
  let text = ''
  for (const letter of trimmed) {
    if (Buffer.byteLength(text + letter) > 252) break
    text += letter
  }
  return `${text}…`
}

export function setTitle(state: ForgeState, issue: ForgeIssue, title: string, user: ForgeUser): void {
  const stored = storedTitle(title)
  if (stored === issue.title) return
  addEntry(state, issue, { type: 'change_title', user, titles: [issue.title, stored] })
  issue.title = stored
}

export function setBody(state: ForgeState, issue: ForgeIssue, body: string): void {
  issue.body = body
  issue.contentVersion += 1
  issue.updatedAt = state.now()
}

/** The part before the last slash; null: other labels may stand beside it. */
const scopeOf = (label: ForgeLabel): string | null => {
  const slash = label.name.lastIndexOf('/')
  return label.isExclusive && slash > 0 ? label.name.slice(0, slash) : null
}

export function addLabel(state: ForgeState, issue: ForgeIssue, label: ForgeLabel, user: ForgeUser): void {
  if (issue.labels.includes(label)) return
  const scope = scopeOf(label)
  if (scope !== null) {
    for (const other of issue.labels.filter((each) => scopeOf(each) === scope)) {
      removeLabel(state, issue, other, user)
    }
  }
  issue.labels = [...issue.labels, label]
  addEntry(state, issue, { type: 'label', user, body: '1', label })
}

export function removeLabel(state: ForgeState, issue: ForgeIssue, label: ForgeLabel, user: ForgeUser): void {
  if (!issue.labels.includes(label)) return
  issue.labels = issue.labels.filter((each) => each !== label)
  addEntry(state, issue, { type: 'label', user, body: '', label })
}

export function setAssignees(
  state: ForgeState,
  issue: ForgeIssue,
  assignees: readonly ForgeUser[],
  user: ForgeUser,
): void {
  for (const assignee of issue.assignees.filter((each) => !assignees.includes(each))) {
    addEntry(state, issue, { type: 'assignees', user, assignee, isRemoval: true })
  }
  for (const assignee of assignees.filter((each) => !issue.assignees.includes(each))) {
    addEntry(state, issue, { type: 'assignees', user, assignee })
  }
  issue.assignees = [...new Set(assignees)]
}

export function setOpen(state: ForgeState, issue: ForgeIssue, isOpen: boolean, user: ForgeUser): void {
  if (issue.isOpen === isOpen) return
  addEntry(state, issue, { type: isOpen ? 'reopen' : 'close', user })
  issue.isOpen = isOpen
  issue.closedAt = isOpen ? null : state.now()
}
