import { expect } from 'vitest'
import type { MatrixBench, MatrixIssue } from './matrix-bench'

/** What people see of an issue on the forge. */
export interface Seen {
  readonly labels: readonly string[]
  readonly comments: readonly string[]
  /** `added` or `removed`, and the label. */
  readonly labelEvents: readonly string[]
  readonly body: string
  readonly title: string
  readonly isOpen: boolean
}

export async function seenOnForge(bench: MatrixBench, issue: MatrixIssue): Promise<Seen> {
  const { labels, commentList, labelEvents, body, title, isOpen } = await bench.onForge(issue)
  return {
    labels: labels.map(({ name }) => name),
    comments: commentList.map(({ body: text }) => text),
    labelEvents: labelEvents.map(({ action, label }) => `${action} ${label}`),
    body,
    title,
    isOpen,
  }
}

/** What came to the issue: all that was there before is there still, as it was. */
export function added(before: Seen, after: Seen): Seen {
  const rest = (old: readonly string[], now: readonly string[]): readonly string[] => {
    expect(now.slice(0, old.length)).toEqual(old)
    return now.slice(old.length)
  }
  return {
    ...after,
    comments: rest(before.comments, after.comments).map(inOurWords),
    labelEvents: lasting(rest(before.labelEvents, after.labelEvents)),
  }
}

/** Without the run's own key, and the one line that the agent says: it differs with what it remembers. */
const inOurWords = (comment: string): string =>
  comment
    .replace(/(?<=<!-- agent:key=)[0-9a-f]+/, 'KEY')
    .replace(/(?<=The agent says:\n\n).+(?=\n\n)/, 'WORDS')

/**
 * Without the station that an issue passes through while it is worked on, and the way back from it: whether they are
 * posted hangs on how fast that is. A label beside them stays, also one that is taken off again.
 */
function lasting(events: readonly string[]): readonly string[] {
  const rest = events.filter((event) => !event.endsWith(' status::in_development'))
  const [left, back, ...others] = rest
  const cameBack = left?.startsWith('removed ') && back === left.replace('removed', 'added')
  return cameBack ? others : rest
}
