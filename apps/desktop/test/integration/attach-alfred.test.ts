import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Docker from 'dockerode'
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { RunDetail } from '@shared/contract/runs'
import type { MailboxId, ProjectId, RunId } from '@shared/model/ids'
import {
  buildAlfred,
  environmentOf,
  runAlfred,
  startAlfred,
  type AlfredProcess,
} from './support/alfred-process'
import { containersOfRun, createWatch, removeFolder, value } from './support/engine-bench'
import { openTerminal, type Terminal } from './support/tmux'

/*
 * `alfred attach` in a real terminal, beside the owner of the data: the agent's own screen on the session of a run.
 */

let program: string
let folder: string
let owner: AlfredProcess
let mailboxId: MailboxId
let projectId: ProjectId
let analysis: RunDetail
const terminals: Terminal[] = []

beforeAll(async () => {
  program = await buildAlfred()
})
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'alfred-attach-'))
  owner = await startAlfred(program, folder, { environment: { DEMO_PACE: '0', ALFRED_DEMO_PACE: '0' } })
  const { client } = owner
  const project = value(
    await client.call('tracker', 'createProject', {
      organization: 'test',
      name: 'boat',
      source: { kind: 'empty' },
    }),
  )
  projectId = project.id
  await setting('AGENT_ADAPTER', 'demo')
  const issue = {
    projectId,
    title: 'It\'s "a" $(touch /tmp/x); 🚢 helper',
    body: '',
    assignees: ['alfred'],
  }
  value(await client.call('tracker', 'createIssue', issue))
  const found = await until(async () =>
    value(await client.call('mailboxes', 'find', { projectPath: 'test/boat', iid: 1 })),
  )
  mailboxId = found.mailboxId
  analysis = await until(async () => {
    const row = await newest()
    return row?.state === 'ended' ? detail(row.runId) : null
  })
})
afterEach(async () => {
  for (const terminal of terminals.splice(0)) await terminal.close()
  await owner.client.call('runs', 'stopAll', {})
  await until(async () => ((await newest())?.state === 'ended' ? true : null))
  await owner.kill()
  await removeFolder(folder)
})

const until = <T>(look: () => Promise<T | null>): Promise<T> => createWatch(owner.client).until(look)
const setting = async (key: string, to: unknown) =>
  value(
    await owner.client.call('settings', 'set', {
      scope: 'project',
      scopeId: projectId,
      key,
      value: to,
    } as never),
  )
const newest = async () =>
  value(await owner.client.call('sessions', 'timeline', { mailboxId, beforeRunId: null, limit: 1 })).rows.at(
    -1,
  )
const detail = async (runId: RunId) => value(await owner.client.call('runs', 'get', { runId }))
const ended = (runId: RunId) =>
  until(async () => {
    const found = await detail(runId)
    return found.row.state === 'ended' ? found : null
  })

async function attach(...words: readonly string[]): Promise<Terminal> {
  const terminal = await openTerminal([process.execPath, program, 'attach', ...words], environmentOf(folder))
  terminals.push(terminal)
  return terminal
}

/** The run of the terminal that was opened last. */
async function openedRun(): Promise<RunId> {
  const row = await newest()
  if (row?.phase !== 'terminal') throw new Error(`the newest run is a ${row?.phase}`)
  return row.runId
}

