import type { z } from 'zod'
import { workText } from '@shared/cleanup-words'
import type { mailboxesContract } from '@shared/contract/mailboxes'
import type { MailboxId, ProjectId } from '@shared/model/ids'
import type { Mailbox, Project } from '@shared/model/records'
import { err, ok, type Result } from '@shared/result'
import type { Clock } from '../../ports/clock'
import type { DataRemover } from '../../ports/data-remover'
import type { Git } from '../../ports/git'
import type { Logger } from '../../ports/logger'
import type { Store } from '../../ports/stores'
import type { NotificationService } from '../notifications/notification-service'
import type { DataPaths } from '../runs/data-paths'
import type { SettingReader } from '../settings/setting-values'
import type { ChangeFeed } from '../status/change-feed'
import { forgetTalk } from '../workflow/unpushed-talk'
import { findWork } from './find-work'
import { lastSeen, userOf } from './in-use'

/*
 * Removes session memory, workspace and repository of a mailbox: some days after it was closed or merged
 * (CLEANUP_AFTER_DAYS), or when a person asks. Folders are set aside and the row is written in one step without
 * waiting, so no run can begin in between; deleting what was set aside comes after, and again after a crash.
 */

export type CleanUpError = z.infer<(typeof mailboxesContract)['cleanUp']['error']>

export interface CleanedUp {
  /** false while AGENT_SESSION_RESUME is off for the project: its session state is left alone. */
  readonly memoryRemoved: boolean
}

export interface CleanupService {
  /** By hand; `force` also where work lies nowhere else. */
  cleanUpMailbox(
    id: MailboxId,
    force: boolean,
    who: string,
  ): Promise<Result<CleanedUp, CleanUpError | { readonly type: 'not_found'; readonly what: string }>>
  /** One round over what is due; the mailboxes that were cleaned. */
  cleanUp(signal?: AbortSignal): Promise<readonly Mailbox[]>
  /** Does so now and every hour until the signal aborts. */
  run(signal: AbortSignal): Promise<void>
}

interface Parts {
  readonly store: Store
  readonly clock: Clock
  readonly logger: Logger
  readonly settings: SettingReader
  readonly paths: DataPaths
  readonly changes: ChangeFeed
  readonly git: Pick<Git, 'openMailboxRepository'>
  readonly remover: DataRemover
  readonly notifications: Pick<NotificationService, 'tell'>
}

interface Subject {
  readonly mailbox: Mailbox
  readonly project: Project
  readonly keepsState: boolean
  readonly places: {
    readonly state: string
    readonly workspace: string
    readonly repository: string
  }
}

const dayMs = 24 * 3_600_000
const lookEveryMs = 3_600_000
/** Of one project in one round; the next round goes on behind them. */
const mailboxesPerRound = 50

export function createCleanupService(parts: Parts): CleanupService {
  const { store, clock, logger, settings } = parts
  /** Where the last round ended, so that what must wait does not keep others from their turn. */
  const places = new Map<ProjectId, { readonly closedAt: number; readonly id: MailboxId }>()

  const nextOf = (project: Project): readonly Mailbox[] => {
    const closedBefore = clock.now() - settings.of(project).values.CLEANUP_AFTER_DAYS * dayMs
    const after = places.get(project.id) ?? null
    const page = store.mailboxes.listToClean({
      projectId: project.id,
      closedBefore,
      limit: mailboxesPerRound,
      after,
    })
    const last = page.length < mailboxesPerRound ? undefined : page.at(-1)
    if (last?.closedAt === undefined || last.closedAt === null) places.delete(project.id)
    else places.set(project.id, { closedAt: last.closedAt, id: last.id })
    return page
  }

  const cleanUp = async (signal?: AbortSignal): Promise<readonly Mailbox[]> => {
    const cleaned: Mailbox[] = []
    for (const project of store.forges.listProjects()) {
      for (const mailbox of nextOf(project)) {
        if (signal?.aborted === true) return cleaned
        try {
          if (await cleanByItself(parts, mailbox)) cleaned.push(mailbox)
        } catch (error) {
          logger.warn(`a cleanup will be tried again: ${String(error)}`, { mailbox: mailbox.id })
        }
      }
    }
    await sweep(parts, signal)
    return cleaned
  }

  return {
    cleanUp,
    async cleanUpMailbox(id, force, who) {
      const subject = subjectOf(parts, id)
      if (subject === null) return err({ type: 'not_found', what: `mailbox ${id}` })
      const removed = await tryToRemove(parts, subject, { force, who })
      if (removed.ok) await sweep(parts)
      return removed
    },
    async run(signal) {
      while (!signal.aborted) {
        await cleanUp(signal).catch((error: unknown) => logger.error(`the cleanup failed: ${String(error)}`))
        await clock.sleep(lookEveryMs, signal)
      }
    },
  }
}

