import { createHash } from 'node:crypto'
import type { Project } from '@shared/model/records'
import { ok, type Result } from '@shared/result'
import type { ForgeError, ForgeIssue, IssuePage } from '@main/ports/forge'
import { type ForgejoContext, repositoryOf, type Repository } from './forgejo-context'
import type { Glances } from './glance'
import { commentsSchema, type Comment, type Issue, issueSchema, issuesSchema } from './parsers'
import { type PollCursor, positionAfter, readCursor, seenOfWalk, type Walk, writeCursor } from './poll-cursor'
import { pageAfter, type PlaceAfter, placeAfter } from './poll-pages'
import { getAs, readAs, toServerTime, totalOf } from './read-answer'
import type { ForgejoAnswer } from './transport'
import { toForgeIssue } from './views'

/*
 * What changed in a repository since the last look. Two lists tell it: the issues with the pull requests, and the feed
 * of comments, because an edit of a comment moves no issue. Both are asked for by the server's time and are ordered by
 * creation, which never changes; but rows that go or come while pages are read move the others to other places. So a
 * page follows another only where it begins within it: see poll-pages.
 *
 * Nothing is taken as seen that may still change within the second of its last change: it comes again.
 */

interface Item {
  readonly key: string
  /** Seconds. */
  readonly changedAt: number
  readonly print: string
  /** Numbers of issues or pull requests that have to be looked at when this item is new. */
  readonly issue: Issue | number | null
}

interface ItemPage {
  readonly items: readonly Item[]
  readonly total: number | null
  /** Seconds. */
  readonly serverTime: number | null
}

/** So long after its second has passed a change is taken as settled: two servers of one forge differ a little. */
const settledAfter = 2

/** `glances` are those of the whole forge; `readsComments`: whether an edit of a comment matters in this project. */
export async function listChangedIssues(
  context: ForgejoContext,
  project: Project,
  from: string | null,
  { glances, readsComments }: { readonly glances: Glances; readonly readsComments: boolean },
): Promise<Result<IssuePage, ForgeError>> {
  const repository = repositoryOf(context, project)
  if (!repository.ok) return repository
  let cursor = readCursor(from)
  let startedAt: number | null = null
  if (from !== null && cursor.walk === null) {
    const isKnown = (issue: Issue): boolean => !isNew(issueItem(issue), cursor, startOf('issues'))
    if (await glances.showNothingNew(repository.value, from, isKnown)) {
      if (!readsComments) return ok({ issues: [], cursor: from, hasMore: false })
      cursor = { ...cursor, walk: startOf('comments') }
    }
  }
  for (;;) {
    const walk = cursor.walk ?? startOf('issues')
    const page = await readPage(context, repository.value, walk, cursor[walk.list].since)
    if (!page.ok) return page
    const place = placeAfter(walk, page.value)
    const news = place.unread.filter((item) => isNew(item, cursor, walk))
    const issues = await issuesOf(context, repository.value, news)
    if (!issues.ok) return issues
    if (walk.list === 'issues') startedAt = walk.startedAt ?? page.value.serverTime
    cursor = afterPage(cursor, withPage(walk, page.value, place), place.isEnd, readsComments)
    const hasMore = cursor.walk !== null
    if (!hasMore && startedAt !== null) {
      glances.wasReadWhole(repository.value, writeCursor(cursor), startedAt)
    }
    // Pages that hold nothing new are passed over here, so that an idle poll is one step that leaves the cursor as it was.
    if (issues.value.length > 0 || !hasMore) {
      return ok({ issues: issues.value, cursor: writeCursor(cursor), hasMore })
    }
  }
}

const startOf = (list: Walk['list']): Walk => ({
  list,
  at: 0,
  size: 0,
  total: 0,
  edge: [],
  startedAt: null,
  newest: null,
  seen: {},
})

function isNew(item: Item, cursor: PollCursor, walk: Walk): boolean {
  const known = walk.seen[item.key] ?? cursor[walk.list].seen[item.key]
  return known === undefined || known[1] !== item.print
}

function afterPage(cursor: PollCursor, walk: Walk, isEnd: boolean, readsComments: boolean): PollCursor {
  if (!isEnd) return { ...cursor, walk }
  const position = positionAfter(cursor[walk.list], walk)
  if (walk.list === 'comments') return { ...cursor, comments: position, walk: null }
  // The first time all comments are read with their issues anyway, so the feed counts from here.
  if (cursor.comments.since === null) {
    return { ...cursor, issues: position, comments: { since: position.since, seen: {} }, walk: null }
  }
  return { ...cursor, issues: position, walk: readsComments ? startOf('comments') : null }
}

