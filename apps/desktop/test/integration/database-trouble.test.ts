import { readFileSync, writeFileSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createFakeAdapter } from '@main/adapters/agents/fake/fake-adapter'
import { findNativeBinding } from '@main/adapters/db/native-binding'
import { createEngine, type Engine } from '@main/boot/compose'
import type { EngineClient } from '@main/cli/engine-client'
import { sandboxLabels } from '@main/core/sandbox/sandbox-spec'
import type { ProjectId, RunId } from '@shared/model/ids'
import { resourcesFolder } from './support/agent-container'
import { createBoat, giveIssue } from './support/boat-project'
import {
  clientOf,
  containersOfRun,
  createWatch,
  removeFolder,
  startTestEngine,
  testDocker,
  value,
} from './support/engine-bench'
import { openEngineDatabase } from './support/engine-database'

/*
 * The database is locked by another program, or damaged, while the engine works with it.
 */

let folder: string
let engine: Engine | null = null
let client: EngineClient
let projectId: ProjectId

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'alfred-trouble-'))
  const script = {
    fresh: [
      { print: { type: 'init', session_id: '$ID' } },
      { save: '{}' },
      { shell: 'while [ ! -e /workspace/go ]; do sleep 0.05; done' },
      { print: { type: 'text', text: 'gone on' } },
      { print: { type: 'result', is_error: false, text: 'The plan.' } },
    ],
  }
  engine = await startTestEngine(folder, [createFakeAdapter({ script: () => script })])
  client = clientOf(engine)
  projectId = await createBoat(client, { AGENT_ADAPTER: 'fake' })
})
afterEach(async () => {
  await engine?.stop('stop')
  engine = null
  await removeFolder(folder)
})

const until = <T>(look: () => Promise<T | null>): Promise<T> => createWatch(client).until(look)
const bannersOf = async () => value(await client.call('app', 'status', {})).banners.map(({ code }) => code)
const told = (code: Awaited<ReturnType<typeof bannersOf>>[number]) =>
  until(async () => ((await bannersOf()).includes(code) ? true : null))
const stateOf = async (runId: RunId) => value(await client.call('runs', 'get', { runId })).row

async function liveRun(): Promise<RunId> {
  const mailboxId = await giveIssue(client, projectId)
  return until(async () => {
    const page = await client.call('sessions', 'timeline', { mailboxId, beforeRunId: null, limit: 1 })
    const row = value(page).rows[0]
    return row?.nativeSessionId ? row.runId : null
  })
}
const letGo = (): void => writeFileSync(join(folder, 'workspaces', `test-${projectId}-issue-1`, 'go'), '')

describe('a database that another program locks', () => {
  it('is told in plain words; the run that works goes on, and is stored when the lock is gone', async () => {
    const runId = await liveRun()
    const other = openEngineDatabase(folder)
    other.exec('BEGIN IMMEDIATE')
    letGo()
    await told('database_locked')
    const refused = await client.call('tracker', 'createIssue', { projectId, title: 'No', body: '' })
    expect(refused).toMatchObject({ ok: false, error: { type: 'storage_failed' } })
    expect((await stateOf(runId)).state).toBe('running')
    await until(async () =>
      (await containersOfRun(client, runId)).every(({ running }) => !running) ? true : null,
    )
    other.exec('ROLLBACK')
    other.close()
    const row = await until(async () => {
      const now = await stateOf(runId)
      return now.state === 'ended' ? now : null
    })
    expect(row).toMatchObject({ outcome: 'succeeded', attempts: 1 })
    await until(async () => ((await bannersOf()).length === 0 ? true : null))
    const issues = value(await client.call('tracker', 'getIssue', { projectId, iid: 1 }))
    expect(issues.commentList.flatMap(({ body }) => /kind=(\w+)/.exec(body)?.[1] ?? [])).toEqual(
      expect.arrayContaining(['acknowledgement']),
    )
  })
})

describe('a database that is damaged while it is in use', () => {
  it('is told, leaves containers at their work, and is not opened again without a restore', async () => {
    const runId = await liveRun()
    const { folder: runFolder, mailboxId } = value(await client.call('runs', 'get', { runId }))
    const uid = basename(runFolder)
    const containers = async () => value(await testDocker().listByLabel(sandboxLabels.run, uid))
    const other = openEngineDatabase(folder)
    other.pragma('wal_checkpoint(TRUNCATE)')
    const root = other
      .prepare("SELECT rootpage FROM sqlite_schema WHERE name = 'llm_sessions'")
      .pluck()
      .get() as number
    const bytes = readFileSync(join(folder, 'alfred.db'))
    bytes.fill(0x5a, 4096 * (root - 1), 4096 * root)
    writeFileSync(join(folder, 'alfred.db'), bytes)
    // What another connection writes makes the engine read its pages anew.
    other.exec("INSERT INTO meta VALUES ('elsewhere', '1')")
    other.close()
    const refused = await until(async () => {
      const answer = await client.call('sessions', 'records', { mailboxId, limit: 1 })
      return answer.ok ? null : answer.error
    })
    expect(refused).toMatchObject({ type: 'storage_failed', message: expect.stringContaining('is damaged') })
    await told('database_damaged')
    expect((await containers()).map(({ running }) => running)).toEqual([true])
    await engine?.stop('keep')
    engine = null
    const again = await createEngine({
      dataFolder: folder,
      kind: 'headless',
      resourcesFolder,
      version: '0.0.0-test',
      notifier: { show: () => undefined },
      work: 'answers',
      nativeBinding: findNativeBinding(process.env, undefined),
    })
    expect(again).toMatchObject({ ok: false, error: { type: 'database_damaged' } })
    for (const { id } of await containers()) await testDocker().remove(id)
  })
})
