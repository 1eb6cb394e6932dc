import type { Database } from 'better-sqlite3'
import type { Installation, InstallationStore } from '@main/ports/stores'
import { fromFlag, toFlag } from './row-values'

type InstallationRow = Omit<Installation, 'resumable'> & { readonly resumable: number }

const columns = `adapter, runner, image_digest AS imageDigest, version, resumable, reason,
  login_state AS loginState, detected_at AS detectedAt`

/** Writes `agent_installations`. */
export function createInstallationStore(db: Database): InstallationStore {
  const put = db.prepare<[InstallationRow]>(
    `INSERT INTO agent_installations
       (adapter, runner, image_digest, version, resumable, reason, login_state, detected_at)
     VALUES (:adapter, :runner, :imageDigest, :version, :resumable, :reason, :loginState, :detectedAt)
     ON CONFLICT (adapter, runner, image_digest) DO UPDATE SET version = excluded.version,
       resumable = excluded.resumable, reason = excluded.reason, login_state = excluded.login_state,
       detected_at = excluded.detected_at`,
  )
  const find = db.prepare<[string, string, string], InstallationRow>(
    `SELECT ${columns} FROM agent_installations WHERE adapter = ? AND runner = ? AND image_digest = ?`,
  )
  const list = db.prepare<[], InstallationRow>(
    `SELECT ${columns} FROM agent_installations ORDER BY adapter, runner, detected_at DESC, id DESC`,
  )

  return {
    put: (installation) => {
      put.run({ ...installation, resumable: toFlag(installation.resumable) })
    },
    find: (adapter, runner, imageDigest) => {
      const row = find.get(adapter, runner, imageDigest)
      return row === undefined ? null : toInstallation(row)
    },
    list: () => list.all().map(toInstallation),
  }
}

const toInstallation = (row: InstallationRow): Installation => ({
  ...row,
  resumable: fromFlag(row.resumable),
})
