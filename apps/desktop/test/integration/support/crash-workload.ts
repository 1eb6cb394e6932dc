import { setTimeout as wait } from 'node:timers/promises'
import type { EngineClient } from '@main/cli/engine-client'
import type { ProjectId } from '@shared/model/ids'
import { value } from './engine-bench'
import { containersOf, openData } from './ledger'

/*
 * Issues on the local forge that Alfred brings from their first line to a change in review, while its engine dies and
 * comes back. What a person does is done again by who is not sure that it was done.
 */

export interface Work {
  readonly projectId: ProjectId
  readonly issues: number
  /** Of each issue: orders to the demo agent. */
  readonly body?: string
}

/** A project whose issues go to review by themselves, or (`validates`) wait for a person at their plan. */
export async function ensureProject(client: EngineClient, validates: boolean): Promise<ProjectId> {
  const [there] = value(await client.call('tracker', 'listProjects', {}))
  const source = { kind: 'empty' } as const
  const { id } =
    there ??
    value(await client.call('tracker', 'createProject', { organization: 'test', name: 'boat', source }))
  const set = async (key: 'AGENT_ADAPTER' | 'REQUIRE_PLAN_VALIDATION', to: unknown): Promise<void> =>
    void value(await client.call('settings', 'set', { scope: 'project', scopeId: id, key, value: to }))
  await set('AGENT_ADAPTER', 'demo')
  await set('REQUIRE_PLAN_VALIDATION', validates)
  return id
}

const titles = ['Add a slug helper', 'Add a function that clamps numbers', 'Count the words of a text']

/** An engine that dies meanwhile gives no answer: `ensureIssues` is asked again then. */
export async function ensureIssues(
  client: EngineClient,
  { projectId, issues, body = '' }: Work,
): Promise<void> {
  const { rows: there } = value(
    await client.call('tracker', 'listIssues', { projectId, query: '', limit: 200, cursor: null }),
  )
  for (let at = there.length; at < issues; at += 1) {
    value(
      await client.call('tracker', 'createIssue', {
        projectId,
        title: titles[at % titles.length] ?? '',
        body,
        assignees: ['alfred'],
      }),
    )
  }
}

/** Whether every issue is in review, told, and nothing is left to do. */
export async function isSettled(folder: string, issues: number): Promise<boolean> {
  const db = openData(folder)
  try {
    const count = (sql: string): number => Number(db.prepare(sql).pluck().get())
    return (
      count("SELECT count(*) FROM mailboxes WHERE status = 'in_review'") === issues &&
      count("SELECT count(*) FROM runs WHERE state <> 'ended'") === 0 &&
      count("SELECT count(*) FROM outbox WHERE state IN ('waiting', 'sending')") === 0 &&
      (await containersOf(folder)).length === 0
    )
  } finally {
    db.close()
  }
}

/** Looks until it is so. What the database says of a failed run ends the wait: nothing would change any more. */
export async function untilSettled(folder: string, issues: number): Promise<void> {
  while (!(await isSettled(folder, issues))) {
    const stuck = whatIsStuck(folder)
    if (stuck !== null) throw new Error(stuck)
    await wait(50)
  }
}

function whatIsStuck(folder: string): string | null {
  const db = openData(folder)
  try {
    const [failed] = db
      .prepare("SELECT id, phase, outcome, error FROM runs WHERE state = 'ended' AND outcome <> 'succeeded'")
      .all()
    const [blocked] = db.prepare("SELECT iid FROM mailboxes WHERE status = 'blocked'").all()
    const [post] = db
      .prepare("SELECT kind, last_error FROM outbox WHERE state IN ('failed', 'dropped')")
      .all()
    const found = failed ?? blocked ?? post
    return found === undefined ? null : JSON.stringify(found)
  } finally {
    db.close()
  }
}

/** A person validates every plan that waits for it, once they were told so and the issue says it too. */
async function validatePlans(client: EngineClient, folder: string, projectId: ProjectId): Promise<void> {
  const db = openData(folder)
  const waiting = db
    .prepare(
      `SELECT iid FROM mailboxes WHERE status = 'waiting_validation'
       AND EXISTS (SELECT 1 FROM notifications WHERE mailbox_id = mailboxes.id AND kind = 'needs-you')
       AND NOT EXISTS (
         SELECT 1 FROM outbox WHERE mailbox_id = mailboxes.id AND state IN ('waiting', 'sending'))
       AND NOT EXISTS (
         SELECT 1 FROM local_label_events JOIN local_issues ON local_issues.id = issue_id
         WHERE local_issues.iid = mailboxes.iid AND label = 'ai::validate_plan')`,
    )
    .pluck()
    .all() as readonly number[]
  db.close()
  for (const iid of waiting)
    value(await client.call('tracker', 'addLabel', { projectId, iid, label: 'ai::validate_plan' }))
}

/** What a person does, until the signal aborts or the engine is gone: writes the issues, and validates their plans. */
export async function actAsPerson(
  client: EngineClient,
  { folder, issues }: { readonly folder: string; readonly issues: number },
  signal: AbortSignal,
): Promise<void> {
  try {
    const projectId = await ensureProject(client, true)
    await ensureIssues(client, { projectId, issues })
    while (!signal.aborted) {
      await validatePlans(client, folder, projectId)
      await wait(50)
    }
  } catch (error) {
    if (!String(error).includes('owner_gone')) throw error
  }
}
