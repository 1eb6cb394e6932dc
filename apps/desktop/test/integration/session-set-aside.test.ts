import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { TimelineRow } from '@shared/contract/sessions'
import { value } from './support/engine-bench'
import { createMatrixBench, type MatrixBench, type MatrixIssue } from './support/matrix-bench'
import { replayedCli, resumableNames, type Recording } from './support/replayed-clis'

/*
 * An id that failed twice in a row, for every CLI: the engine tells no run to ask for it again, and says so.
 */

let bench: MatrixBench
beforeAll(async () => {
  bench = await createMatrixBench(resumableNames)
})
afterAll(() => bench.remove())

/** A start that ends before its CLI says anything: the issue gets no newer memory, which the next run would take. */
const silent: Recording = { stdout: '', stderr: 'something went wrong\n', exitCode: 1, id: null }

/** The newest row, as the timeline asks for it. */
async function newest({ mailboxId }: MatrixIssue): Promise<TimelineRow> {
  const page = { mailboxId, beforeRunId: null, limit: 1 }
  const row = value(await bench.client.call('sessions', 'timeline', page)).rows.at(-1)
  if (row === undefined) throw new Error('no run')
  return row
}

describe('an id that was refused twice in a row', () => {
  it.concurrent.each(resumableNames)('is not tried a third time, but by hand: %s', async (name) => {
    const cli = replayedCli(name)
    const issue = await bench.newIssue(name)
    const [first] = await bench.sessions(issue)
    const id = first?.nativeSessionId ?? null
    bench.play(issue, { resumed: cli.fallbacks.refused, fresh: silent })
    for (const count of [1, 2]) {
      const run = await bench.run(issue, 'development')
      expect(run.row, `time ${count}`).toMatchObject({
        outcome: 'failed',
        badge: 'refused',
        requestedSessionId: id,
        nativeSessionId: null,
        idSetAside: false,
      })
    }

    bench.play(issue, {})
    const before = bench.starts(issue).length
    await bench.run(issue, 'development')
    const told = { resumed: false, resumeFallback: 'refused', requestedSessionId: id, idSetAside: true }
    expect((await bench.sessions(issue)).at(-1)).toMatchObject({ ...told, mode: 'fresh' })
    expect(await newest(issue)).toMatchObject({ ...told, badge: 'refused', outcome: 'succeeded' })
    expect(
      bench
        .starts(issue)
        .slice(before)
        .map(({ spec }) => cli.askedId(spec.argv)),
    ).toEqual([null])
    const history = value(await bench.client.call('app', 'agentHistory', { adapter: name }))
    expect(history.setAside.map(({ nativeSessionId }) => nativeSessionId)).toEqual([id])

    const byHand = await bench.run(issue, 'development', `session:${first?.id ?? 0}`)
    expect(byHand.row).toMatchObject({ badge: 'resumed', nativeSessionId: id, idSetAside: false })
    const after = value(await bench.client.call('app', 'agentHistory', { adapter: name }))
    expect(after.setAside).toEqual([])
  })
})
