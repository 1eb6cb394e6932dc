import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openTestStore, type TestStore } from '../../../../test/fakes/open-test-store'
import { seedMailbox, seedRun } from '../../../../test/fakes/seed-mailbox'
import { createSettableClock } from '../../../../test/fakes/settable-clock'
import { silentLogger } from '../../../../test/integration/support/silent-logger'
import type { WorkspaceTotal } from '../cleanup/finished-workspaces'
import { createChangeFeed } from './change-feed'
import type { EngineState } from './engine-watch'
import { createStatusService, type ImageStatus } from './status-service'

let opened: TestStore
beforeEach(() => {
  opened = openTestStore()
})
afterEach(() => opened.remove())

const nothing = { isFull: false, finished: null }
const unknown: ImageStatus = {
  state: 'unknown',
  step: null,
  fraction: null,
  detail: null,
  tag: null,
  sizeBytes: null,
  agents: [],
}

function current(
  engine: EngineState = { state: 'unknown' },
  image: Partial<ImageStatus> = {},
  disk: { readonly isFull: boolean; readonly finished: WorkspaceTotal | null } = nothing,
) {
  const clock = createSettableClock(100)
  const service = createStatusService({
    store: opened.store,
    clock,
    logger: silentLogger,
    changes: createChangeFeed(clock),
    version: '1.0.0',
    isPaused: () => false,
    engine: () => engine,
    image: () => ({ ...unknown, ...image }),
    dayBudgetUsd: () => null,
    nextPollAt: () => null,
    forgeWatch: { healthOf: () => 'ok', banners: () => [] },
    silence: () => null,
    checking: () => 2,
    storage: { freeBytes: () => 7, trouble: () => null, isFull: () => disk.isFull },
    finishedWorkspaces: () => disk.finished,
    waitOf: () => ({ reason: 'budget', at: null }),
  })
  return service.current()
}

describe('the banners of the engine', () => {
  it('say where Docker is looked for, how often and since when', () => {
    const message = 'connect ENOENT'
    const status = current({ state: 'unreachable', message, since: 50, endpoint: 'unix:///d.sock' })
    expect(status.banners).toEqual([
      {
        code: 'docker_unreachable',
        severity: 'bad',
        facts: { message, since: 50, runs: 0, endpoint: 'unix:///d.sock', interval: 5_000 },
      },
    ])
    expect(status.docker.endpoint).toBe('unix:///d.sock')
  })

  it('say what an engine that is too old speaks', () => {
    const message = 'unix:///d.sock speaks API 1.30; Alfred needs 1.40'
    const status = current({ state: 'too_old', message, since: 50, endpoint: 'unix:///d.sock' })
    expect(status.banners).toMatchObject([{ code: 'docker_too_old', severity: 'bad', facts: { message } }])
    expect(status.docker.state).toBe('too_old')
  })

  it('tell an image that could not be built, not one that nobody asked for', () => {
    expect(current(undefined, { state: 'missing' }).banners).toEqual([])
    expect(current(undefined, { state: 'missing', detail: 'base: HTTP 403' }).banners).toEqual([
      { code: 'image_missing', severity: 'bad', facts: { message: 'base: HTTP 403' } },
    ])
  })

  it('say what finished issues hold on a full disk, once that was counted', () => {
    const full = (finished: WorkspaceTotal | null) =>
      current(undefined, undefined, { isFull: true, finished }).banners
    expect(full(null)).toEqual([
      { code: 'disk_full', severity: 'bad', facts: { freeBytes: 7, workspaces: null, workspaceBytes: null } },
    ])
    expect(full({ count: 14, bytes: 9 })).toMatchObject([{ facts: { workspaces: 14, workspaceBytes: 9 } }])
  })
})

it('the status counts the runs that are looked after when the computer slept', () =>
  expect(current().checking).toBe(2))

it('the status names a run as its forge does, and why it waits while it is queued', () => {
  const queued = seedRun(opened.store, seedMailbox(opened.store, 1))
  const { projectId } = opened.store.mailboxes.get(queued.mailboxId)
  const change = opened.store.mailboxes.ensure({ projectId, kind: 'merge_request', iid: 342, title: 'x' }, 1)
  const running = seedRun(opened.store, change.id)
  opened.store.runs.update(running.id, { state: 'running' })
  const { runs } = current()
  expect(runs.find(({ runId }) => runId === queued.id)).toMatchObject({
    reference: '#1',
    wait: { reason: 'budget' },
  })
  expect(runs.find(({ runId }) => runId === running.id)).toMatchObject({ reference: '!342', wait: null })
})
