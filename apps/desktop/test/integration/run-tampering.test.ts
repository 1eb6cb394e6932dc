import { afterEach, describe, expect, it } from 'vitest'
import { createFakeAdapter } from '@main/adapters/agents/fake/fake-adapter'
import type { FakeStep } from '@main/adapters/agents/fake/fake-agent-program'
import type { RunDetail } from '@shared/contract/runs'
import { commit, done, init, said, save } from './faults/agent-steps'
import { createEngineBench, value, type EngineBench } from './support/engine-bench'
import { scriptByStart } from './support/script-by-start'

/*
 * What a hostile agent does to its outputs while it runs, and to the workspace that its work is taken from. What ends in
 * words on the screen is in the table of faults.
 */

let bench: EngineBench
afterEach(() => bench.remove())

/** One run whose agent takes these steps after its session has begun. */
async function runOf(phase: 'analysis' | 'development', ...steps: readonly FakeStep[]): Promise<RunDetail> {
  const hostile = { fresh: [init, save, ...steps] }
  const { script } =
    phase === 'analysis'
      ? scriptByStart(hostile)
      : scriptByStart({ fresh: [init, save, done] }, { fresh: [], resume: hostile.fresh })
  bench = await createEngineBench({ adapter: 'fake', adapters: [createFakeAdapter({ script })] })
  const mailboxId = await bench.newIssue()
  const analysis = await bench.latest(mailboxId)
  return phase === 'analysis' ? analysis : bench.run(mailboxId, 'development')
}

describe('an agent that plants files in its outputs', () => {
  it('gains nothing by links, FIFOs and folders in the places of what is collected', async () => {
    const run = await runOf(
      'development',
      commit,
      {
        shell: `cd /alfred/out && ln -s /etc/passwd status.json && mkfifo commits.bundle && mkdir entry.json &&
          ln -s /alfred/in/prompt kept.bundle && mkfifo .status.json.new`,
      },
      done,
    )
    expect(run.row).toMatchObject({ outcome: 'succeeded', commits: 1 })
    expect(run.changedFiles.map(({ path }) => path)).toEqual(['a.txt'])
  })
})

describe('an agent that removes the repository of its workspace', () => {
  const removeGit: FakeStep = { shell: 'rm -rf /workspace/.git' }
  const result = (json: object): FakeStep => ({
    shell: `printf '%s' '${JSON.stringify({ version: 1, ...json })}' > /alfred/out/result.json`,
  })

  it('is heard all the same where no work is needed: a plan, questions', async () => {
    const analysis = await runOf('analysis', removeGit, done)
    expect(analysis.row).toMatchObject({ outcome: 'succeeded', attempts: 1 })
    expect(await bench.texts(analysis.row.runId, 'warning')).toEqual([
      'The work could not be collected; it lies in the workspace.',
    ])
    await bench.remove()
    const asks = await runOf(
      'development',
      removeGit,
      result({ phase: 'development', outcome: 'questions', questions: ['Which one?'] }),
      done,
    )
    expect(asks.row).toMatchObject({ outcome: 'succeeded', attempts: 1, result: 'asked questions' })
  })

  it('spoils nothing for the next run', async () => {
    const spoiled = await runOf('development', commit, removeGit, done)
    const retried = value(
      await bench.client.call('runs', 'retry', { runId: spoiled.row.runId, resumeChoice: 'fresh' }),
    )
    expect((await bench.ended(retried.runId)).row).toMatchObject({ outcome: 'succeeded', attempts: 1 })
  })
})

describe('an agent that works in another session than the one asked for', () => {
  it('leaves its late output behind: nothing of it is the fallback’s', async () => {
    const late = { type: 'usage', input_tokens: 999, context_used: 888 }
    const { script } = scriptByStart(
      { fresh: [init, save, done] },
      {
        fresh: [],
        resume: [
          { ignoreTerm: true },
          { print: { type: 'init', session_id: '$NEW' } },
          { pauseMs: 1_000 },
          said('late words'),
          { print: late },
          { print: { type: 'result', is_error: false, text: 'The late result.' } },
          {
            shell: `printf '%s' '{"version":1,"phase":"development","outcome":"questions","questions":["Late?"]}' > /alfred/out/result.json`,
          },
          { pauseMs: 600_000 },
        ],
      },
      { fresh: [init, save, said('fresh words'), commit, done] },
    )
    bench = await createEngineBench({ adapter: 'fake', adapters: [createFakeAdapter({ script })] })
    const mailboxId = await bench.newIssue()
    await bench.latest(mailboxId)
    const run = await bench.run(mailboxId, 'development')
    const [analysis, development] = await bench.sessions(mailboxId)

    // It fails nothing, counts as nothing, and says nothing to the forge.
    expect(run.row).toMatchObject({
      outcome: 'succeeded',
      attempts: 1,
      badge: 'state_missing',
      commits: 1,
      result: 'made 1 commit',
    })
    expect([run.llmRetries, run.failure]).toEqual([0, null])
    await bench.until(async () => {
      const detail = value(await bench.client.call('mailboxes', 'get', { mailboxId }))
      return detail.status === 'in_review' ? true : null
    })
    const issue = value(
      await bench.client.call('tracker', 'getIssue', { projectId: bench.projectId, iid: 1 }),
    )
    const kinds = issue.commentList.flatMap(({ body }) => /kind=(\w+)/.exec(body)?.[1] ?? [])
    expect(kinds).toEqual(['acknowledgement', 'plan', 'change_opened'])

    expect(development).toMatchObject({
      requestedSessionId: analysis?.nativeSessionId,
      nativeSessionId: development?.chosenSessionId,
      // Paid for all the same, so the run's own.
      inputTokens: 999,
      contextUsed: null,
    })
    const { events } = value(
      await bench.client.call('runs', 'events', {
        runId: run.row.runId,
        afterSeq: 0,
        beforeSeq: null,
        limit: 1000,
      }),
    )
    const seqOf = (words: string): number =>
      events.find(({ payload }) => payload.text?.includes(words))?.seq ?? 0
    expect(seqOf('late words')).toBeGreaterThan(0)
    expect(seqOf('late words')).toBeLessThan(seqOf('A fresh session starts'))
    expect(seqOf('A fresh session starts')).toBeLessThan(seqOf('fresh words'))
  })
})