async function cleanByItself(parts: Parts, { id }: Mailbox): Promise<boolean> {
  const { store } = parts
  const subject = subjectOf(parts, id)
  if (subject === null || subject.mailbox.closedAt === null) return false
  // Posts of a push need the repository.
  const isPosting = store.outbox
    .listByMailbox(id)
    .some(({ state }) => state === 'waiting' || state === 'sending')
  if (isPosting || (subject.keepsState && !hasFolders(parts, subject))) return false
  const removed = await tryToRemove(parts, subject, { force: false, who: 'alfred' })
  if (removed.ok) return true
  if (removed.error.type === 'has_work') hold(parts, subject.mailbox, removed.error)
  if (removed.error.type === 'not_removable')
    parts.logger.warn(`a cleanup will be tried again: ${removed.error.message}`, { mailbox: id })
  return false
}

function subjectOf({ store, settings, paths }: Parts, id: MailboxId): Subject | null {
  const mailbox = findOrNull(() => store.mailboxes.get(id))
  if (mailbox === null) return null
  const project = store.forges.getProject(mailbox.projectId)
  const place = { organization: store.forges.getOrganization(project.organizationId), project, mailbox }
  return {
    mailbox,
    project,
    keepsState: !settings.of(project).values.AGENT_SESSION_RESUME,
    places: {
      state: paths.sessionsOf(place),
      workspace: paths.workspace(place),
      repository: paths.repository(place),
    },
  }
}

async function tryToRemove(
  parts: Parts,
  subject: Subject,
  { force, who }: { readonly force: boolean; readonly who: string },
): Promise<Result<CleanedUp, CleanUpError>> {
  const { store } = parts
  const { mailbox, places } = subject
  const user = userOf(store, mailbox.id)
  if (user !== null) return err(user)
  const seen = lastSeen(store, mailbox.id)
  try {
    if (!force) {
      const work = await findWork(parts, mailbox, places)
      if (!work.ok) return err({ type: 'not_removable', message: work.error.message })
      if (work.value !== null) return err({ type: 'has_work', ...work.value, files: [...work.value.files] })
    }
    return store.transaction(() => {
      // Looking took time: somebody may have begun, or opened the issue again.
      const userNow = userOf(store, mailbox.id)
      if (userNow !== null) return err(userNow)
      if (lastSeen(store, mailbox.id) !== seen)
        return err({ type: 'not_removable', message: 'The issue changed meanwhile. Try again.' } as const)
      return ok(remove(parts, subject, who))
    })
  } catch (error) {
    return err({ type: 'not_removable', message: error instanceof Error ? error.message : String(error) })
  }
}

/** Done again after a crash in between: what is set aside already is simply gone. */
function remove(parts: Parts, { mailbox, keepsState, places }: Subject, who: string): CleanedUp {
  const { store, clock, remover, changes } = parts
  const now = clock.now()
  const { state, ...others } = places
  const gone = Object.values(keepsState ? others : { state, ...others }).filter((path) =>
    remover.setAside(path),
  )
  const memoryRemoved = !keepsState
  store.mailboxes.update(
    mailbox.id,
    { cleanupHeldAt: null, ...(memoryRemoved && { memoryRemovedAt: now }) },
    now,
  )
  forgetTalk(store, mailbox.id, 'Removed at cleanup.', now)
  if (gone.length > 0)
    store.audit.add({
      at: now,
      who,
      what: memoryRemoved ? 'memory removed at cleanup' : 'workspace removed at cleanup',
      mailboxId: mailbox.id,
      runId: null,
      detail: { folders: gone },
    })
  changes.publish({ type: 'mailbox', mailboxId: mailbox.id, projectId: mailbox.projectId })
  return { memoryRemoved }
}

const hasFolders = ({ remover }: Parts, { places }: Subject): boolean =>
  [places.workspace, places.repository].some((path) => remover.exists(path))

/** Said once: it stays as it is until a person decides, or opens and closes the issue again. */
function hold(parts: Parts, mailbox: Mailbox, work: Extract<CleanUpError, { type: 'has_work' }>): void {
  if (mailbox.cleanupHeldAt !== null) return
  const { store, clock, notifications } = parts
  const now = clock.now()
  store.transaction(() => {
    store.mailboxes.update(mailbox.id, { cleanupHeldAt: now }, now)
    const { commits, files, isUncollected } = work
    store.audit.add({
      at: now,
      who: 'alfred',
      what: 'left alone at cleanup',
      mailboxId: mailbox.id,
      runId: null,
      detail: { commits, files, isUncollected },
    })
  })
  notifications.tell(
    {
      kind: 'needs-you',
      title: `Not cleaned up · #${mailbox.iid}`,
      body: `${workText(work)} It stays until you decide.`,
    },
    { mailboxId: mailbox.id, runId: null },
  )
}

async function sweep({ remover, logger }: Parts, signal?: AbortSignal): Promise<void> {
  for (const { path, message } of await remover.sweep(signal))
    logger.warn(`a folder could not be deleted and will be tried again: ${message}`, { path })
}

function findOrNull<T>(find: () => T): T | null {
  try {
    return find()
  } catch {
    return null
  }
}
