import type { ForgeIssue, ForgeLabel, ForgeRepository, ForgeUser, TimelineEntry } from '../forge-model'
import type { ForgeState } from '../forge-state'
import type { ForgeTraits } from '../forge-traits'
import type { Addresses } from './addresses'
import { commentView, entryView, issueView, labelView } from './issue-view'
import { repositoryView } from './repository-view'
import { organizationView, userView, type Json } from './user-view'

/** What one caller is shown, at the addresses that fit their request. */
export class Views {
  readonly parts: { readonly traits: ForgeTraits; readonly addresses: Addresses; readonly state: ForgeState }
  readonly viewer: ForgeUser | null
  constructor(parts: Views['parts'], viewer: ForgeUser | null) {
    this.parts = parts
    this.viewer = viewer
  }

  user(user: ForgeUser): Json {
    return userView(user, this.viewer, this.parts)
  }

  organization(user: ForgeUser): Json {
    return organizationView(user, this.parts.addresses)
  }

  repository(repository: ForgeRepository): Json {
    return repositoryView(repository, this.viewer, this.parts)
  }

  issue(issue: ForgeIssue): Json {
    return issueView(issue, this.viewer, this.parts)
  }

  label(label: ForgeLabel, repository: ForgeRepository): Json {
    return labelView(label, repository, this.parts)
  }

  comment(issue: ForgeIssue, entry: TimelineEntry): Json {
    return commentView(issue, entry, this.parts)
  }

  entry(issue: ForgeIssue, entry: TimelineEntry): Json {
    return entryView(issue, entry, this.viewer, this.parts)
  }
}
