import type { MailboxId } from '@shared/model/ids'
import type { Run } from '@shared/model/records'
import type { Store } from '../../ports/stores'
import type { SettingReader } from '../settings/setting-values'
import type { ChangeFeed } from '../status/change-feed'
import type { NotificationService } from './notification-service'
import { interruptedText, needsYouText, runEndedText } from './notification-texts'

/*
 * Notices what a person should be told: runs that end, and mailboxes that begin to wait for somebody.
 */

interface Parts {
  readonly store: Store
  readonly settings: SettingReader
  readonly changes: ChangeFeed
  readonly notifications: NotificationService
}

export interface NotificationWatch {
  /** What the engine before this one had no time to tell. */
  catchUp(): void
  /** A run has ended or is queued again. */
  runSettled(run: Run): void
  close(): void
}

export function startNotificationWatch(parts: Parts): NotificationWatch {
  const { store, changes } = parts
  const unsubscribe = changes.subscribe((events) => {
    const ids = new Set(events.flatMap((event) => (event.type === 'mailbox' ? [event.mailboxId] : [])))
    for (const id of ids) lookAt(parts, id)
  })
  return {
    catchUp: () => store.mailboxes.listUntold().forEach((id) => lookAt(parts, id)),
    runSettled: (run) => tellSettled(parts, run),
    close: unsubscribe,
  }
}

/** What was told last stands in the store, so that it is told once, also over a crash. */
function lookAt({ store, notifications }: Parts, id: MailboxId): void {
  const mailbox = findMailbox(store, id)
  if (mailbox === null) return
  const { needsYou, iid, title } = mailbox
  store.transaction(() => {
    if (!store.mailboxes.tell(id, needsYou) || needsYou === null) return
    const text = needsYouText(needsYou, iid, title)
    if (text !== null) notifications.tell(text, { mailboxId: id, runId: null })
  })
}

function findMailbox(store: Store, id: MailboxId) {
  try {
    return store.mailboxes.get(id)
  } catch {
    // Removed with its project, after the change was told.
    return null
  }
}

function tellSettled({ store, settings, notifications }: Parts, run: Run): void {
  const mailbox = store.mailboxes.get(run.mailboxId)
  if (run.state === 'queued') {
    const isInterrupted = store.runs.listAttempts(run.id).at(-1)?.outcome === 'interrupted'
    if (isInterrupted && run.startedAt !== null)
      notifications.tell(interruptedText(1), { mailboxId: null, runId: null })
    return
  }
  if (run.outcome === null) return
  const { RUN_TIMEOUT, RUN_MEMORY } = settings.ofProject(mailbox.projectId).values
  const text = runEndedText({
    iid: mailbox.iid,
    phase: run.phase,
    outcome: run.outcome,
    session: store.sessions.listByRun(run.id).at(-1) ?? null,
    durationMs: run.startedAt === null || run.endedAt === null ? null : run.endedAt - run.startedAt,
    timeoutMs: RUN_TIMEOUT,
    memoryLimitBytes: RUN_MEMORY,
    commits: run.commits,
    keptInWorkspace: run.startedAt !== null,
  })
  if (text !== null) notifications.tell(text, { mailboxId: mailbox.id, runId: run.id })
}
