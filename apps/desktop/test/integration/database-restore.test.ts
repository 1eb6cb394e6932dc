import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createDemoAdapter } from '@main/adapters/agents/demo/demo-adapter'
import type { Engine } from '@main/boot/compose'
import type { EngineClient } from '@main/cli/engine-client'
import type { MailboxId, RunId } from '@shared/model/ids'
import { buildAlfred, runAlfred, startAlfred } from './support/alfred-process'
import { createBoat } from './support/boat-project'
import { clientOf, createWatch, removeFolder, startTestEngine, value } from './support/engine-bench'
import { openEngineDatabase } from './support/engine-database'

/*
 * A database that is damaged after agents worked: told, put together again, and nobody forgot anything.
 */

let program: string
let folder: string
let engine: Engine | null = null

beforeAll(async () => {
  program = await buildAlfred()
})
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'alfred-restore-'))
})
afterEach(async () => {
  await engine?.stop('stop')
  engine = null
  await removeFolder(folder)
})

const databaseFile = (): string => join(folder, 'alfred.db')

async function start(): Promise<EngineClient> {
  engine = await startTestEngine(folder, [createDemoAdapter({ environment: { DEMO_PACE: '0' } })])
  return clientOf(engine)
}

async function stop(): Promise<void> {
  await engine?.stop('keep')
  engine = null
}

async function newIssue(client: EngineClient, title: string, body = ''): Promise<MailboxId> {
  const projects = value(await client.call('mailboxes', 'projects', {}))
  const projectId = projects[0]!.id
  const issue = value(
    await client.call('tracker', 'createIssue', { projectId, title, body, assignees: ['alfred'] }),
  )
  const found = await createWatch(client).until(async () =>
    value(await client.call('mailboxes', 'find', { projectPath: 'test/boat', iid: issue.iid })),
  )
  return found.mailboxId
}

const rowsOf = async (client: EngineClient, mailboxId: MailboxId) =>
  value(await client.call('sessions', 'timeline', { mailboxId, beforeRunId: null, limit: 20 })).rows

const lastEnded = (client: EngineClient, mailboxId: MailboxId, count = 1) =>
  createWatch(client).until(async () => {
    const rows = await rowsOf(client, mailboxId)
    const last = rows.at(-1)
    return rows.length >= count && last?.state === 'ended' ? last : null
  })

/** The engine is gone, its containers and folders are as they are. */
function damage(): void {
  const db = openEngineDatabase(folder)
  db.pragma('wal_checkpoint(TRUNCATE)')
  const root = db
    .prepare("SELECT rootpage FROM sqlite_schema WHERE name = 'llm_sessions'")
    .pluck()
    .get() as number
  db.close()
  const bytes = readFileSync(databaseFile())
  bytes.fill(0x5a, 4096 * (root - 1), 4096 * root)
  writeFileSync(databaseFile(), bytes)
}

function backUp(): void {
  const db = openEngineDatabase(folder)
  mkdirSync(join(folder, 'backups'), { recursive: true })
  const format = db.pragma('user_version', { simple: true }) as number
  const stamp = new Date().toISOString().replaceAll(/[:.]/g, '-')
  db.prepare('VACUUM INTO ?').run(join(folder, 'backups', `${stamp}-format-${format}-daily.db`))
  db.close()
}

const alfred = (...words: string[]) => runAlfred(program, folder, words)

