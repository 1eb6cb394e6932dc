import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { createFakeAdapter } from '@main/adapters/agents/fake/fake-adapter'
import type { FakeScript, FakeStep } from '@main/adapters/agents/fake/fake-agent-program'
import { containersOfRun, createEngineBench, value, type EngineBench } from './support/engine-bench'

/*
 * How runs end: by a person, by a limit, by the agent itself, and by what it left. Refused results and bundles are in the
 * table of faults.
 */

let bench: EngineBench
afterEach(() => bench.remove())

const init: FakeStep = { print: { type: 'init', session_id: '$ID' } }
const done: FakeStep = { print: { type: 'result', is_error: false, text: 'The plan.' } }

/** The analysis succeeds; the development does what the test says. */
async function benchWith(steps: readonly FakeStep[]): Promise<EngineBench> {
  const script: FakeScript = { fresh: [init, { save: '{}' }, done], resume: [init, { save: '{}' }, ...steps] }
  return createEngineBench({ adapter: 'fake', adapters: [createFakeAdapter({ script: () => script })] })
}

async function develop(): Promise<Awaited<ReturnType<EngineBench['run']>>> {
  const mailboxId = await bench.newIssue()
  await bench.latest(mailboxId)
  return bench.run(mailboxId, 'development')
}

const commit = (file: string): FakeStep => ({
  shell: `echo x > ${file} && git add ${file} && git commit -qm 'Add ${file}'`,
})
const sessionFile = async (mailboxId: Parameters<EngineBench['sessions']>[0]) => {
  const rows = await bench.sessions(mailboxId)
  return join(bench.stateFolder(1, 'fake'), `${rows[0]?.nativeSessionId}.jsonl`)
}

describe('a run whose agent CLI is too old for how it is started', () => {
  it('ends before its container, and says what to do', async () => {
    const fake = { ...createFakeAdapter({ script: () => ({ fresh: [init, done] }) }), lowestVersion: '1.0.1' }
    bench = await createEngineBench({ adapter: 'fake', adapters: [fake] })
    const run = await bench.latest(await bench.newIssue())
    expect(run.row).toMatchObject({ outcome: 'failed' })
    expect(run.failure).toMatchObject({ type: 'image_missing' })
    expect(run.failure?.message).toMatch(
      /^fake 1\.0\.0 in alfred-agent:\w+ is too old to start: Alfred needs 1\.0\.1 or newer\. Update fake in the base image/,
    )
    expect(run.attempts.flatMap(({ starts }) => starts)).toEqual([])
  })
})

describe('a run that is stopped', () => {
  it('ends within seconds, keeps session and work, and leaves no container', async () => {
    bench = await benchWith([
      commit('a.txt'),
      { shell: 'echo not committed > b.txt' },
      { print: { type: 'text', text: 'working' } },
      { pauseMs: 600_000 },
    ])
    const mailboxId = await bench.newIssue()
    await bench.latest(mailboxId)
    const runId = await bench.request(mailboxId, 'development')
    await bench.until(async () => ((await bench.texts(runId, 'text')).includes('working') ? true : null))
    const begun = performance.now()
    value(await bench.client.call('runs', 'stop', { runId }))
    const run = await bench.ended(runId)
    expect(performance.now() - begun).toBeLessThan(10_000)
    expect(run.row).toMatchObject({ outcome: 'stopped', resumed: true, commits: 1 })
    expect(run.failure?.message).toContain('A person stopped')
    expect(existsSync(await sessionFile(mailboxId))).toBe(true)
    expect(existsSync(join(bench.folder, 'workspaces', `test-${bench.projectId}-issue-1`, 'b.txt'))).toBe(
      true,
    )
    await bench.until(async () => ((await containersOfRun(bench.client, runId)).length === 0 ? true : null))
  })

  it('goes on where it was when it is retried with its memory', async () => {
    bench = await benchWith([
      { shell: 'test -f left.txt || { echo x > left.txt; sleep 600; }' },
      { shell: 'git add left.txt && git commit -qm "Add what was left"' },
      done,
    ])
    const mailboxId = await bench.newIssue()
    await bench.latest(mailboxId)
    const runId = await bench.request(mailboxId, 'development')
    const workspace = join(bench.folder, 'workspaces', `test-${bench.projectId}-issue-1`)
    await bench.until(() => Promise.resolve(existsSync(join(workspace, 'left.txt')) ? true : null))
    value(await bench.client.call('runs', 'stop', { runId }))
    await bench.ended(runId)
    const retried = value(await bench.client.call('runs', 'retry', { runId, resumeChoice: 'auto' }))
    const run = await bench.ended(retried.runId)
    expect(run.row).toMatchObject({ outcome: 'succeeded', resumed: true, commits: 1 })
    expect(run.changedFiles.map(({ path }) => path)).toEqual(['left.txt'])
  })

  it('ends at once while it waits in the queue', async () => {
    bench = await benchWith([done])
    const mailboxId = await bench.newIssue()
    await bench.latest(mailboxId)
    value(await bench.client.call('app', 'setPaused', { isPaused: true }))
    const runId = await bench.request(mailboxId, 'development')
    value(await bench.client.call('runs', 'stop', { runId }))
    expect((await bench.ended(runId)).row).toMatchObject({ outcome: 'stopped', attempts: 0, sessionId: null })
  })
})

