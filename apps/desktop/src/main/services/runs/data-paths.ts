import { join } from 'node:path'
import type { Mailbox, Organization, Project } from '@shared/model/records'
import type { AdapterId } from '@shared/model/words'
import type { RunUid } from '@shared/model/ids'

/** Where things of a mailbox lie in the data folder. A slug alone could be reused; the project's id never is. */
export interface MailboxPlace {
  readonly organization: Pick<Organization, 'slug'>
  readonly project: Pick<Project, 'id'>
  readonly mailbox: Pick<Mailbox, 'kind' | 'iid'>
}

const mailboxKey = ({ organization, project, mailbox }: MailboxPlace): string =>
  `${organization.slug}-${project.id}-${mailbox.kind === 'issue' ? 'issue' : 'change'}-${mailbox.iid}`

export interface DataPaths {
  /** Holds the session state of all mailboxes. */
  readonly sessions: string
  /** Holds the state folders of all adapters of one mailbox. */
  sessionsOf(place: MailboxPlace): string
  /** Mounted at the adapter's `sessionStatePath`. */
  sessionState(place: MailboxPlace, adapter: AdapterId): string
  workspace(place: MailboxPlace): string
  repository(place: MailboxPlace): string
  run(uid: RunUid): string
  /** Login files of one adapter, filled by a person who signs in; none of it lies in a session's state. */
  credentials(adapter: AdapterId): string
}

export function createDataPaths(dataFolder: string): DataPaths {
  return {
    sessions: join(dataFolder, '.agent-sessions'),
    sessionsOf: (place) => join(dataFolder, '.agent-sessions', mailboxKey(place)),
    sessionState: (place, adapter) => join(dataFolder, '.agent-sessions', mailboxKey(place), adapter),
    workspace: (place) => join(dataFolder, 'workspaces', mailboxKey(place)),
    repository: (place) => join(dataFolder, 'repositories', `${mailboxKey(place)}.git`),
    run: (uid) => join(dataFolder, 'runs', uid),
    credentials: (adapter) => join(dataFolder, '.agent-credentials', adapter),
  }
}
