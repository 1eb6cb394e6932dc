import Docker from 'dockerode'
import { setTimeout as pause } from 'node:timers/promises'
import type { RunId } from '@shared/model/ids'
import { containersOfRun, type EngineBench } from '../integration/support/engine-bench'

const pollMs = 20

/** What the engine of containers says about the run's container, as soon as it works. */
export async function inspectRunContainer(
  { client }: EngineBench,
  runId: RunId,
): Promise<Docker.ContainerInspectInfo> {
  for (;;) {
    const working = (await containersOfRun(client, runId)).find(({ startedAt }) => startedAt !== null)
    if (working !== undefined) return new Docker().getContainer(working.id).inspect()
    await pause(pollMs)
  }
}

/** Settles when no container of the run is left. */
export async function untilContainersGone({ client }: EngineBench, runId: RunId): Promise<void> {
  while ((await containersOfRun(client, runId)).length > 0) await pause(pollMs)
}