describe('a run that meets a limit', () => {
  it('is timed out, collected all the same, and its session kept', async () => {
    bench = await benchWith([commit('a.txt'), { pauseMs: 600_000 }])
    await bench.setting('RUN_TIMEOUT', 10_000)
    const run = await develop()
    expect(run.row).toMatchObject({ outcome: 'timed_out', resumed: true, commits: 1 })
    expect(run.failure).toMatchObject({ type: 'timed_out', message: expect.stringContaining('10s') })
  })

  it('is killed inside its container when it does not hear TERM, and collected there', async () => {
    bench = await benchWith([{ ignoreTerm: true }, commit('a.txt'), { pauseMs: 600_000 }])
    await bench.setting('RUN_TIMEOUT', 10_000)
    const run = await develop()
    expect(run.row).toMatchObject({ outcome: 'timed_out', commits: 1 })
    expect(run.attempts[0]?.starts.map(({ kind }) => kind)).toEqual(['first'])
  })

  it('is collected by a container of its own when its container hears no TERM and is killed', async () => {
    const holdTheEntry = 'read -r _ _ _ entry _ < /proc/$PPID/stat && kill -STOP "$entry"'
    bench = await benchWith([commit('a.txt'), { shell: holdTheEntry }, { pauseMs: 600_000 }])
    await bench.setting('RUN_TIMEOUT', 10_000)
    const run = await develop()
    expect(run.row).toMatchObject({ outcome: 'timed_out', commits: 1 })
    expect(run.attempts[0]?.starts).toMatchObject([
      { kind: 'first', exitCode: 137 },
      { kind: 'collect', exitCode: 0 },
    ])
  })

  it('says so when only a child of the agent met the memory limit, and collects its commits', async () => {
    bench = await benchWith([
      commit('a.txt'),
      { shell: `node -e 'const held = []; for (;;) held.push(Buffer.alloc(10_000_000, 1))' || true` },
      done,
    ])
    await bench.setting('RUN_MEMORY', 128_000_000)
    const run = await develop()
    expect(run.row).toMatchObject({ outcome: 'succeeded', commits: 1 })
    expect(await bench.texts(run.row.runId, 'warning')).toEqual([expect.stringContaining('memory limit')])
  })
})

describe('a run whose agent fails', () => {
  it('is repeated after a provider error, as often as the setting says, in attempts of one run', async () => {
    bench = await benchWith([{ printError: 'FAKE retryable 50' }, { exit: 1 }])
    await bench.setting('MAX_LLM_RETRIES', 1)
    const run = await develop()
    expect(run.row).toMatchObject({ outcome: 'failed', attempts: 2 })
    expect([run.llmRetries, run.failure?.type]).toEqual([1, 'provider_error'])
  })

  it('waits for the account and uses up no attempt', async () => {
    bench = await benchWith([{ printError: 'FAKE account_limit 60000' }, { exit: 1 }])
    const mailboxId = await bench.newIssue()
    await bench.latest(mailboxId)
    const runId = await bench.request(mailboxId, 'development')
    const waiting = await bench.until(async () => {
      const detail = value(await bench.client.call('runs', 'get', { runId }))
      return detail.row.state === 'queued' && detail.nextAttemptAt !== null ? detail : null
    })
    expect(waiting.attempts.map(({ number, outcome }) => [number, outcome])).toEqual([[1, 'account_limit']])
    value(await bench.client.call('runs', 'stop', { runId }))
  })
})

describe('what a run leaves', () => {
  it("never moves another issue's branch", async () => {
    bench = await benchWith([
      {
        shell:
          'git checkout -q -b agent/issue-9-other && echo x > a.txt && git add a.txt && git commit -qm other && git checkout -q -',
      },
      commit('b.txt'),
      done,
    ])
    const run = await develop()
    expect(run.row).toMatchObject({ outcome: 'succeeded', commits: 1 })
    expect(run.changedFiles.map(({ path }) => path)).toEqual(['b.txt'])
  })
})

describe('two requests for one mailbox', () => {
  it('give one run', async () => {
    bench = await benchWith([{ pauseMs: 600_000 }])
    const mailboxId = await bench.newIssue()
    await bench.latest(mailboxId)
    const ask = () =>
      bench.client.call('runs', 'request', { mailboxId, phase: 'development', resumeChoice: 'auto' })
    const answers = await Promise.all([ask(), ask(), ask()])
    const made = answers.filter((answer) => answer.ok)
    expect(made).toHaveLength(1)
    expect(answers.filter((answer) => !answer.ok).map((answer) => answer.error)).toMatchObject([
      { type: 'already_running', runId: value(made[0]!).runId },
      { type: 'already_running', runId: value(made[0]!).runId },
    ])
  })
})
