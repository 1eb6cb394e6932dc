import { chmod, copyFile, mkdir, readdir, rm, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { createCodexAdapter } from '@main/adapters/agents/codex/codex-adapter'
import { cliPackages } from '@main/core/agents/image-clis'
import type { ImageCli } from '@shared/model/words'
import { bash, countTurns, say, work, type Answer, type Script } from '../fakes/model-server/answers'
import { openaiResponses } from '../fakes/model-server/openai-responses'
import { agentImageTag, testRuntime } from './support/agent-container'
import { toldTo } from './support/claude-bench'
import { createCliBench, type CliBench } from './support/cli-bench'
import { value } from './support/engine-bench'
import { expectRemembered } from './support/expect-remembered'

/*
 * Named sessions of the real Codex: what the model is told in a run proves what the agent remembers.
 */

const clis: readonly ImageCli[] = ['codex']
let bench: CliBench
beforeAll(() => agentImageTag(testRuntime(), clis))

/** Signed in by a login file, with the CLI's own waits made short. */
async function createBench(script: Script = countTurns): Promise<CliBench> {
  const providerConfiguration = { request_max_retries: 0, stream_max_retries: 0 }
  const created = await createCliBench(createCodexAdapter({ providerConfiguration }), {
    script,
    clis,
    protocols: [openaiResponses],
    settings: { AGENT_PROVIDER: null, AGENT_MODEL: null },
  })
  const folder = join(created.folder, '.agent-credentials', 'codex')
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const login = JSON.stringify({ OPENAI_API_KEY: 'sk-for-the-scripted-model' })
  await writeFile(join(folder, 'auth.json'), login, { mode: 0o600 })
  return created
}

/** The file of a session: its name begins with a time. */
async function rolloutOf(iid: number, nativeId: string | null): Promise<string> {
  const folder = bench.stateFolder(iid, 'codex')
  const files = await readdir(folder, { recursive: true })
  const found = files.find((file) => file.endsWith(`-${nativeId}.jsonl`))
  if (found === undefined) throw new Error(`no file of session ${nativeId}`)
  return join(folder, found)
}

describe('two runs of an issue with codex', () => {
  afterEach(() => bench.remove())

  it('share one memory, and each tells what it used itself', async () => {
    bench = await createBench()
    const mailboxId = await bench.newIssue('The harbour lights go out at noon.')
    const first = await bench.latest(mailboxId)
    expect(first.failure).toBeNull()
    const second = await bench.run(mailboxId, 'development')
    expect([first.row.outcome, second.row.outcome]).toEqual(['succeeded', 'succeeded'])

    const [ofFirst, ofSecond, ...others] = bench.model.turns()
    expect(others).toEqual([])
    expect([ofFirst?.turn.number, ofSecond?.turn.number]).toEqual([1, 2])
    for (const words of ['Phase: analysis', 'Phase: development', 'The harbour lights', 'turn 1'])
      expect(toldTo(ofSecond)).toContain(words)

    const sessions = await bench.sessions(mailboxId)
    expectRemembered(sessions)
    expect(sessions[0]).toMatchObject({ adapter: 'codex', chosenSessionId: null })
    expect([ofFirst, ofSecond].map((request) => request?.headers['thread-id'])).toEqual([
      first.row.nativeSessionId,
      first.row.nativeSessionId,
    ])
    expect(second.row).toMatchObject({ badge: 'resumed', adapterVersion: cliPackages.codex.version })
    // The CLI tells 121 and then 243, with 20 and then 40 from the cache.
    expect(sessions).toMatchObject([
      { inputTokens: 101, cachedTokens: 20, outputTokens: 7, costUsd: null },
      { inputTokens: 102, cachedTokens: 20, outputTokens: 7, costUsd: null },
    ])
    // Of the last answer alone, out of what the model takes; the CLI knows both, and tells them in its session only.
    expect(sessions).toMatchObject([
      { contextUsed: 128, contextMax: expect.any(Number) as number },
      { contextUsed: 129, contextMax: expect.any(Number) as number },
    ])
    // Only sessions are kept: no login, no configuration, no database with paths of a container.
    expect((await readdir(bench.stateFolder(1, 'codex'))).toSorted()).toEqual([
      expect.stringMatching(/^\d{4}$/),
    ])
  })

  it('tell what they used themselves on a copy of a memory, too', async () => {
    bench = await createBench()
    const mailboxId = await bench.newIssue('The harbour lights go out at noon.')
    const { row } = await bench.latest(mailboxId)
    if (row.sessionId === null) throw new Error('the analysis has no session')
    const fork = value(await bench.client.call('sessions', 'fork', { sessionId: row.sessionId }))
    const run = await bench.run(mailboxId, 'development')
    expect(run.row).toMatchObject({ outcome: 'succeeded', badge: 'resumed', nativeSessionId: fork.nativeId })
    // The CLI tells 243 again: the copy goes on with the sums of the original.
    expect(run.row).toMatchObject({ inputTokens: 102, cachedTokens: 20, outputTokens: 7 })
  })

  it('begin anew in the same run when the first request is too long for the model', async () => {
    bench = await createBench()
    const mailboxId = await bench.newIssue('The harbour lights go out at noon.')
    await bench.latest(mailboxId)
    bench.model.play(({ number }): Answer => (number > 1 ? { kind: 'context_overflow' } : say('done')))
    const run = await bench.run(mailboxId, 'development')
    expect(run.row).toMatchObject({ outcome: 'succeeded', badge: 'refused', resumed: false, attempts: 1 })
    expect(run.llmRetries).toBe(0)
  })

  it('keep the memory when the provider fails', async () => {
    bench = await createBench()
    const mailboxId = await bench.newIssue('The harbour lights go out at noon.')
    const first = await bench.latest(mailboxId)
    bench.model.play(() => ({ kind: 'status', status: 400 }))
    const failed = await bench.run(mailboxId, 'development')
    expect(failed.row).toMatchObject({ outcome: 'failed', resumed: true })
    bench.model.play(countTurns)
    const third = await bench.run(mailboxId, 'development')
    expect(third.row).toMatchObject({ outcome: 'succeeded', badge: 'resumed' })
    expect(third.row.nativeSessionId).toBe(first.row.nativeSessionId)
  })
})

/** What a fault makes of the file of a session; `other` is that of another issue. */
type Fault = (file: string, other: string) => Promise<void>

const faults: Readonly<Record<string, Fault>> = {
  'is gone': (file) => rm(file),
  'has zero bytes': (file) => truncate(file),
  'is torn in its first record': (file) => truncate(file, 40),
  'holds nothing that was written by the CLI': (file) => writeFile(file, '{"type":"nothing"}\n'.repeat(3)),
  'cannot be read by the agent': (file) => chmod(file, 0o000),
  'is that of another issue, under the name of this one': (file, other) => copyFile(other, file),
}

/** A plan for the analysis, one commit with one file for the development. */
function planAndCommit(): Script {
  const develop = work(
    [bash('echo one > one.txt && git add one.txt && git commit -qm "Add one"')],
    say('done'),
  )
  return (turn) => (turn.prompt.includes('Phase: analysis') ? say('the plan') : develop(turn))
}

describe('a memory of codex that', () => {
  let other = ''
  beforeAll(async () => {
    bench = await createBench(planAndCommit())
    const run = await bench.latest(await bench.newIssue('The other issue.'))
    other = await rolloutOf(run.mailboxIid, run.row.nativeSessionId)
  })
  afterAll(() => bench.remove())

  it.each(Object.entries(faults))('%s: one fresh session in the same run', async (_name, fault) => {
    const mailboxId = await bench.newIssue('This issue.')
    const { mailboxIid: iid, row: analysis } = await bench.latest(mailboxId)
    await fault(await rolloutOf(iid, analysis.nativeSessionId), other)
    bench.model.play(planAndCommit())

    const run = await bench.run(mailboxId, 'development')
    expect(run.row).toMatchObject({
      outcome: 'succeeded',
      attempts: 1,
      badge: 'state_missing',
      resumed: false,
      commits: 1,
    })
    expect(run.llmRetries).toBe(0)
    expect(run.row.nativeSessionId).not.toBe(analysis.nativeSessionId)
    // The model heard of this run alone: it never met the words of a memory.
    expect(new Set(bench.model.turns().map(({ turn }) => turn.number))).toEqual(new Set([1]))
    expect(toldTo(bench.model.turns()[0])).not.toContain('The other issue.')
  })
})