describe('a damaged database', () => {
  it('is told by every command, restored by one, and the next run resumes the id of before', async () => {
    let client = await start()
    await createBoat(client)
    const first = await newIssue(client, 'Add a slug helper')
    await lastEnded(client, first)
    await stop()
    backUp()
    client = await start()
    const second = await newIssue(client, 'Paint the hull')
    const before = await lastEnded(client, second)
    expect(before).toMatchObject({ outcome: 'succeeded', nativeSessionId: expect.any(String) })
    await createWatch(client).until(async () => {
      const detail = value(await client.call('mailboxes', 'get', { mailboxId: second }))
      return detail.status === 'waiting_validation' ? true : null
    })
    await stop()
    damage()

    for (const words of [['doctor'], ['sessions', 'boat#1'], ['watch']]) {
      const told = await alfred(...words)
      expect(told.code).toBe(1)
      expect(told.stderr).toMatch(
        /The database in .* is damaged: .*Nothing was deleted\. The newest backup: .*format-\d+-daily\.db\. Run alfred restore/s,
      )
    }

    const restored = await alfred('restore')
    expect(restored).toMatchObject({ code: 0, stderr: '' })
    expect(restored.stdout).toContain('The database is restored. It is the backup of')
    expect(restored.stdout).toContain('1 run with 1 session was read in, so the agents remember.')
    expect(restored.stdout).toContain('1 issue has a title only.')
    expect(restored.stdout).toMatch(/Damaged file, kept: .*alfred-damaged-.*\.db/)
    expect((await alfred('restore')).stdout).toBe('The database is whole: nothing was changed.\n')
    expect(readdirSync(folder).filter((name) => name.includes('-damaged-'))).toHaveLength(1)

    client = await start()
    const rows = await rowsOf(client, second)
    expect(rows).toHaveLength(1)
    expect(rows[0]).toMatchObject({
      runId: before.runId,
      nativeSessionId: before.nativeSessionId,
      badge: before.badge,
    })
    value(
      await client.call('runs', 'request', { mailboxId: second, phase: 'development', resumeChoice: 'auto' }),
    )
    const after = await lastEnded(client, second, 2)
    expect(after).toMatchObject({
      outcome: 'succeeded',
      resumed: true,
      nativeSessionId: before.nativeSessionId,
    })
    const settings = openEngineDatabase(folder)
    expect(settings.pragma('integrity_check', { simple: true })).toBe('ok')
    settings.close()
  })

  it('gives a new issue no number that an agent remembers, when there was no backup', async () => {
    let client = await start()
    await createBoat(client)
    const mailbox = await newIssue(client, 'Add a slug helper')
    const before = await lastEnded(client, mailbox)
    await stop()
    damage()
    expect((await alfred('restore')).stdout).toContain('There was no whole backup')
    client = await start()
    expect(await newIssue(client, 'Another one')).not.toBe(mailbox)
    const project = value(await client.call('mailboxes', 'projects', {}))[0]!
    const issue = value(await client.call('tracker', 'getIssue', { projectId: project.id, iid: 1 }))
    expect(issue).toMatchObject({ title: 'Add a slug helper', isOpen: true })
    expect(issue.body).toContain('put here again when the database was restored')
    expect((await rowsOf(client, mailbox)).map(({ nativeSessionId }) => nativeSessionId)).toContain(
      before.nativeSessionId,
    )
    const kinds = issue.commentList.flatMap(({ body }) => /kind=(\w+)/.exec(body)?.[1] ?? [])
    expect(kinds).not.toContain('status_label_restored')
  })

  it('leaves a run that works at its work, and its transcript is whole afterwards', async () => {
    const killed = await startAlfred(program, folder)
    await createBoat(killed.client)
    const mailbox = await newIssue(killed.client, 'Add a slug helper')
    const { runId } = await createWatch(killed.client).until(
      async () => (await rowsOf(killed.client, mailbox))[0] ?? null,
    )
    const events = async (client: EngineClient, id: RunId) =>
      value(await client.call('runs', 'events', { runId: id, afterSeq: 0, beforeSeq: null, limit: 1000 }))
        .events
    await createWatch(killed.client).until(async () =>
      (await events(killed.client, runId)).some(({ kind }) => kind === 'session') ? true : null,
    )
    await killed.kill()
    damage()
    const restored = await alfred('restore')
    expect(restored.stdout).toContain('1 run had not ended and goes on.')
    const client = await start()
    const run = await lastEnded(client, mailbox)
    expect(run).toMatchObject({
      runId,
      outcome: 'succeeded',
      attempts: 1,
      nativeSessionId: expect.any(String),
    })
    const told = await events(client, runId)
    for (const kind of ['session', 'result'])
      expect(told.filter((event) => event.kind === kind)).toHaveLength(1)
    expect(told.map(({ seq }) => seq)).toEqual(told.map((_, index) => index + 1))
  })

  it('is not restored while an engine owns it', async () => {
    const owner = await startAlfred(program, folder)
    try {
      expect(await alfred('restore')).toMatchObject({
        code: 1,
        stderr: expect.stringContaining('Alfred is running'),
      })
    } finally {
      await owner.kill()
    }
  })
})
