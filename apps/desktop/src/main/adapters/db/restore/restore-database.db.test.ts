import type Database from 'better-sqlite3'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { RestoreReport } from '@shared/contract/restore'
import type { RunId, RunUid } from '@shared/model/ids'
import { createRunFolders } from '@main/adapters/run-folder/run-folders'
import { readRunRecords } from '@main/adapters/run-folder/read-run-records'
import { createSystemRandomness } from '@main/adapters/system/system-randomness'
import type { Store } from '@main/ports/stores'
import type { RunRecord } from '@main/core/restore/run-record'
import { createDataPaths } from '@main/services/runs/data-paths'
import { writeRunRecord } from '@main/services/runs/run-record'
import { seedEndedRun, seedMailbox, seedRun, seedSession } from '../../../../../test/fakes/seed-mailbox'
import { createSettableClock } from '../../../../../test/fakes/settable-clock'
import { copyDatabase, dailyBackupFile } from '../backups'
import { createStore } from '../create-store'
import { findNativeBinding } from '../native-binding'
import { openDatabase } from '../open-database'
import { restoreDatabase } from './restore-database'
import { rebuiltFile } from './swap-in'

const nativeBinding = findNativeBinding(process.env, undefined)
const options = { appVersion: '0.0.0-test', now: 0, nativeBinding, busyTimeoutMs: 0 }
const clock = createSettableClock(1_000)
const folders = createRunFolders()

let folder: string
let file: string
let store: Store
let db: Database.Database

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'alfred-restore-'))
  file = join(folder, 'alfred.db')
  open()
})
afterEach(() => {
  db.close()
  rmSync(folder, { recursive: true, force: true })
})

function open(): void {
  const opened = openDatabase(file, options)
  if (!opened.ok) throw new Error(opened.error.message)
  db = opened.value.db
  store = createStore(db, createSystemRandomness())
}

async function record(runId: RunId): Promise<void> {
  const paths = createDataPaths(folder)
  await folders.prepare(paths.run(store.runs.get(runId).uid))
  writeRunRecord({ store, clock, paths, folders }, runId)
}

const backUp = (): string => {
  const to = dailyBackupFile(join(folder, 'backups'), 5, Date.UTC(2026, 10, 1))
  copyDatabase(db, to)
  return to
}

function damage(): void {
  db.close()
  writeFileSync(file, 'this was a database once\n'.repeat(500))
}

async function restore(): Promise<RestoreReport> {
  const { records, refused } = await readRunRecords(join(folder, 'runs'))
  const restored = restoreDatabase({ file, records, nativeBinding, complete: () => 0 })
  if (!restored.ok) throw new Error(restored.error.message)
  open()
  return { ...restored.value, refused: [...refused, ...restored.value.refused] }
}

