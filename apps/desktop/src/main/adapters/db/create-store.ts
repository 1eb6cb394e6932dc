import type { Database } from 'better-sqlite3'
import { statSync } from 'node:fs'
import { assertPresent } from '@shared/assert'
import type { Randomness } from '@main/ports/randomness'
import type { Store } from '@main/ports/stores'
import { createAuditStore } from './audit-store'
import { copyDatabase } from './backups'
import type { Checkpoints } from './checkpoints'
import { createChatStore } from './chat-store'
import { createCursorStore } from './cursor-store'
import { createDroppedIdStore } from './dropped-id-store'
import { createForgeStore } from './forge-store'
import { createImageStore } from './image-store'
import { createInstallationStore } from './installation-store'
import { createLockStore } from './lock-store'
import { createMailboxStore } from './mailbox-store'
import { createNotificationStore } from './notification-store'
import { createOutboxStore } from './outbox-store'
import { createPlanStore } from './plan-store'
import { createRunAftermathStore } from './run-aftermath-store'
import { createRunAttemptStore } from './run-attempt-store'
import { createRunEventStore } from './run-event-store'
import { createRunStartStore } from './run-start-store'
import { createRunStore } from './run-store'
import { createSessionStore } from './session-store'
import { createSetAsideStore } from './set-aside-store'
import { createSettingStore } from './setting-store'

/** The store over an opened and migrated database. Statements are prepared here, once. Without `checkpoints` the writer makes them. */
export function createStore(db: Database, randomness: Randomness, checkpoints?: Checkpoints): Store {
  const installId = ensureInstallId(db, randomness)
  const writeCheck = db.prepare(
    `INSERT INTO meta (key, value) VALUES ('write_check', '0')
     ON CONFLICT (key) DO UPDATE SET value = CASE value WHEN '0' THEN '1' ELSE '0' END`,
  )
  return {
    forges: createForgeStore(db),
    settings: createSettingStore(db),
    mailboxes: createMailboxStore(db),
    runs: {
      ...createRunStore(db),
      ...createRunAttemptStore(db),
      ...createRunStartStore(db),
      ...createRunAftermathStore(db),
    },
    sessions: { ...createSessionStore(db), ...createSetAsideStore(db), ...createDroppedIdStore(db) },
    events: createRunEventStore(db, checkpoints),
    installations: createInstallationStore(db),
    images: createImageStore(db),
    locks: createLockStore(db),
    outbox: createOutboxStore(db),
    plans: createPlanStore(db),
    cursors: createCursorStore(db),
    notifications: createNotificationStore(db),
    audit: createAuditStore(db),
    chats: createChatStore(db),
    installId: () => installId,
    transaction: (step) => db.transaction(step).immediate(),
    backup: (file) => copyDatabase(db, file),
    tryWrite: () => {
      writeCheck.run()
    },
    sizeBytes: () => sizeOf(db.name) + sizeOf(`${db.name}-wal`),
    close: () => {
      db.close()
    },
  }
}

function ensureInstallId(db: Database, randomness: Randomness): string {
  db.prepare("INSERT INTO meta (key, value) VALUES ('install_id', ?) ON CONFLICT (key) DO NOTHING").run(
    randomness.uuidV7(),
  )
  const id = db.prepare<[], string>("SELECT value FROM meta WHERE key = 'install_id'").pluck().get()
  return assertPresent(id, 'written just above')
}

const sizeOf = (file: string): number => statSync(file, { throwIfNoEntry: false })?.size ?? 0
