import { type ChangeStore, createChangeStore } from './change-store'
import { type CommentStore, createCommentStore } from './comment-store'
import { createIssueStore, type IssueStore } from './issue-store'
import { createLabelStore, type LabelStore } from './label-store'
import type { LocalDatabase } from './local-database'
import { createPeopleStore, type PeopleStore } from './people-store'
import { createSearchStore, type SearchStore } from './search-store'

export interface LocalStores {
  readonly people: PeopleStore
  readonly labels: LabelStore
  readonly issues: IssueStore
  readonly comments: CommentStore
  readonly changes: ChangeStore
  readonly search: SearchStore
  /** All of it, or nothing. */
  transaction<T>(step: () => T): T
}

export function createLocalStores(db: LocalDatabase): LocalStores {
  return {
    people: createPeopleStore(db),
    labels: createLabelStore(db),
    issues: createIssueStore(db),
    comments: createCommentStore(db),
    changes: createChangeStore(db),
    search: createSearchStore(db),
    transaction: (step) => db.transaction(step).immediate(),
  }
}
