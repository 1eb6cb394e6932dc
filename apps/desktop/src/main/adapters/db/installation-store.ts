import type { Database } from 'better-sqlite3'
import type { Installation, InstallationStore, LoginProof } from '@main/ports/stores'
import { fromFlag, toFlag } from './row-values'

type InstallationRow = Omit<Installation, 'resumable'> & { readonly resumable: number }

const columns = `adapter, runner, image_digest AS imageDigest, version, resumable, reason,
  login_state AS loginState, detected_at AS detectedAt`

/** Writes `agent_installations` and `login_proofs`. */
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
  const putProof = db.prepare<[LoginProof & { readonly adapter: string; readonly imageDigest: string }]>(
    `INSERT INTO login_proofs (adapter, image_digest, outcome, message, took_ms, cost_usd, asked_at)
     VALUES (:adapter, :imageDigest, :outcome, :message, :tookMs, :costUsd, :askedAt)
     ON CONFLICT (adapter, image_digest) DO UPDATE SET outcome = excluded.outcome, message = excluded.message,
       took_ms = excluded.took_ms, cost_usd = excluded.cost_usd, asked_at = excluded.asked_at`,
  )
  const findProof = db.prepare<[string, string], LoginProof>(
    `SELECT outcome, message, took_ms AS tookMs, cost_usd AS costUsd, asked_at AS askedAt
     FROM login_proofs WHERE adapter = ? AND image_digest = ?`,
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
    putProof: (adapter, imageDigest, proof) => {
      putProof.run({ ...proof, tookMs: Math.round(proof.tookMs), adapter, imageDigest })
    },
    findProof: (adapter, imageDigest) => findProof.get(adapter, imageDigest) ?? null,
  }
}

const toInstallation = (row: InstallationRow): Installation => ({
  ...row,
  resumable: fromFlag(row.resumable),
})
