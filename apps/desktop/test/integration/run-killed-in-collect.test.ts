import { describe, expect, it } from 'vitest'
import type { EngineClient } from '@main/cli/engine-client'
import type { MailboxId, RunId } from '@shared/model/ids'
import { isDeaf } from '../fakes/deaf-adapter'
import type { Seam } from './support/act-watcher'
import { ensureIssues, ensureProject } from './support/crash-workload'
import { createWatch, value } from './support/engine-bench'
import { containersOf, findFaults, leftInQuarantine } from './support/ledger'
import { useSeamEngines } from './support/seam-engine'

/*
 * A container that hears no TERM is killed, and another one collects what was made. The engine dies in that step: the
 * commit is there all the same, once, and a stop is still a stop.
 */

const engines = useSeamEngines('collect')

/** The run's second container is the one that collects. */
const seams: readonly { readonly words: string; readonly seam: Omit<Seam, 'runs'> }[] = [
  { words: 'before the container is made', seam: { side: 'before', act: 'docker.start', nth: 2 } },
  { words: 'when it runs and nobody noted it', seam: { side: 'after', act: 'docker.start', nth: 2 } },
  { words: 'before what it left is copied', seam: { side: 'before', act: 'files.takeOutputs', nth: 2 } },
  { words: 'when the commit is taken in', seam: { side: 'after', act: 'repository.acceptBundle', nth: 1 } },
]

describe('work that a container of its own collects', { retry: 0 }, () => {
  it.each(seams)('is there once, killed $words', async ({ seam }) => {
    const first = await engines.start({ fake: 'deaf' })
    const mailboxId = await plan(first.client)
    await first.leave()

    const killed = await engines.start({ fake: 'deaf', seam: { ...seam, runs: 1 } })
    const runId = await stopDeafRun(killed.client, mailboxId)
    expect(await killed.ended).toBe('SIGKILL')

    const again = await engines.start({ fake: 'deaf' })
    const { until } = createWatch(again.client)
    const run = await until(async () => {
      const now = value(await again.client.call('runs', 'get', { runId }))
      return now.row.state === 'ended' ? now : null
    })
    // Removing them comes after the end.
    await until(async () => ((await containersOf(engines.folder)).length === 0 ? true : null))
    await again.leave()
    expect(run.row).toMatchObject({ outcome: 'stopped', attempts: 1, commits: 1 })
    expect(run.changedFiles.map(({ path }) => path)).toEqual(['a.txt'])
    expect(run.attempts[0]?.starts).toMatchObject([
      { kind: 'first', exitCode: 137 },
      { kind: 'collect', exitCode: 0 },
    ])
    expect(await findFaults(engines.folder)).toEqual([])
    expect(leftInQuarantine(engines.folder)).toEqual([])
  })
})

/** An issue whose plan waits. */
async function plan(client: EngineClient): Promise<MailboxId> {
  const projectId = await ensureProject(client, true)
  const agent = { scope: 'project', scopeId: projectId, key: 'AGENT_ADAPTER', value: 'fake' } as const
  value(await client.call('settings', 'set', agent))
  await ensureIssues(client, { projectId, issues: 1 })
  const { until } = createWatch(client)
  return until(async () => {
    const found = value(await client.call('mailboxes', 'find', { projectPath: 'test/boat', iid: 1 }))
    if (found === null) return null
    const { status } = value(await client.call('mailboxes', 'get', found))
    return status === 'waiting_validation' ? found.mailboxId : null
  })
}

/** A development that a person stops once only a KILL can end its container. */
async function stopDeafRun(client: EngineClient, mailboxId: MailboxId): Promise<RunId> {
  const asked = { mailboxId, phase: 'development', resumeChoice: 'auto' } as const
  const { runId } = value(await client.call('runs', 'request', asked))
  await createWatch(client).until(async () => {
    const { events } = value(
      await client.call('runs', 'events', { runId, afterSeq: 0, beforeSeq: null, limit: 1000 }),
    )
    return events.some(({ payload }) => payload.text === isDeaf) ? true : null
  })
  value(await client.call('runs', 'stop', { runId }))
  return runId
}
