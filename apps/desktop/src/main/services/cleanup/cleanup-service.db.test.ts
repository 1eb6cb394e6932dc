import { existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { MailboxId } from '@shared/model/ids'
import type { Run } from '@shared/model/records'
import { createDataRemover } from '@main/adapters/disk/data-remover'
import { createGit } from '@main/adapters/git/create-git'
import { openTestStore, type TestStore } from '../../../../test/fakes/open-test-store'
import { seedMailbox, seedRun } from '../../../../test/fakes/seed-mailbox'
import { createSettableClock } from '../../../../test/fakes/settable-clock'
import { createWorkshop, type Workshop } from '../../../../test/integration/git-workshop'
import { silentLogger } from '../../../../test/integration/support/silent-logger'
import type { NotificationText } from '../notifications/notification-texts'
import { createDataPaths } from '../runs/data-paths'
import { createSettingReader } from '../settings/setting-values'
import { createChangeFeed } from '../status/change-feed'
import { pushInTheWay } from '../workflow/waiting-push'
import { createCleanupService } from './cleanup-service'

const day = 86_400_000
let opened: TestStore
let workshop: Workshop
let mailboxId: MailboxId
let memory: string
let workspace: string
let repository: string
let told: NotificationText[]

beforeEach(() => {
  opened = openTestStore()
  workshop = createWorkshop()
  told = []
  mailboxId = seedMailbox(opened.store)
  ;({ memory, workspace, repository } = foldersOf(mailboxId))
})
afterEach(() => {
  opened.remove()
  workshop.remove()
})

function foldersOf(id: MailboxId) {
  const { projectId, iid } = opened.store.mailboxes.get(id)
  const key = `harbour-${projectId}-issue-${iid}`
  const folders = {
    memory: join(opened.folder, '.agent-sessions', key),
    workspace: join(opened.folder, 'workspaces', key),
    repository: join(opened.folder, 'repositories', `${key}.git`),
  }
  mkdirSync(join(folders.memory, 'demo'), { recursive: true })
  mkdirSync(folders.workspace, { recursive: true })
  return folders
}

const serviceAt = (days: number) => {
  const clock = createSettableClock(days * day)
  const { store, folder } = opened
  return createCleanupService({
    store,
    clock,
    logger: silentLogger,
    settings: createSettingReader(store),
    paths: createDataPaths(folder),
    changes: createChangeFeed(clock),
    git: createGit({ scratchFolder: join(folder, 'git') }),
    remover: createDataRemover(folder),
    notifications: { tell: (text) => void told.push(text) },
  })
}
const cleanUpAfter = async (days: number) => (await serviceAt(days).cleanUp()).map(({ id }) => id)
const byHand = (force = false) => serviceAt(1).cleanUpMailbox(mailboxId, force, 'ada')
const close = (at = 0, id = mailboxId): void => opened.store.mailboxes.update(id, { isOpen: false }, at)
const mailbox = () => opened.store.mailboxes.get(mailboxId)
const audited = () => opened.db.prepare('SELECT who, what FROM audit ORDER BY id').raw().all()
const there = () => [memory, workspace, repository].map((path) => existsSync(path))

/** A run with a container that has ended; `commits` null: what it did could not be collected. */
function endedRun(commits: number | null): Run {
  const { store } = opened
  const run = seedRun(store, mailboxId)
  const start = store.runs.addStart(store.runs.addAttempt(run.id, 1).id, 'first', 1)
  store.runs.updateStart(start.id, { containerId: 'c' })
  store.runs.update(run.id, { state: 'ended', outcome: 'stopped', commits })
  return run
}

/** The mailbox's repository with a commit of a run that is on no branch of the forge. */
function unpushedCommit(ref = 'refs/alfred/runs/r1'): string {
  const { bare, clone } = workshop.makeForge()
  mkdirSync(join(opened.folder, 'repositories'), { recursive: true })
  workshop.git(workshop.folder, ['init', '-q', '--bare', repository])
  workshop.git(repository, ['fetch', '-q', bare, '+refs/heads/*:refs/remotes/origin/*'])
  const sha = workshop.commit(clone, { 'pier.txt': 'new', 'crane.txt': 'new' })
  workshop.git(repository, ['fetch', '-q', clone, `${sha}:${ref}`])
  return sha
}

describe('the cleanup of a mailbox', () => {
  it('removes memory, workspace and repository some days after it was closed, and says when', async () => {
    mkdirSync(repository, { recursive: true })
    close(day)
    opened.store.mailboxes.update(mailboxId, { title: 'Talked about since' }, 10 * day)
    expect(await cleanUpAfter(14.9)).toEqual([])
    expect(await cleanUpAfter(15)).toEqual([mailboxId])
    expect(there()).toEqual([false, false, false])
    expect(mailbox().memoryRemovedAt).toBe(15 * day)
    expect(await cleanUpAfter(40)).toEqual([])
    expect(audited()).toEqual([['alfred', 'memory removed at cleanup']])
  })

  it('counts from the setting of the project', async () => {
    close()
    opened.store.settings.set('project', mailbox().projectId, 'CLEANUP_AFTER_DAYS', 30, 0)
    expect(await cleanUpAfter(29)).toEqual([])
    expect(await cleanUpAfter(30)).toEqual([mailboxId])
  })

  it('leaves an open mailbox alone, however old, and spares one that was opened again', async () => {
    expect(await cleanUpAfter(400)).toEqual([])
    close()
    opened.store.mailboxes.update(mailboxId, { isOpen: true }, day)
    expect(await cleanUpAfter(400)).toEqual([])
    close(400 * day)
    expect(await cleanUpAfter(401)).toEqual([])
    expect(await cleanUpAfter(414)).toEqual([mailboxId])
  })

  it('cleans again what was worked on after the last cleanup', async () => {
    close()
    await cleanUpAfter(15)
    opened.store.mailboxes.update(mailboxId, { isOpen: true }, 16 * day)
    mkdirSync(memory, { recursive: true })
    close(20 * day)
    expect(await cleanUpAfter(35)).toEqual([mailboxId])
    expect(existsSync(memory)).toBe(false)
  })

  it('waits for a run, for a lock and for posts', async () => {
    close()
    const run = seedRun(opened.store, mailboxId)
    expect(await cleanUpAfter(100)).toEqual([])
    opened.store.runs.update(run.id, { state: 'ended', outcome: 'stopped' })
    opened.store.locks.take(mailboxId, run.id, 1)
    expect(await cleanUpAfter(100)).toEqual([])
    expect(await byHand(true)).toEqual({ ok: false, error: { type: 'running', runId: run.id } })
    opened.store.locks.release(mailboxId, run.id)
    const target = { mailboxId, runId: null, target: 'issue 1', payload: {}, at: 1 }
    opened.store.outbox.add({ key: 'k', kind: 'comment', ...target })
    expect(await cleanUpAfter(100)).toEqual([])
    opened.store.outbox.update(1, { state: 'sent' })
    expect(await cleanUpAfter(100)).toEqual([mailboxId])
  })

  it('leaves session state alone while sessions are switched off, and removes it once they are on again', async () => {
    close()
    const { projectId } = mailbox()
    opened.store.settings.set('project', projectId, 'AGENT_SESSION_RESUME', false, 0)
    expect(await cleanUpAfter(15)).toEqual([mailboxId])
    expect(there()).toEqual([true, false, false])
    expect(mailbox().memoryRemovedAt).toBeNull()
    expect(await cleanUpAfter(16)).toEqual([])
    expect(audited()).toEqual([['alfred', 'workspace removed at cleanup']])
    opened.store.settings.reset('project', projectId, 'AGENT_SESSION_RESUME')
    expect(await cleanUpAfter(17)).toEqual([mailboxId])
    expect(there()).toEqual([false, false, false])
  })

  it('removes a link that an agent left, never what it leads to', async () => {
    const outside = join(opened.folder, 'outside')
    mkdirSync(outside)
    writeFileSync(join(outside, 'precious'), 'x')
    symlinkSync(outside, join(workspace, 'link'))
    close()
    await cleanUpAfter(15)
    expect(existsSync(join(outside, 'precious'))).toBe(true)
  })

  it('is done again after an end in the middle', async () => {
    close()
    createDataRemover(opened.folder).setAside(workspace)
    expect(await cleanUpAfter(15)).toEqual([mailboxId])
    expect(there()).toEqual([false, false, false])
  })

  it('takes up so many in one round, and goes on behind those that must wait', async () => {
    const { store } = opened
    const others = Array.from({ length: 59 }, (_, index) => seedMailbox(store, index + 2))
    for (const id of [mailboxId, ...others]) {
      close(id, id)
      if (id !== others.at(-1)) store.locks.take(id, seedRun(store, id).id, 1)
    }
    const service = serviceAt(100)
    expect(await service.cleanUp()).toEqual([])
    expect((await service.cleanUp()).map(({ id }) => id)).toEqual([others.at(-1)])
  })
})

describe('work that lies nowhere else', () => {
  it('is left alone by itself, which is said once', async () => {
    unpushedCommit()
    close()
    expect(await cleanUpAfter(15)).toEqual([])
    expect(await cleanUpAfter(16)).toEqual([])
    expect(told).toEqual([
      {
        kind: 'needs-you',
        title: 'Not cleaned up · #1',
        body: '1 commit was never pushed. It stays until you decide.',
      },
    ])
    expect(audited()).toEqual([['alfred', 'left alone at cleanup']])
    expect(there()).toEqual([true, true, true])
  })

  it('is named to a person, who can remove it all the same', async () => {
    unpushedCommit('refs/alfred/kept/r1')
    const work = { type: 'has_work', commits: 0, files: ['crane.txt', 'pier.txt'], isUncollected: false }
    expect(await byHand()).toEqual({ ok: false, error: work })
    expect(there()).toEqual([true, true, true])
    expect(await byHand(true)).toEqual({ ok: true, value: { memoryRemoved: true } })
    expect(there()).toEqual([false, false, false])
    expect(audited()).toEqual([['ada', 'memory removed at cleanup']])
  })

  it('is none that was pushed, although its branch is gone from the forge', async () => {
    const sha = unpushedCommit('refs/heads/agent/issue-1')
    expect(await byHand()).toMatchObject({ error: { commits: 1 } })
    const target = { mailboxId, runId: null, target: 'branch', payload: {}, at: 1 }
    opened.store.outbox.add({ key: 'k', kind: 'push', ...target })
    opened.store.outbox.update(1, { state: 'sent', remoteId: sha })
    expect(await byHand()).toMatchObject({ ok: true })
  })

  it('lies in the workspace when the last run could not bring it out', async () => {
    endedRun(null)
    expect(await byHand()).toMatchObject({ ok: true })
    mkdirSync(workspace)
    writeFileSync(join(workspace, 'half done'), 'x')
    expect(await byHand()).toMatchObject({ error: { type: 'has_work', isUncollected: true } })
    endedRun(0)
    expect(await byHand()).toMatchObject({ ok: true })
  })

  it('is nothing to decide about any more once it was removed: the issue is worked on again', async () => {
    unpushedCommit()
    const { store } = opened
    const turn = seedRun(store, mailboxId, { phase: 'chat' })
    store.runs.update(turn.id, { state: 'ended', outcome: 'succeeded', commits: 1 })
    store.outbox.add({
      key: 'k',
      kind: 'push',
      mailboxId,
      runId: turn.id,
      target: 'branch',
      payload: {},
      at: 1,
    })
    store.outbox.update(1, { state: 'dropped' })
    store.mailboxes.update(mailboxId, { status: 'waiting_validation', needsYou: 'unpushed_work' }, 1)
    store.runs.setSuccessor(turn.id, {
      phase: 'development',
      trigger: 'retry',
      requestedBy: 'ada',
      resumeChoice: 'auto',
    })
    expect(await byHand()).toMatchObject({ error: { type: 'has_work' } })
    expect(mailbox().needsYou).toBe('unpushed_work')
    expect(await byHand(true)).toMatchObject({ ok: true })
    expect(store.outbox.listByMailbox(mailboxId)).toMatchObject([
      { state: 'failed', lastError: 'Removed at cleanup.' },
    ])
    expect(mailbox()).toMatchObject({ status: 'waiting_validation', needsYou: 'validate_plan' })
    expect(pushInTheWay(store, mailbox())).toBeNull()
    expect(store.runs.successorOf(turn.id)).toBeNull()
  })

  it('is not sent once it was removed; what is on the forge gets its change', async () => {
    const { store } = opened
    const turnWith = (key: string) => {
      const { id: runId } = seedRun(store, mailboxId, { phase: 'chat' })
      store.runs.update(runId, { state: 'ended', outcome: 'succeeded' })
      const post = { mailboxId, runId, target: 'x', payload: {}, at: 1 }
      store.outbox.add({ key: `${key}-push`, kind: 'push', ...post })
      store.outbox.add({ key: `${key}-change`, kind: 'change', ...post })
    }
    turnWith('there')
    store.outbox.update(1, { state: 'sent' })
    turnWith('here')
    expect(await byHand(true)).toMatchObject({ ok: true })
    expect(store.outbox.listByMailbox(mailboxId).map(({ key, state }) => `${key} ${state}`)).toEqual([
      'there-push sent',
      'there-change waiting',
      'here-push failed',
      'here-change failed',
    ])
  })

  it('may be in a repository that cannot be read, so that one is left alone too', async () => {
    mkdirSync(join(opened.folder, 'repositories'), { recursive: true })
    writeFileSync(repository, 'no repository')
    const answer = await byHand()
    expect(answer).toMatchObject({ ok: false, error: { type: 'not_removable' } })
    expect(await byHand(true)).toMatchObject({ ok: true })
  })
})
