import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate, setTimeout } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { MailboxId } from '@shared/model/ids'
import { createDataRemover } from '@main/adapters/disk/data-remover'
import { createDisk } from '@main/adapters/disk/disk'
import type { Disk } from '@main/ports/disk'
import { createGit } from '@main/adapters/git/create-git'
import { openTestStore, type TestStore } from '../../../../test/fakes/open-test-store'
import { seedMailbox, seedRun } from '../../../../test/fakes/seed-mailbox'
import { createSettableClock } from '../../../../test/fakes/settable-clock'
import { silentLogger } from '../../../../test/integration/support/silent-logger'
import { createDataPaths } from '../runs/data-paths'
import { createChangeFeed } from '../status/change-feed'
import { createFinishedWorkspaces } from './finished-workspaces'

const megabyte = 1_000_000
let opened: TestStore
let mailboxId: MailboxId
let memory: string
let workspace: string
let counted: number

beforeEach(() => {
  opened = openTestStore()
  counted = 0
  mailboxId = seedMailbox(opened.store)
  const { projectId, iid } = opened.store.mailboxes.get(mailboxId)
  const key = `harbour-${projectId}-issue-${iid}`
  memory = join(opened.folder, '.agent-sessions', key)
  workspace = join(opened.folder, 'workspaces', key)
  mkdirSync(memory, { recursive: true })
  mkdirSync(workspace, { recursive: true })
  writeFileSync(join(workspace, 'packages'), Buffer.alloc(2 * megabyte))
})
afterEach(() => opened.remove())

/** `onLook`: what happens while it is looked whether anything would be lost. */
function create(onLook?: () => void, disk: Pick<Disk, 'sizeOf'> = createDisk()) {
  const clock = createSettableClock(9)
  const remover = createDataRemover(opened.folder)
  return createFinishedWorkspaces({
    store: opened.store,
    clock,
    logger: silentLogger,
    paths: createDataPaths(opened.folder),
    changes: createChangeFeed(clock),
    disk,
    git: createGit({ scratchFolder: join(opened.folder, 'git') }),
    remover: {
      ...remover,
      exists: (path) => {
        onLook?.()
        return remover.exists(path)
      },
    },
    onCounted: () => {
      counted += 1
    },
    closing: new AbortController().signal,
  })
}
const close = (): void => opened.store.mailboxes.update(mailboxId, { isOpen: false }, 5)
const audited = () => opened.db.prepare('SELECT who, what FROM audit').raw().all()

/** A run with a container that has ended; `commits` null: what it did could not be collected. */
function endedRun(commits: number | null): void {
  const { store } = opened
  const run = seedRun(store, mailboxId)
  const start = store.runs.addStart(store.runs.addAttempt(run.id, 1).id, 'first', 1)
  store.runs.updateStart(start.id, { containerId: 'c' })
  store.runs.update(run.id, { state: 'ended', outcome: 'stopped', commits })
}

describe('the workspaces of finished issues', () => {
  it('are none while the issue is open, or without a file', async () => {
    expect(await create().list()).toEqual([])
    expect(await create().free([mailboxId], 'ada')).toEqual({ removed: 0, bytes: 0 })
    expect(existsSync(workspace)).toBe(true)
  })

  it('are counted with what they take, and told', async () => {
    close()
    const finished = create()
    expect(finished.total()).toBeNull()
    await finished.count()
    expect(finished.total()).toMatchObject({ count: 1 })
    expect(finished.total()?.bytes).toBeGreaterThanOrEqual(2 * megabyte)
    await finished.count()
    expect(counted).toBe(1)
    expect(await finished.list()).toMatchObject([
      { mailboxId, closedAt: 5, inTheWay: null, projectPath: expect.stringContaining('harbour/') as string },
    ])
  })

  it('are removed when a person says so, and the memory stays', async () => {
    close()
    endedRun(0)
    const finished = create()
    const freed = await finished.free([mailboxId], 'ada')
    expect(freed.removed).toBe(1)
    expect(freed.bytes).toBeGreaterThanOrEqual(2 * megabyte)
    expect([existsSync(workspace), existsSync(memory)]).toEqual([false, true])
    expect(finished.total()).toMatchObject({ count: 0, bytes: 0 })
    expect(audited()).toEqual([['ada', 'workspace removed to free space']])
    expect(opened.store.mailboxes.get(mailboxId).memoryRemovedAt).toBeNull()
  })

  it('are told as they are afterwards, also where they were just being counted', async () => {
    close()
    endedRun(0)
    const disk = createDisk()
    let looks = 0
    const finished = create(undefined, {
      async sizeOf(...asked) {
        looks += 1
        const isFirst = looks === 1
        const size = await disk.sizeOf(...asked)
        while (isFirst && existsSync(workspace)) await setImmediate()
        if (isFirst) await setTimeout(50)
        return size
      },
    })
    const counting = finished.count()
    await finished.free([mailboxId], 'ada')
    expect(finished.total()).toMatchObject({ count: 0, bytes: 0 })
    await counting
    expect(finished.total()).toMatchObject({ count: 0, bytes: 0 })
  })

  it('stay where the work of the last run lies nowhere else, and say so', async () => {
    close()
    endedRun(null)
    expect(await create().list()).toMatchObject([{ inTheWay: { type: 'has_work', isUncollected: true } }])
    expect(await create().free([mailboxId], 'ada')).toEqual({ removed: 0, bytes: 0 })
    expect(existsSync(workspace)).toBe(true)
  })

  it('stay so also where every run since failed to start, however many', async () => {
    close()
    endedRun(null)
    for (let count = 0; count < 45; count += 1) {
      const { id } = seedRun(opened.store, mailboxId)
      opened.store.runs.update(id, { state: 'ended', outcome: 'failed' })
    }
    expect(await create().free([mailboxId], 'ada')).toEqual({ removed: 0, bytes: 0 })
    expect(existsSync(workspace)).toBe(true)
  })

  it('stay while a run uses them, also one that began while they were looked at', async () => {
    close()
    const begin = () => void seedRun(opened.store, mailboxId)
    expect(await create(begin).free([mailboxId], 'ada')).toEqual({ removed: 0, bytes: 0 })
    expect(await create().list()).toMatchObject([{ inTheWay: { type: 'running' } }])
    expect(existsSync(workspace)).toBe(true)
  })

  it('stay unless they were named', async () => {
    close()
    expect(await create().free([], 'ada')).toEqual({ removed: 0, bytes: 0 })
    expect(existsSync(workspace)).toBe(true)
  })
})
