import type { EngineClient } from '@main/cli/engine-client'
import type { RunDetail } from '@shared/contract/runs'
import type { MailboxId, ProjectId } from '@shared/model/ids'
import type { SettingKey } from '@shared/model/settings'
import { createWatch, value } from './engine-bench'

/*
 * The project that most tests work on, `test/boat`, and an issue of it that is given to Alfred.
 */

/** Its runs are the demo agent's, unless the settings say otherwise. */
export async function createBoat(
  client: EngineClient,
  settings: Partial<Record<SettingKey, unknown>> = {},
): Promise<ProjectId> {
  const { id } = value(
    await client.call('tracker', 'createProject', {
      organization: 'test',
      name: 'boat',
      source: { kind: 'empty' },
    }),
  )
  for (const [key, set] of Object.entries({ AGENT_ADAPTER: 'demo', ...settings }))
    value(
      await client.call('settings', 'set', {
        scope: 'project',
        scopeId: id,
        key: key as SettingKey,
        value: set,
      }),
    )
  return id
}

/** An issue assigned to Alfred; its mailbox once it is there. */
export async function giveIssue(client: EngineClient, projectId: ProjectId, body = ''): Promise<MailboxId> {
  const { iid } = value(
    await client.call('tracker', 'createIssue', {
      projectId,
      title: 'Add a slug helper',
      body,
      assignees: ['alfred'],
    }),
  )
  const found = await createWatch(client).until(async () =>
    value(await client.call('mailboxes', 'find', { projectPath: 'test/boat', iid })),
  )
  return found.mailboxId
}

/** The newest run of a mailbox, once it has ended. */
export const latestEnded = (client: EngineClient, mailboxId: MailboxId): Promise<RunDetail> =>
  createWatch(client).until(async () => {
    const page = value(await client.call('sessions', 'timeline', { mailboxId, beforeRunId: null, limit: 1 }))
    const row = page.rows.at(-1)
    return row?.state === 'ended' ? value(await client.call('runs', 'get', { runId: row.runId })) : null
  })
