import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

/*
 * Rows that a test writes into a data folder which no engine owns.
 */

/** With the digest of the image in which the demo was played. */
export function withDatabase<T>(home: string, work: (db: DatabaseSync, digest: string) => T): T {
  const db = new DatabaseSync(join(home, 'alfred.db'))
  try {
    const found = db.prepare("SELECT image_digest FROM agent_installations WHERE adapter = 'demo'").get()
    return work(db, String(found?.['image_digest']))
  } finally {
    db.close()
  }
}

interface Seeded {
  readonly adapter: string
  readonly version: string
  readonly digest: string
  readonly resumable?: 0 | 1
}

/** A CLI, as if it had been found in an image two hours ago. */
export const seedInstallation = (
  db: DatabaseSync,
  { adapter, version, digest, resumable = 1 }: Seeded,
): void =>
  void db
    .prepare(
      `INSERT OR REPLACE INTO agent_installations
         (adapter, runner, image_digest, version, resumable, reason, login_state, detected_at)
       VALUES (?, 'container', ?, ?, ?, ?, 'unknown', ?)`,
    )
    .run(
      adapter,
      digest,
      version,
      resumable,
      resumable === 1 ? null : 'Nobody had tried it.',
      Date.now() - 7_200_000,
    )
