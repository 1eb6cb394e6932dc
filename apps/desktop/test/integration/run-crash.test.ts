import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createDemoAdapter } from '@main/adapters/agents/demo/demo-adapter'
import type { Engine } from '@main/boot/compose'
import type { EngineClient } from '@main/cli/engine-client'
import { sandboxLabels } from '@main/core/sandbox/sandbox-spec'
import type { MailboxId, RunId } from '@shared/model/ids'
import { buildAlfred, startAlfred, type AlfredProcess } from './support/alfred-process'
import { createBoat, giveIssue } from './support/boat-project'
import {
  clientOf,
  containersOfRun,
  createWatch,
  removeFolder,
  startTestEngine,
  testDocker,
  value,
} from './support/engine-bench'
import { openEngineDatabase } from './support/engine-database'

/*
 * The engine's process is killed in the middle of its work, and another one goes on.
 */

let program: string
let folder: string
let killed: AlfredProcess
let engine: Engine | null = null

beforeAll(async () => {
  program = await buildAlfred()
})
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'alfred-crash-'))
  killed = await startAlfred(program, folder)
})
afterEach(async () => {
  await killed.kill()
  await engine?.stop('stop')
  engine = null
  await removeFolder(folder)
})

async function takeUp(client: EngineClient, body = ''): Promise<{ readonly runId: RunId }> {
  const mailboxId = await giveIssue(
    client,
    await createBoat(client, { REQUIRE_PLAN_VALIDATION: false }),
    body,
  )
  const row = await createWatch(client).until(async () => (await rowsOf(client, mailboxId))[0] ?? null)
  return { runId: row.runId }
}

const rowsOf = async (client: EngineClient, mailboxId: MailboxId) =>
  value(await client.call('sessions', 'timeline', { mailboxId, beforeRunId: null, limit: 20 })).rows

const untilRun = (client: EngineClient, runId: RunId, state: string) =>
  createWatch(client).until(async () => {
    const detail = value(await client.call('runs', 'get', { runId }))
    return detail.row.state === state ? detail : null
  })

const eventsOf = async (client: EngineClient, runId: RunId) =>
  value(await client.call('runs', 'events', { runId, afterSeq: 0, beforeSeq: null, limit: 1000 })).events

const untilText = (client: EngineClient, runId: RunId, part: string) =>
  createWatch(client).until(async () =>
    (await eventsOf(client, runId)).some(({ payload }) => payload.text?.includes(part) === true)
      ? true
      : null,
  )

/** As if that much time had passed while no engine ran. */
function setDeadline(at: number): void {
  const database = openEngineDatabase(folder)
  database.prepare('UPDATE runs SET deadline = ?').run(at)
  database.close()
}

/** As if the data were those of an older backup. */
function forgetRuns(): void {
  const database = openEngineDatabase(folder)
  database.exec('DELETE FROM runs')
  database.close()
}

async function restart(): Promise<EngineClient> {
  engine = await startTestEngine(folder, [createDemoAdapter()])
  return clientOf(engine)
}