function withPage(
  walk: Walk,
  { items, total, serverTime }: ItemPage,
  { unread, at, edge }: PlaceAfter<Item>,
): Walk {
  const seen = { ...walk.seen }
  let { newest } = walk
  for (const { key, changedAt, print } of unread) {
    newest = Math.max(newest ?? 0, changedAt)
    if (serverTime !== null && changedAt <= serverTime - settledAfter) seen[key] = [changedAt, print]
    else delete seen[key]
  }
  const isFirst = walk.at === 0 && walk.startedAt === null
  const after = {
    ...walk,
    seen,
    newest,
    at,
    edge,
    total: total ?? walk.total,
    size: isFirst ? items.length : walk.size,
    startedAt: isFirst ? serverTime : walk.startedAt,
  }
  return { ...after, seen: seenOfWalk(after) }
}

async function readPage(
  { transport }: ForgejoContext,
  repository: Repository,
  walk: Walk,
  since: number | null,
): Promise<Result<ItemPage, ForgeError>> {
  const { list } = walk
  const { page, limit } = pageAfter(walk)
  const path = list === 'issues' ? `${repository.path}/issues` : `${repository.path}/issues/comments`
  const answer = await transport.get(path, {
    query: {
      ...(list === 'issues' && { state: 'all' }),
      since: since === null ? null : toServerTime(since),
      page,
      limit,
    },
  })
  if (!answer.ok) return answer
  if (list === 'issues') return toPage(readAs(issuesSchema, answer.value, path), answer.value, issueItem)
  return toPage(readAs(commentsSchema, answer.value, path), answer.value, commentItem)
}

function toPage<T>(
  read: Result<readonly T[], ForgeError>,
  answer: ForgejoAnswer,
  toItem: (value: T) => Item,
): Result<ItemPage, ForgeError> {
  if (!read.ok) return read
  const serverTime = answer.serverTime === null ? null : Math.floor(answer.serverTime / 1_000)
  return ok({ items: read.value.map(toItem), total: totalOf(answer), serverTime })
}

const print = (facts: readonly unknown[]): string =>
  createHash('sha256').update(JSON.stringify(facts)).digest('base64url').slice(0, 8)

const issueItem = (issue: Issue): Item => ({
  key: String(issue.number),
  changedAt: Math.floor(issue.updated_at / 1_000),
  print: print([
    issue.updated_at,
    issue.title,
    issue.body,
    issue.state,
    issue.labels.map(({ id, name }) => [id, name]),
    issue.assignees.map(({ id }) => id),
    issue.comments,
    issue.pull_request?.merged,
  ]),
  issue,
})

/** A comment that nobody edited has moved its issue, which comes by itself. */
const commentItem = (comment: Comment): Item => ({
  key: String(comment.id),
  changedAt: Math.floor(comment.updated_at / 1_000),
  print: print([comment.updated_at, comment.body]),
  issue: comment.updated_at > comment.created_at ? numberIn(comment) : null,
})

/** Only the number is taken of an address in an answer. */
function numberIn(comment: Comment): number | null {
  const number = /\/(?:issues|pulls)\/(\d+)$/.exec(comment.issue_url || comment.pull_request_url)?.[1]
  return number === undefined ? null : Number(number)
}

/** The issues behind what changed, oldest change first. A change of Alfred's own belongs to the issue that it closes. */
async function issuesOf(
  context: ForgejoContext,
  repository: Repository,
  news: readonly Item[],
): Promise<Result<readonly ForgeIssue[], ForgeError>> {
  const known = new Map<number, Issue>()
  const wanted = new Set<number>()
  for (const { issue } of news) {
    if (typeof issue === 'number') wanted.add(issue)
    else if (issue?.pull_request) addIfNumber(wanted, closedBy(context, issue))
    else if (issue !== null) known.set(issue.number, issue)
  }
  for (const number of wanted) {
    if (known.has(number)) continue
    const read = await readIssueOrGone(context, repository, number)
    if (!read.ok) return read
    if (read.value?.pull_request) addIfNumber(wanted, closedBy(context, read.value))
    else if (read.value !== null) known.set(number, read.value)
  }
  const place = { baseUrl: context.transport.baseUrl, fullName: repository.fullName }
  return ok(
    [...known.values()]
      .toSorted((a, b) => a.updated_at - b.updated_at || a.number - b.number)
      .map((issue) => toForgeIssue(issue, place)),
  )
}

function addIfNumber(numbers: Set<number>, number: number | null): void {
  if (number !== null) numbers.add(number)
}

/** The last line of a change of Alfred's names the issue; the lines above may quote anything. */
const closedBy = (context: ForgejoContext, pull: Issue): number | null => {
  const number = /(?:^|\n)Closes #(\d{1,9})\s*$/.exec(pull.body)?.[1]
  return number === undefined || pull.user.id !== context.account.id ? null : Number(number)
}

/** null: it was deleted meanwhile. */
async function readIssueOrGone(
  { transport }: ForgejoContext,
  repository: Repository,
  number: number,
): Promise<Result<Issue | null, ForgeError>> {
  const read = await getAs(transport, `${repository.path}/issues/${number}`, issueSchema)
  return !read.ok && read.error.type === 'not_found' ? ok(null) : read
}
