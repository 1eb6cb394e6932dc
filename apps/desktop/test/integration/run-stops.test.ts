import { execFileSync } from 'node:child_process'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { createFakeAdapter } from '@main/adapters/agents/fake/fake-adapter'
import type { FakeScript, FakeStep } from '@main/adapters/agents/fake/fake-agent-program'
import type { RunDetail } from '@shared/contract/runs'
import type { MailboxId, RunId } from '@shared/model/ids'
import { containersOfRun, createEngineBench, value, type EngineBench } from './support/engine-bench'
import { scriptByStart } from './support/script-by-start'

/*
 * Stop works in every state of a run, also twice.
 */

let bench: EngineBench
afterEach(() => bench.remove())

const init: FakeStep = { print: { type: 'init', session_id: '$ID' } }
const save: FakeStep = { save: '{}' }
const done: FakeStep = { print: { type: 'result', is_error: false, text: 'The plan.' } }
const hang: FakeStep = { pauseMs: 600_000 }

/** The analysis succeeds; then the scripts answer, start by start. */
async function develop(...scripts: readonly FakeScript[]): Promise<{ mailboxId: MailboxId; runId: RunId }> {
  const { script } = scriptByStart({ fresh: [init, save, done] }, ...scripts)
  bench = await createEngineBench({ adapter: 'fake', adapters: [createFakeAdapter({ script })] })
  const mailboxId = await bench.newIssue()
  await bench.latest(mailboxId)
  return { mailboxId, runId: await bench.request(mailboxId, 'development') }
}

const stop = (runId: RunId) => bench.client.call('runs', 'stop', { runId })

async function stopped(runId: RunId): Promise<RunDetail> {
  value(await stop(runId))
  const run = await bench.ended(runId)
  await bench.until(async () => ((await containersOfRun(bench.client, runId)).length === 0 ? true : null))
  return run
}

const untilSaid = (runId: RunId, words: string) =>
  bench.until(async () => ((await bench.texts(runId, 'text')).includes(words) ? true : null))

const untilWaiting = (runId: RunId) =>
  bench.until(async () => {
    const detail = value(await bench.client.call('runs', 'get', { runId }))
    return detail.row.state === 'queued' && detail.nextAttemptAt !== null ? detail : null
  })

/** A forge that never answers: its repository waits for somebody to write into a FIFO. */
async function whileForgeHangs(work: () => Promise<void>): Promise<void> {
  const fifo = join(bench.folder, 'local-forge', 'test', 'boat.git', 'packed-refs')
  await rm(fifo, { force: true })
  execFileSync('mkfifo', [fifo])
  try {
    await work()
  } finally {
    await rm(fifo)
  }
}

describe('a run is stopped', () => {
  it('while it prepares', async () => {
    bench = await createEngineBench({ adapter: 'fake', adapters: [createFakeAdapter()] })
    const mailboxId = await bench.newIssue()
    await bench.latest(mailboxId)
    await whileForgeHangs(async () => {
      const runId = await bench.request(mailboxId, 'development')
      await bench.runIn(runId, 'preparing')
      expect((await stopped(runId)).row).toMatchObject({ outcome: 'stopped', attempts: 1, sessionId: null })
    })
  })

  it('while it waits for the account, after its fallback start', async () => {
    const { runId } = await develop(
      { fresh: [], resume: [{ printError: 'FAKE refused' }, { exit: 4 }] },
      { fresh: [init, save, { printError: 'FAKE account_limit 600000' }, { exit: 1 }] },
    )
    await untilWaiting(runId)
    const run = await stopped(runId)
    expect(run.row).toMatchObject({
      outcome: 'stopped',
      badge: 'refused',
      nativeSessionId: expect.any(String),
    })
  })

  it('while it prepares to go on in an attempt that has starts behind it', async () => {
    const { runId } = await develop(
      { fresh: [], resume: [{ printError: 'FAKE refused' }, { exit: 4 }] },
      { fresh: [init, save, { printError: 'FAKE account_limit 200' }, { exit: 1 }] },
    )
    // a run that has not begun would wait for the end of the pause
    await bench.runIn(runId, 'preparing', 'running')
    value(await bench.client.call('app', 'setPaused', { isPaused: true }))
    await untilWaiting(runId)
    await whileForgeHangs(async () => {
      value(await bench.client.call('app', 'setPaused', { isPaused: false }))
      await bench.runIn(runId, 'preparing')
      const run = await stopped(runId)
      expect(run.row).toMatchObject({ outcome: 'stopped', attempts: 1, nativeSessionId: expect.any(String) })
    })
  })

  it('while a start is given up for its fallback', async () => {
    const { runId } = await develop({
      fresh: [],
      resume: [{ ignoreTerm: true }, { print: { type: 'init', session_id: '$NEW' } }, hang],
    })
    await bench.until(async () =>
      (await bench.texts(runId, 'notice')).some((text) => text.includes('another session')) ? true : null,
    )
    const run = await stopped(runId)
    expect(run.row.outcome).toBe('stopped')
    expect(run.attempts[0]?.starts.map(({ kind }) => kind)).not.toContain('fallback')
  })

  it('in its fallback start, whose session is kept', async () => {
    const { mailboxId, runId } = await develop(
      { fresh: [], resume: [{ printError: 'FAKE refused' }, { exit: 4 }] },
      { fresh: [init, save, { print: { type: 'text', text: 'fresh' } }, hang] },
    )
    await untilSaid(runId, 'fresh')
    expect((await stopped(runId)).row).toMatchObject({ outcome: 'stopped', badge: 'refused' })
    const [analysis, development] = await bench.sessions(mailboxId)
    expect(development?.nativeSessionId).not.toBe(analysis?.nativeSessionId)
    expect(development?.nativeSessionId).not.toBeNull()
  })

  it('once, however often and in whatever step of stopping it is asked again', async () => {
    const { runId } = await develop({
      fresh: [],
      resume: [init, save, { ignoreTerm: true }, { print: { type: 'text', text: 'deaf' } }, hang],
    })
    await untilSaid(runId, 'deaf')
    value(await stop(runId))
    await bench.runIn(runId, 'stopping')
    value(await stop(runId))
    const run = await stopped(runId)
    expect(run.row).toMatchObject({ outcome: 'stopped', resumed: true })
    expect((await bench.texts(runId, 'notice')).filter((text) => text.startsWith('Stopping'))).toHaveLength(1)
    expect(await stop(runId)).toEqual({ ok: false, error: { type: 'not_live' } })
  })
})
