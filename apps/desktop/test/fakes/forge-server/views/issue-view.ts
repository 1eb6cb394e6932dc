import type { ForgeIssue, ForgeLabel, ForgeRepository, ForgeUser, TimelineEntry } from '../forge-model'
import { fullName } from '../forge-state'
import type { ForgeTraits } from '../forge-traits'
import type { Addresses } from './addresses'
import { stamp, stampOrNull } from './stamps'
import { userView, type Json } from './user-view'

/*
 * Issues, their labels, comments and events.
 */

export interface ViewParts {
  readonly traits: ForgeTraits
  readonly addresses: Addresses
}

export const webAddress = (issue: ForgeIssue, { addresses }: ViewParts): string =>
  `${addresses.web}/${fullName(issue.repository)}/${issue.pull === null ? 'issues' : 'pulls'}/${issue.number}`

/** `repository` names where the label lives when it is not an organization's. */
export function labelView(label: ForgeLabel, repository: ForgeRepository, parts: ViewParts): Json {
  const { owner } = repository
  const isOfOwner = owner.labels.includes(label)
  const place = isOfOwner ? `orgs/${owner.login}` : `repos/${fullName(repository)}`
  return {
    id: label.id,
    name: label.name,
    exclusive: label.isExclusive,
    is_archived: label.isArchived,
    color: label.color,
    description: label.description,
    url: `${parts.addresses.root}/api/v1/${place}/labels/${label.id}`,
  }
}

export const sortedByName = (labels: readonly ForgeLabel[]): ForgeLabel[] =>
  [...labels].sort((a, b) => (a.name === b.name ? a.id - b.id : a.name < b.name ? -1 : 1))

/** Title prefixes that make a draft. */
export const isDraft = (title: string): boolean => /^(WIP:|\[WIP\])/i.test(title)

export const commentsOf = (issue: ForgeIssue): TimelineEntry[] =>
  issue.entries.filter(({ type }) => type === 'comment')

export function issueView(issue: ForgeIssue, viewer: ForgeUser | null, parts: ViewParts): Json {
  const { traits, addresses } = parts
  const { repository, pull } = issue
  const name = fullName(repository)
  const assignees = issue.assignees.map((user) => userView(user, 'unknown', parts))
  return {
    id: issue.id,
    url: `${addresses.root}/api/v1/repos/${name}/issues/${issue.number}`,
    html_url: webAddress(issue, parts),
    number: issue.number,
    user: userView(issue.author, viewer ?? 'unknown', parts),
    original_author: '',
    original_author_id: 0,
    title: issue.title,
    body: issue.body,
    ref: issue.ref,
    assets: [],
    labels: sortedByName(issue.labels).map((label) => labelView(label, repository, parts)),
    milestone: null,
    assignee: assignees[0] ?? null,
    assignees: assignees.length === 0 ? null : assignees,
    state: issue.isOpen ? 'open' : 'closed',
    is_locked: issue.isLocked,
    comments: commentsOf(issue).length,
    created_at: stamp(issue.createdAt),
    updated_at: stamp(issue.updatedAt),
    closed_at: stampOrNull(issue.closedAt),
    due_date: stampOrNull(issue.dueAt),
    ...(traits.isForgejo ? {} : { time_estimate: 0 }),
    pull_request:
      pull === null
        ? null
        : {
            merged: pull.mergedAt !== null,
            merged_at: stampOrNull(pull.mergedAt),
            draft: isDraft(issue.title),
            html_url: webAddress(issue, parts),
          },
    repository: { id: repository.id, name: repository.name, owner: repository.owner.login, full_name: name },
    pin_order: 0,
    ...(traits.hasContentVersion ? { content_version: issue.contentVersion } : {}),
  }
}

const placeOf = (issue: ForgeIssue, entry: TimelineEntry, parts: ViewParts): Json => {
  const address = webAddress(issue, parts)
  return {
    id: entry.id,
    html_url: `${address}#issuecomment-${entry.id}`,
    pull_request_url: issue.pull === null ? '' : address,
    issue_url: issue.pull === null ? address : '',
  }
}

export const commentView = (issue: ForgeIssue, entry: TimelineEntry, parts: ViewParts): Json => ({
  ...placeOf(issue, entry, parts),
  user: userView(entry.user, 'unknown', parts),
  original_author: '',
  original_author_id: 0,
  body: entry.body,
  assets: [],
  created_at: stamp(entry.createdAt),
  updated_at: stamp(entry.updatedAt),
})

export function entryView(
  issue: ForgeIssue,
  entry: TimelineEntry,
  viewer: ForgeUser | null,
  parts: ViewParts,
): Json {
  const { reference } = entry
  return {
    ...placeOf(issue, entry, parts),
    type: entry.type,
    user: userView(entry.user, 'unknown', parts),
    body: entry.body,
    created_at: stamp(entry.createdAt),
    updated_at: stamp(entry.updatedAt),
    old_project_id: 0,
    project_id: 0,
    old_milestone: null,
    milestone: null,
    tracked_time: null,
    old_title: entry.titles?.[0] ?? '',
    new_title: entry.titles?.[1] ?? '',
    old_ref: entry.branch ?? '',
    new_ref: '',
    ref_issue: reference === undefined ? null : issueView(reference.issue, viewer, parts),
    ref_comment:
      reference?.comment === undefined ? null : commentView(reference.issue, reference.comment, parts),
    ref_action: reference?.closes === true ? 'closes' : 'none',
    ref_commit_sha: entry.commitSha ?? '',
    review_id: entry.reviewId ?? 0,
    label: entry.label === undefined ? null : labelView(entry.label, issue.repository, parts),
    assignee: entry.assignee === undefined ? null : userView(entry.assignee, 'unknown', parts),
    assignee_team: null,
    removed_assignee: entry.isRemoval === true,
    resolve_doer: null,
    dependent_issue: null,
  }
}
