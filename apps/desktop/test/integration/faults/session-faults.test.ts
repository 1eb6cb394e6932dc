import { existsSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect } from 'vitest'
import { createDemoAdapter } from '@main/adapters/agents/demo/demo-adapter'
import { clientOf, createWatch, startTestEngine, value } from '../support/engine-bench'
import { done, init, save } from './agent-steps'
import { createFaultBench, expectAftermath, fault, type FaultBench } from './fault-bench'
import { runScreen } from './screen'

let bench: FaultBench
beforeAll(async () => {
  bench = await createFaultBench()
})
afterAll(() => bench.remove())

const reports = (id: string, sessionId: string): void =>
  fault(id, async (row) => {
    bench.script([{ print: { type: 'init', session_id: sessionId } }, done], [init, save, done])
    const mailboxId = await bench.newIssue()
    await expectAftermath(bench, row, await bench.see(mailboxId, await bench.latest(mailboxId)))
    await bench.run(mailboxId, 'development')
    const [first, second] = await bench.sessions(mailboxId)
    expect(first).toMatchObject({ nativeSessionId: null, mode: 'fresh' })
    expect(second).toMatchObject({
      requestedSessionId: null,
      mode: 'fresh',
      resumeFallback: 'no_prior_session',
    })
  })

describe('the session that the agent reports', () => {
  reports('native-id-flag', '--last')
  reports('native-id-word', 'dispatched')
  reports('native-id-300', 'a'.repeat(300))

  fault('agent-gone', async (row) => {
    const own = await createFaultBench()
    const mailboxId = await own.newIssue()
    await own.latest(mailboxId)
    value(await own.client.call('app', 'setPaused', { isPaused: true }))
    const runId = await own.request(mailboxId, 'development')
    await own.stopEngine()
    const engine = await startTestEngine(own.folder, [createDemoAdapter()])
    const client = clientOf(engine)
    try {
      const run = await createWatch(client).until(async () => {
        const detail = value(await client.call('runs', 'get', { runId }))
        return detail.row.state === 'ended' ? detail : null
      })
      await expectAftermath(own, row, { mailboxId, run, screen: runScreen(run, []) })
      expect(existsSync(own.stateFolder(1, 'fake'))).toBe(true)
    } finally {
      await engine.stop('stop')
      await own.remove()
    }
  })
})
