import { afterEach, describe, expect, it } from 'vitest'
import { createFakeAdapter } from '@main/adapters/agents/fake/fake-adapter'
import type { AroundPort } from '@main/boot/engine-options'
import type { ContainerError, ContainerRuntime } from '@main/ports/container-runtime'
import type { RunId } from '@shared/model/ids'
import { err, type Result } from '@shared/result'
import {
  containersOfRun,
  createEngineBench,
  testDocker,
  value,
  type EngineBench,
} from './support/engine-bench'

/*
 * Stop is pressed exactly while Docker is asked for the run's container and does not answer.
 */

let bench: EngineBench
afterEach(() => bench.remove())

const noAnswer: Result<never, ContainerError> = err({
  type: 'unreachable',
  message: 'the Docker engine does not answer',
  retryable: true,
})

async function pressStop(): Promise<RunId> {
  const [run] = value(await bench.client.call('app', 'status', {})).runs
  if (run === undefined) throw new Error('no run is live')
  value(await bench.client.call('runs', 'stop', { runId: run.runId }))
  return run.runId
}

async function stoppedRun(docker: Partial<ContainerRuntime>) {
  const aroundPort: AroundPort = (name, port) => (name === 'docker' ? { ...port, ...docker } : port)
  const script = () => ({
    fresh: [{ print: { type: 'init', session_id: '$ID' } }, { pauseMs: 600_000 }],
  })
  const adapters = [createFakeAdapter({ script })]
  bench = await createEngineBench({ adapter: 'fake', adapters, aroundPort })
  const run = await bench.latest(await bench.newIssue())
  await bench.until(async () =>
    (await containersOfRun(bench.client, run.row.runId)).length === 0 ? true : null,
  )
  return run
}

describe('a stop that is pressed while a container is asked for', () => {
  it('is carried out although Docker does not answer its first call', async () => {
    const asked: string[] = []
    const run = await stoppedRun({
      async start(spec) {
        const started = await testDocker().start(spec)
        await pressStop()
        return started
      },
      async stop(id, graceMs) {
        asked.push(id)
        return asked.length === 1 ? noAnswer : testDocker().stop(id, graceMs)
      },
    })
    expect(run.row).toMatchObject({ outcome: 'stopped', attempts: 1 })
    expect(asked).toHaveLength(2)
  })

  it('begins nothing once Docker answers again', async () => {
    let asked = 0
    const run = await stoppedRun({
      async start() {
        asked += 1
        await pressStop()
        return noAnswer
      },
    })
    expect(run.row).toMatchObject({ outcome: 'stopped', attempts: 1 })
    expect(asked).toBe(1)
  })

  it('ends a container that an engine without an answer began all the same', async () => {
    let asked = 0
    const docker: Partial<ContainerRuntime> = {
      async start(spec) {
        asked += 1
        // An engine that hung took the call, and answered nobody.
        const started = await testDocker().start(spec)
        await pressStop()
        return asked === 1 ? noAnswer : started
      },
    }
    expect((await stoppedRun(docker)).row).toMatchObject({ outcome: 'stopped', attempts: 1 })
    expect(asked).toBe(1)
  })
})
