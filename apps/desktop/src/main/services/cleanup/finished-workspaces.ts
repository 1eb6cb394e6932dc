import type { FinishedWorkspace } from '@shared/contract/mailboxes'
import type { MailboxId } from '@shared/model/ids'
import type { Mailbox, Project } from '@shared/model/records'
import type { Clock } from '../../ports/clock'
import type { DataRemover } from '../../ports/data-remover'
import type { Disk } from '../../ports/disk'
import type { Git } from '../../ports/git'
import type { Logger } from '../../ports/logger'
import type { Store } from '../../ports/stores'
import type { DataPaths } from '../runs/data-paths'
import type { ChangeFeed } from '../status/change-feed'
import { findWork } from './find-work'
import { lastSeen, userOf } from './in-use'

/*
 * The workspaces of issues that are closed, for a person whose disk is full: what each takes, and removing it. Memory
 * and repository stay, so a later run fetches the files again. All of it works on a disk without a byte left.
 */

export interface WorkspaceTotal {
  readonly count: number
  readonly bytes: number
}

export interface FreedWorkspaces {
  readonly removed: number
  readonly bytes: number
}

export interface FinishedWorkspaces {
  /** The largest first. */
  list(): Promise<readonly FinishedWorkspace[]>
  /** What is in use, or holds work, is left alone. */
  free(ids: readonly MailboxId[], who: string): Promise<FreedWorkspaces>
  /** As last counted; null: nobody has. */
  total(): WorkspaceTotal | null
  /** Counts, unless it was done lately. */
  count(): Promise<void>
}

interface Parts {
  readonly store: Store
  readonly clock: Clock
  readonly logger: Pick<Logger, 'warn'>
  readonly paths: DataPaths
  readonly changes: ChangeFeed
  readonly disk: Pick<Disk, 'sizeOf'>
  readonly git: Pick<Git, 'openMailboxRepository'>
  readonly remover: DataRemover
  readonly onCounted: () => void
  /** Ends what counts. */
  readonly closing: AbortSignal
}

interface Finished {
  readonly mailbox: Mailbox
  readonly project: Project
  readonly organization: string
  readonly workspace: string
  readonly repository: string
}

const mailboxesPerPage = 200
/** Hundreds of thousands of files may have to be looked at. */
const countEveryMs = 5 * 60_000

export function createFinishedWorkspaces(parts: Parts): FinishedWorkspaces {
  const { store, clock, disk, closing } = parts
  let total: (WorkspaceTotal & { readonly at: number }) | null = null
  let counting: Promise<void> | null = null

  const sizeOf = async ({ workspace }: Finished): Promise<number> =>
    (await disk.sizeOf(workspace, Infinity, closing)).bytes

  const countNow = async (): Promise<void> => {
    let bytes = 0
    const all = finishedOf(parts)
    for (const one of all) bytes += await sizeOf(one)
    if (closing.aborted) return
    total = { count: all.length, bytes, at: clock.monotonic() }
    parts.onCounted()
  }
  const recount = (): Promise<void> => {
    counting ??= countNow().finally(() => {
      counting = null
    })
    return counting
  }

  return {
    total: () => total,
    count: async () => {
      if (total === null || clock.monotonic() - total.at >= countEveryMs) await recount()
    },
    async list() {
      const rows: FinishedWorkspace[] = []
      for (const one of finishedOf(parts)) {
        const bytes = await sizeOf(one)
        rows.push(rowOf(parts, one, bytes, await inTheWay(parts, one)))
      }
      return rows.toSorted((a, b) => b.bytes - a.bytes)
    },
    async free(ids, who) {
      const asked = new Set(ids)
      const removed: { readonly one: Finished; readonly bytes: number }[] = []
      for (const one of finishedOf(parts).filter(({ mailbox }) => asked.has(mailbox.id))) {
        const seen = lastSeen(store, one.mailbox.id)
        const bytes = await sizeOf(one)
        if ((await inTheWay(parts, one)) !== null) continue
        // Looking took time. From here on nothing waits, so no run can begin before the folder is out of the way.
        if (userOf(store, one.mailbox.id) !== null || lastSeen(store, one.mailbox.id) !== seen) continue
        if (setAside(parts, one)) removed.push({ one, bytes })
      }
      for (const { path, message } of await parts.remover.sweep())
        parts.logger.warn(`a folder could not be deleted and will be tried again: ${message}`, { path })
      // Noted once there is room for it.
      for (const { one } of removed) note(parts, one, who)
      // One that is under way may have counted what is gone.
      await counting
      await recount()
      return { removed: removed.length, bytes: removed.reduce((sum, { bytes }) => sum + bytes, 0) }
    },
  }
}

/** Every closed mailbox that has a workspace. */
function finishedOf({ store, clock, paths, remover }: Parts): readonly Finished[] {
  const found: Finished[] = []
  for (const project of store.forges.listProjects()) {
    const organization = store.forges.getOrganization(project.organizationId)
    let after: { readonly closedAt: number; readonly id: MailboxId } | null = null
    for (;;) {
      const page = store.mailboxes.listToClean({
        projectId: project.id,
        closedBefore: clock.now(),
        limit: mailboxesPerPage,
        after,
      })
      for (const mailbox of page) {
        const place = { organization, project, mailbox }
        const workspace = paths.workspace(place)
        if (!remover.holdsAnything(workspace)) continue
        const repository = paths.repository(place)
        found.push({ mailbox, project, organization: organization.slug, workspace, repository })
      }
      const last = page.at(-1)
      if (page.length < mailboxesPerPage || last === undefined) break
      after = { closedAt: last.closedAt ?? 0, id: last.id }
    }
  }
  return found
}

async function inTheWay(parts: Parts, one: Finished): Promise<FinishedWorkspace['inTheWay']> {
  const user = userOf(parts.store, one.mailbox.id)
  if (user !== null) return user
  const work = await findWork(parts, one.mailbox, one)
  if (!work.ok) return { type: 'not_removable', message: work.error.message }
  return work.value === null ? null : { type: 'has_work', ...work.value, files: [...work.value.files] }
}

function setAside({ remover, logger }: Parts, { mailbox, workspace }: Finished): boolean {
  try {
    return remover.setAside(workspace)
  } catch (error) {
    logger.warn(`a workspace could not be removed: ${String(error)}`, { mailbox: mailbox.id })
    return false
  }
}

function note({ store, clock, logger, changes }: Parts, { mailbox, workspace }: Finished, who: string): void {
  try {
    store.audit.add({
      at: clock.now(),
      who,
      what: 'workspace removed to free space',
      mailboxId: mailbox.id,
      runId: null,
      detail: { folders: [workspace] },
    })
  } catch (error) {
    logger.warn(`that a workspace was removed could not be noted: ${String(error)}`, { mailbox: mailbox.id })
  }
  changes.publish({ type: 'mailbox', mailboxId: mailbox.id, projectId: mailbox.projectId })
}

const rowOf = (
  { store }: Parts,
  { mailbox, project, organization }: Finished,
  bytes: number,
  obstacle: FinishedWorkspace['inTheWay'],
): FinishedWorkspace => ({
  mailboxId: mailbox.id,
  kind: mailbox.kind,
  forgeKind: store.forges.getForge(project.forgeId).kind,
  iid: mailbox.iid,
  title: mailbox.title,
  projectPath: `${organization}/${project.slug}`,
  closedAt: mailbox.closedAt ?? 0,
  bytes,
  inTheWay: obstacle,
})
