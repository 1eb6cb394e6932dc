import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import type { Database } from 'better-sqlite3'
import { expect, it } from 'vitest'
import { createFakeAdapter } from '@main/adapters/agents/fake/fake-adapter'
import type { FakeStep } from '@main/adapters/agents/fake/fake-agent-program'
import type { AroundPort } from '@main/boot/engine-options'
import type { RunDetail } from '@shared/contract/runs'
import type { MailboxId, RunId } from '@shared/model/ids'
import { createEngineBench, value, type EngineBench } from '../support/engine-bench'
import { openEngineDatabase } from '../support/engine-database'
import { done, init, save } from './agent-steps'
import { findFault } from './fault-table'
import type { Fault } from './fault'
import { isShown, runScreen, stripScreen, type Screen } from './screen'

/*
 * The running engine with an agent that does what a row of the table needs, and what is checked after every row.
 */

export interface FaultBench extends EngineBench {
  /** The first run of a new issue, whose agent takes these steps once its session has begun. */
  analyse(...steps: readonly FakeStep[]): Promise<Seen>
  /** The development of a new issue with a plan. */
  develop(...steps: readonly FakeStep[]): Promise<Seen>
  /** Begins such a run without waiting for its end. */
  begin(...steps: readonly FakeStep[]): Promise<{ readonly mailboxId: MailboxId; readonly runId: RunId }>
  see(mailboxId: MailboxId, run: RunDetail): Promise<Seen>
  /** What the agents of this engine do from now on, from their very first step. */
  script(analysis: readonly FakeStep[], development?: readonly FakeStep[]): void
}

/** A run that has ended, and what the window shows of it. */
export interface Seen {
  readonly mailboxId: MailboxId
  readonly run: RunDetail
  readonly screen: Screen
}

const works: readonly FakeStep[] = [init, save, done]

export async function createFaultBench(options: { aroundPort?: AroundPort } = {}): Promise<FaultBench> {
  let steps = { analysis: works, development: works }
  const script: FaultBench['script'] = (analysis, development = works) => {
    steps = { analysis, development }
  }
  const adapter = createFakeAdapter({
    script: ({ phase }) => ({ fresh: phase === 'development' ? steps.development : steps.analysis }),
  })
  const bench = await createEngineBench({ adapter: 'fake', adapters: [adapter], ...options })

  const see: FaultBench['see'] = async (mailboxId, run) => {
    const { events } = value(
      await bench.client.call('runs', 'events', {
        runId: run.row.runId,
        afterSeq: 0,
        beforeSeq: null,
        limit: 1000,
      }),
    )
    const mailbox = value(await bench.client.call('mailboxes', 'get', { mailboxId }))
    return { mailboxId, run, screen: [...runScreen(run, events), ...stripScreen(mailbox)] }
  }
  const planned = async (development: readonly FakeStep[]): Promise<MailboxId> => {
    script(works, development)
    const mailboxId = await bench.newIssue()
    await bench.latest(mailboxId)
    return mailboxId
  }
  return {
    ...bench,
    see,
    script,
    async analyse(...hostile) {
      script([init, save, ...hostile])
      const mailboxId = await bench.newIssue()
      return see(mailboxId, await bench.latest(mailboxId))
    },
    async develop(...hostile) {
      const mailboxId = await planned([init, save, ...hostile])
      return see(mailboxId, await bench.run(mailboxId, 'development'))
    },
    async begin(...hostile) {
      const mailboxId = await planned([init, save, ...hostile])
      return { mailboxId, runId: await bench.request(mailboxId, 'development') }
    },
  }
}

/** The test of a row. */
export function fault(id: string, body: (row: Fault) => Promise<void>, timeoutMs?: number): void {
  const row = findFault(id)
  it(`${row.fault}`, () => body(row), timeoutMs)
}

/** Holds a run that has ended against its row: words, database, repository, forge. */
export async function expectAftermath(bench: EngineBench, row: Fault, seen: Seen): Promise<void> {
  const { run, screen } = seen
  expect({ outcome: run.row.outcome, failure: run.failure?.type }).toEqual({
    outcome: row.after.run,
    failure: row.after.failure,
  })
  expectWords(row, screen)
  expect(run.commits).toBe(row.after.commits ?? 0)
  expectWholeDatabase(bench.folder, run.row.runId)
  const repository = join(bench.folder, 'repositories', `test-${bench.projectId}-issue-${run.mailboxIid}.git`)
  const head = branchHead(repository, run.branchName ?? '')
  if (row.after.run === 'succeeded' && (row.after.commits ?? 0) > 0) return expect(head).toBe(run.headSha)
  expect(head).toBeNull()
  expect(run.outbox.filter(({ kind }) => kind === 'push')).toEqual([])
  expect(forgeBranches(bench.folder)).not.toContain(run.branchName)
}

export function expectWords(row: Fault, screen: Screen): void {
  for (const words of row.words)
    expect(isShown(screen, words), `“${words}” is not on the screen:\n${screen.join('\n')}`).toBe(true)
}

/** Sound, the run told to its end, and nobody holds its lock. */
export function expectWholeDatabase(folder: string, runId: RunId): void {
  const open = "SELECT count(*) FROM runs WHERE id = ? AND (state <> 'ended' OR outcome IS NULL)"
  const locks = 'SELECT count(*) FROM session_locks WHERE run_id = ?'
  inSoundDatabase(folder, (db) => {
    expect(db.prepare(open).pluck().get(runId)).toBe(0)
    expect(db.prepare(locks).pluck().get(runId)).toBe(0)
  })
}

/** Sound; these are all of its runs, none of which was ever begun, so that nobody holds a lock. */
export function expectNothingBegun(folder: string, states: readonly string[]): void {
  inSoundDatabase(folder, (db) => {
    expect(db.prepare('SELECT state FROM runs').pluck().all()).toEqual(states)
    for (const table of ['run_attempts', 'run_starts', 'session_locks'])
      expect(db.prepare(`SELECT * FROM ${table}`).all()).toEqual([])
  })
}

function inSoundDatabase(folder: string, look: (db: Database) => void): void {
  const db = openEngineDatabase(folder, { readonly: true })
  try {
    expect(db.pragma('integrity_check', { simple: true })).toBe('ok')
    expect(db.pragma('foreign_key_check')).toEqual([])
    look(db)
  } finally {
    db.close()
  }
}

function branchHead(repository: string, branch: string): string | null {
  const found = git(repository, ['for-each-ref', '--format=%(objectname)', `refs/heads/${branch}`])
  return found === '' ? null : found
}

function forgeBranches(folder: string): readonly string[] {
  const names = git(join(folder, 'local-forge', 'test', 'boat.git'), [
    'for-each-ref',
    '--format=%(refname:short)',
    'refs/heads',
  ])
  return names.split('\n')
}

export const git = (folder: string, argv: readonly string[]): string =>
  execFileSync('git', ['--git-dir', folder, ...argv], { encoding: 'utf8' }).trim()
