import { afterAll, beforeAll, describe, expect } from 'vitest'
import { value } from '../support/engine-bench'
import { commit, done, result, resultWithoutPlan } from './agent-steps'
import { createFaultBench, expectAftermath, fault, type FaultBench } from './fault-bench'
import type { FakeStep } from '@main/adapters/agents/fake/fake-agent-program'

let bench: FaultBench
beforeAll(async () => {
  bench = await createFaultBench()
})
afterAll(() => bench.remove())

/** A development that commits, and leaves this in the place of its result. */
const leaves = (id: string, step: FakeStep): void =>
  fault(id, async (row) => expectAftermath(bench, row, await bench.develop(commit, step, done)))

const made = (more: object): FakeStep =>
  result(JSON.stringify({ version: 1, phase: 'development', outcome: 'done', ...more }))

describe('the result that the agent leaves', () => {
  fault('no-result', async (row) => {
    const silent: FakeStep = { print: { type: 'result', is_error: false, text: '' } }
    await expectAftermath(bench, row, await bench.analyse(silent))
  })

  fault('result-without-plan', async (row) => {
    await expectAftermath(bench, row, await bench.analyse(resultWithoutPlan, done))
  })

  fault('result-without-commits', async (row) => {
    const seen = await bench.develop(made({ summary: 'All done, the tests pass.' }), done)
    await expectAftermath(bench, row, seen)
    const blocked = await bench.until(async () => {
      const { status } = value(await bench.client.call('mailboxes', 'get', { mailboxId: seen.mailboxId }))
      const issue = value(
        await bench.client.call('tracker', 'getIssue', {
          projectId: bench.projectId,
          iid: seen.run.mailboxIid,
        }),
      )
      const told = issue.commentList.map(({ body }) => body).find((body) => body.includes('made no commit'))
      return status === 'blocked' && told !== undefined ? told : null
    })
    expect(blocked).toContain('**Development made no commit.** The agent says:\n\nAll done, the tests pass.')
  })

  leaves('result-50-mb', {
    shell: String.raw`head -c 50000000 /dev/zero | tr '\0' x > /alfred/out/result.json`,
  })
  fault('result-proto', async (row) => {
    const polluted = '{"version":1,"phase":"development","outcome":"done","__proto__":{"polluted":true}}'
    await expectAftermath(bench, row, await bench.develop(commit, result(polluted), done))
    expect('polluted' in {}).toBe(false)
  })
  leaves('result-other-issue', made({ issue: 99 }))
  leaves('result-other-phase', result('{"version":1,"phase":"analysis","outcome":"nothing"}'))
  leaves('result-no-json', result('{'))
  leaves('result-fifo', { shell: 'mkfifo /alfred/out/result.json' })
  leaves('result-link', { shell: 'ln -s /etc/passwd /alfred/out/result.json' })
  leaves('result-second-name', {
    shell: 'cd /alfred/out && echo "{}" > other && ln other result.json',
  })
})
