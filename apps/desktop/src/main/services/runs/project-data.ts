import { rm } from 'node:fs/promises'
import type { Mailbox, Project } from '@shared/model/records'
import type { Store } from '../../ports/stores'
import type { DataPaths } from './data-paths'

interface Parts {
  readonly store: Store
  readonly paths: DataPaths
}

/** Workspaces, repositories, session state and run folders of a project that is removed. */
export async function removeProjectData({ store, paths }: Parts, project: Project): Promise<void> {
  const organization = store.forges.getOrganization(project.organizationId)
  for (const mailbox of allMailboxes(store, project)) {
    const place = { organization, project, mailbox }
    const runs = store.runs.listByMailbox(mailbox.id, 10_000, null)
    const folders = [
      paths.workspace(place),
      paths.repository(place),
      paths.sessionsOf(place),
      ...runs.map((run) => paths.run(run.uid)),
    ]
    // Nothing is followed: a link is removed as a link.
    for (const folder of folders) await rm(folder, { recursive: true, force: true, maxRetries: 2 })
  }
}

function allMailboxes(store: Store, project: Project): readonly Mailbox[] {
  const request = { projectId: project.id, text: null, limit: 10_000, before: null } as const
  return [
    ...store.mailboxes.list({ ...request, filter: 'all-open' }),
    ...store.mailboxes.list({ ...request, filter: 'done' }),
  ]
}
