import type { WorkflowCommand } from './commands'
import { isUnfinished, type PostFacts, type WorkflowFacts } from './facts'
import { moveTo } from './moves'
import { changeClosedText } from './texts'

/*
 * A change that somebody closed without merging it: they do not want this work, so nothing more is done by itself. The
 * branch stays, and a retry goes on from there.
 */

const CLOSED = 'closed:'
const REOPENED = 'reopened:'

/** The change that Alfred opened last, once it was closed and that is not dealt with yet; null: there is none. */
export function closedWithoutMerge(facts: WorkflowFacts): number | null {
  const { snapshot, mailbox, posts, liveRunId } = facts
  const opened = lastOpened(posts)
  const change = snapshot.changes.find(({ iid }) => iid === opened?.iid)
  const isOver = change?.state === 'closed' && snapshot.changes.every(({ state }) => state !== 'open')
  const { status } = mailbox
  const wasUnderWay = status === 'in_development' || status === 'in_ci' || status === 'in_review'
  if (opened === null || !isOver || !wasUnderWay || posts.some(isUnfinished)) return null
  // It went with its branch: what becomes of a run's work then is asked when it would be pushed.
  if (liveRunId !== null && !snapshot.branchExists) return null
  return wasToldClosed(posts, opened) ? null : opened.iid
}

export function decideClosedChange({ posts }: WorkflowFacts, iid: number): readonly WorkflowCommand[] {
  const cause = nextCause(CLOSED, iid, posts)
  return [
    ...moveTo('done', cause),
    { type: 'post_comment', kind: 'acknowledgement', cause, text: changeClosedText() },
  ]
}

/** The same change was opened again: it is reviewed on. */
export function decideReopenedChange({
  snapshot,
  mailbox,
  posts,
  liveRunId,
}: WorkflowFacts): readonly WorkflowCommand[] {
  const opened = lastOpened(posts)
  if (opened === null || mailbox.status !== 'done' || liveRunId !== null || posts.some(isUnfinished))
    return []
  const isOpen = snapshot.changes.some(({ iid, state }) => iid === opened.iid && state === 'open')
  return isOpen && wasToldClosed(posts, opened)
    ? moveTo('in_review', nextCause(REOPENED, opened.iid, posts))
    : []
}

interface Opened {
  readonly iid: number
  /** Its place among the posts. */
  readonly at: number
}

function lastOpened(posts: readonly PostFacts[]): Opened | null {
  const at = posts.findLastIndex(({ kind, state }) => kind === 'change' && state === 'sent')
  const iid = Number(posts[at]?.remoteId ?? Number.NaN)
  return Number.isSafeInteger(iid) ? { iid, at } : null
}

function wasToldClosed(posts: readonly PostFacts[], { iid, at }: Opened): boolean {
  const told = posts
    .slice(at)
    .findLast(
      ({ kind, cause }) =>
        kind === 'status' && [CLOSED, REOPENED].some((word) => cause.startsWith(`${word}${iid}:`)),
    )
  return told?.cause.startsWith(CLOSED) === true
}

/** It may be closed and opened again any number of times. */
const nextCause = (word: string, iid: number, posts: readonly PostFacts[]): string =>
  `${word}${iid}:${posts.filter(({ kind }) => kind === 'status').length}`
