import { mayWrite } from '../access'
import type { ForgeReview, ForgeUser, ReviewComment } from '../forge-model'
import type { ForgeState } from '../forge-state'
import type { ForgeTraits } from '../forge-traits'
import type { BareRepositories } from '../git/bare-repositories'
import type { PullIssue } from '../views/pull-view'
import { addEntry } from './issue-acts'

/*
 * A review and what it does to the person's earlier ones.
 */

export interface NewReviewComment {
  readonly path: string
  readonly body: string
  /** Line of the new file, or 0. */
  readonly position: number
  /** Line of the old file, or 0. */
  readonly originalPosition: number
}

interface Parts {
  readonly state: ForgeState
  readonly git: BareRepositories
  readonly traits: ForgeTraits
}

export async function addReview(
  { state, git, traits }: Parts,
  issue: PullIssue,
  wanted: {
    readonly user: ForgeUser
    readonly state: string
    readonly body: string
    readonly comments: readonly NewReviewComment[]
  },
): Promise<ForgeReview> {
  const { user } = wanted
  const { pull, repository } = issue
  const id = state.idOf('review')
  const comments: ReviewComment[] = []
  for (const comment of wanted.comments) {
    comments.push({
      ...comment,
      id: state.idOf('entry'),
      hunk: await hunkOf(git, issue, comment),
      commitSha: pull.headSha,
      resolver: null,
    })
  }
  settleEarlier(pull.reviews, user, wanted.state, traits)
  const entry = addEntry(state, issue, { type: 'review', user, body: wanted.body, reviewId: id })
  const review: ForgeReview = {
    id,
    user,
    state: wanted.state,
    body: wanted.body,
    commitSha: pull.headSha,
    isOfficial: mayWrite(repository, user) && wanted.state !== 'COMMENT' && wanted.state !== 'PENDING',
    isDismissed: false,
    at: state.now(),
    comments,
    entryId: entry.id,
  }
  pull.reviews.push(review)
  return review
}

/** A request is answered by a review; an approval takes the person's wish for changes back. */
function settleEarlier(reviews: ForgeReview[], user: ForgeUser, verdict: string, traits: ForgeTraits): void {
  for (const earlier of reviews.filter((each) => each.user === user)) {
    if (earlier.state === 'REQUEST_REVIEW' && verdict !== 'PENDING') {
      if (traits.keepsReviewRequests) earlier.isOfficial = false
      else reviews.splice(reviews.indexOf(earlier), 1)
    }
    if (earlier.state === 'REQUEST_CHANGES' && verdict === 'APPROVED') earlier.isDismissed = true
  }
}

/** The piece of the difference that ends at the line, at most four lines of it. */
async function hunkOf(git: BareRepositories, issue: PullIssue, comment: NewReviewComment): Promise<string> {
  const { pull, repository } = issue
  const diff = await git.tryGit(repository.id, ['diff', pull.mergeBase, pull.headSha, '--', comment.path])
  const lines = (diff ?? '').split('\n')
  let [oldLine, newLine] = [0, 0]
  let kept: { readonly text: string; readonly old: number; readonly new: number }[] = []
  for (const text of lines) {
    const start = /^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@/.exec(text)
    if (start !== null) {
      ;[oldLine, newLine] = [Number(start[1]), Number(start[2])]
      kept = []
      continue
    }
    if (!/^[ +-]/.test(text) || /^(\+\+\+|---) /.test(text)) continue
    kept.push({ text, old: oldLine, new: newLine })
    const isHere =
      comment.position > 0
        ? newLine === comment.position && !text.startsWith('-')
        : oldLine === comment.originalPosition && !text.startsWith('+')
    if (!text.startsWith('+')) oldLine += 1
    if (!text.startsWith('-')) newLine += 1
    if (isHere) return cut(kept.slice(-4))
  }
  return ''
}

function cut(
  lines: readonly { readonly text: string; readonly old: number; readonly new: number }[],
): string {
  const [first] = lines
  if (first === undefined) return ''
  const olds = lines.filter(({ text }) => !text.startsWith('+')).length
  const news = lines.filter(({ text }) => !text.startsWith('-')).length
  const range = (start: number, count: number): string => (count === 1 ? String(start) : `${start},${count}`)
  return `@@ -${range(first.old, olds)} +${range(first.new, news)} @@\n${lines.map(({ text }) => text).join('\n')}`
}
