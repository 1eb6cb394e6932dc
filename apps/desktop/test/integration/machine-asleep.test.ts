import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import Docker from 'dockerode'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { EngineClient } from '@main/cli/engine-client'
import type { RunId } from '@shared/model/ids'
import { buildAlfred, startAlfred, type AlfredProcess } from './support/alfred-process'
import { createBoat, giveIssue } from './support/boat-project'
import { containersOfRun, createWatch, removeFolder, value } from './support/engine-bench'

/*
 * Nobody works while the computer sleeps: the engine's process and the container of its run stand still, one or both,
 * for longer than the run's time limit.
 */

const timeoutMs = 14_000
const sleepMs = 18_000
const docker = new Docker()

let program: string
let folder: string
let alfred: AlfredProcess
let started: RunId | null

beforeAll(async () => {
  program = await buildAlfred()
  // So slow that a run is still at work when it is put to sleep, and done well before its limit if it is not.
  process.env['ALFRED_DEMO_PACE'] = '700'
})
afterAll(() => {
  delete process.env['ALFRED_DEMO_PACE']
})
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'alfred-sleep-'))
  alfred = await startAlfred(program, folder)
  started = null
})
afterEach(async () => {
  alfred.child.kill('SIGCONT')
  await alfred.client.call('runs', 'stopAll', {})
  const runId = started
  if (runId !== null)
    await createWatch(alfred.client).until(async () =>
      (await containersOfRun(alfred.client, runId)).length === 0 ? true : null,
    )
  await alfred.kill()
  await removeFolder(folder)
})

/** A run whose agent has begun. */
async function startRun(): Promise<{ readonly runId: RunId; readonly container: Docker.Container }> {
  const { client } = alfred
  await giveIssue(client, await createBoat(client, { RUN_TIMEOUT: timeoutMs }))
  const { until } = createWatch(client)
  const runId = await until(async () => {
    const [run] = value(await client.call('app', 'status', {})).runs
    return run?.state === 'running' ? run.runId : null
  })
  started = runId
  await until(async () => {
    const { events } = value(
      await client.call('runs', 'events', { runId, afterSeq: 0, beforeSeq: null, limit: 100 }),
    )
    return events.some(({ kind }) => kind === 'session') ? true : null
  })
  const [container] = await containersOfRun(client, runId)
  return { runId, container: docker.getContainer(container?.id ?? '') }
}

const runOf = async (client: EngineClient, runId: RunId) => value(await client.call('runs', 'get', { runId }))
const ended = (runId: RunId) =>
  createWatch(alfred.client).until(async () => {
    const run = await runOf(alfred.client, runId)
    return run.row.state === 'ended' ? run : null
  })

async function expectNothingLost(runId: RunId, deadlineBefore: number | null): Promise<void> {
  const run = await ended(runId)
  expect(run.row).toMatchObject({ outcome: 'succeeded', attempts: 1, badge: 'no_prior_session' })
  // A tick of the watch may be lost at each end.
  expect((run.deadline ?? 0) - (deadlineBefore ?? 0)).toBeGreaterThan(sleepMs - 5_000)
}

describe('a run over a sleep that is longer than its time limit', () => {
  it('of the computer: engine and agent go on where they were', async () => {
    const { runId, container } = await startRun()
    const { deadline } = await runOf(alfred.client, runId)
    alfred.child.kill('SIGSTOP')
    await container.pause()
    await wait(sleepMs)
    await container.unpause()
    alfred.child.kill('SIGCONT')
    await expectNothingLost(runId, deadline)
    const { banners } = value(await alfred.client.call('app', 'status', {}))
    expect(banners).toEqual([])
  })

  it('of the engine alone: work that its agent did meanwhile is taken', async () => {
    const { runId } = await startRun()
    alfred.child.kill('SIGSTOP')
    await wait(sleepMs)
    alfred.child.kill('SIGCONT')
    expect((await ended(runId)).row).toMatchObject({ outcome: 'succeeded', attempts: 1 })
  })

  it('of the container alone, which somebody paused: it is no time of the agent', async () => {
    const { runId, container } = await startRun()
    const { deadline } = await runOf(alfred.client, runId)
    await container.pause()
    await wait(sleepMs)
    expect((await runOf(alfred.client, runId)).row.state).toBe('running')
    await container.unpause()
    await expectNothingLost(runId, deadline === null ? null : deadline - 5_000)
  })
})
