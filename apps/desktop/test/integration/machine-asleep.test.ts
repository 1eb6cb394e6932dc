import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import Docker from 'dockerode'
import { afterAll, beforeAll, describe, expect, it, type TestContext } from 'vitest'
import type { RunId } from '@shared/model/ids'
import { buildAlfred, startAlfred } from './support/alfred-process'
import { createBoat, giveIssue } from './support/boat-project'
import { containersOfRun, createWatch, removeFolder, value } from './support/engine-bench'

/*
 * Nobody works while the computer sleeps: the engine's process and the container of its run stand still, one or both,
 * for longer than the run's time limit, once for minutes. The tests sleep beside each other.
 */

const timeoutMs = 20_000
const sleepMs = 26_000
const longSleepMs = 130_000
const docker = new Docker()

let program: string
beforeAll(async () => {
  program = await buildAlfred()
  // So slow that a run is still at work when it is put to sleep, and done well before its limit if it is not.
  process.env['ALFRED_DEMO_PACE'] = '700'
})
afterAll(() => {
  delete process.env['ALFRED_DEMO_PACE']
})

/** An engine of its own with a run whose agent has begun. */
async function startRun({ onTestFinished }: TestContext) {
  const folder = await mkdtemp(join(tmpdir(), 'alfred-sleep-'))
  const alfred = await startAlfred(program, folder)
  const { client } = alfred
  const { until } = createWatch(client)
  let started: RunId | null = null
  onTestFinished(async () => {
    alfred.child.kill('SIGCONT')
    await client.call('runs', 'stopAll', {})
    const runId = started
    if (runId !== null)
      await until(async () => ((await containersOfRun(client, runId)).length === 0 ? true : null))
    await alfred.kill()
    await removeFolder(folder)
  })
  await giveIssue(client, await createBoat(client, { RUN_TIMEOUT: timeoutMs }))
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
  const look = async () => value(await client.call('runs', 'get', { runId }))
  return {
    engine: alfred.child,
    container: docker.getContainer(container?.id ?? ''),
    look,
    ended: () =>
      until(async () => {
        const run = await look()
        return run.row.state === 'ended' ? run : null
      }),
    banners: async () => value(await client.call('app', 'status', {})).banners,
  }
}

type Run = Awaited<ReturnType<typeof startRun>>

async function expectNothingLost(
  { ended }: Run,
  deadlineBefore: number | null,
  slept: number,
): Promise<void> {
  const run = await ended()
  expect(run.row).toMatchObject({ outcome: 'succeeded', attempts: 1, badge: 'no_prior_session' })
  // A tick of the watch may be lost at each end.
  expect((run.deadline ?? 0) - (deadlineBefore ?? 0)).toBeGreaterThan(slept - 5_000)
}

describe.concurrent('a run over a sleep that is longer than its time limit', { timeout: 400_000 }, () => {
  it('of the computer, for minutes: engine and agent go on where they were', async (test) => {
    const run = await startRun(test)
    const { deadline } = await run.look()
    run.engine.kill('SIGSTOP')
    await run.container.pause()
    await wait(longSleepMs)
    await run.container.unpause()
    run.engine.kill('SIGCONT')
    await expectNothingLost(run, deadline, longSleepMs)
    expect(await run.banners()).toEqual([])
  })

  it('of the engine alone: work that its agent did meanwhile is taken', async (test) => {
    const run = await startRun(test)
    run.engine.kill('SIGSTOP')
    await wait(sleepMs)
    run.engine.kill('SIGCONT')
    expect((await run.ended()).row).toMatchObject({ outcome: 'succeeded', attempts: 1 })
  })

  it('of the container alone, which somebody paused: it is no time of the agent', async (test) => {
    const run = await startRun(test)
    const { deadline } = await run.look()
    await run.container.pause()
    await wait(sleepMs)
    expect((await run.look()).row.state).toBe('running')
    await run.container.unpause()
    await expectNothingLost(run, deadline === null ? null : deadline - 5_000, sleepMs)
  })
})
