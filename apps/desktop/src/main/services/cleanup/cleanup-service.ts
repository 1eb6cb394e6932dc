import { rm } from 'node:fs/promises'
import type { Mailbox, Project } from '@shared/model/records'
import type { Clock } from '../../ports/clock'
import type { Logger } from '../../ports/logger'
import type { Store } from '../../ports/stores'
import type { DataPaths } from '../runs/data-paths'
import type { SettingReader } from '../settings/setting-values'
import type { ChangeFeed } from '../status/change-feed'

/*
 * Removes workspace and session memory of issues that are done, some days later (CLEANUP_AFTER_DAYS). The mailbox's
 * repository stays: commits that were never pushed, and uncommitted work that was kept, lie there.
 */

export interface CleanupService {
  /** Looks at all projects once; the mailboxes that were cleaned. */
  cleanUp(): Promise<readonly Mailbox[]>
  /** Does so from time to time until the signal aborts. */
  run(signal: AbortSignal): Promise<void>
}

interface Parts {
  readonly store: Store
  readonly clock: Clock
  readonly logger: Logger
  readonly settings: SettingReader
  readonly paths: DataPaths
  readonly changes: ChangeFeed
}

const dayMs = 24 * 3_600_000
const lookEveryMs = 3_600_000
const mailboxesPerLook = 500

export function createCleanupService(parts: Parts): CleanupService {
  const { store, clock, logger, settings } = parts

  const cleanUp = async (): Promise<readonly Mailbox[]> => {
    const cleaned: Mailbox[] = []
    for (const project of store.forges.listProjects()) {
      const ageMs = settings.of(project).values.CLEANUP_AFTER_DAYS * dayMs
      const done = store.mailboxes.list({
        filter: 'done',
        projectId: project.id,
        text: null,
        limit: mailboxesPerLook,
        before: null,
      })
      for (const mailbox of done) {
        if (isDue(parts, mailbox, ageMs) && (await removeMemory(parts, project, mailbox)))
          cleaned.push(mailbox)
      }
    }
    return cleaned
  }

  return {
    cleanUp,
    async run(signal) {
      while (!signal.aborted) {
        await cleanUp().catch((error: unknown) => logger.error(`the cleanup failed: ${String(error)}`))
        await clock.sleep(lookEveryMs, signal)
      }
    },
  }
}

/** Whoever holds the mailbox, or posts for it, is waited for. */
function isDue({ store, clock }: Parts, mailbox: Mailbox, ageMs: number): boolean {
  if (mailbox.memoryRemovedAt !== null || clock.now() - mailbox.updatedAt < ageMs) return false
  if (store.locks.find(mailbox.id) !== null || store.runs.findLive(mailbox.id) !== null) return false
  return store.outbox
    .listByMailbox(mailbox.id)
    .every(({ state }) => state !== 'waiting' && state !== 'sending')
}

/** The row says it first: a run that begins meanwhile asks for nothing that is going away. */
async function removeMemory(parts: Parts, project: Project, mailbox: Mailbox): Promise<boolean> {
  const { store, clock, logger, paths, changes } = parts
  const organization = store.forges.getOrganization(project.organizationId)
  const place = { organization, project, mailbox }
  const now = clock.now()
  store.transaction(() => {
    store.mailboxes.update(mailbox.id, { memoryRemovedAt: now }, now)
    store.audit.add({
      at: now,
      who: 'alfred',
      what: 'memory removed at cleanup',
      mailboxId: mailbox.id,
      runId: null,
      detail: {},
    })
  })
  changes.publish({ type: 'mailbox', mailboxId: mailbox.id, projectId: project.id })
  try {
    // Links are removed as links; nothing is followed.
    for (const folder of [paths.sessionsOf(place), paths.workspace(place)])
      await rm(folder, { recursive: true, force: true })
    return true
  } catch (error) {
    store.mailboxes.update(mailbox.id, { memoryRemovedAt: null }, now)
    logger.warn(`a cleanup will be tried again: ${String(error)}`, { mailbox: mailbox.id })
    return false
  }
}
