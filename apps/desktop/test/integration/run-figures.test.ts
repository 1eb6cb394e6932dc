import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { createFakeAdapter } from '@main/adapters/agents/fake/fake-adapter'
import type { FakeScript, FakeStep } from '@main/adapters/agents/fake/fake-agent-program'
import type { MailboxId, ResumeChoice, RunId } from '@shared/model/ids'
import { createEngineBench, value, type EngineBench } from './support/engine-bench'
import { scriptByStart } from './support/script-by-start'

/*
 * What a run used and cost is what all its starts did, wherever it is shown, and what its budget is held against.
 */

let bench: EngineBench
afterEach(() => bench.remove())

const init: FakeStep = { print: { type: 'init', session_id: '$ID' } }
const save: FakeStep = { save: '{}' }
const done: FakeStep = { print: { type: 'result', is_error: false, text: 'The plan.' } }
const tool: FakeStep = { print: { type: 'tool', name: 'shell', input: {} } }
const uses = (usd: number, inputTokens: number): FakeStep => ({
  print: { type: 'usage', cost_usd: usd, input_tokens: inputTokens, turns: 1 },
})

/** The analysis succeeds; then the scripts answer, start by start. */
async function develop(
  choice: ResumeChoice,
  scripts: readonly FakeScript[],
  budgetUsd: number | null = null,
) {
  const { script } = scriptByStart({ fresh: [init, save, done] }, ...scripts)
  bench = await createEngineBench({ adapter: 'fake', adapters: [createFakeAdapter({ script })] })
  const mailboxId = await bench.newIssue()
  await bench.latest(mailboxId)
  if (budgetUsd !== null) await bench.setting('RUN_BUDGET_USD', budgetUsd)
  return { mailboxId, runId: await bench.request(mailboxId, 'development', choice) }
}

/** The figures at every place that shows them. */
async function shown(mailboxId: MailboxId, runId: RunId) {
  const { client } = bench
  const { row, toolCalls } = value(await client.call('runs', 'get', { runId }))
  const page = value(await client.call('sessions', 'timeline', { mailboxId, beforeRunId: null, limit: 10 }))
  const onTimeline = page.rows.find((one) => one.runId === runId)
  const records = (await bench.sessions(mailboxId)).filter((record) => record.runId === runId)
  const { costUsd: ofIssue } = value(await client.call('mailboxes', 'get', { mailboxId }))
  const { costTodayUsd } = value(await client.call('app', 'status', {}))
  return {
    costs: [row.costUsd, onTimeline?.costUsd, records.at(-1)?.costUsd, ofIssue, costTodayUsd],
    tokens: [row.inputTokens, onTimeline?.inputTokens, records.at(-1)?.inputTokens],
    turns: row.turns,
    toolCalls,
    rows: records.length,
  }
}

const both = {
  costs: Array.from({ length: 5 }, () => 0.75),
  tokens: Array.from({ length: 3 }, () => 140),
  turns: 2,
  rows: 1,
}

describe('the figures of a run', () => {
  it('hold those of the start before it waited for the account', async () => {
    const { mailboxId, runId } = await develop('fresh', [
      { fresh: [init, save, tool, uses(0.5, 100), { printError: 'FAKE account_limit 200' }, { exit: 1 }] },
      { fresh: [], resume: [init, save, tool, tool, uses(0.25, 40), done] },
    ])
    const run = await bench.ended(runId)
    expect(run.row).toMatchObject({ outcome: 'succeeded', attempts: 1 })
    expect(run.attempts[0]?.starts.map(({ kind }) => kind)).toEqual(['first', 'first'])
    expect(await shown(mailboxId, runId)).toEqual({ ...both, toolCalls: 3 })
  })

  it('hold those of the start that fell back', async () => {
    const { mailboxId, runId } = await develop('auto', [
      { fresh: [], resume: [init, uses(0.5, 100), { printError: 'FAKE refused' }, { exit: 4 }] },
      { fresh: [init, save, tool, uses(0.25, 40), done] },
    ])
    const run = await bench.ended(runId)
    expect(run.row).toMatchObject({ outcome: 'succeeded', badge: 'refused' })
    expect(await shown(mailboxId, runId)).toEqual({ ...both, toolCalls: 1 })
  })
})

describe('the budget of a run', () => {
  it('counts what an earlier start cost', async () => {
    const scripts: readonly FakeScript[] = [
      { fresh: [init, save, uses(0.5, 100), { printError: 'FAKE account_limit 200' }, { exit: 1 }] },
      { fresh: [], resume: [init, save, uses(0.25, 40), { pauseMs: 600_000 }] },
    ]
    const { runId } = await develop('fresh', scripts, 0.7)
    const run = await bench.ended(runId)
    expect(run.failure).toEqual({
      type: 'budget_used',
      message: 'The run has cost $0.75; its budget is $0.70 (RUN_BUDGET_USD).',
    })
    await bench.setting('RUN_BUDGET_USD', 9)
    expect(value(await bench.client.call('runs', 'get', { runId }))).toMatchObject({ budgetUsd: 0.7 })
  })

  it('that is changed while the run is live holds from the next figure on', async () => {
    const goesOn: FakeStep = { shell: 'until [ -e /alfred/in/go-on ]; do sleep 0.1; done' }
    const resume = [init, save, uses(0.5, 100), goesOn, uses(0.75, 140), { pauseMs: 600_000 }]
    const { runId } = await develop('auto', [{ fresh: [], resume }])
    const { folder } = await bench.until(async () => {
      const detail = value(await bench.client.call('runs', 'get', { runId }))
      return detail.row.costUsd === null ? null : detail
    })
    await bench.setting('RUN_BUDGET_USD', 0.7)
    expect(value(await bench.client.call('runs', 'get', { runId }))).toMatchObject({ budgetUsd: 0.7 })
    await writeFile(join(folder, 'in', 'go-on'), '')
    const run = await bench.ended(runId)
    expect(run.failure).toMatchObject({ type: 'budget_used' })
    expect(run.row).toMatchObject({ outcome: 'failed', costUsd: 0.75 })
  })
})
