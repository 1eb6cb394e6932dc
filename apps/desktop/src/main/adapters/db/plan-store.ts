import type { Database } from 'better-sqlite3'
import type { Approval, PlanStore, StoredPlan } from '@main/ports/stores'

const planColumns = `mailbox_id AS mailboxId, run_id AS runId, functional_analysis AS functionalAnalysis, plan,
  issue_sha256 AS issueSha256, created_at AS createdAt`
const approvalColumns = `mailbox_id AS mailboxId, plan_sha256 AS planSha256, title_sha256 AS titleSha256,
  body_sha256 AS bodySha256, person_id AS personId, label_event AS labelEvent, approved_at AS approvedAt`

/** Writes `plans` (the latest of each mailbox) and `approvals` (all of them). */
export function createPlanStore(db: Database): PlanStore {
  const put = db.prepare<[StoredPlan]>(
    `INSERT INTO plans (mailbox_id, run_id, functional_analysis, plan, issue_sha256, created_at)
     VALUES (:mailboxId, :runId, :functionalAnalysis, :plan, :issueSha256, :createdAt)
     ON CONFLICT (mailbox_id) DO UPDATE SET run_id = excluded.run_id,
       functional_analysis = excluded.functional_analysis, plan = excluded.plan,
       issue_sha256 = excluded.issue_sha256, created_at = excluded.created_at`,
  )
  const find = db.prepare<[number], StoredPlan>(`SELECT ${planColumns} FROM plans WHERE mailbox_id = ?`)
  const approve = db.prepare<[Approval]>(
    `INSERT INTO approvals (mailbox_id, plan_sha256, title_sha256, body_sha256, person_id, label_event, approved_at)
     VALUES (:mailboxId, :planSha256, :titleSha256, :bodySha256, :personId, :labelEvent, :approvedAt)`,
  )
  const latestApproval = db.prepare<[number], Approval>(
    `SELECT ${approvalColumns} FROM approvals WHERE mailbox_id = ? ORDER BY id DESC LIMIT 1`,
  )

  return {
    put: (plan) => {
      put.run(plan)
    },
    find: (mailboxId) => find.get(mailboxId) ?? null,
    approve: (approval) => {
      approve.run(approval)
    },
    latestApproval: (mailboxId) => latestApproval.get(mailboxId) ?? null,
  }
}