describe('an engine that was killed', { retry: 0 }, () => {
  it('finds its run again, in the same attempt, and can stop it', async () => {
    const { runId } = await takeUp(killed.client, 'DEMO_FAULT=hang')
    await untilText(killed.client, runId, 'I start with')
    const before = await eventsOf(killed.client, runId)
    await killed.kill()
    const client = await restart()
    expect((await untilRun(client, runId, 'running')).row.attempts).toBe(1)
    value(await client.call('runs', 'stop', { runId }))
    const run = await untilRun(client, runId, 'ended')
    expect(run.row).toMatchObject({ outcome: 'stopped', attempts: 1, nativeSessionId: expect.any(String) })
    const after = await eventsOf(client, runId)
    expect(after.slice(0, before.length)).toEqual(before)
    expect(after.filter(({ kind }) => kind === 'session')).toHaveLength(1)
  })

  it('reads what was printed while nobody looked, and stores nothing twice', async () => {
    const { runId } = await takeUp(killed.client)
    await untilText(killed.client, runId, 'I start with')
    const [container] = await containersOfRun(killed.client, runId)
    await killed.kill()
    value(await testDocker().wait(container?.id ?? '', new AbortController().signal))
    const client = await restart()
    const run = await untilRun(client, runId, 'ended')
    expect(run.row).toMatchObject({ outcome: 'succeeded', attempts: 1, badge: 'no_prior_session' })
    const events = await eventsOf(client, runId)
    expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index + 1))
    expect(events.filter(({ kind }) => kind === 'session')).toHaveLength(1)
    expect(events.filter(({ kind }) => kind === 'result')).toHaveLength(1)
  })

  it('takes work that was finished while nobody looked, though its time is over by now', async () => {
    const { runId } = await takeUp(killed.client)
    await untilText(killed.client, runId, 'I start with')
    const [container] = await containersOfRun(killed.client, runId)
    await killed.kill()
    value(await testDocker().wait(container?.id ?? '', new AbortController().signal))
    setDeadline(Date.now() - 1)
    const client = await restart()
    const run = await untilRun(client, runId, 'ended')
    expect(run.row).toMatchObject({ outcome: 'succeeded', attempts: 1 })
  })

  it('stops what still works when its time is over', async () => {
    const { runId } = await takeUp(killed.client, 'DEMO_FAULT=hang')
    await untilText(killed.client, runId, 'I start with')
    await killed.kill()
    setDeadline(Date.now() - 1)
    const client = await restart()
    expect((await untilRun(client, runId, 'ended')).row).toMatchObject({ outcome: 'timed_out', attempts: 1 })
  })

  it('gives an interrupted run that is found long afterwards the time that its work left', async () => {
    const { runId } = await takeUp(killed.client)
    await untilText(killed.client, runId, 'I start with')
    const [container] = await containersOfRun(killed.client, runId)
    await killed.kill()
    value(await testDocker().remove(container?.id ?? ''))
    // As it is the next morning: the run was to end long ago, and its agent had worked but for a moment.
    const nightMs = 12 * 3_600_000
    const database = openEngineDatabase(folder)
    database.exec(`UPDATE runs SET deadline = deadline - ${nightMs}, started_at = started_at - ${nightMs};
      UPDATE run_starts SET started_at = started_at - ${nightMs}; UPDATE run_events SET at = at - ${nightMs}`)
    database.close()
    const client = await restart()
    const run = await untilRun(client, runId, 'ended')
    expect(run.row).toMatchObject({ outcome: 'succeeded', attempts: 2 })
  })

  it('takes a run whose container is gone as interrupted, and goes on in a new attempt', async () => {
    const { runId } = await takeUp(killed.client)
    await untilText(killed.client, runId, 'I start with')
    const [container] = await containersOfRun(killed.client, runId)
    await killed.kill()
    value(await testDocker().remove(container?.id ?? ''))
    const client = await restart()
    const run = await untilRun(client, runId, 'ended')
    expect(run.row).toMatchObject({ outcome: 'succeeded', attempts: 2 })
    expect(run.attempts.map(({ outcome }) => outcome)).toEqual(['interrupted', 'succeeded'])
  })

  it('leaves a container of a run that nobody knows any more, and the next one removes it', async () => {
    const { runId } = await takeUp(killed.client, 'DEMO_FAULT=hang_hard')
    await untilText(killed.client, runId, 'I start with')
    const found = await containersOfRun(killed.client, runId)
    expect(found.map(({ running }) => running)).toEqual([true])
    await killed.kill()
    forgetRuns()
    await restart()
    const left = async () =>
      value(await testDocker().listByLabel(sandboxLabels.run, found[0]?.labels[sandboxLabels.run] ?? ''))
    await expect.poll(left, { timeout: 60_000 }).toEqual([])
  })

  it('goes on with a stop that was asked for', async () => {
    const { runId } = await takeUp(killed.client, 'DEMO_FAULT=hang_hard')
    await untilText(killed.client, runId, 'I start with')
    value(await killed.client.call('runs', 'stop', { runId }))
    await killed.kill()
    const client = await restart()
    const run = await untilRun(client, runId, 'ended')
    expect(run.row.outcome).toBe('stopped')
    expect(run.failure?.message).toContain('A person stopped')
  })
})
