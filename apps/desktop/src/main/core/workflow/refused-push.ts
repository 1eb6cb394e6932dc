import { commentAfter } from './comment-after'
import type { PostFacts, WorkflowFacts } from './facts'

/*
 * What a retry means after a push or a change that the forge did not take: the work is there, so it is published again
 * as it is, unless it has to be another one.
 */

/** `gone`: the branch was renamed or deleted meanwhile; `moved`: somebody else pushed to it, or set it back. */
export type WhyRefused = 'gone' | 'moved' | 'refused'

/** Of the posts that tell of a refusal; made of the refused post too, so that each one is told. */
export const refusalCause = (
  uid: string,
  post: { readonly kind: string; readonly key: string },
  why: WhyRefused,
): string => `${uid}:${post.kind}-failed:${why}:${post.key}`

/** null: there was no refusal, or an agent has to work on top of something else first. */
export function publishesAgain(facts: WorkflowFacts): { readonly isGoneKnown: boolean } | null {
  const why = lastRefusal(facts)
  // What a person wrote below it is for the agent.
  if (why === null || why === 'moved' || commentAfter(facts, 'blocked') !== null) return null
  return { isGoneKnown: why === 'gone' }
}

function lastRefusal({ mailbox, latestRun, posts }: WorkflowFacts): WhyRefused | null {
  const told: PostFacts | undefined = posts.findLast(({ markerKind }) => markerKind === 'blocked')
  if (mailbox.status !== 'blocked' || told === undefined || latestRun === null) return null
  const [uid, what, why] = told.cause.split(':')
  const isRefusal = what === 'push-failed' || what === 'change-failed'
  if (uid !== latestRun.uid || !isRefusal) return null
  return why === 'gone' || why === 'moved' ? why : 'refused'
}