describe('a damaged database', () => {
  it('knows again where projects of other forges lie, so that they are polled', async () => {
    const run = seedEndedRun(store, seedMailbox(store, 1), { nativeSessionId: 'first' })
    const { projectId } = store.mailboxes.get(run.mailboxId)
    const place = { path: 'Acme.Corp/Shop.js', remoteId: '17' }
    store.forges.setPlace(projectId, place)
    await record(run.runId)
    damage()
    await restore()
    const [project] = store.forges.listProjects()
    expect(project?.isWatched).toBe(true)
    expect(store.forges.placeOf(project!.id)).toEqual(place)
  })

  it('keeps where the backup says that a project lies: run folders may be older than a move', async () => {
    const run = seedEndedRun(store, seedMailbox(store, 1), { nativeSessionId: 'first' })
    const { projectId } = store.mailboxes.get(run.mailboxId)
    store.forges.setPlace(projectId, { path: 'acme/old-name', remoteId: '17' })
    await record(run.runId)
    store.forges.setPlace(projectId, { path: 'acme/new-name', remoteId: '17' })
    backUp()
    damage()
    await restore()
    expect(store.forges.placeOf(projectId)).toEqual({ path: 'acme/new-name', remoteId: '17' })
  })

  it('comes back from the newest whole backup, and what was since then from the run folders', async () => {
    const old = seedEndedRun(store, seedMailbox(store, 1), { nativeSessionId: 'first' })
    await record(old.runId)
    const backup = backUp()
    const mailbox = store.mailboxes.get(old.mailboxId)
    store.mailboxes.update(mailbox.id, { branchName: 'agent/issue-1-a', status: 'in_review' }, 900)
    const later = seedEndedRun(store, mailbox.id, {
      nativeSessionId: 'second',
      resumed: true,
      mode: 'resume',
    })
    store.plans.put({
      mailboxId: mailbox.id,
      runId: later.runId,
      functionalAnalysis: null,
      plan: 'Do it.',
      issueSha256: 'x',
      createdAt: 5,
    })
    const other = seedEndedRun(store, seedMailbox(store, 2), { nativeSessionId: 'third' })
    await record(later.runId)
    await record(other.runId)
    const before = [later, other].map(({ runId }) => [
      store.runs.get(runId),
      store.sessions.listByRun(runId),
      store.runs.listAttempts(runId),
    ])
    const installId = store.installId()
    damage()

    const report = await restore()

    expect(report).toMatchObject({
      backup: { file: backup, at: Date.UTC(2026, 10, 1) },
      runsAdded: 2,
      runsUpdated: 0,
      sessions: 2,
      mailboxesAdded: 1,
      runsGoingOn: 0,
      refused: [],
    })
    expect(
      [later, other].map(({ runId }) => [
        store.runs.get(runId),
        store.sessions.listByRun(runId),
        store.runs.listAttempts(runId),
      ]),
    ).toEqual(before)
    expect(store.installId()).toBe(installId)
    expect(store.mailboxes.get(mailbox.id)).toMatchObject({
      branchName: 'agent/issue-1-a',
      status: 'in_review',
    })
    expect(store.sessions.findPrior(mailbox.id, 'demo', null)).toMatchObject({ nativeSessionId: 'second' })
    expect(store.plans.find(mailbox.id)).toMatchObject({ plan: 'Do it.' })
    expect(readFileSync(report.damagedFile ?? '', 'utf8')).toContain('this was a database once')
  })

  it('comes back from the run folders alone, under the same ids', async () => {
    const session = seedEndedRun(store, seedMailbox(store, 7), { nativeSessionId: 'only' })
    await record(session.runId)
    const before = [
      store.runs.get(session.runId),
      store.mailboxes.get(session.mailboxId),
      store.forges.listProjects(),
      store.installId(),
    ]
    damage()
    const report = await restore()
    expect(report).toMatchObject({ backup: null, runsAdded: 1, sessions: 1, mailboxesAdded: 1 })
    expect([
      store.runs.get(session.runId),
      store.mailboxes.get(session.mailboxId),
      store.forges.listProjects(),
      store.installId(),
    ]).toEqual(before)
    const [event] = store.events.list(session.runId, 0, 10)
    expect(event).toMatchObject({ kind: 'notice', payload: { text: expect.stringContaining('raw log') } })
  })

  it('knows again what was said in its chats, also where the backup has the beginning of one', async () => {
    const anchor = seedEndedRun(store, seedMailbox(store, 1), { nativeSessionId: 'a' })
    const { mailboxId, id: anchorSessionId } = anchor
    const chat = { mailboxId, adapter: 'demo', title: 'Why 30 s?', anchorSessionId, isFresh: false } as const
    const thread = store.chats.addThread(chat, 25)
    const say = async (text: string, answer: string | null): Promise<RunId> => {
      const run = seedRun(store, mailboxId, { phase: 'chat', chatThread: thread.id })
      seedSession(store, run, { nativeSessionId: 'a' })
      const said = { threadId: thread.id, runId: run.id, createdAt: 30 } as const
      store.chats.addMessage({ ...said, role: 'person', state: 'queued', text })
      if (answer !== null) store.chats.addMessage({ ...said, role: 'agent', state: 'sent', text: answer })
      store.chats.setMessageState(run.id, answer === null ? 'draft' : 'sent')
      store.runs.update(run.id, { state: 'ended', outcome: 'succeeded', endedAt: 40 })
      await record(run.id)
      return run.id
    }
    await record(anchor.runId)
    await say('Why?', 'Because.')
    const last = await say('And?', null)
    const shown = () => {
      const found = store.chats.findThread(store.chats.findMessage(last, 'person')!.threadId)!
      return [
        { title: found.title, anchor: found.anchorSessionId, isFresh: found.isFresh },
        store.chats
          .listMessages(found.id, 9)
          .map(({ role, runId, state, text }) => [role, runId, state, text]),
        store.chats.newestSession(found.id)?.runId,
      ]
    }
    const before = shown()
    damage()
    await restore()
    expect(shown()).toEqual(before)
    backUp()
    const third = await say('Once more', 'Yes.')
    damage()
    await restore()
    expect(store.chats.listMessages(thread.id, 9).map(({ text }) => text)).toEqual([
      'Why?',
      'Because.',
      'And?',
      'Once more',
      'Yes.',
    ])
    expect(store.chats.newestSession(thread.id)?.runId).toBe(third)
  })

  describe('with a turn of a chat', () => {
    let turn: RunRecord
    beforeEach(async () => {
      const { mailboxId, id: anchorSessionId } = seedEndedRun(store, seedMailbox(store, 1), {})
      const chat = { mailboxId, adapter: 'demo', title: 'Why?', anchorSessionId, isFresh: false } as const
      const { id: threadId } = store.chats.addThread(chat, 25)
      const run = seedRun(store, mailboxId, { phase: 'chat', chatThread: threadId })
      seedSession(store, run, { nativeSessionId: 'a' })
      store.runs.update(run.id, { state: 'ended', outcome: 'succeeded', endedAt: 40 })
      backUp()
      const said = { threadId, runId: run.id, createdAt: 30, role: 'person', state: 'sent' } as const
      store.chats.addMessage({ ...said, text: 'Why?' })
      await record(run.id)
      turn = JSON.parse(readFileSync(recordOf(run.uid), 'utf8')) as RunRecord
    })
    const recordOf = (uid: RunUid): string => join(folder, 'runs', uid, 'run.json')

    it('takes no words from a record that is refused', async () => {
      writeFileSync(recordOf(turn.run.uid), JSON.stringify({ ...turn, mailbox: { ...turn.mailbox, iid: 9 } }))
      damage()
      expect(await restore()).toMatchObject({ refused: [{ folder: turn.run.uid }] })
      expect(store.chats.findMessage(turn.run.id, 'person')).toBeNull()
    })

    it('names the files of its message that are lost, unless the backup has them', async () => {
      const { id: runId } = turn.run
      const { threadId } = store.chats.findMessage(runId, 'person')!
      const file = { threadId, runId, mediaType: 'text/plain' }
      for (const name of ['a.txt', 'b c.png'])
        store.chats.addAttachment({ ...file, name }, new Uint8Array([1]), 30)
      await record(runId)
      damage()
      await restore()
      expect(store.chats.listNotes(runId)).toEqual([
        'The database was restored without the files of this message: “a.txt”, “b c.png”. If you send it again, attach them again.',
      ])
      store.chats.setNotes(runId, [])
      backUp()
      damage()
      await restore()
      expect(store.chats.listNotes(runId)).toEqual([])
    })

    it('comes back without the words that a rule of the database refuses, and tells of them', async () => {
      rmSync(join(folder, 'backups'), { recursive: true })
      db.exec(`DELETE FROM chat_messages; CREATE TRIGGER no_words BEFORE INSERT ON chat_messages
        BEGIN SELECT RAISE(ABORT, 'no words here'); END`)
      backUp()
      damage()
      expect(await restore()).toMatchObject({
        refused: [{ folder: turn.run.uid, reason: 'what was said in this turn of a chat: no words here' }],
      })
      expect(store.runs.get(turn.run.id)).toMatchObject({ state: 'ended' })
      expect(store.chats.findMessage(turn.run.id, 'person')).toBeNull()
    })
  })

  it('gives a run that was under way its start again, by the name of its container', async () => {
    const run = seedRun(store, seedMailbox(store, 1))
    const session = seedSession(store, run, { chosenSessionId: 'chosen' })
    const start = store.runs.addStart(session.attemptId, 'first', 30)
    store.runs.update(run.id, { state: 'running', startedAt: 30 })
    await record(run.id)
    damage()
    expect(await restore()).toMatchObject({ runsAdded: 1, runsGoingOn: 1 })
    const [found] = store.runs.listStarts(session.attemptId)
    expect(found).toMatchObject({
      number: start.number,
      endedAt: null,
      stdout: null,
      containerId: expect.stringContaining(run.uid),
    })
    expect(store.locks.find(run.mailboxId)?.runId).toBe(run.id)
    expect(store.runs.get(run.id)).toMatchObject({ state: 'running' })
  })

  it('ends a run that was under way and whose start nobody knows, and keeps its session', async () => {
    const run = seedRun(store, seedMailbox(store, 1))
    seedSession(store, run, { nativeSessionId: 'kept' })
    store.runs.update(run.id, { state: 'running', startedAt: 30 })
    await record(run.id)
    damage()
    expect(await restore()).toMatchObject({ runsAdded: 1, runsGoingOn: 0 })
    expect(store.runs.get(run.id)).toMatchObject({ state: 'ended', outcome: 'interrupted' })
    expect(store.sessions.findPrior(run.mailboxId, 'demo', null)).toMatchObject({ nativeSessionId: 'kept' })
    expect(store.locks.list()).toEqual([])
  })

  it('knows from its folder that a run of the backup has ended', async () => {
    const run = seedRun(store, seedMailbox(store, 1))
    const session = seedSession(store, run)
    store.runs.update(run.id, { state: 'running', startedAt: 30 })
    store.locks.take(run.mailboxId, run.id, 30)
    backUp()
    store.sessions.update(session.id, { nativeSessionId: 'told' })
    store.runs.update(run.id, { state: 'ended', outcome: 'succeeded', endedAt: 40 })
    await record(run.id)
    damage()
    expect(await restore()).toMatchObject({ runsAdded: 0, runsUpdated: 1, runsGoingOn: 0 })
    expect(store.runs.get(run.id)).toMatchObject({ state: 'ended', outcome: 'succeeded' })
    expect(store.sessions.get(session.id)).toMatchObject({ nativeSessionId: 'told' })
    expect(store.locks.list()).toEqual([])
  })

  it('takes an older backup when the newest is damaged too', async () => {
    seedEndedRun(store, seedMailbox(store, 1), { nativeSessionId: 'first' })
    const good = backUp()
    writeFileSync(dailyBackupFile(join(folder, 'backups'), 5, Date.UTC(2026, 10, 2)), 'no database')
    damage()
    expect(await restore()).toMatchObject({ backup: { file: good } })
    expect(
      store.sessions.findPrior(
        store.mailboxes.find(store.forges.listProjects()[0]!.id, 'issue', 1)!.id,
        'demo',
        null,
      ),
    ).not.toBeNull()
  })

  it('goes on with no id that was dropped after the backup, nor before it', async () => {
    const first = seedEndedRun(store, seedMailbox(store, 1), { nativeSessionId: 'first' })
    const second = seedEndedRun(store, seedMailbox(store, 2), { nativeSessionId: 'second' })
    store.sessions.drop(first.mailboxId, 'demo', 'first', 50)
    await record(first.runId)
    backUp()
    store.sessions.drop(second.mailboxId, 'demo', 'second', 60)
    await record(second.runId)
    for (const withBackup of [true, false]) {
      if (!withBackup) rmSync(join(folder, 'backups'), { recursive: true })
      damage()
      await restore()
      expect(store.sessions.findPrior(first.mailboxId, 'demo', null)).toBeNull()
      expect(store.sessions.findPrior(second.mailboxId, 'demo', null)).toBeNull()
      expect(store.sessions.droppedAt(second.mailboxId, 'demo', 'second')).toBe(60)
    }
  })

  it('goes on with a dropped id that a later run took back into use', async () => {
    const mailboxId = seedMailbox(store, 1)
    const first = seedEndedRun(store, mailboxId, { nativeSessionId: 'mine' })
    store.sessions.drop(mailboxId, 'demo', 'mine', 50)
    await record(first.runId)
    backUp()
    const later = { nativeSessionId: 'mine', requestedSessionId: 'mine', resumed: true, createdAt: 60 }
    const second = seedEndedRun(store, mailboxId, later)
    store.sessions.takeBack(mailboxId, 'demo', 'mine')
    await record(second.runId)
    damage()
    await restore()
    expect(store.sessions.findPrior(mailboxId, 'demo', null)).toMatchObject({ id: second.id })
  })

  it.each([
    ['had not begun, which does not begin then', null, 'draft'],
    ['was cut off before an agent began', {}, 'draft'],
    ['was cut off while an agent had it', { nativeSessionId: 'mine' }, 'sent'],
  ] as const)('settles the message of a turn that %s', async (_, began, state) => {
    const mailboxId = seedMailbox(store, 1)
    const anchor = seedEndedRun(store, mailboxId, { nativeSessionId: 'mine' })
    await record(anchor.runId)
    backUp()
    const chat = { mailboxId, adapter: 'demo', title: 'Run 1', anchorSessionId: anchor.id } as const
    const { id: threadId } = store.chats.addThread({ ...chat, isFresh: false }, 25)
    const turn = seedRun(store, mailboxId, { phase: 'chat', chatThread: threadId })
    const said = { threadId, role: 'person', runId: turn.id, text: 'Why?', createdAt: 26 } as const
    store.chats.addMessage({ ...said, state: 'queued' })
    if (began !== null) {
      seedSession(store, turn, began)
      store.runs.update(turn.id, { state: 'running' })
    }
    await record(turn.id)
    damage()
    await restore()
    const [thread] = store.chats.listThreads(mailboxId, 9)
    if (thread === undefined) throw new Error('no chat')
    expect(store.chats.listMessages(thread.id, 9)).toMatchObject([{ text: 'Why?', state }])
    expect(store.runs.listLive()).toEqual([])
  })

  it('knows what each start used, and when', async () => {
    const session = seedEndedRun(store, seedMailbox(store, 1), { nativeSessionId: 'b', createdAt: 1_000_000 })
    const early = { start: 1, nativeSessionId: 'a', inputTokens: 10, costUsd: 0.5 }
    store.sessions.noteUsed(session.id, { start: 0, nativeSessionId: 'b', inputTokens: 70 }, 1_000_000)
    store.sessions.noteUsed(session.id, early, 1_000_000)
    store.sessions.noteUsed(session.id, { start: 2, nativeSessionId: 'b', costUsd: 0.25 }, 90_000_000)
    const [figures, spendings] = [
      store.sessions.figuresOf(session.id),
      store.sessions.spendingsOf(session.id),
    ]
    expect([figures.length, spendings.length]).toEqual([3, 2])
    await record(session.runId)
    damage()
    await restore()
    expect(store.sessions.figuresOf(session.id)).toEqual(figures)
    expect(store.sessions.spendingsOf(session.id)).toEqual(spendings)
    expect(store.sessions.get(session.id)).toMatchObject({ inputTokens: 10, costUsd: 0.75 })
  })

  it('takes the sums of an older record as what its last start used', async () => {
    const used = {
      nativeSessionId: 'a',
      inputTokens: 10,
      costUsd: 0.5,
      createdAt: 1_000_000,
      endedAt: 90_000_000,
    }
    const session = seedEndedRun(store, seedMailbox(store, 1), used)
    for (const kind of ['first', 'fallback', 'collect'] as const)
      store.runs.addStart(session.attemptId, kind, 1)
    await record(session.runId)
    const path = join(folder, 'runs', store.runs.get(session.runId).uid, 'run.json')
    const {
      figures: _,
      spendings: __,
      dropped: ___,
      ...older
    } = JSON.parse(readFileSync(path, 'utf8')) as RunRecord
    writeFileSync(path, JSON.stringify(older))
    damage()
    await restore()
    expect(store.sessions.figuresOf(session.id)).toMatchObject([
      { start: 2, nativeSessionId: 'a', inputTokens: 10, costUsd: 0.5 },
    ])
    expect(store.sessions.spendingsOf(session.id)).toMatchObject([{ at: 90_000_000, costUsd: 0.5 }])
  })

  it('does not send again what the backup still had to send', async () => {
    const session = seedEndedRun(store, seedMailbox(store, 1))
    store.outbox.add({
      key: 'k',
      kind: 'comment',
      mailboxId: session.mailboxId,
      runId: session.runId,
      target: 'issue 1',
      payload: {},
      at: 1,
    })
    backUp()
    clock.advance(Date.UTC(2026, 10, 3))
    await record(session.runId)
    damage()
    await restore()
    expect(store.outbox.countWaiting()).toBe(0)
    expect(store.outbox.findByKey('k')).toMatchObject({ state: 'dropped' })
  })
})

