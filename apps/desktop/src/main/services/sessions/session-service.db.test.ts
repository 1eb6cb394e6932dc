import { mkdir, readdir, readFile, rm, stat, symlink, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { SessionId } from '@shared/model/ids'
import { runRecordSchema } from '../../core/restore/run-record'
import { seedEndedRun, seedMailbox, seedRun } from '../../../../test/fakes/seed-mailbox'
import { createSessionBench, type SessionBench } from '../../../../test/fakes/session-bench'

const id = '5d013b97-e3d5-4c50-bd32-62d9d0abbc91'
const olderId = '11111111-1111-4111-8111-111111111111'
const turn = (asked: string): string => `${JSON.stringify({ version: 1, asked, answered: 'Done.' })}\n`

let bench: SessionBench
beforeEach(async () => {
  bench = await createSessionBench()
  await mkdir(join(bench.home, '.demo', 'sessions'), { recursive: true })
  await writeFile(join(bench.home, '.demo', 'sessions', `${id}.jsonl`), turn('Paint the harbour'))
})
afterEach(() => bench.remove())

const bind = () => bench.byHand.import(bench.mailboxId, 'demo', bench.home, id)
const bound = async () => {
  const made = await bind()
  if (!made.ok) throw new Error(JSON.stringify(made.error))
  return made.value
}
const prior = () => bench.store.sessions.findPrior(bench.mailboxId, 'demo', null)
const remembered = async (native: string, text = turn('Earlier')) => {
  await mkdir(bench.state, { recursive: true })
  await writeFile(join(bench.state, `${native}.jsonl`), text)
  return seedEndedRun(bench.store, bench.mailboxId, { nativeSessionId: native, createdAt: 500 })
}

describe('a session made by hand', () => {
  it('becomes an ended run of the issue, which the next run resumes', async () => {
    expect(await bench.byHand.find(bench.mailboxId, 'demo', bench.home, null)).toMatchObject({
      ok: true,
      value: { sessions: [{ nativeId: id, title: 'Paint the harbour', obstacle: null }] },
    })
    const { runId, sessionId } = await bound()
    const run = bench.store.runs.get(runId)
    expect(run).toMatchObject({
      trigger: 'import',
      phase: 'terminal',
      state: 'ended',
      outcome: 'succeeded',
      requestedBy: 'me',
    })
    expect(bench.store.sessions.get(sessionId)).toMatchObject({
      nativeSessionId: id,
      mode: 'chosen_fresh',
      resumed: false,
      resumeFallback: null,
      sessionName: 'agent/issue-1-issue-1',
      stateBytesAfter: turn('Paint the harbour').length,
      costUsd: 0,
    })
    expect(prior()?.id).toBe(sessionId)
    expect(bench.store.mailboxes.get(bench.mailboxId).branchName).toBe('agent/issue-1-issue-1')
    expect(await readFile(join(bench.state, `${id}.jsonl`), 'utf8')).toBe(turn('Paint the harbour'))
    expect((await stat(bench.state)).mode & 0o777).toBe(0o700)
    // What was copied is still the person's, as it was.
    expect(await readdir(join(bench.home, '.demo', 'sessions'))).toEqual([`${id}.jsonl`])
    const record: unknown = JSON.parse(await readFile(join(bench.runFolder(run.uid), 'run.json'), 'utf8'))
    expect(runRecordSchema.parse(record)).toMatchObject({
      run: { id: runId },
      sessions: [{ nativeSessionId: id }],
    })
  })

  it('is bound once', async () => {
    const { runId } = await bound()
    expect(await bind()).toEqual({ ok: false, error: { type: 'already_here', runId } })
    expect(await bench.byHand.find(bench.mailboxId, 'demo', bench.home, null)).toMatchObject({
      value: { sessions: [{ obstacle: `It is this issue's already, since run ${runId}.` }] },
    })
    expect(bench.store.sessions.listAll(10, null)).toHaveLength(1)
  })

  it('is not bound while a run uses the memory, also one that began while it was copied', async () => {
    const live = seedRun(bench.store, bench.mailboxId)
    expect(await bind()).toEqual({ ok: false, error: { type: 'running', runId: live.id } })
    bench.store.runs.update(live.id, { state: 'ended', outcome: 'succeeded', endedAt: 20 })
    const findLive = vi.spyOn(bench.store.runs, 'findLive')
    findLive.mockReturnValueOnce(null).mockReturnValueOnce(live)
    expect(await bind()).toEqual({ ok: false, error: { type: 'running', runId: live.id } })
    expect(await readdir(bench.state)).toEqual([])
    expect(await readdir(join(bench.folder, 'session-copies'))).toEqual([])
  })

  it('leaves the issue as it was when its rows cannot be written, and is bound by the next try', async () => {
    vi.spyOn(bench.store.sessions, 'add').mockImplementationOnce(() => {
      throw new Error('the disk is full')
    })
    await expect(bind()).rejects.toThrow('the disk is full')
    expect(bench.store.runs.listByMailbox(bench.mailboxId, 10, null)).toEqual([])
    expect(bench.store.mailboxes.get(bench.mailboxId).branchName).toBeNull()
    expect(prior()).toBeNull()
    // What was placed already is a file that no row names.
    expect(await readdir(bench.state)).toEqual([`${id}.jsonl`])
    await bound()
    expect(prior()?.nativeSessionId).toBe(id)
  })

  it.each([
    ['AGENT_SESSION_RESUME', false, 'switched off for the project'],
    ['AGENT_RUNNER', 'host', 'host runner'],
  ] as const)('is not bound where no run would resume it: %s', async (key, value, why) => {
    const { projectId } = bench.store.mailboxes.get(bench.mailboxId)
    bench.store.settings.set('project', projectId, key, value, 1, 1)
    expect(await bind()).toMatchObject({
      error: { type: 'not_possible', message: `No run of this issue would resume it: ${why}.` },
    })
    expect(prior()).toBeNull()
  })

  it('is not bound where a login is mounted from the session state, as a link of this computer shows', async () => {
    const { projectId } = bench.store.mailboxes.get(bench.mailboxId)
    const sessions = join(bench.folder, '.agent-sessions')
    await mkdir(sessions, { recursive: true })
    const link = join(bench.home, 'login')
    await symlink(sessions, link)
    bench.store.settings.set('project', projectId, 'AGENT_CREDENTIAL_MOUNTS', [`demo=${link}:/login`], 1, 1)
    const why = expect.stringMatching(/^No run of this issue would resume it: .*credential/) as string
    expect(await bind()).toMatchObject({ error: { type: 'not_possible', message: why } })
    const demo = { adapter: 'demo', obstacle: why }
    expect(await bench.byHand.finders(bench.mailboxId)).toContainEqual(demo)
    await rm(link)
    await mkdir(link)
    expect(await bench.byHand.finders(bench.mailboxId)).toContainEqual({ ...demo, obstacle: null })
    await bound()
  })

  it('is not bound where the session was switched off while it was copied', async () => {
    const { projectId } = bench.store.mailboxes.get(bench.mailboxId)
    const findLive = vi.spyOn(bench.store.runs, 'findLive')
    findLive.mockImplementationOnce(() => {
      bench.store.settings.set('project', projectId, 'AGENT_SESSION_RESUME', false, 1)
      return null
    })
    expect(await bind()).toMatchObject({ error: { type: 'not_possible' } })
    expect(prior()).toBeNull()
    expect(await readdir(join(bench.folder, 'session-copies'))).toEqual([])
  })

  it('is told when it is gone meanwhile, or holds nothing that can be read', async () => {
    await writeFile(join(bench.home, '.demo', 'sessions', `${id}.jsonl`), 'garbage')
    expect(await bind()).toMatchObject({ error: { type: 'unreadable' } })
    await rm(join(bench.home, '.demo'), { recursive: true })
    expect(await bind()).toMatchObject({ error: { type: 'gone' } })
  })
})

describe('a memory', () => {
  it('that is dropped is not gone on with: the next run takes the one before it, and at last none', async () => {
    const older = await remembered(olderId)
    const { sessionId } = await bound()
    expect(await bench.byHand.drop(sessionId)).toEqual({ ok: true, value: { nextSessionId: older.id } })
    expect(prior()?.id).toBe(older.id)
    expect(await bench.byHand.drop(older.id)).toEqual({ ok: true, value: { nextSessionId: null } })
    expect(prior()).toBeNull()
    expect(bench.store.sessions.hasDropped(bench.mailboxId, 'demo')).toBe(true)
    // Its state stays, and it can be bound again; what runs added to it meanwhile is kept beside.
    expect(await readdir(bench.state)).toHaveLength(2)
    const grown = `${await readFile(join(bench.state, `${id}.jsonl`), 'utf8')}${turn('By a run')}`
    await writeFile(join(bench.state, `${id}.jsonl`), grown)
    const again = await bound()
    expect(prior()?.id).toBe(again.sessionId)
    expect(await readFile(join(bench.state, `${id}.jsonl.replaced-1`), 'utf8')).toBe(grown)
  })

  it('that is set aside is not what the next run goes on with, when the one after it is dropped', async () => {
    await remembered(olderId)
    const { sessionId } = await bound()
    bench.store.sessions.setAside(bench.mailboxId, 'demo', olderId, 'refused', 5)
    expect(await bench.byHand.drop(sessionId)).toEqual({ ok: true, value: { nextSessionId: null } })
  })

  it('is forked under a new id without what cannot be read; the old one is left as it is', async () => {
    const text = `${turn('One')}{"cut\n${turn('Two')}`
    const broken = await remembered(olderId, text)
    bench.store.sessions.setAside(bench.mailboxId, 'demo', olderId, 'state_missing', 5)
    const forked = await bench.byHand.fork(broken.id)
    expect(forked).toMatchObject({ ok: true, value: { recordsLeftOut: 1, isNext: true } })
    const id = prior()?.id
    const row = id === undefined ? null : bench.store.sessions.get(id)
    expect(row).toMatchObject({ requestedSessionId: olderId, mode: 'chosen_fresh' })
    expect(row?.nativeSessionId).not.toBe(olderId)
    expect(await readFile(join(bench.state, `${row?.nativeSessionId}.jsonl`), 'utf8')).toBe(
      turn('One') + turn('Two'),
    )
    expect(await readFile(join(bench.state, `${olderId}.jsonl`), 'utf8')).toBe(text)
    expect(bench.store.sessions.findSetAside(bench.mailboxId, 'demo', olderId)).toBe('state_missing')
    expect(bench.store.sessions.findSetAside(bench.mailboxId, 'demo', row?.nativeSessionId ?? '')).toBeNull()
  })

  it('can be neither dropped nor forked while a run uses it, after cleanup, or where there was none', async () => {
    const { id: sessionId } = await remembered(olderId)
    const nameless = seedEndedRun(bench.store, bench.mailboxId)
    const both = (of: SessionId) => Promise.all([bench.byHand.drop(of), bench.byHand.fork(of)])
    for (const answer of await both(nameless.id))
      expect(answer).toMatchObject({ error: { type: 'not_possible' } })
    for (const answer of await both(999 as SessionId))
      expect(answer).toMatchObject({ error: { type: 'not_found' } })
    const live = seedRun(bench.store, bench.mailboxId)
    for (const answer of await both(sessionId))
      expect(answer).toMatchObject({ error: { type: 'running', runId: live.id } })
    bench.store.runs.update(live.id, { state: 'ended', outcome: 'succeeded', endedAt: 20 })
    bench.store.mailboxes.update(bench.mailboxId, { memoryRemovedAt: 600 }, 600)
    for (const answer of await both(sessionId))
      expect(answer).toMatchObject({ error: { type: 'memory_removed' } })
  })

  it('of a CLI that keeps all sessions in one database is verified by that, and forked where it can be read', async () => {
    const native = 'ses_dd46b5ca5ffez8Yjt5yXVQwzBP'
    const state = join(bench.state, '..', 'opencode')
    const { id: sessionId } = seedEndedRun(bench.store, bench.mailboxId, {
      adapter: 'opencode',
      nativeSessionId: native,
    })
    const stateOf = async () => (await bench.byHand.show(sessionId))?.memory.state
    expect(await stateOf()).toBe('missing')
    await mkdir(state, { recursive: true })
    await writeFile(join(state, 'opencode.db'), 'garbage')
    expect(await stateOf()).toBe('unreadable')
    expect(await bench.byHand.fork(sessionId)).toMatchObject({ error: { type: 'unreadable' } })
    await writeFile(join(state, 'opencode.db'), 'SQLite format 3\0 and its rows')
    expect(await stateOf()).toBe('ok')
    await rm(join(state, 'opencode.db'))
    const db = new DatabaseSync(join(state, 'opencode.db'))
    db.exec(`CREATE TABLE session (id, project_id, parent_id, directory, title, time_updated);
      CREATE TABLE project (id, worktree);
      INSERT INTO session VALUES ('${native}', 'global', NULL, '/workspace', 'The till', 1000)`)
    db.close()
    const forked = await bench.byHand.fork(sessionId)
    expect(forked).toMatchObject({
      ok: true,
      value: { nativeId: expect.stringMatching(/^ses_dd46b5ca5ffe[0-9a-f]{14}$/) as string },
    })
    const nativeId = forked.ok ? forked.value.nativeId : ''
    const again = new DatabaseSync(join(state, 'opencode.db'), { readOnly: true })
    expect(again.prepare('SELECT id FROM session ORDER BY rowid').all()).toEqual([
      { id: native },
      { id: nativeId },
    ])
    again.close()
    expect(bench.store.sessions.findPrior(bench.mailboxId, 'opencode', null)).toMatchObject({
      nativeSessionId: nativeId,
    })
  })

  it('that is not there cannot be forked', async () => {
    const { id: sessionId } = await remembered(olderId)
    await rm(join(bench.state, `${olderId}.jsonl`))
    expect(await bench.byHand.fork(sessionId)).toMatchObject({ error: { type: 'gone' } })
  })
})

describe('on the command line', () => {
  it('sessions are found, bound, listed, shown, verified, forked and dropped', async () => {
    const found = await bench.alfred('sessions', 'find', 'harbour/pier#1', bench.home)
    expect(found).toMatchObject({ code: 0, stderr: '' })
    expect(found.stdout).toContain('Paint the harbour')
    expect(
      (await bench.alfred('sessions', 'find', 'harbour/pier#1', bench.home, '--adapter', 'claude-code'))
        .stdout,
    ).toBe('No session of an agent CLI was found there.\n')
    const made = await bench.alfred('sessions', 'import', 'harbour/pier#1', bench.home, id)
    expect(made.stdout).toContain('Bound as session 1 of run 1')
    expect((await bench.alfred('sessions', 'import', 'harbour/pier#1', bench.home, id)).stderr).toContain(
      'has this session already, since run 1',
    )
    const listed: unknown = JSON.parse((await bench.alfred('sessions', 'list', '--json')).stdout)
    expect(listed).toMatchObject([
      { id: 1, native_session_id: id, resumed: false, cost_usd: 0, mode: 'chosen_fresh' },
    ])
    const shown: unknown = JSON.parse((await bench.alfred('sessions', 'show', '1', '--json')).stdout)
    expect(shown).toMatchObject({
      id: 1,
      memory: {
        folder: bench.state,
        file: `${id}.jsonl`,
        state: 'ok',
        bytes: turn('Paint the harbour').length,
      },
    })
    expect((await bench.alfred('sessions', 'show', '1')).stdout).toContain('there, and readable')
    expect(await bench.alfred('sessions', 'verify')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('1 memory checked, all as they should be.') as string,
    })
    expect((await bench.alfred('sessions', 'fork', '1')).stdout).toContain('Forked as session 2 of run 2')
    expect((await bench.alfred('sessions', 'drop', '2')).stdout).toBe(
      'Dropped. The next run goes on with session 1.\n',
    )
    expect((await bench.alfred('sessions', 'list', 'harbour/pier#1')).stdout.split('\n')).toHaveLength(4)
  })

  it('a session is bound by its id, however many newer ones there are', { timeout: 120_000 }, async () => {
    const kept = join(bench.home, '.demo', 'sessions')
    await utimes(join(kept, `${id}.jsonl`), 1000, 1000)
    for (let number = 0; number < 500; number += 1)
      await writeFile(join(kept, `${olderId.slice(0, -4)}${number + 1000}.jsonl`), turn('Newer'))
    const found = await bench.alfred('sessions', 'find', 'harbour/pier#1', bench.home)
    expect(found.stdout).not.toContain(id)
    expect(found.stderr).toContain('There are more; the newest are shown.')
    const made = await bench.alfred('sessions', 'import', 'harbour/pier#1', bench.home, id)
    expect(made).toMatchObject({ code: 0, stdout: expect.stringContaining('Bound as session 1') as string })
    expect(prior()?.nativeSessionId).toBe(id)
    const unknown = id.replace('5d', '6e')
    expect(await bench.alfred('sessions', 'import', 'harbour/pier#1', bench.home, unknown)).toMatchObject({
      code: 1,
      stderr: `alfred: No session ${unknown} was found in ${bench.home}.\n`,
    })
  })

  it('what is wrong with one CLI is said, and hides nothing of the others', async () => {
    const file = join(bench.home, '.local', 'share', 'opencode', 'opencode.db')
    await mkdir(join(file, '..'), { recursive: true })
    await writeFile(file, 'garbage')
    const words = `Sessions of opencode could not be looked for. The database ${file} is damaged`
    const found = await bench.alfred('sessions', 'find', 'harbour/pier#1', bench.home)
    expect(found).toMatchObject({ code: 1, stderr: expect.stringContaining(words) as string })
    expect(found.stdout).toContain('Paint the harbour')
    const asJson = await bench.alfred('sessions', 'find', 'harbour/pier#1', bench.home, '--json')
    expect(JSON.parse(asJson.stdout)).toMatchObject([{ native_id: id }])
    const alone = await bench.alfred(
      'sessions',
      'find',
      'harbour/pier#1',
      bench.home,
      '--adapter',
      'opencode',
    )
    expect(alone).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining(words) as string })
    const absent = await bench.alfred('sessions', 'import', 'harbour/pier#1', bench.home, olderId)
    expect(absent).toMatchObject({ code: 1, stderr: expect.stringContaining(words) as string })
    const made = await bench.alfred('sessions', 'import', 'harbour/pier#1', bench.home, id)
    expect(made).toMatchObject({ code: 0, stdout: expect.stringContaining('Bound') as string })
  })

  it('a memory that is not as it should be ends the check with 1, unless it was dropped or removed at cleanup', async () => {
    await bound()
    await rm(join(bench.state, `${id}.jsonl`))
    const checked = await bench.alfred('sessions', 'verify', '--json')
    expect(checked.code).toBe(1)
    expect(JSON.parse(checked.stdout)).toMatchObject([
      {
        session_id: 1,
        issue: 'harbour/pier#1',
        adapter: 'demo',
        native_session_id: id,
        state: 'missing',
        ok: false,
      },
    ])
    expect(await bench.alfred('sessions', 'verify', 'harbour/pier#1')).toMatchObject({
      code: 1,
      stdout: expect.stringContaining('1 of 1 cannot be resumed') as string,
    })
    await writeFile(join(bench.state, `${id}.jsonl`), 'garbage')
    expect((await bench.alfred('sessions', 'verify')).stdout).toContain('its state cannot be read')
    await bench.alfred('sessions', 'drop', '1')
    expect((await bench.alfred('sessions', 'verify')).code).toBe(0)
    const other = seedEndedRun(bench.store, seedMailbox(bench.store, 2), { nativeSessionId: olderId })
    expect((await bench.alfred('sessions', 'verify')).code).toBe(1)
    bench.store.mailboxes.update(other.mailboxId, { memoryRemovedAt: 600 }, 600)
    expect(await bench.alfred('sessions', 'verify')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('removed at cleanup') as string,
    })
  })

  it('an agent without sessions that can be copied is said to be one', async () => {
    const words = ['harbour/pier#1', bench.home, '--adapter', 'api']
    expect(await bench.alfred('sessions', 'find', ...words)).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringContaining(
        'There is no session of api to bind: it keeps none that can be copied.',
      ) as string,
    })
  })

  it('what is no session is a mistake of use', async () => {
    expect(await bench.alfred('sessions', 'show', 'first')).toMatchObject({ code: 2 })
    expect(await bench.alfred('sessions', 'show', '7')).toMatchObject({
      code: 1,
      stderr: 'alfred: There is no session 7.\n',
    })
    expect(await bench.alfred('sessions', 'find', 'harbour/pier#1', '.', '--adapter', 'x')).toMatchObject({
      code: 2,
    })
  })
})
