import { mkdtemp, readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Docker from 'dockerode'
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest'
import type { RunId } from '@shared/model/ids'
import { agentImageTag, testRuntime } from './support/agent-container'
import {
  buildAlfred,
  environmentOf,
  runAlfred,
  startAlfred,
  type AlfredProcess,
} from './support/alfred-process'
import { chatClis } from './support/cli-bench'
import { createWatch, removeFolder, value } from './support/engine-bench'
import { openTerminal, type Terminal } from './support/tmux'

/*
 * `alfred agents login` in a real terminal: the real OpenCode's own login, which takes a key without asking anybody.
 */

// It needs many seconds to begin.
vi.setConfig({ testTimeout: 300_000, hookTimeout: 300_000 })

const docker = new Docker()
const terminals: Terminal[] = []
let program: string
let folder: string
let owner: AlfredProcess

beforeAll(async () => {
  program = await buildAlfred()
  await agentImageTag(testRuntime(), chatClis)
  folder = await mkdtemp(join(tmpdir(), 'alfred-sign-in-'))
  owner = await startAlfred(program, folder)
  const held = { scope: 'app', scopeId: 0, key: 'AGENT_IMAGE_CLIS', value: chatClis } as const
  value(await owner.client.call('settings', 'set', held))
  value(await owner.client.call('app', 'buildImage', {}))
})
afterEach(async () => {
  for (const terminal of terminals.splice(0)) await terminal.close()
})
afterAll(async () => {
  await owner.kill()
  await removeFolder(folder)
})

async function login(): Promise<Terminal> {
  const words = [process.execPath, program, 'agents', 'login', 'opencode']
  const terminal = await openTerminal(words, environmentOf(folder))
  terminals.push(terminal)
  return terminal
}

const until = <T>(look: () => Promise<T | null>): Promise<T> => createWatch(owner.client).until(look)

const stateOf = async (runId: RunId) => value(await owner.client.call('runs', 'get', { runId })).row.state

/** A run that waits, since its agent is not signed in. */
async function waitingRun() {
  const { client } = owner
  const created = { organization: 'test', name: 'boat', source: { kind: 'empty' } } as const
  const project = value(await client.call('tracker', 'createProject', created))
  const adapter = { scope: 'project', scopeId: project.id, key: 'AGENT_ADAPTER', value: 'opencode' } as const
  value(await client.call('settings', 'set', adapter))
  const issue = { projectId: project.id, title: 'A helper', body: '', assignees: ['alfred'] }
  value(await client.call('tracker', 'createIssue', issue))
  const { mailboxId } = await until(async () =>
    value(await client.call('mailboxes', 'find', { projectPath: 'test/boat', iid: 1 })),
  )
  return until(async () => {
    const asked = { mailboxId, beforeRunId: null, limit: 1 }
    const row = value(await client.call('sessions', 'timeline', asked)).rows.at(-1)
    if (row === undefined) return null
    const { failure } = value(await client.call('runs', 'get', { runId: row.runId }))
    return failure?.type === 'login_missing' ? row : null
  })
}

/** Of this data folder alone. */
async function containers() {
  const all = await docker.listContainers({ all: true, filters: { label: ['dev.alfred.purpose=sign-in'] } })
  return all.filter(({ Mounts }) => Mounts.some(({ Source }) => Source.startsWith(folder)))
}
const loginOf = async () =>
  value(await owner.client.call('app', 'agents', {})).find(({ adapter }) => adapter === 'opencode')

it('shows the login of the CLI, which writes its own folder and nothing else, and looks at it again', async () => {
  expect(await loginOf()).toMatchObject({ loginState: 'missing', loginSource: null })
  const { runId } = await waitingRun()
  const terminal = await login()
  await terminal.shows('Add credential', 180_000)

  const [container] = await containers()
  const found = await docker.getContainer(container?.Id ?? '').inspect()
  expect(found.HostConfig).toMatchObject({ ReadonlyRootfs: true, CapDrop: ['ALL'], Privileged: false })
  const own = join(folder, '.agent-credentials', 'opencode')
  expect(found.Mounts.filter(({ RW }) => RW).map(({ Source }) => Source)).toEqual([own])
  expect(found.Mounts.map(({ Destination }) => Destination).toSorted()).toEqual([
    '/etc/group',
    '/etc/passwd',
    '/home/agent/.local/share/opencode',
  ])

  // Two at a time would write one file.
  const second = await login()
  expect(await second.ended()).toBe(1)
  await second.shows('Somebody signs opencode in already: alfred agents login, process')

  await terminal.type('openrouter')
  await terminal.shows('(1 match)')
  await terminal.press('Enter')
  await terminal.shows('Enter your API key')
  await terminal.type('sk-or-of-a-person')
  await terminal.press('Enter')
  await terminal.shows('opencode is signed in.')
  expect(await terminal.ended()).toBe(0)
  expect(JSON.parse(await readFile(join(own, 'auth.json'), 'utf8'))).toMatchObject({
    openrouter: { type: 'api', key: 'sk-or-of-a-person' },
  })
  expect(await loginOf()).toMatchObject({
    loginState: 'found',
    loginSource: { kind: 'file', name: 'auth.json' },
  })
  expect(await containers()).toEqual([])
  // It would have looked by itself five minutes after it did last.
  await until(async () => ((await stateOf(runId)) === 'queued' ? null : true))
  value(await owner.client.call('runs', 'stop', { runId }))
  await until(async () => ((await stateOf(runId)) === 'ended' ? true : null))
})

it('is ended by leaving, and is none where there is no terminal', async () => {
  const terminal = await login()
  await terminal.shows('Add credential', 180_000)
  await terminal.press('C-\\')
  expect(await terminal.ended()).toBe(1)
  await terminal.shows('The login of opencode was left, and has ended.')
  await expect.poll(containers, { timeout: 60_000 }).toEqual([])
  expect(await runAlfred(program, folder, ['agents', 'login', 'opencode'])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('must be a terminal'),
  })
})