describe('what a run folder says', () => {
  let written: string
  let good: RunRecord
  beforeEach(async () => {
    const session = seedEndedRun(store, seedMailbox(store, 1), { nativeSessionId: 'mine' })
    await record(session.runId)
    written = join(folder, 'runs', store.runs.get(session.runId).uid, 'run.json')
    good = JSON.parse(readFileSync(written, 'utf8')) as RunRecord
  })

  it.each<[string, (record: RunRecord) => unknown]>([
    ['no JSON', () => '{'],
    ['a path in a slug', (r) => ({ ...r, organization: { ...r.organization, slug: '../up' } })],
    ['a flag as a branch', (r) => ({ ...r, mailbox: { ...r.mailbox, branchName: '--upload-pack=x' } })],
    ['a session of another run', (r) => ({ ...r, sessions: r.sessions.map((s) => ({ ...s, runId: 99 })) })],
    ['figures of another session', (r) => ({ ...r, spendings: [{ sessionId: 99, at: 1, costUsd: 1 }] })],
    [
      'an id that it does not have, as dropped',
      (r) => ({ ...r, dropped: [{ adapter: 'demo', nativeSessionId: 'other', droppedAt: 1 }] }),
    ],
    [
      'words of a chat that it is no turn of',
      (r) => ({
        ...r,
        talk: { title: 'x', createdAt: 1, isFresh: false, anchorRunUid: r.run.uid, messages: [] },
      }),
    ],
    ['another project', (r) => ({ ...r, mailbox: { ...r.mailbox, projectId: 99 } })],
    ['an unknown state', (r) => ({ ...r, run: { ...r.run, state: 'flying' } })],
    ['an outcome before its end', (r) => ({ ...r, run: { ...r.run, state: 'running' } })],
    ['another run', (r) => ({ ...r, run: { ...r.run, uid: '01890000-0000-7000-8000-000000000000' } })],
    [
      'an id of 301 characters',
      (r) => ({ ...r, sessions: r.sessions.map((s) => ({ ...s, nativeSessionId: 'x'.repeat(301) })) }),
    ],
  ])('is refused with %s, told, and the rest is restored', async (_, change) => {
    const other = seedEndedRun(store, seedMailbox(store, 2), { nativeSessionId: 'other' })
    await record(other.runId)
    const text = change(good)
    writeFileSync(written, typeof text === 'string' ? text : JSON.stringify(text))
    damage()
    const report = await restore()
    expect(report).toMatchObject({
      runsAdded: 1,
      refused: [{ folder: expect.any(String), reason: expect.any(String) }],
    })
    expect(store.sessions.findPrior(other.mailboxId, 'demo', null)).toMatchObject({
      nativeSessionId: 'other',
    })
  })

  it('is refused when a rule of the database says no, without losing the others', async () => {
    writeFileSync(
      written,
      JSON.stringify({
        ...good,
        sessions: good.sessions.map((s) => ({ ...s, resumed: true, resumeFallback: 'refused' })),
      }),
    )
    damage()
    expect(await restore()).toMatchObject({
      runsAdded: 0,
      refused: [{ reason: expect.stringContaining('CHECK') }],
    })
  })

  it('is not looked for in what the agent could write', async () => {
    const uid = '01890000-0000-7000-8000-000000000001' as RunUid
    for (const place of ['in', 'out']) {
      mkdirSync(join(folder, 'runs', uid, place), { recursive: true })
      writeFileSync(
        join(folder, 'runs', uid, place, 'run.json'),
        JSON.stringify({ ...good, run: { ...good.run, uid } }),
      )
    }
    damage()
    expect(await restore()).toMatchObject({ runsAdded: 1, refused: [] })
    expect(store.runs.findByUid(uid)).toBeNull()
  })
})

