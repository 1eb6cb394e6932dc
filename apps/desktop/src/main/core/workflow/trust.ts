import type { AssignmentFacts, LabelEventFacts, PersonFacts } from './facts'

/*
 * Who may steer. Setting a label or an assignee proves write access, readers cannot; the proof counts for its own
 * event, and for that person's texts for 30 days. People are known by the forge's user id.
 */

const PROOF_LASTS_MS = 30 * 24 * 60 * 60 * 1_000

/** Gitea and Forgejo give every deleted account this id: whoever wrote such a text is not known. */
const NOBODY = '-1'

export interface TrustFacts {
  readonly accountId: string
  readonly ownerIds: readonly string[]
  readonly trustedPeople: readonly string[]
  readonly labelEvents: readonly LabelEventFacts[]
  readonly assignments: readonly AssignmentFacts[]
  readonly now: number
}

/** Ids of the people whose texts are followed; all others are quoted as untrusted text. */
export function followedPeople(facts: TrustFacts): ReadonlySet<string> {
  const proven = [...facts.labelEvents.filter(({ action }) => action === 'added'), ...facts.assignments]
    .filter(({ at }) => at > facts.now - PROOF_LASTS_MS)
    .map(({ by }) => by.id)
  const people = new Set([...facts.ownerIds, ...facts.trustedPeople, ...proven])
  // Alfred's own texts are known by their digest, never by their author.
  people.delete(facts.accountId)
  people.delete(NOBODY)
  return people
}

/** Whether the event gives its own command weight: somebody who may write set the label. */
export const isProof = (event: LabelEventFacts | null, accountId: string): event is LabelEventFacts =>
  event !== null && event.action === 'added' && event.by.id !== accountId

export const isFollowed = (person: PersonFacts, followed: ReadonlySet<string>): boolean =>
  followed.has(person.id)
