import { afterEach, describe, expect, it } from 'vitest'
import { createFakeAdapter } from '@main/adapters/agents/fake/fake-adapter'
import type { FakeScript, FakeStep } from '@main/adapters/agents/fake/fake-agent-program'
import { createEngineBench, type EngineBench } from './support/engine-bench'
import { scriptByStart } from './support/script-by-start'

/*
 * Runs that wait for the account in the middle of an attempt, and go on in it.
 */

let bench: EngineBench
afterEach(() => bench.remove())

const init: FakeStep = { print: { type: 'init', session_id: '$ID' } }
const save: FakeStep = { save: '{}' }
const done: FakeStep = { print: { type: 'result', is_error: false, text: 'The plan.' } }
const limit: readonly FakeStep[] = [{ printError: 'FAKE account_limit 300' }, { exit: 1 }]
const refuse: FakeScript['fresh'] = [{ printError: 'FAKE refused' }, { exit: 4 }]

async function benchOf(...scripts: readonly FakeScript[]) {
  const { asked, script } = scriptByStart(...scripts)
  bench = await createEngineBench({ adapter: 'fake', adapters: [createFakeAdapter({ script })] })
  return { asked }
}

describe('a run that waits for the account', () => {
  it('goes on in the session that it began, with all its time, in the same attempt', async () => {
    const { asked } = await benchOf({ fresh: [init, save, ...limit] })
    const mailboxId = await bench.newIssue()
    const run = await bench.latest(mailboxId)
    const [row] = await bench.sessions(mailboxId)
    expect(run.row).toMatchObject({
      outcome: 'succeeded',
      attempts: 1,
      badge: 'no_prior_session',
      resumed: false,
    })
    expect(run.attempts[0]?.starts.map(({ kind }) => kind)).toEqual(['first', 'first'])
    expect(asked[1]).toMatchObject({ mode: 'resume', nativeId: row?.nativeSessionId })
    expect(row).toMatchObject({ mode: 'fresh', resumeFallback: 'no_prior_session', requestedSessionId: null })
    expect(run.deadline ?? 0).toBeGreaterThan((run.row.startedAt ?? 0) + 2_600_000)
  })

  it('goes on in the session of its fallback start, not in the one that failed', async () => {
    const { asked } = await benchOf(
      { fresh: [init, save, done] },
      { fresh: [], resume: refuse },
      { fresh: [init, save, ...limit] },
    )
    const mailboxId = await bench.newIssue()
    await bench.latest(mailboxId)
    const run = await bench.run(mailboxId, 'development')
    const [analysis, development] = await bench.sessions(mailboxId)
    expect(run.row).toMatchObject({ outcome: 'succeeded', attempts: 1, badge: 'refused', resumed: false })
    expect(run.attempts[0]?.starts.map(({ kind }) => kind)).toEqual(['first', 'fallback', 'first'])
    expect(development).toMatchObject({
      requestedSessionId: analysis?.nativeSessionId,
      resumeFallback: 'refused',
      nativeSessionId: expect.any(String),
    })
    expect(asked.map((session) => (session.mode === 'resume' ? session.nativeId : session.mode))).toEqual([
      'fresh',
      analysis?.nativeSessionId,
      'fresh',
      development?.nativeSessionId,
    ])
  })

  it('falls back once more when the session that it began is refused too', async () => {
    await benchOf({ fresh: [init, save, ...limit] }, { fresh: [], resume: refuse })
    const mailboxId = await bench.newIssue()
    const run = await bench.latest(mailboxId)
    const [row] = await bench.sessions(mailboxId)
    expect(run.row).toMatchObject({ outcome: 'succeeded', attempts: 1, badge: 'refused' })
    expect(run.attempts[0]?.starts.map(({ kind }) => kind)).toEqual(['first', 'first', 'fallback'])
    expect(row?.requestedSessionId).not.toBeNull()
    expect(row?.nativeSessionId).not.toBe(row?.requestedSessionId)
  })

  it('begins fresh for the same reason when its fallback start said no id', async () => {
    const { asked } = await benchOf(
      { fresh: [init, save, done] },
      { fresh: [], resume: refuse },
      { fresh: limit },
    )
    const mailboxId = await bench.newIssue()
    await bench.latest(mailboxId)
    const run = await bench.run(mailboxId, 'development')
    expect(run.row).toMatchObject({ outcome: 'succeeded', attempts: 1, badge: 'refused' })
    expect(asked.map(({ mode }) => mode)).toEqual(['fresh', 'resume', 'fresh', 'fresh'])
  })
})
