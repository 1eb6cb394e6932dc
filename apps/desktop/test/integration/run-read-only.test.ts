import { execFileSync } from 'node:child_process'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import Docker from 'dockerode'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { RunDetail } from '@shared/contract/runs'
import type { MailboxId, RunId } from '@shared/model/ids'
import type { FakeScript, FakeStep } from '@main/adapters/agents/fake/fake-agent-program'
import { answers, commit, createChatBench, init, type ChatBench } from './support/chat-bench'
import { containersOfRun, value } from './support/engine-bench'

/*
 * A read-only phase of an issue without a branch, whose agent commits against its orders: however it ends, no branch
 * stays, and a chat that follows has nothing of it to offer.
 */

let bench: ChatBench
let mailboxId: MailboxId
let script: FakeScript

beforeEach(async () => {
  script = { fresh: [] }
  bench = await createChatBench({
    get fresh() {
      return script.fresh
    },
    get resume() {
      return script.resume ?? script.fresh
    },
  })
})
afterEach(() => bench.remove())

const workspace = () => join(bench.folder, 'workspaces', `test-${bench.projectId}-issue-1`)
const repository = () => join(bench.folder, 'repositories', `test-${bench.projectId}-issue-1.git`)
const save: FakeStep = { save: '{}' }
const tellBranch: FakeStep = { shell: 'echo "on $(git branch --show-current)"' }
const hang: readonly FakeStep[] = [{ print: { type: 'text', text: 'working' } }, { pauseMs: 600_000 }]

/** The analysis that the issue begins with, once its agent says that it works. */
async function working(): Promise<RunId> {
  mailboxId = await bench.newIssue()
  return bench.until(async () => {
    const page = value(
      await bench.client.call('sessions', 'timeline', { mailboxId, beforeRunId: null, limit: 1 }),
    )
    const runId = page.rows.at(-1)?.runId
    return runId !== undefined && (await bench.texts(runId, 'text')).includes('working') ? runId : null
  })
}

async function kill(runId: RunId): Promise<void> {
  const [container] = await containersOfRun(bench.client, runId)
  await new Docker().getContainer(container?.id ?? '').kill({ signal: 'SIGKILL' })
}

const startsOf = (run: RunDetail) => run.attempts.map(({ starts }) => starts.map(({ kind }) => kind).join())

async function expectNothingLeft(run: RunDetail): Promise<void> {
  expect(run.headSha).toBeNull()
  expect(await readdir(join(workspace(), '.git/refs/heads'))).toEqual([])
  expect(await readdir(join(repository(), 'refs/heads'))).toEqual([])
  // Not on a branch, and not lost.
  expect(kept()).toContain('one.txt')
  const chat = await bench.open(run.row.runId)
  bench.play({ fresh: [init, { shell: 'git log --format=%s; ls' }, ...answers('That is all.')] })
  const turn = await bench.say(chat.threadId, 'Look.')
  expect(turn).toMatchObject({ commits: 0, row: { outcome: 'succeeded' } })
  expect((await bench.texts(turn.row.runId, 'output')).join('\n')).not.toContain('one.txt')
  expect(value(await bench.client.call('mailboxes', 'pendingPush', { mailboxId }))).toBeNull()
}

/** The files of what was kept of the issue's runs. */
function kept(): string {
  const git = (...argv: string[]) =>
    execFileSync('git', ['-C', repository(), ...argv], { encoding: 'utf8' }).trim()
  const refs = git('for-each-ref', '--format=%(refname)', 'refs/alfred').split('\n')
  expect(refs).not.toEqual([''])
  return refs.map((ref) => git('ls-tree', '--name-only', ref)).join('\n')
}

describe('a read-only phase whose agent commits', () => {
  it('and is killed goes on in its next attempt as it was, and leaves no branch', async () => {
    script = {
      fresh: [init, save, tellBranch, commit('one.txt'), { shell: 'echo x > note.txt' }, ...hang],
      resume: [init, tellBranch, { shell: 'ls' }, commit('two.txt'), ...answers('The plan.')],
    }
    const runId = await working()
    await kill(runId)
    const run = await bench.ended(runId)
    expect(run.row).toMatchObject({ outcome: 'succeeded', attempts: 2 })
    expect((await bench.sessions(mailboxId)).map(({ mode, resumed }) => [mode, resumed])).toEqual([
      ['fresh', false],
      ['resume', true],
    ])
    expect(startsOf(run)).toEqual(['first', 'first'])
    const told = await bench.texts(runId, 'output')
    expect(told.filter((text) => text.startsWith('on '))).toEqual([
      'on alfred-temporary',
      'on alfred-temporary',
    ])
    expect(told).toEqual(expect.arrayContaining(['one.txt', 'note.txt']))
    await expectNothingLeft(run)
  })

  it('and is killed while it is stopped is collected, and leaves no branch', async () => {
    script = { fresh: [init, save, { ignoreTerm: true }, commit('one.txt'), ...hang] }
    const runId = await working()
    value(await bench.client.call('runs', 'stop', { runId }))
    await kill(runId)
    const run = await bench.ended(runId)
    expect(run.row).toMatchObject({ outcome: 'stopped', attempts: 1 })
    expect(startsOf(run)).toEqual(['first,collect'])
    await expectNothingLeft(run)
  })

  it('and falls back leaves no branch', async () => {
    script = { fresh: [init, save, ...answers('The plan.')] }
    mailboxId = await bench.newIssue()
    await bench.latest(mailboxId)
    script = {
      fresh: [init, save, tellBranch, commit('one.txt'), ...answers('The plan.')],
      resume: [tellBranch, { printError: 'FAKE refused' }, { exit: 1 }],
    }
    const run = await bench.run(mailboxId, 'analysis')
    expect(run.row).toMatchObject({ outcome: 'succeeded', badge: 'refused' })
    expect(startsOf(run)).toEqual(['first,fallback'])
    const told = await bench.texts(run.row.runId, 'output')
    expect(told.filter((text) => text.startsWith('on '))).toEqual([
      'on alfred-temporary',
      'on alfred-temporary',
    ])
    await expectNothingLeft(run)
  })
})
