import type { LabelEventFacts, PersonFacts } from './facts'

/*
 * Who may steer. Setting a label proves write access, readers cannot; the proof counts for its own
 * event, and for that person's texts for 30 days. People are known by the forge's user id.
 */

const PROOF_LASTS_MS = 30 * 24 * 60 * 60 * 1_000

export interface TrustFacts {
  readonly accountId: string
  readonly ownerIds: readonly string[]
  readonly trustedPeople: readonly string[]
  readonly labelEvents: readonly LabelEventFacts[]
  readonly now: number
}

/** Ids of the people whose texts are followed; all others are quoted as untrusted text. */
export function followedPeople(facts: TrustFacts): ReadonlySet<string> {
  const proven = facts.labelEvents
    .filter((event) => event.action === 'added' && event.at > facts.now - PROOF_LASTS_MS)
    .map((event) => event.by.id)
  const people = new Set([...facts.ownerIds, ...facts.trustedPeople, ...proven])
  // Alfred's own texts are known by their digest, never by their author.
  people.delete(facts.accountId)
  return people
}

/** Whether the event gives its own command weight: somebody who may write set the label. */
export const isProof = (event: LabelEventFacts | null, accountId: string): event is LabelEventFacts =>
  event !== null && event.action === 'added' && event.by.id !== accountId

export const isFollowed = (person: PersonFacts, followed: ReadonlySet<string>): boolean =>
  followed.has(person.id)
