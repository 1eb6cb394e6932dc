import { createDemoAdapter } from '@main/adapters/agents/demo/demo-adapter'
import { createFakeAdapter } from '@main/adapters/agents/fake/fake-adapter'
import type { FakeScript } from '@main/adapters/agents/fake/fake-agent-program'
import { createEngineBench, value, type EngineBench } from '../integration/support/engine-bench'
import { alone, median, type BenchRow } from './figures'
import { untilContainersGone } from './run-containers'

const rounds = 3
const name = 'stop pressed to container gone, session kept'

/** An agent that ends when it is asked to, and one that has to be killed. */
export async function benchStop(): Promise<readonly BenchRow[]> {
  const environment = { DEMO_PACE: '30000' }
  const willing = await createEngineBench({ adapters: [createDemoAdapter({ environment })] })
  const stubborn = await createEngineBench({
    adapter: 'fake',
    adapters: [createFakeAdapter({ script: () => stubbornScript })],
  })
  try {
    return [await measure(name, willing), await measure(`${name}, agent ignores TERM`, stubborn)]
  } finally {
    await willing.remove()
    await stubborn.remove()
  }
}

const stubbornScript: FakeScript = {
  fresh: [
    { ignoreTerm: true },
    { save: '{"turn":1}' },
    { print: { type: 'init', session_id: '$ID' } },
    { pauseMs: 600_000 },
  ],
}

async function measure(row: string, bench: EngineBench): Promise<BenchRow> {
  const taken: number[] = []
  for (let round = 0; round < rounds; round += 1) taken.push(await stopOnce(bench))
  return alone(row, median(taken), 'ms', 10_000)
}

/** Stops the analysis that a new issue begins with. */
async function stopOnce(bench: EngineBench): Promise<number> {
  const mailboxId = await bench.newIssue()
  const { runId, id } = await bench.until(async () => {
    const session = (await bench.sessions(mailboxId)).at(-1)
    return session?.nativeSessionId == null ? null : { runId: session.runId, id: session.nativeSessionId }
  })
  const begin = performance.now()
  value(await bench.client.call('runs', 'stop', { runId }))
  await untilContainersGone(bench, runId)
  const taken = performance.now() - begin
  const ended = await bench.ended(runId)
  const kept = (await bench.sessions(mailboxId)).find((session) => session.runId === runId)
  if (ended.row.outcome !== 'stopped' || kept?.nativeSessionId !== id || (kept.stateBytesAfter ?? 0) === 0) {
    throw new Error(
      `the run ended ${ended.row.outcome} with ${kept?.stateBytesAfter ?? 'no'} bytes of session`,
    )
  }
  return taken
}
