import { existsSync } from 'node:fs'
import { chmod, copyFile, readFile, readdir, rm, truncate, utimes, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { cliPackages } from '@main/core/agents/image-clis'
import { stateGrowth } from '@shared/timeline/state-growth'
import type { MailboxId } from '@shared/model/ids'
import { bash, say, work, write, type Script } from '../fakes/model-server/answers'
import { agentImageTag, testRuntime } from './support/agent-container'
import { createClaudeBench, toldTo, type ClaudeBench } from './support/claude-bench'
import { expectRemembered } from './support/expect-remembered'

/*
 * Named sessions of the real Claude Code: what the model is told in a run proves what the agent remembers.
 */

let bench: ClaudeBench
beforeAll(() => agentImageTag(testRuntime(), ['claude-code']))

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

/** Ids of the issue's sessions, oldest first; every run must have one. */
async function idsOf(mailboxId: MailboxId): Promise<readonly string[]> {
  const rows = await bench.sessions(mailboxId)
  return rows.map(({ nativeSessionId }) => nativeSessionId ?? 'none')
}

describe('two runs of an issue with claude-code', () => {
  afterEach(() => bench.remove())

  it('share one memory: the second one tells the model what the first one was told and said', async () => {
    bench = await createClaudeBench()
    const mailboxId = await bench.newIssue('The harbour lights go out at noon.')
    const first = await bench.latest(mailboxId)
    const second = await bench.run(mailboxId, 'development')
    expect([first.row.outcome, second.row.outcome]).toEqual(['succeeded', 'succeeded'])

    const [ofFirst, ofSecond, ...others] = bench.model.turns()
    expect(others).toEqual([])
    expect([ofFirst?.turn.number, ofSecond?.turn.number]).toEqual([1, 2])
    for (const words of ['Phase: analysis', 'Phase: development', 'The harbour lights', 'turn 1'])
      expect(toldTo(ofSecond)).toContain(words)

    const sessions = await bench.sessions(mailboxId)
    expectRemembered(sessions)
    const [analysis] = sessions
    expect(analysis).toMatchObject({
      adapter: 'claude-code',
      nativeSessionId: expect.stringMatching(uuid),
      chosenSessionId: analysis?.nativeSessionId,
    })
    expect([ofFirst, ofSecond].map((request) => request?.headers['x-claude-code-session-id'])).toEqual([
      analysis?.nativeSessionId,
      analysis?.nativeSessionId,
    ])
    const transcript = await readFile(bench.sessionFile(1, analysis?.nativeSessionId ?? ''), 'utf8')
    expect(transcript).toContain('"customTitle":"agent/issue-1-add-a-slug-helper"')
    expect(second.row).toMatchObject({
      badge: 'resumed',
      adapterVersion: cliPackages['claude-code'].version,
      turns: 1,
    })
  })

  it('tell nothing of it to a run of another issue', async () => {
    bench = await createClaudeBench()
    const first = await bench.newIssue('The harbour lights go out at noon.')
    await bench.latest(first)
    const second = await bench.newIssue('The bell rings twice.')
    await bench.latest(second)
    const ofOther = bench.model.turns().at(-1)
    expect(ofOther?.turn.number).toBe(1)
    expect(toldTo(ofOther)).toContain('The bell rings twice.')
    expect(toldTo(ofOther)).not.toContain('harbour')
    expect(await idsOf(second)).not.toEqual(await idsOf(first))
    expect(await readdir(join(bench.stateFolder(2, 'claude-code'), '-workspace'))).toEqual([
      `${(await idsOf(second))[0]}.jsonl`,
    ])
  })
})

describe('a phase of claude-code that only reads', () => {
  afterEach(() => bench.remove())

  it('has its edits of the workspace denied, and told, though the CLI exits with 0', async () => {
    const calls = [
      write('/workspace/not-allowed.txt', 'x'),
      write('/alfred/out/notes.txt', 'allowed'),
      bash('tr a-z A-Z < /alfred/out/notes.txt'),
    ]
    bench = await createClaudeBench({ script: work(calls, say('the plan')) })
    const { row, mailboxIid } = await bench.latest(await bench.newIssue())
    expect(row.outcome).toBe('succeeded')
    expect(await bench.texts(row.runId, 'warning')).toEqual(['Write was denied.'])
    expect(existsSync(join(bench.workspace(mailboxIid), 'not-allowed.txt'))).toBe(false)
    expect(toldTo(bench.model.turns().at(-1))).toContain('ALLOWED')
  })
})

/** What a fault makes of the file of a session; `other` is that of another issue. */
type Fault = (file: string, other: string) => Promise<void>

const firstPromptCut: Fault = async (file) => {
  const text = await readFile(file, 'utf8')
  const at = text.indexOf('"type":"user"')
  await truncate(file, Buffer.byteLength(text.slice(0, at)) + 40)
}

const faults: Readonly<Record<string, Fault>> = {
  'is gone': (file) => rm(file),
  'has zero bytes': (file) => truncate(file),
  'is torn in its first record': (file) => truncate(file, 40),
  'is torn in the first words of a person': firstPromptCut,
  'holds no record at all': (file) => writeFile(file, '{"type":"nothing"}\n'.repeat(3)),
  'cannot be read by the agent': (file) => chmod(file, 0o000),
  'is that of another issue, under its own name': async (file, other) => {
    await copyFile(other, join(dirname(file), other.split('/').at(-1) ?? ''))
    await rm(file)
  },
  'is that of another issue, under the name of this one': (file, other) => copyFile(other, file),
}

/** A plan for the analysis, one commit with one file for the development. */
function planAndCommit(path = 'one.txt', content = 'one'): Script {
  const develop = work(
    [write(`/workspace/${path}`, content), bash(`git add ${path} && git commit -qm "Add ${path}"`)],
    say('done'),
  )
  return (turn) => (turn.prompt.includes('Phase: analysis') ? say('the plan') : develop(turn))
}

describe('a memory of claude-code that', () => {
  let other = ''
  beforeAll(async () => {
    bench = await createClaudeBench({ script: planAndCommit() })
    const run = await bench.latest(await bench.newIssue('The other issue.'))
    other = bench.sessionFile(run.mailboxIid, run.row.nativeSessionId ?? '')
  })
  afterAll(() => bench.remove())

  it.each(Object.entries(faults))(
    '%s: one fresh session in the same run, and nothing of it on the forge',
    async (_name, fault) => {
      const mailboxId = await bench.newIssue('This issue.')
      const { mailboxIid: iid, row: analysis } = await bench.latest(mailboxId)
      const asked = analysis.nativeSessionId ?? ''
      await fault(bench.sessionFile(iid, asked), other)
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
      expect(run.failure).toBeNull()
      const development = (await bench.sessions(mailboxId)).at(-1)
      expect(development).toMatchObject({
        resumeFallback: 'state_missing',
        requestedSessionId: asked,
        nativeSessionId: expect.stringMatching(uuid),
        sessionName: analysis.sessionName,
      })
      expect(development?.nativeSessionId).not.toBe(asked)
      // The model heard of this run alone: it never met the words of a memory.
      expect(new Set(bench.model.turns().map(({ turn }) => turn.number))).toEqual(new Set([1]))
      expect(toldTo(bench.model.turns()[0])).not.toContain('The other issue.')
      expect(run.deadline ?? 0).toBeLessThanOrEqual((run.row.startedAt ?? 0) + run.timeoutMs)
      expect(await bench.onForge(iid, 'status::in_review')).toMatchObject({
        labels: ['status::in_review'],
        kinds: ['acknowledgement', 'plan', 'change_opened'],
      })
    },
  )
})

describe('the state of claude-code', () => {
  afterEach(() => bench.remove())

  it('that cannot be written is told: the agent remembered, and nothing was saved', async () => {
    bench = await createClaudeBench()
    const mailboxId = await bench.newIssue()
    await bench.latest(mailboxId)
    const [id = ''] = await idsOf(mailboxId)
    await chmod(bench.sessionFile(1, id), 0o400)
    await chmod(dirname(bench.sessionFile(1, id)), 0o500)
    const run = await bench.run(mailboxId, 'development')
    expect(run.row).toMatchObject({ outcome: 'succeeded', resumed: true, nativeSessionId: id })
    expect(bench.model.turns().map(({ turn }) => turn.number)).toEqual([1, 2])
    expect(stateGrowth(run.row)).toEqual({ isNotSaved: true, hasShrunk: false })

    const fresh = await bench.run(mailboxId, 'development', 'fresh')
    expect(fresh.row).toMatchObject({ outcome: 'succeeded', badge: 'chosen_fresh' })
    expect(stateGrowth(fresh.row)).toEqual({ isNotSaved: true, hasShrunk: false })
  })

  it('keeps a memory that nobody used for 60 days, whatever the repository says, through a long run', async () => {
    bench = await createClaudeBench({
      script: planAndCommit('.claude/settings.json', '{"cleanupPeriodDays":1}'),
    })
    const mailboxId = await bench.newIssue()
    await bench.latest(mailboxId)
    expect((await bench.run(mailboxId, 'development')).row.commits).toBe(1)
    const [id = ''] = await idsOf(mailboxId)
    const old = bench.sessionFile(1, '11111111-2222-4333-8444-555555555555')
    await copyFile(bench.sessionFile(1, id), old)
    const then = Date.now() / 1000 - 60 * 24 * 3600
    await utimes(old, then, then)
    bench.model.play(() => ({ kind: 'text', text: 'one two three four five six', overMs: 20_000 }))
    expect((await bench.run(mailboxId, 'development', 'fresh')).row.outcome).toBe('succeeded')
    expect((await readFile(old)).byteLength).toBeGreaterThan(0)
  })
})
