import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { err, ok } from '@shared/result'
import type { MailboxId } from '@shared/model/ids'
import type { Run } from '@shared/model/records'
import { openTestStore, type TestStore } from '../../../../test/fakes/open-test-store'
import { seedMailbox, seedRun } from '../../../../test/fakes/seed-mailbox'
import type { MailboxRepository } from '../../ports/git'
import { baseOfLastWork, isTakenBack } from './last-work'

const head = 'a'.repeat(40)
const branch = 'agent/issue-1-x'

let opened: TestStore
let mailboxId: MailboxId

beforeEach(() => {
  opened = openTestStore()
  mailboxId = seedMailbox(opened.store)
})
afterEach(() => opened.remove())

/** The turn that is to begin. */
const turn = (): Run => seedRun(opened.store, mailboxId, { phase: 'chat' })

/** A run that has worked in the workspace, and ended. */
function worked(endedAt: number): Run {
  const { store } = opened
  const run = seedRun(store, mailboxId, { phase: 'chat' })
  const start = store.runs.addStart(store.runs.addAttempt(run.id, endedAt - 5).id, 'first', endedAt - 5)
  store.runs.updateStart(start.id, { containerId: 'c' })
  store.runs.update(run.id, { state: 'ended', outcome: 'succeeded', endedAt, headSha: head, commits: 1 })
  return store.runs.get(run.id)
}

/** A run that was stopped while it waited in the queue. */
const stoppedInQueue = (endedAt: number): void =>
  opened.store.runs.update(turn().id, { state: 'ended', outcome: 'stopped', endedAt })

/** A person decides against the commits of the run. */
function discard(run: Run, at: number): void {
  const { store } = opened
  const target = `branch ${branch}`
  store.outbox.add({ key: `push ${run.id}`, kind: 'push', mailboxId, runId: run.id, target, payload: {}, at })
  store.outbox.update(store.outbox.findByKey(`push ${run.id}`)?.id ?? 0, { state: 'failed' })
  store.audit.add({ at, who: 'ada', what: 'push_discarded', mailboxId, runId: run.id, detail: {} })
}

/** Knows the commits; `own` are its branches. */
const repository = (commits: readonly string[], own: readonly string[] = []) =>
  ({
    commitCount: (from: string) =>
      Promise.resolve(
        commits.includes(from) ? ok(0) : err({ type: 'git', message: 'unknown', retryable: false }),
      ),
    ownBranch: (name: string) => Promise.resolve(ok(own.includes(name) ? head : null)),
    remoteBranch: () => Promise.resolve(ok(null)),
  }) as unknown as MailboxRepository

describe('what a turn begins with', () => {
  it('is the last commit of the workspace, also where a merge has freed the name of the branch', async () => {
    worked(20)
    opened.store.mailboxes.update(mailboxId, { branchName: null }, 25)
    const base = await baseOfLastWork(opened.store, turn(), branch, repository([head], [branch]))
    expect(base).toEqual({ baseSha: head, branchExists: true })
  })

  it('is found behind a run that was stopped in the queue', async () => {
    worked(20)
    stoppedInQueue(30)
    const base = await baseOfLastWork(opened.store, turn(), branch, repository([head]))
    expect(base).toEqual({ baseSha: head, branchExists: false })
  })

  it('is not a commit that is gone, or that nobody goes on with', async () => {
    const last = worked(20)
    const next = turn()
    expect(await baseOfLastWork(opened.store, next, branch, repository([]))).toBeNull()
    discard(last, 30)
    expect(await baseOfLastWork(opened.store, next, branch, repository([head]))).toBeNull()
  })
})

describe('work that a person decided against', () => {
  it('is in the workspace until the next run that works there', () => {
    const last = worked(20)
    expect(isTakenBack(opened.store, { id: (last.id + 1) as Run['id'], mailboxId })).toBe(false)
    discard(last, 30)
    expect(isTakenBack(opened.store, { id: (last.id + 1) as Run['id'], mailboxId })).toBe(true)
    worked(40)
    expect(isTakenBack(opened.store, turn())).toBe(false)
  })

  it('stays so though a run was stopped in the queue since', () => {
    discard(worked(20), 30)
    stoppedInQueue(40)
    expect(isTakenBack(opened.store, turn())).toBe(true)
  })

  it('is none where nothing has ever worked', () => expect(isTakenBack(opened.store, turn())).toBe(false))
})
