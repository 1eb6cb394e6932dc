import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { createFakeAdapter } from '@main/adapters/agents/fake/fake-adapter'
import type { FakeStep } from '@main/adapters/agents/fake/fake-agent-program'
import type { RunDetail } from '@shared/contract/runs'
import { createEngineBench, value, type EngineBench } from './support/engine-bench'
import { scriptByStart } from './support/script-by-start'

/*
 * What a hostile agent does to its outputs while it runs, and to the workspace that its work is taken from.
 */

let bench: EngineBench
afterEach(() => bench.remove())

const init: FakeStep = { print: { type: 'init', session_id: '$ID' } }
const save: FakeStep = { save: '{}' }
const done: FakeStep = { print: { type: 'result', is_error: false, text: 'The plan.' } }
const commit: FakeStep = { shell: "echo x > a.txt && git add a.txt && git commit -qm 'Add a'" }
const said = (text: string): FakeStep => ({ print: { type: 'text', text } })

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

  it('is refused a result that has a second name', async () => {
    const run = await runOf(
      'development',
      commit,
      {
        shell: `cd /alfred/out && echo '{"version":1,"phase":"development","outcome":"done"}' > other && ln other result.json`,
      },
      done,
    )
    expect(run.row.outcome).toBe('result_refused')
    expect(run.failure?.message).toContain('result.json')
  })
})

describe('an agent that lays hands on its stream files', () => {
  it('can neither remove nor replace them', async () => {
    const run = await runOf(
      'development',
      {
        shell: `cd /alfred/out && for f in stream.out stream.err; do
          rm -f $f; echo fake > new; mv -f new $f; ln -sf /etc/passwd $f; done 2> /dev/null; true`,
      },
      said('still here'),
      commit,
      done,
    )
    expect(run.row).toMatchObject({ outcome: 'succeeded', commits: 1 })
    expect(await bench.texts(run.row.runId, 'text')).toContain('still here')
  })

  it('is stopped when it makes one shorter', async () => {
    const run = await runOf(
      'development',
      said('x'.repeat(1_000)),
      { pauseMs: 500 },
      { shell: ': > /alfred/out/stream.out' },
      {
        pauseMs: 600_000,
      },
    )
    expect(run.row).toMatchObject({ outcome: 'result_refused' })
    expect(run.failure?.type).toBe('stream_replaced')
  })
})

describe('an agent that removes the repository of its workspace', () => {
  const removeGit: FakeStep = { shell: 'rm -rf /workspace/.git' }
  const result = (json: object): FakeStep => ({
    shell: `printf '%s' '${JSON.stringify({ version: 1, ...json })}' > /alfred/out/result.json`,
  })

  it('runs once; its work lies in the workspace, and the run says so', async () => {
    const run = await runOf('development', commit, removeGit, done)
    expect(run.row).toMatchObject({ outcome: 'result_refused', attempts: 1, resumed: true })
    expect(run.failure?.message).toBe('The work could not be collected; it lies in the workspace.')
    expect(existsSync(join(bench.folder, 'workspaces', `test-${bench.projectId}-issue-1`, 'a.txt'))).toBe(
      true,
    )
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
      inputTokens: null,
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