describe('alfred attach', () => {
  it('shows what was said, carries what is typed, and the next run remembers it', async () => {
    const { runId, nativeSessionId } = analysis.row
    const terminal = await attach(String(runId), '--wait-at-end')
    await terminal.shows('Last time you asked')
    await terminal.type('Why at noon? äö 🚢')
    await terminal.press('Enter')
    await terminal.shows('You said “Why at noon? äö 🚢”')
    const opened = await openedRun()
    expect((await detail(opened)).row).toMatchObject({
      state: 'running',
      requestedSessionId: nativeSessionId,
    })
    await terminal.type('exit')
    await terminal.press('Enter')
    await terminal.shows(/lets go of it[^]*Press Enter to close this window\./)
    await terminal.press('Enter')
    expect(await terminal.ended()).toBe(0)
    expect((await ended(opened)).row).toMatchObject({
      phase: 'terminal',
      outcome: 'succeeded',
      badge: 'resumed',
      nativeSessionId,
      commits: 0,
    })
    const asked = { mailboxId, phase: 'development', resumeChoice: 'auto' } as const
    const next = await ended(value(await owner.client.call('runs', 'request', asked)).runId)
    expect(next.row).toMatchObject({ badge: 'resumed', requestedSessionId: nativeSessionId })
    const events = value(
      await owner.client.call('runs', 'events', {
        runId: next.row.runId,
        afterSeq: null,
        beforeSeq: null,
        limit: 100,
      }),
    )
    expect(JSON.stringify(events)).toContain('Why at noon? äö 🚢')
  })

  it('is let go of and shown again, by one at a time, and who comes second is told who has it', async () => {
    const { runId } = analysis.row
    const first = await attach(String(runId))
    await first.shows('you>')
    const terminal = await openedRun()
    await first.type('First words')
    await first.press('Enter')
    await first.shows('You said “First words”')
    const second = await attach(String(runId))
    expect(await second.ended()).toBe(1)
    await second.shows(/Terminal \d+ is in use: alfred attach, process \d+ has shown it since \d\d:\d\d\./)
    // Beside it, by the number of any run of the issue: from its beginning, and without a say.
    const watcher = await attach(String(runId), '--watch')
    await watcher.shows(/Watches terminal \d+, read-only: alfred attach, process \d+ has it\./)
    await watcher.shows('You said “First words”')
    await watcher.type('Unheard words')
    await watcher.press('Enter')
    await first.type('Heard words')
    await first.press('Enter')
    await watcher.shows('You said “Heard words”')
    expect(await first.screen()).not.toContain('Unheard')
    await watcher.press('C-c')
    expect(await watcher.ended()).toBe(0)
    await watcher.shows('goes on, watched no more.')
    await first.press('C-\\')
    expect(await first.ended()).toBe(0)
    await first.shows(`Terminal ${terminal} goes on.`)
    expect((await detail(terminal)).row.state).toBe('running')
    // By the terminal's own number as well.
    const third = await attach(String(terminal))
    await third.shows('you>')
    await third.type('Second words')
    await third.press('Enter')
    await third.shows('Last time you asked “Heard words”')
    const fourth = await attach(String(runId), '--take-over')
    expect(await third.ended()).toBe(1)
    await third.shows('was taken over by alfred attach, process')
    await fourth.shows('you>')
    await fourth.type('!stty size')
    await fourth.press('Enter')
    await fourth.shows('40 120')
    await fourth.resize(90, 30)
    await fourth.type('!stty size')
    await fourth.press('Enter')
    await fourth.shows('30 90')
    await fourth.type('exit')
    await fourth.press('Enter')
    expect(await fourth.ended()).toBe(0)
  })

  it('makes phase runs and chats wait, which say so; what was committed waits for the person', async () => {
    const terminal = await attach(String(analysis.row.runId))
    await terminal.shows('you>')
    const held = await openedRun()
    const asked = { mailboxId, phase: 'development', resumeChoice: 'auto' } as const
    expect(await owner.client.call('runs', 'request', asked)).toMatchObject({
      error: { type: 'already_running', runId: held },
    })
    const said = await runAlfred(program, folder, ['chat', String(analysis.row.runId)], 'Why?')
    expect(said).toMatchObject({ code: 1, stderr: expect.stringContaining(`Run ${held} of this issue`) })
    await terminal.type('!echo x > x && git add x && git commit -qm "By hand" && echo made')
    await terminal.press('Enter')
    await terminal.shows(/^made$/m)
    await terminal.type('exit')
    await terminal.press('Enter')
    expect(await terminal.ended()).toBe(0)
    await terminal.shows('1 commit not pushed.')
    expect((await ended(held)).row).toMatchObject({ outcome: 'succeeded', commits: 1 })
    const pending = value(await owner.client.call('mailboxes', 'pendingPush', { mailboxId }))
    expect(pending).toMatchObject({ runId: held, commits: 1 })
    expect(await owner.client.call('runs', 'request', asked)).toMatchObject({
      error: { type: 'not_retryable', message: expect.stringContaining('A push of this issue waits') },
    })
  })

  it('takes over a live run, whose work and memory it goes on with', async () => {
    await setting('BRANCH_PREFIX', 'agent/')
    const asked = { mailboxId, phase: 'development', resumeChoice: 'auto' } as const
    await owner.kill()
    owner = await startAlfred(program, folder, { environment: { ALFRED_DEMO_PACE: '60000' } })
    const { runId } = value(await owner.client.call('runs', 'request', asked))
    await until(async () => ((await detail(runId)).row.badge === 'resumed' ? true : null))
    const refused = await attach(String(runId))
    expect(await refused.ended()).toBe(1)
    await refused.shows(`This session is in use. Run ${runId}, development, has held it since`)
    const terminal = await attach(String(runId), '--take-over')
    await terminal.shows('I was stopped before I was done')
    expect((await ended(runId)).row).toMatchObject({ outcome: 'stopped' })
    await terminal.type('exit')
    await terminal.press('Enter')
    expect(await terminal.ended()).toBe(0)
  })

  it('goes on while Alfred is gone, and is shown again by the next one', async () => {
    const first = await attach(String(analysis.row.runId))
    await first.shows('you>')
    const terminal = await openedRun()
    await owner.kill()
    expect(await first.ended()).toBe(1)
    await first.shows('Alfred was quit')
    owner = await startAlfred(program, folder)
    const second = await attach(String(terminal))
    await second.shows('you>')
    await second.type('Still there?')
    await second.press('Enter')
    await second.shows('You said “Still there?”')
    await second.type('exit')
    await second.press('Enter')
    expect(await second.ended()).toBe(0)
    expect((await ended(terminal)).row).toMatchObject({ outcome: 'succeeded', badge: 'resumed' })
  })

  it.each(['while Alfred is there', 'while Alfred is gone'])(
    'keeps what was said and made when its container is removed %s',
    async (when) => {
      const first = await attach(String(analysis.row.runId))
      await first.shows('you>')
      await first.type('Remember me')
      await first.press('Enter')
      await first.shows('You said “Remember me”')
      await first.type('!echo x > x && git add x && git commit -qm "By hand" && echo y > y && echo made')
      await first.press('Enter')
      await first.shows(/^made$/m)
      const terminal = await openedRun()
      const [container] = await containersOfRun(owner.client, terminal)
      if (when === 'while Alfred is gone') await owner.kill()
      await new Docker().getContainer(container?.id ?? '').remove({ force: true })
      if (when === 'while Alfred is gone') owner = await startAlfred(program, folder)
      expect(await first.ended()).toBe(1)
      const { row, attempts } = await ended(terminal)
      expect(row).toMatchObject({ outcome: 'interrupted', badge: 'resumed', commits: 1 })
      expect(attempts.at(-1)?.starts.map(({ kind }) => kind)).toEqual(['first', 'collect'])
      const pending = value(await owner.client.call('mailboxes', 'pendingPush', { mailboxId }))
      expect(pending).toMatchObject({ runId: terminal, commits: 1 })
      const second = await attach(String(terminal))
      await second.shows('Last time you asked “Remember me”')
      await second.type('!cat y')
      await second.press('Enter')
      await second.shows(/^y$/m)
    },
  )

  it('is stopped with what it said and made, by a person and by its limit', async () => {
    await setting('TERMINAL_LIMIT', 30_000)
    const limited = await attach(String(analysis.row.runId))
    await limited.shows('It is stopped after 30s.')
    await limited.shows('you>')
    await limited.type('Remember me')
    await limited.press('Enter')
    const first = await openedRun()
    expect(await limited.ended()).toBe(1)
    await limited.shows('timed out')
    const row = (await ended(first)).row
    expect(row).toMatchObject({ outcome: 'timed_out', badge: 'resumed' })
    const limit = { scope: 'project', scopeId: projectId, key: 'TERMINAL_LIMIT' } as const
    value(await owner.client.call('settings', 'reset', limit))
    const stopped = await attach(String(first))
    await stopped.shows('Last time you asked “Remember me”')
    const second = await openedRun()
    expect(second).not.toBe(first)
    await stopped.type('!echo y > y')
    await stopped.press('Enter')
    value(await owner.client.call('runs', 'stop', { runId: second }))
    expect(await stopped.ended()).toBe(1)
    const detailOf = await ended(second)
    expect(detailOf.row).toMatchObject({ outcome: 'stopped', badge: 'unproven' })
    // Its own entry collected: nothing had to be killed.
    expect(detailOf.attempts.at(-1)?.starts.map(({ kind }) => kind)).toEqual(['first'])
  })

  it('is not begun by the next owner when the one that was asked for it died before', async () => {
    const asked = { runId: analysis.row.runId, resumeChoice: 'auto', takeOver: false } as const
    const { runId } = value(await owner.client.call('terminals', 'open', asked))
    await owner.kill()
    owner = await startAlfred(program, folder)
    const over = await ended(runId)
    expect(over.row.outcome).toBe('stopped')
    expect(over.failure?.message).toBe('Nobody waited for the terminal any more.')
  })

  it('is its own engine where no Alfred runs, and lets go of a terminal that the next one shows', async () => {
    await owner.kill()
    const alone = await attach(String(analysis.row.runId))
    await alone.shows('you>')
    await alone.press('C-\\')
    expect(await alone.ended()).toBe(0)
    owner = await startAlfred(program, folder)
    const opened = await openedRun()
    const again = await attach(String(opened))
    await again.shows('is open already; it is shown here.')
    await again.type('Here I am')
    await again.press('Enter')
    await again.shows('You said “Here I am”')
    await again.type('exit')
    await again.press('Enter')
    expect(await again.ended()).toBe(0)
  })

  it('is left with Ctrl+C, which is no stop from outside', async () => {
    const terminal = await attach(String(analysis.row.runId))
    await terminal.shows('you>')
    const opened = await openedRun()
    await terminal.type('!stty isig; echo ready; sleep 60')
    await terminal.press('Enter')
    await terminal.shows(/^ready$/m)
    await terminal.press('C-c')
    expect(await terminal.ended()).toBe(0)
    expect((await ended(opened)).row).toMatchObject({ outcome: 'succeeded' })
  })

  it('is refused before it opens where the agent would not remember, and is begun fresh on wish', async () => {
    const { runId, nativeSessionId } = analysis.row
    const states = join(folder, '.agent-sessions')
    const all = await readdir(states, { recursive: true })
    const file = all.find((name) => name.endsWith(`${nativeSessionId}.jsonl`)) ?? ''
    await rm(join(states, file))
    const refused = await attach(String(runId))
    expect(await refused.ended()).toBe(1)
    await refused.shows('is gone, so the agent would not remember. Nothing was opened.')
    expect((await newest())?.runId).toBe(runId)
    const fresh = await attach(String(runId), '--fresh')
    await fresh.shows('A new session.')
    await fresh.type('Hello')
    await fresh.press('Enter')
    await fresh.shows('You said “Hello”')
    const terminal = await openedRun()
    await fresh.type('exit')
    await fresh.press('Enter')
    expect(await fresh.ended()).toBe(0)
    const { row } = await ended(terminal)
    expect(row).toMatchObject({ badge: 'chosen_fresh', outcome: 'succeeded' })
    expect(row.nativeSessionId).not.toBeNull()
  })

  it('says what it needs', async () => {
    const { runId } = analysis.row
    expect(await runAlfred(program, folder, ['attach', String(runId)])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('must be a terminal'),
    })
    const none = await attach('99')
    expect(await none.ended()).toBe(1)
    await none.shows('There is no run 99.')
    const closed = await attach(String(runId), '--watch')
    expect(await closed.ended()).toBe(1)
    await closed.shows('No terminal of this issue is open')
  })
})
