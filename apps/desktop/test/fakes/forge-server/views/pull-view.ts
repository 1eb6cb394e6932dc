import type { ForgeIssue, ForgePull, ForgeReview, ForgeUser } from '../forge-model'
import { fullName } from '../forge-state'
import type { PullFigures } from '../acts/pull-figures'
import { commentsOf, isDraft, labelView, sortedByName, webAddress, type ViewParts } from './issue-view'
import { repositoryView } from './repository-view'
import { stamp, stampOrNull } from './stamps'
import { userView, type Json } from './user-view'

/*
 * Pull requests and reviews. Singly a pull request has figures and reviewers, in a list it has none.
 */

export type PullIssue = ForgeIssue & { readonly pull: ForgePull }

export function pullView(
  issue: PullIssue,
  viewer: ForgeUser | null,
  parts: ViewParts,
  figures: PullFigures,
  form: 'single' | 'listed',
): Json {
  const { pull, repository } = issue
  const { traits } = parts
  const address = webAddress(issue, parts)
  const configured = `${parts.addresses.root}/${fullName(repository)}/pulls/${issue.number}`
  const assignees = issue.assignees.map((user) => userView(user, 'unknown', parts))
  const none = traits.isForgejo ? null : []
  const isListed = form === 'listed'
  const reviewComments = pull.reviews.filter(({ entryId }) => entryId !== null).length
  return {
    id: pull.id,
    url: address,
    number: issue.number,
    user: userView(issue.author, viewer ?? 'unknown', parts),
    title: issue.title,
    body: issue.body,
    labels: sortedByName(issue.labels).map((label) => labelView(label, repository, parts)),
    milestone: null,
    assignee: assignees[0] ?? null,
    assignees: assignees.length === 0 ? none : assignees,
    requested_reviewers: isListed
      ? null
      : requestedReviewers(pull).map((user) => userView(user, 'unknown', parts)),
    requested_reviewers_teams: isListed ? null : [],
    state: issue.isOpen ? 'open' : 'closed',
    draft: isDraft(issue.title),
    is_locked: issue.isLocked,
    comments: commentsOf(issue).length,
    ...(isListed ? {} : reviewCount(traits.isForgejo, reviewComments)),
    ...(isListed
      ? {}
      : {
          additions: figures.additions,
          deletions: figures.deletions,
          changed_files: figures.changedFiles,
        }),
    html_url: address,
    diff_url: `${configured}.diff`,
    patch_url: `${configured}.patch`,
    mergeable: figures.isMergeable && !isDraft(issue.title),
    merged: pull.mergedAt !== null,
    merged_at: stampOrNull(pull.mergedAt),
    merge_commit_sha: pull.mergeSha,
    merged_by: pull.mergedBy === null ? null : userView(pull.mergedBy, 'unknown', parts),
    allow_maintainer_edit: traits.kind === 'gitea',
    base: {
      label: pull.base,
      ref: pull.base,
      sha: figures.baseSha,
      repo_id: repository.id,
      repo: repositoryView(repository, viewer, parts),
    },
    head: headView(issue, viewer, parts, figures),
    merge_base: figures.mergeBase,
    due_date: stampOrNull(issue.dueAt),
    created_at: stamp(issue.createdAt),
    updated_at: stamp(issue.updatedAt),
    closed_at: stampOrNull(issue.closedAt),
    pin_order: 0,
    ...(traits.hasContentVersion ? { content_version: issue.contentVersion } : {}),
    ...(traits.isForgejo ? { flow: 0 } : {}),
  }
}

/** Gitea leaves a zero out. */
const reviewCount = (isForgejo: boolean, count: number): Json =>
  isForgejo || count > 0 ? { review_comments: count } : {}

function headView(issue: PullIssue, viewer: ForgeUser | null, parts: ViewParts, figures: PullFigures): Json {
  const { pull } = issue
  const { headRepository } = pull
  const isGone = headRepository.isDeleted
  return {
    label: pull.head,
    ref: pull.isHeadGone ? `refs/pull/${issue.number}/head` : pull.head,
    sha: figures.headSha,
    repo_id: isGone ? -1 : headRepository.id,
    repo: isGone ? null : repositoryView(headRepository, viewer, parts),
  }
}

export const requestedReviewers = (pull: ForgePull): ForgeUser[] => [
  ...new Set(pull.reviews.filter(({ state }) => state !== 'PENDING').map(({ user }) => user)),
]

export const reviewView = (
  issue: PullIssue,
  review: ForgeReview,
  viewer: ForgeUser | null,
  parts: ViewParts,
): Json => ({
  id: review.id,
  user: userView(review.user, viewer ?? 'unknown', parts),
  team: null,
  state: review.state,
  body: review.body,
  commit_id: review.commitSha,
  stale: review.commitSha !== '' && review.commitSha !== issue.pull.headSha,
  official: review.isOfficial,
  dismissed: review.isDismissed,
  comments_count: review.comments.length,
  submitted_at: stamp(review.at),
  updated_at: stamp(review.at),
  html_url: review.entryId === null ? '' : `${webAddress(issue, parts)}#issuecomment-${review.entryId}`,
  pull_request_url: webAddress(issue, parts),
})

export const reviewCommentViews = (
  issue: PullIssue,
  review: ForgeReview,
  viewer: ForgeUser | null,
  parts: ViewParts,
): Json[] =>
  review.comments.map((comment) => ({
    id: comment.id,
    body: comment.body,
    user: userView(review.user, viewer ?? 'unknown', parts),
    resolver: comment.resolver === null ? null : userView(comment.resolver, viewer ?? 'unknown', parts),
    pull_request_review_id: review.id,
    created_at: stamp(review.at),
    updated_at: stamp(review.at),
    path: comment.path,
    commit_id: comment.commitSha,
    original_commit_id: '',
    diff_hunk: comment.hunk,
    position: comment.position,
    original_position: comment.originalPosition,
    html_url: `${webAddress(issue, parts)}#issuecomment-${comment.id}`,
    pull_request_url: webAddress(issue, parts),
  }))
