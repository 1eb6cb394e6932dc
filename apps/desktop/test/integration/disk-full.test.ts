import { existsSync, readFileSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { FakeStep } from '@main/adapters/agents/fake/fake-agent-program'
import { createFakeAdapter } from '@main/adapters/agents/fake/fake-adapter'
import { findNativeBinding } from '@main/adapters/db/native-binding'
import { copyUntrustedFile } from '@main/adapters/run-folder/copy-untrusted-file'
import { createEngine, type Engine } from '@main/boot/compose'
import type { EngineClient } from '@main/cli/engine-client'
import type { Clock } from '@main/ports/clock'
import type { MailboxId, ProjectId, RunId } from '@shared/model/ids'
import { createHurriedClock } from '../fakes/hurried-clock'
import { resourcesFolder } from './support/agent-container'
import { createBoat, giveIssue } from './support/boat-project'
import {
  clientOf,
  containersOfRun,
  createWatch,
  removeFolder,
  testDocker,
  value,
} from './support/engine-bench'
import { openEngineDatabase } from './support/engine-database'
import { mountSmallDisk, needsRoot, type SmallDisk } from './support/small-disk'

/*
 * The disk is full, really: told, nothing lost, and what waited goes on when there is room again.
 */

const megabyte = 1_000_000

let folder: string
let engine: Engine | null = null
let client: EngineClient
let projectId: ProjectId
let disks: SmallDisk[] = []

beforeEach(async (context) => {
  needsRoot(context)
  folder = await mkdtemp(join(tmpdir(), 'alfred-full-'))
})
afterEach(async () => {
  for (const disk of disks) disk.free()
  await engine?.stop('stop')
  engine = null
  for (const disk of disks.toReversed()) disk.unmount()
  disks = []
  await removeFolder(folder)
})

/** A file system of its own for a part of the data folder; the rest lies where there is room. */
function disk(part: string, megabytes: number): SmallDisk {
  const mounted = mountSmallDisk(join(folder, part), megabytes)
  disks.push(mounted)
  return mounted
}

/** Holds the agent until the test lets it go, which takes no room on the disk. */
const hold = (name: string): FakeStep => ({
  shell: `touch /workspace/.git/${name}; while [ -e /workspace/.git/${name} ]; do sleep 0.05; done`,
})
const holdFile = (name: string): string =>
  join(folder, 'workspaces', `test-${projectId}-issue-1`, '.git', name)
const letGo = (name: string): void => rmSync(holdFile(name))

async function startEngine(
  steps: readonly FakeStep[],
  { reserveBytes = 0, clock }: { readonly reserveBytes?: number; readonly clock?: Clock } = {},
): Promise<void> {
  // A start that is cut off goes on with its session, and has nothing left to wait for.
  const script = { fresh: steps, resume: [init, { save: '{}' }, result] }
  const made = await createEngine({
    dataFolder: folder,
    kind: 'headless',
    resourcesFolder,
    version: '0.0.0-test',
    notifier: { show: () => undefined },
    work: 'works',
    allowsDemonstration: true,
    adapters: [createFakeAdapter({ script: () => script })],
    checkOutput: true,
    diskReserveBytes: reserveBytes,
    nativeBinding: findNativeBinding(process.env, undefined),
    ...(clock === undefined ? {} : { clock }),
  })
  engine = value(made)
  client = clientOf(engine)
}

async function start(steps: readonly FakeStep[], reserveBytes = 0): Promise<MailboxId> {
  await startEngine(steps, { reserveBytes })
  projectId = await createBoat(client, { AGENT_ADAPTER: 'fake' })
  return giveIssue(client, projectId)
}

/** An issue whose plan is made; its engine is gone. */
async function startPlanned(): Promise<MailboxId> {
  const mailboxId = await start([init, { save: '{}' }, result])
  await until(async () => {
    const detail = value(await client.call('mailboxes', 'get', { mailboxId }))
    return detail.status === 'waiting_validation' ? true : null
  })
  await engine?.stop('keep')
  return mailboxId
}

async function develop(mailboxId: MailboxId): Promise<RunId> {
  const asked = { mailboxId, phase: 'development', resumeChoice: 'fresh' } as const
  return value(await client.call('runs', 'request', asked)).runId
}

const until = <T>(look: () => Promise<T | null>): Promise<T> => createWatch(client).until(look)
const detailOf = async (runId: RunId) => value(await client.call('runs', 'get', { runId }))
const rowsOf = async (mailboxId: MailboxId) =>
  value(await client.call('sessions', 'timeline', { mailboxId, beforeRunId: null, limit: 20 })).rows
const firstRun = (mailboxId: MailboxId) => until(async () => (await rowsOf(mailboxId))[0]?.runId ?? null)
const ended = (runId: RunId) =>
  until(async () => {
    const detail = await detailOf(runId)
    return detail.row.state === 'ended' ? detail : null
  })
const heldAt = (name: string) => until(() => Promise.resolve(existsSync(holdFile(name)) ? true : null))
const eventsOf = async (runId: RunId) =>
  value(await client.call('runs', 'events', { runId, afterSeq: 0, beforeSeq: null, limit: 1000 })).events
const textsOf = async (runId: RunId) =>
  (await eventsOf(runId)).filter(({ kind }) => kind === 'text').map(({ payload }) => payload.text ?? '')
const bannersOf = async () => value(await client.call('app', 'status', {})).banners.map(({ code }) => code)
const told = (code: string) => until(async () => ((await bannersOf()).includes(code as never) ? true : null))
const untold = (code: string) =>
  until(async () => ((await bannersOf()).includes(code as never) ? null : true))

function integrity(): unknown {
  const db = openEngineDatabase(folder, { readonly: true })
  try {
    return db.pragma('integrity_check', { simple: true })
  } finally {
    db.close()
  }
}

const init: FakeStep = { print: { type: 'init', session_id: '$ID' } }
const say = (text: string): FakeStep => ({ print: { type: 'text', text } })
const result: FakeStep = { print: { type: 'result', is_error: false, text: 'The plan.' } }
const commit: FakeStep = {
  shell:
    'cd /workspace && head -c 3000000 /dev/urandom > big.bin && git add big.bin && git commit -qm "Add it"',
}
const lines = Array.from({ length: 150 }, (_, index) => say(`line ${index} ${'x'.repeat(2_000)}`))

/** The database lies on a full disk; what containers write does not. */
async function startBesideFullDatabase(steps: readonly FakeStep[]) {
  const database = disk('.', 24)
  for (const part of ['runs', 'workspaces', 'repositories', '.agent-sessions', 'local-forge', 'git'])
    disk(part, 60)
  const mailboxId = await start(steps)
  const runId = await firstRun(mailboxId)
  await heldAt('first')
  return { database, mailboxId, runId }
}

describe('a disk that is full for the database', () => {
  it('is told; the run goes on when there is room, and no line, id or comment is lost', async () => {
    const { database, mailboxId, runId } = await startBesideFullDatabase([
      init,
      { save: '{}' },
      hold('first'),
      ...lines,
      hold('second'),
      result,
    ])
    const before = await eventsOf(runId)
    database.fill()
    letGo('first')
    await told('disk_full')
    await heldAt('second')
    expect((await detailOf(runId)).row).toMatchObject({
      state: 'running',
      nativeSessionId: expect.any(String),
    })
    const refused = await client.call('settings', 'set', {
      scope: 'project',
      scopeId: projectId,
      key: 'RUN_TIMEOUT',
      value: 600_000,
    })
    expect(refused).toMatchObject({ ok: false, error: { type: 'storage_failed' } })
    if (!refused.ok && refused.error.type === 'storage_failed')
      expect(refused.error.message).toContain('The disk is full. Nothing was changed')
    letGo('second')
    database.free()
    const run = await ended(runId)
    expect(run.row).toMatchObject({ outcome: 'succeeded', attempts: 1, badge: 'no_prior_session' })
    await untold('disk_full')
    const after = await eventsOf(runId)
    expect(after.slice(0, before.length)).toEqual(before)
    expect(after.map(({ seq }) => seq)).toEqual(after.map((_, index) => index + 1))
    expect((await textsOf(runId)).map((text) => Number(/^line (\d+)/.exec(text)?.[1]))).toEqual(
      lines.map((_, index) => index),
    )
    await until(async () => {
      const detail = value(await client.call('mailboxes', 'get', { mailboxId }))
      return detail.status === 'waiting_validation' ? true : null
    })
    const comments = async () =>
      value(await client.call('tracker', 'getIssue', { projectId, iid: 1 })).commentList.flatMap(
        ({ body }) => /kind=(\w+)/.exec(body)?.[1] ?? [],
      )
    await until(async () => ((await comments()).includes('plan') ? true : null))
    expect(await comments()).toEqual(['acknowledgement', 'plan'])
    expect(integrity()).toBe('ok')
  })

  it('stops a run at once, and stores that it was a stop as soon as there is room', async () => {
    const { database, runId } = await startBesideFullDatabase([
      init,
      { save: '{}' },
      hold('first'),
      ...lines,
      hold('second'),
    ])
    database.fill()
    letGo('first')
    await told('disk_full')
    await heldAt('second')
    expect((await client.call('runs', 'stop', { runId })).ok).toBe(true)
    await until(async () =>
      (await containersOfRun(client, runId)).every(({ running }) => !running) ? true : null,
    )
    expect(await bannersOf()).toContain('disk_full')
    database.free()
    const run = await ended(runId)
    expect(run.row).toMatchObject({ outcome: 'stopped', nativeSessionId: expect.any(String) })
    expect(run.failure?.message).toContain('A person stopped')
    expect((await textsOf(runId)).length).toBe(lines.length)
    expect(integrity()).toBe('ok')
  })
})

describe('a disk that is full when the work is fetched', () => {
  /** A development whose commit is made, and lies where its part of the disk has no room for it. */
  async function workWithoutRoom(part: string) {
    const small = disk(part, 40)
    const mailboxId = await startPlanned()
    // Nothing tells that this disk has room again: it is tried after a while, which comes sooner by this clock.
    const clock = createHurriedClock(5)
    await startEngine([init, { save: '{}' }, commit, hold('made'), result], { clock })
    const runId = await develop(mailboxId)
    await heldAt('made')
    small.fill()
    letGo('made')
    await told('disk_full')
    expect((await detailOf(runId)).row.state).not.toBe('ended')
    return { small, runId }
  }

  it.each(['repositories', 'git', 'runs'])('(%s) keeps the commits until there is room', async (part) => {
    const { small, runId } = await workWithoutRoom(part)
    small.free()
    const run = await ended(runId)
    expect(run.row).toMatchObject({ outcome: 'succeeded', commits: 1, nativeSessionId: expect.any(String) })
    expect(integrity()).toBe('ok')
  })

  it('stops the run when a person says so, with its commits, as soon as there is room', async () => {
    const { small, runId } = await workWithoutRoom('repositories')
    value(await client.call('runs', 'stop', { runId }))
    small.free()
    const run = await ended(runId)
    expect(run.row).toMatchObject({ outcome: 'stopped', commits: 1, nativeSessionId: expect.any(String) })
    expect(integrity()).toBe('ok')
  })
})

describe('a copy of what an agent left', () => {
  it('says that the disk is full, which is no fault of the file, and leaves nothing half-made', async () => {
    const small = disk('copied', 4)
    const source = join(folder, 'bundle')
    writeFileSync(source, Buffer.alloc(2 * megabyte))
    const target = join(folder, 'copied', 'bundle')
    small.fill()
    await expect(copyUntrustedFile(source, target, 3 * megabyte)).rejects.toMatchObject({ code: 'ENOSPC' })
    expect(existsSync(target)).toBe(false)
    small.free()
    expect(await copyUntrustedFile(source, target, 3 * megabyte)).toEqual({ ok: true, value: target })
  })
})

describe('a disk that is full for everything', () => {
  it('cuts off an agent that cannot write; its run goes on with its session when there is room', async () => {
    const all = disk('.', 60)
    const mailboxId = await start([init, { save: '{}' }, hold('first'), ...lines, result])
    const runId = await firstRun(mailboxId)
    await heldAt('first')
    const id = await until(async () => (await detailOf(runId)).row.nativeSessionId)
    const [container] = await containersOfRun(client, runId)
    all.fill()
    letGo('first')
    await told('disk_full')
    // It may be told before the entry collects, which is not to find room.
    value(await testDocker().wait(container?.id ?? '', new AbortController().signal))
    all.free()
    const run = await ended(runId)
    expect(run.row).toMatchObject({ outcome: 'succeeded', attempts: 2 })
    const sessions = value(await client.call('sessions', 'records', { mailboxId, limit: 9 }))
    expect(sessions.map(({ nativeSessionId, resumed }) => [nativeSessionId, resumed])).toEqual([
      [id, false],
      [id, true],
    ])
    expect(integrity()).toBe('ok')
    expect(readFileSync(join(run.folder, 'run.json'), 'utf8')).toContain(id)
  })

  it('stops a run whose agent cannot write, when a person says so', async () => {
    const all = disk('.', 60)
    const mailboxId = await start([init, { save: '{}' }, hold('first'), ...lines, result])
    const runId = await firstRun(mailboxId)
    await heldAt('first')
    all.fill()
    letGo('first')
    await told('disk_full')
    expect((await client.call('runs', 'stop', { runId })).ok).toBe(true)
    await until(async () =>
      (await containersOfRun(client, runId)).every(({ running }) => !running) ? true : null,
    )
    all.free()
    expect((await ended(runId)).row).toMatchObject({ outcome: 'stopped', attempts: 1 })
    expect(integrity()).toBe('ok')
  })

  it('has room again once a person frees what a finished issue holds, without a byte left before', async () => {
    const all = disk('.', 60)
    const mailboxId = await startPlanned()
    await startEngine([init, { save: '{}' }, result])
    const workspace = join(folder, 'workspaces', `test-${projectId}-issue-1`)
    writeFileSync(join(workspace, 'packages'), Buffer.alloc(8 * megabyte))
    value(await client.call('tracker', 'close', { projectId, iid: 1 }))
    await until(async () =>
      value(await client.call('mailboxes', 'get', { mailboxId })).isOpen ? null : true,
    )
    all.fill()
    const asked = { scope: 'project', scopeId: projectId, key: 'RUN_TIMEOUT', value: 600_000 } as const
    await until(async () => ((await client.call('settings', 'set', asked)).ok ? null : true))
    await told('disk_full')
    expect(value(await client.call('mailboxes', 'finishedWorkspaces', {}))).toMatchObject([
      { mailboxId, iid: 1, inTheWay: null },
    ])
    const freed = value(await client.call('mailboxes', 'freeWorkspaces', { mailboxIds: [mailboxId] }))
    expect(freed.removed).toBe(1)
    expect(freed.bytes).toBeGreaterThan(8 * megabyte)
    expect(existsSync(workspace)).toBe(false)
    await untold('disk_full')
    expect((await client.call('settings', 'set', asked)).ok).toBe(true)
    expect(integrity()).toBe('ok')
  })

  it('takes up no new run while less than the reserve is free, and says what it waits for', async () => {
    const all = disk('.', 60)
    all.fill()
    all.free()
    const mailboxId = await start([init, { save: '{}' }, result], 200 * megabyte)
    await told('disk_full')
    const runId = await firstRun(mailboxId)
    const detail = value(await client.call('mailboxes', 'get', { mailboxId }))
    expect(detail.now).toMatchObject({ kind: 'queued', reason: 'disk' })
    expect((await detailOf(runId)).row.state).toBe('queued')
  })

  it('stops a live run before the reserve is used up, and its commits are kept', async () => {
    disk('.', 100)
    const mailboxId = await startPlanned()
    await startEngine([init, { save: '{}' }, commit, hold('made'), result], { reserveBytes: 40 * megabyte })
    const runId = await develop(mailboxId)
    await heldAt('made')
    const { bavail, bsize } = statfsSync(folder)
    writeFileSync(join(folder, '.taken'), Buffer.alloc(bavail * bsize - 35 * megabyte))
    const run = await ended(runId)
    expect(run.row).toMatchObject({ outcome: 'failed', commits: 1 })
    expect(run.failure).toMatchObject({
      type: 'disk_limit',
      message: expect.stringContaining('The disk is nearly full'),
    })
  })
})