describe('a restore that was cut off', () => {
  it.each(['before anything was moved', 'with the damaged file moved', 'with its log moved'])(
    '%s is finished by the next start',
    async (when) => {
      const session = seedEndedRun(store, seedMailbox(store, 1), { nativeSessionId: 'mine' })
      db.pragma('wal_checkpoint(TRUNCATE)')
      const whole = readFileSync(file)
      store.mailboxes.update(session.mailboxId, { title: 'Of the damaged one' }, 2)
      const log = readFileSync(`${file}-wal`)
      db.close()
      writeFileSync(rebuiltFile(file), whole)
      writeFileSync(file, 'damaged')
      writeFileSync(`${file}-wal`, log)
      if (when !== 'before anything was moved')
        renameSync(`${file}-wal`, join(folder, 'alfred-damaged-x.db-wal'))
      if (when === 'with the damaged file moved') renameSync(file, join(folder, 'alfred-damaged-x.db'))
      open()
      expect(store.sessions.findPrior(session.mailboxId, 'demo', null)).toMatchObject({
        nativeSessionId: 'mine',
      })
      // Its log must not have been taken for the new one's.
      expect(store.mailboxes.get(session.mailboxId).title).toBe('Issue 1')
      expect(existsSync(rebuiltFile(file))).toBe(false)
      const kept = readdirSync(folder).filter((name) => name.includes('-damaged-'))
      expect(kept).toHaveLength(2)
    },
  )
})
