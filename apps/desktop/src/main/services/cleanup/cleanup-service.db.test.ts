import { existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { MailboxId } from '@shared/model/ids'
import { openTestStore, type TestStore } from '../../../../test/fakes/open-test-store'
import { seedMailbox, seedRun } from '../../../../test/fakes/seed-mailbox'
import { createSettableClock } from '../../../../test/fakes/settable-clock'
import { silentLogger } from '../../../../test/integration/support/silent-logger'
import { createDataPaths } from '../runs/data-paths'
import { createSettingReader } from '../settings/setting-values'
import { createChangeFeed } from '../status/change-feed'
import { createCleanupService } from './cleanup-service'

const day = 86_400_000
let opened: TestStore
let mailboxId: MailboxId
let memory: string
let workspace: string
beforeEach(() => {
  opened = openTestStore()
  mailboxId = seedMailbox(opened.store)
  const { projectId } = opened.store.mailboxes.get(mailboxId)
  memory = join(opened.folder, '.agent-sessions', `harbour-${projectId}-issue-1`)
  workspace = join(opened.folder, 'workspaces', `harbour-${projectId}-issue-1`)
  mkdirSync(join(memory, 'demo'), { recursive: true })
  mkdirSync(workspace, { recursive: true })
})
afterEach(() => opened.remove())

const cleanUpAfter = async (days: number) => {
  const clock = createSettableClock(days * day)
  const { store, folder } = opened
  const service = createCleanupService({
    store,
    clock,
    logger: silentLogger,
    settings: createSettingReader(store),
    paths: createDataPaths(folder),
    changes: createChangeFeed(clock),
  })
  return (await service.cleanUp()).map(({ id }) => id)
}
const close = (): void => opened.store.mailboxes.update(mailboxId, { status: 'done', isOpen: false }, 0)

describe('the cleanup of a mailbox', () => {
  it('removes memory and workspace some days after it is done, and says when', async () => {
    close()
    expect(await cleanUpAfter(13)).toEqual([])
    expect(await cleanUpAfter(15)).toEqual([mailboxId])
    expect([existsSync(memory), existsSync(workspace)]).toEqual([false, false])
    expect(opened.store.mailboxes.get(mailboxId).memoryRemovedAt).toBe(15 * day)
    expect(await cleanUpAfter(40)).toEqual([])
  })

  it('leaves an open mailbox alone, however old it is', async () => {
    expect(await cleanUpAfter(400)).toEqual([])
    expect(existsSync(memory)).toBe(true)
  })

  it('waits for a run, for a lock and for posts', async () => {
    close()
    const run = seedRun(opened.store, mailboxId)
    expect(await cleanUpAfter(100)).toEqual([])
    opened.store.runs.update(run.id, { state: 'ended', outcome: 'stopped' })
    opened.store.locks.take(mailboxId, run.id, 1)
    expect(await cleanUpAfter(100)).toEqual([])
    opened.store.locks.release(mailboxId, run.id)
    opened.store.outbox.add({
      key: 'k',
      kind: 'comment',
      mailboxId,
      runId: null,
      target: 'issue 1',
      payload: {},
      at: 1,
    })
    expect(await cleanUpAfter(100)).toEqual([])
    opened.store.outbox.update(1, { state: 'sent' })
    expect(await cleanUpAfter(100)).toEqual([mailboxId])
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
})
