import { describe, expect, it } from 'vitest'
import type { EngineClient } from '@main/cli/engine-client'
import type { Seam } from './support/act-watcher'
import { ensureProject } from './support/crash-workload'
import { containersOfRun, createWatch, value } from './support/engine-bench'
import { readNotices } from './support/ledger'
import { useSeamEngines } from './support/seam-engine'

/*
 * A person takes over from a run that works, and the engine dies between its stop and the start of the other one.
 */

const engines = useSeamEngines('take-over')

const steps: readonly { readonly words: string; readonly seam: Omit<Seam, 'runs' | 'nth'> }[] = [
  { words: 'when the wish is stored', seam: { side: 'after', act: 'store.runs.setSuccessor' } },
  { words: 'before the container is stopped', seam: { side: 'before', act: 'docker.stop' } },
  { words: 'when the container is stopped', seam: { side: 'after', act: 'docker.stop' } },
  { words: 'when the owner has ended', seam: { side: 'after', act: 'store.locks.release' } },
]

describe('a take-over', { retry: 0 }, () => {
  it.each(steps)('begins the other run once, killed $words', async ({ seam }) => {
    const killed = await engines.start({ seam: { ...seam, runs: 1, nth: 1 } })
    const owner = await hangingRun(killed.client)
    void killed.client
      .call('runs', 'retry', { runId: owner, resumeChoice: 'fresh', takeOver: true })
      .catch(() => null)
    expect(await killed.ended).toBe('SIGKILL')

    const { client } = await engines.start()
    const { until } = createWatch(client)
    const rows = await until(async () => {
      const found = await timeline(client)
      return found.length === 2 && found[1]?.nativeSessionId !== null ? found : null
    })
    expect(rows.map(({ outcome, mode, attempts }) => [outcome, mode, attempts])).toEqual([
      ['stopped', 'fresh', 1],
      [null, 'chosen_fresh', 1],
    ])
    expect(await containersOfRun(client, owner)).toEqual([])
    const next = rows[1]?.runId ?? owner
    expect(await containersOfRun(client, next)).toHaveLength(1)
    value(await client.call('runs', 'stop', { runId: next }))
    await until(async () => ((await timeline(client))[1]?.state === 'ended' ? true : null))
    expect(await timeline(client)).toHaveLength(2)
    expect(readNotices(engines.folder)).toContain('Stopping: A person stopped the run to start another one.')
  })
})

const timeline = async (client: EngineClient) => {
  const { mailboxId } = await createWatch(client).until(async () =>
    value(await client.call('mailboxes', 'find', { projectPath: 'test/boat', iid: 1 })),
  )
  return value(await client.call('sessions', 'timeline', { mailboxId, beforeRunId: null, limit: 20 })).rows
}

async function hangingRun(client: EngineClient) {
  const projectId = await ensureProject(client, false)
  const title = 'Add a slug helper'
  value(
    await client.call('tracker', 'createIssue', {
      projectId,
      title,
      body: 'DEMO_FAULT=hang',
      assignees: ['alfred'],
    }),
  )
  const row = await createWatch(client).until(async () => {
    const [found] = await timeline(client)
    return found?.nativeSessionId != null ? found : null
  })
  return row.runId
}
