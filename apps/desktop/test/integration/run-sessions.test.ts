import { readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { createDemoAdapter } from '@main/adapters/agents/demo/demo-adapter'
import { createFakeAdapter } from '@main/adapters/agents/fake/fake-adapter'
import type { FakeScript } from '@main/adapters/agents/fake/fake-agent-program'
import { createEngineBench, value, type EngineBench } from './support/engine-bench'
import { expectRemembered } from './support/expect-remembered'

/*
 * Named sessions end to end: the engine, real containers, real git.
 */

let bench: EngineBench
afterEach(() => bench.remove())

describe('the session of an issue', () => {
  it('is fresh at first and resumed on the next run, under the name of the branch', async () => {
    bench = await createEngineBench()
    const mailboxId = await bench.newIssue()
    const first = await bench.latest(mailboxId)
    const second = await bench.run(mailboxId, 'development')
    expect([first.row.outcome, second.row.outcome]).toEqual(['succeeded', 'succeeded'])
    expectRemembered(await bench.sessions(mailboxId))
    expect(await bench.texts(second.row.runId, 'text')).toContainEqual(
      expect.stringContaining('Last time you asked “analysis'),
    )
    expect(second.commits).toBe(1)
    expect(second.changedFiles.map(({ path }) => path)).toEqual(['src/slugify.js', 'test/slugify.test.js'])
    expect(value(await bench.client.call('runs', 'diff', { runId: second.row.runId })).patch).toContain(
      '+export function slugify',
    )
    expect(second.sandbox).toMatchObject({
      runner: 'container',
      imageDigest: expect.stringMatching(/^sha256:[0-9a-f]{64}$/),
      network: expect.stringContaining('open'),
    })
  })

  it('leaves no branch behind after a read-only phase', async () => {
    bench = await createEngineBench()
    const mailboxId = await bench.newIssue()
    const analysis = await bench.latest(mailboxId)
    expect(analysis.headSha).toBeNull()
    const heads = await readdir(
      join(bench.folder, 'repositories', `test-${bench.projectId}-issue-1.git`, 'refs', 'heads'),
    )
    expect(heads).toEqual([])
  })

  it('falls back before the start when its state is gone, with the reason and the id that was asked for', async () => {
    bench = await createEngineBench()
    const mailboxId = await bench.newIssue()
    await bench.latest(mailboxId)
    await rm(bench.stateFolder(1, 'demo'), { recursive: true })
    const run = await bench.run(mailboxId, 'development')
    const [analysis, development] = await bench.sessions(mailboxId)
    expect(run.row).toMatchObject({ outcome: 'succeeded', badge: 'state_missing', attempts: 1 })
    expect(development).toMatchObject({
      mode: 'fresh',
      resumed: false,
      resumeFallback: 'state_missing',
      requestedSessionId: analysis?.nativeSessionId,
      stateBytesBefore: analysis?.stateBytesAfter,
    })
    expect(development?.nativeSessionId).not.toBe(analysis?.nativeSessionId)
    await bench.until(() =>
      Promise.resolve(bench.shown.some(({ kind }) => kind === 'run-finished-fallback') ? true : null),
    )
  })

  it.each([
    ['refuse', 'refused'],
    ['unknown_option', 'unsupported_version'],
    ['other_id', 'state_missing'],
  ])('falls back in the same run, in the same attempt, when the CLI says: %s', async (fault, reason) => {
    bench = await createEngineBench()
    const mailboxId = await bench.newIssue(`DEMO_FAULT=${fault}`)
    await bench.latest(mailboxId)
    const run = await bench.run(mailboxId, 'development')
    expect(run.row).toMatchObject({ outcome: 'succeeded', attempts: 1, badge: reason, resumed: false })
    expect(run.attempts[0]?.starts.map(({ kind }) => kind)).toEqual(['first', 'fallback'])
    const [analysis, development] = await bench.sessions(mailboxId)
    expect(development).toMatchObject({
      mode: 'resume',
      resumeFallback: reason,
      requestedSessionId: analysis?.nativeSessionId,
      sessionName: analysis?.sessionName,
    })
    expect(development?.nativeSessionId).not.toBeNull()
    expect(development?.nativeSessionId).not.toBe(analysis?.nativeSessionId)
    expect(run.llmRetries).toBe(0)
  })

  it('sets an id aside that fell back twice in a row, tries it by hand only, and takes it back once it resumed', async () => {
    let fails = true
    const script = (): FakeScript => ({
      fresh: [{ print: { type: 'init', session_id: '$ID' } }, { save: '{"turn":1}' }, ...done],
      resume: fails
        ? [{ printError: 'FAKE refused' }, { exit: 1 }]
        : [{ print: { type: 'init', session_id: '$ID' } }, { save: '{"turn":2}' }, ...done],
    })
    bench = await createEngineBench({
      adapter: 'fake',
      adapters: [createFakeAdapter({ script }), createDemoAdapter()],
    })
    const mailboxId = await bench.newIssue()
    await bench.latest(mailboxId)
    const [first] = await bench.sessions(mailboxId)
    const again = `session:${first?.id ?? 0}` as const
    for (let n = 0; n < 2; n += 1) await bench.run(mailboxId, 'development', again)
    fails = false
    // The fallback starts made a newer memory, which the next run would take: the old one is asked for by hand.
    expect((await bench.run(mailboxId, 'development', again)).row).toMatchObject({
      resumed: true,
      nativeSessionId: first?.nativeSessionId,
    })
    const next = await bench.run(mailboxId, 'development')
    expect(next.row).toMatchObject({
      resumed: true,
      nativeSessionId: first?.nativeSessionId,
      idSetAside: false,
    })
  })

  it('keeps an ambiguous failure what it is: not proven, no fallback', async () => {
    const script = (): FakeScript => ({
      fresh: [{ print: { type: 'init', session_id: '$ID' } }, { save: '{"turn":1}' }, ...done],
      resume: [{ printError: 'something went wrong' }, { exit: 3 }],
    })
    bench = await createEngineBench({ adapter: 'fake', adapters: [createFakeAdapter({ script })] })
    const mailboxId = await bench.newIssue()
    await bench.latest(mailboxId)
    const run = await bench.run(mailboxId, 'development')
    expect(run.row).toMatchObject({
      outcome: 'failed',
      badge: 'unproven',
      resumeFallback: null,
      resumed: false,
    })
    expect(run.failure).toMatchObject({ type: 'agent_failed', message: 'something went wrong', exitCode: 3 })
  })

  it('starts fresh when a person chooses so, and keeps the memory', async () => {
    bench = await createEngineBench()
    const mailboxId = await bench.newIssue()
    await bench.latest(mailboxId)
    const run = await bench.run(mailboxId, 'development', 'fresh')
    expect(run.row).toMatchObject({ badge: 'chosen_fresh', outcome: 'succeeded' })
    const [analysis] = await bench.sessions(mailboxId)
    expect(await readdir(bench.stateFolder(1, 'demo'))).toContain(`${analysis?.nativeSessionId}.jsonl`)
  })

  it('does not apply while it is switched off: no name, no id, no state folder', async () => {
    bench = await createEngineBench()
    await bench.setting('AGENT_SESSION_RESUME', false)
    const mailboxId = await bench.newIssue()
    const run = await bench.latest(mailboxId)
    expect(run.row).toMatchObject({
      outcome: 'succeeded',
      badge: 'none',
      mode: 'none',
      sessionName: null,
      nativeSessionId: null,
      sessionOffReason: 'switched_off_project',
    })
    await expect(readdir(join(bench.folder, '.agent-sessions'))).rejects.toThrow('ENOENT')
  })

  it('is written down beside the run, with a log that holds no secret', async () => {
    bench = await createEngineBench({
      adapter: 'fake',
      adapters: [
        createFakeAdapter({
          script: () => ({
            fresh: [
              { print: { type: 'init', session_id: '$ID' } },
              { print: { type: 'text', text: 'token glpat-abcdefghij0123456789' } },
              ...done,
            ],
          }),
        }),
      ],
    })
    const mailboxId = await bench.newIssue()
    const run = await bench.latest(mailboxId)
    const record = JSON.parse(
      await bench.until(() =>
        readFile(join(run.folder, 'run.json'), 'utf8').then((text) =>
          text.includes('"outcome": "succeeded"') ? text : null,
        ),
      ),
    )
    expect(record.sessions[0]).toMatchObject({ sessionName: 'agent/issue-1-add-a-slug-helper' })
    const log = value(
      await bench.client.call('runs', 'rawLog', {
        runId: run.row.runId,
        stream: 'stdout',
        offset: 0,
        limit: 10_000,
      }),
    )
    expect(log.text).toContain('token [redacted]')
    expect(await bench.texts(run.row.runId, 'text')).toEqual(['token [redacted]'])
    const left = await readdir(join(run.folder, 'out', '1-1'))
    expect(left).not.toContain('stream.out')
  })
})

const done: FakeScript['fresh'] = [{ print: { type: 'result', is_error: false, text: 'The plan.' } }]
