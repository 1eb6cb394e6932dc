import { execFileSync } from 'node:child_process'
import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createStore } from '@main/adapters/db/create-store'
import { createSystemRandomness } from '@main/adapters/system/system-randomness'
import { createFakeAdapter } from '@main/adapters/agents/fake/fake-adapter'
import type { FakeStep } from '@main/adapters/agents/fake/fake-agent-program'
import type { AgentLogin } from '@main/ports/agent-adapter'
import type { MailboxId } from '@shared/model/ids'
import type { RunDetail } from '@shared/contract/runs'
import { openEngineDatabase } from './support/engine-database'
import { containersOfRun, createEngineBench, value, type EngineBench } from './support/engine-bench'
import { filesWith } from './support/files-with'

/*
 * How an agent is signed in: said before it is started, given to it read-only, and found nowhere else.
 */

const secret = 'key-7f3d1c9a5e8b4d2f6a0c'
const place = '/home/agent/.fake/login.json'
const login: AgentLogin = {
  files: [{ name: 'login.json', target: place }],
  provider: 'fake',
  environment: ['FAKE_KEY'],
  read: (content) => (content.includes('expired') ? 'expired' : 'found'),
}
const begin: readonly FakeStep[] = [{ print: { type: 'init', session_id: '$ID' } }, { save: '{}' }]
const end: FakeStep = { print: { type: 'result', is_error: false, text: 'The plan.' } }

let bench: EngineBench
beforeEach(() => {
  process.env['ALFRED_TOKEN_FAKE_KEY'] = secret
})
afterEach(async () => {
  delete process.env['ALFRED_TOKEN_FAKE_KEY']
  await bench.remove()
})

async function benchOf(...steps: readonly FakeStep[]): Promise<void> {
  const adapter = createFakeAdapter({ script: () => ({ fresh: [...begin, ...steps, end] }), login })
  bench = await createEngineBench({ adapter: 'fake', adapters: [adapter] })
}

async function signIn(content: string): Promise<void> {
  const folder = join(bench.folder, '.agent-credentials', 'fake')
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, 'login.json'), content)
}

const runWith = (mailboxId: MailboxId, isMeant: (run: RunDetail) => boolean): Promise<RunDetail> =>
  bench.until(async () => {
    const page = value(
      await bench.client.call('sessions', 'timeline', { mailboxId, beforeRunId: null, limit: 1 }),
    )
    const row = page.rows.at(-1)
    if (row === undefined) return null
    const run = value(await bench.client.call('runs', 'get', { runId: row.runId }))
    return isMeant(run) ? run : null
  })

describe('a run whose agent is not signed in', () => {
  it.each([
    ['has no login', null, 'fake is not signed in.'],
    ['has one that is over', 'expired', 'The login of fake has expired.'],
  ])('waits when it %s, and works once there is one', async (_what, content, message) => {
    await benchOf()
    if (content !== null) await signIn(content)
    const mailboxId = await bench.newIssue()
    const waiting = await runWith(mailboxId, ({ row, failure }) => row.state === 'queued' && failure !== null)
    expect(waiting.failure).toMatchObject({ type: 'login_missing', message })
    expect(waiting.nextAttemptAt).not.toBeNull()
    expect(waiting.attempts.flatMap(({ starts }) => starts)).toEqual([])

    await signIn('{}')
    value(await bench.client.call('runs', 'stop', { runId: waiting.row.runId }))
    await bench.runIn(waiting.row.runId, 'ended')
    const run = await bench.run(mailboxId, 'analysis')
    expect(run.row.outcome).toBe('succeeded')
  })
})

describe('a run whose login files nobody has agreed to mount', () => {
  it('waits and says so, and works once a person has agreed', async () => {
    await benchOf()
    const source = join(bench.folder, 'my-login.json')
    await writeFile(source, '{}')
    const mounts = [`fake=${source}:${place}`]
    const db = openEngineDatabase(bench.folder)
    createStore(db, createSystemRandomness()).settings.set('app', 0, 'AGENT_CREDENTIAL_MOUNTS', mounts, 1)
    db.close()
    const mailboxId = await bench.newIssue()
    const waiting = await runWith(mailboxId, ({ row, failure }) => row.state === 'queued' && failure !== null)
    expect(waiting.failure).toMatchObject({
      type: 'login_missing',
      message: expect.stringMatching(
        /^fake is not signed in\. Its login files are named in AGENT_CREDENTIAL_MOUNTS, but nobody has agreed/,
      ),
    })
    expect(waiting.attempts.flatMap(({ starts }) => starts)).toEqual([])

    await bench.setting('AGENT_CREDENTIAL_MOUNTS', mounts)
    value(await bench.client.call('runs', 'stop', { runId: waiting.row.runId }))
    await bench.runIn(waiting.row.runId, 'ended')
    const run = await bench.run(mailboxId, 'analysis')
    expect([run.row.outcome, run.sandbox?.credentials]).toEqual([
      'succeeded',
      expect.stringContaining(`${source} (read-only): the agent can read`),
    ])
  })
})

describe('a run whose login file is a socket', () => {
  it("ends before its container, and says why: the engine's, through a link too", async () => {
    await benchOf()
    const link = join(bench.folder, 'my-login.json')
    await symlink('/var/run/docker.sock', link)
    await bench.setting('AGENT_CREDENTIAL_MOUNTS', [`fake=${link}:${place}`])
    const run = await bench.latest(await bench.newIssue())
    expect(run.row.outcome).toBe('failed')
    expect(run.failure).toMatchObject({
      type: 'workspace_failed',
      message: expect.stringMatching(/my-login\.json leads to the socket of a container engine/),
    })
    expect(await containersOfRun(bench.client, run.row.runId)).toEqual([])
  })
})

describe('credentials in a run', () => {
  it('are a read-only file and an environment variable, shown by name and never by value', async () => {
    await benchOf(
      {
        shell: `cat ${place}; { echo x >> ${place}; } 2>/dev/null && echo WRITTEN; echo "the key is $FAKE_KEY"`,
      },
      { shell: 'while [ ! -e /alfred/out/go ]; do sleep 0.1; done' },
    )
    await signIn('THE-LOGIN-FILE\n')
    await bench.setting('AGENT_CREDENTIAL_ENV', ['fake=FAKE_KEY'])
    const mailboxId = await bench.newIssue()
    const running = await runWith(
      mailboxId,
      ({ row, sandbox }) => row.state === 'running' && sandbox !== null,
    )
    const { runId } = running.row
    expect(running.sandbox?.credentials).toMatch(/login\.json \(read-only\), \$FAKE_KEY: the agent can read/)

    const container = await bench.until(async () => (await containersOfRun(bench.client, runId))[0] ?? null)
    const inspected = JSON.parse(execFileSync('docker', ['inspect', container.id], { encoding: 'utf8' }))
    const { Env: environment, ...config } = inspected[0].Config as { readonly Env: readonly string[] }
    expect(environment).toContain(`FAKE_KEY=${secret}`)
    expect(JSON.stringify({ ...inspected[0], Config: config })).not.toContain(secret)

    await writeFile(join(running.folder, 'out', '1-1', 'go'), '')
    const run = await bench.ended(runId)
    expect(run.row.outcome).toBe('succeeded')
    const output = await bench.texts(runId, 'output')
    expect(output.join('\n')).toContain('THE-LOGIN-FILE')
    expect(output).toContain('the key is [redacted]')
    expect(output.join('\n')).not.toContain('WRITTEN')

    // What follows the end is done beside it: logs are redacted last.
    await bench.until(async () => ((await filesWith(bench.folder, secret)).length === 0 ? true : null))
  })
})
