import { mkdir, readFile, readdir, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { createOpencodeAdapter } from '@main/adapters/agents/opencode/opencode-adapter'
import { cliPackages } from '@main/core/agents/image-clis'
import { say, type Script, type ToolCall } from '../fakes/model-server/answers'
import { agentImageTag, testRuntime } from './support/agent-container'
import { toldTo } from './support/claude-bench'
import { chatClis, createCliBench, type CliBench } from './support/cli-bench'
import { expectRemembered } from './support/expect-remembered'

/*
 * Named sessions of the real OpenCode: what the model is told in a run proves what the agent remembers.
 */

// It needs many seconds to begin, and a resume that fails begins twice.
vi.setConfig({ testTimeout: 300_000 })

let bench: CliBench
beforeAll(() => agentImageTag(testRuntime(), chatClis))
afterEach(() => bench.remove())

const write = (filePath: string, content: string): ToolCall => ({
  kind: 'tool',
  name: 'write',
  input: { filePath, content },
})
const bash = (command: string): ToolCall => ({
  kind: 'tool',
  name: 'bash',
  input: { command, description: 'scripted command' },
})

describe('two runs of an issue with opencode', () => {
  it('share one memory: the second one tells the model what the first one was told and said', async () => {
    bench = await createCliBench(createOpencodeAdapter())
    const mailboxId = await bench.newIssue('The harbour lights go out at noon.')
    const first = await bench.latest(mailboxId)
    expect(first.failure).toBeNull()
    const second = await bench.run(mailboxId, 'development')
    expect([first.row.outcome, second.row.outcome]).toEqual(['succeeded', 'succeeded'])

    const [ofFirst, ofSecond, ...others] = bench.model.turns()
    expect(others).toEqual([])
    expect([ofFirst?.turn.number, ofSecond?.turn.number]).toEqual([1, 2])
    expect(ofFirst?.turn.prompt).toMatch(/^[^"]/)
    for (const words of ['Phase: analysis', 'Phase: development', 'The harbour lights', 'turn 1'])
      expect(toldTo(ofSecond)).toContain(words)

    const sessions = await bench.sessions(mailboxId)
    expectRemembered(sessions)
    expect(sessions[0]).toMatchObject({ adapter: 'opencode', chosenSessionId: null })
    expect(second.row).toMatchObject({
      badge: 'resumed',
      adapterVersion: cliPackages.opencode.version,
      turns: 1,
    })
    expect((await readdir(bench.stateFolder(1, 'opencode'))).toSorted()).toEqual([
      'opencode.db',
      'opencode.db-shm',
      'opencode.db-wal',
    ])
  })

  it('begin anew in the same run when most of the memory, the log of the database, is gone', async () => {
    bench = await createCliBench(createOpencodeAdapter())
    const mailboxId = await bench.newIssue('The harbour lights go out at noon.')
    const first = await bench.latest(mailboxId)
    await rm(join(bench.stateFolder(1, 'opencode'), 'opencode.db-wal'))
    const second = await bench.run(mailboxId, 'development')
    expect(second.row).toMatchObject({
      outcome: 'succeeded',
      badge: 'state_missing',
      resumed: false,
      attempts: 1,
    })
    expect(second.row.nativeSessionId).not.toBe(first.row.nativeSessionId)
    expect(bench.model.turns().map(({ turn }) => turn.number)).toEqual([1, 1])
  })
})

describe('a memory of opencode that is none any more', () => {
  it('is kept beside the one that begins anew in the same run, since new sessions go into the same file', async () => {
    bench = await createCliBench(createOpencodeAdapter())
    const mailboxId = await bench.newIssue('The harbour lights go out at noon.')
    await bench.latest(mailboxId)
    const state = bench.stateFolder(1, 'opencode')
    for (const name of await readdir(state)) await writeFile(join(state, name), 'not what was written')
    const second = await bench.run(mailboxId, 'development')
    expect(second.row).toMatchObject({ outcome: 'succeeded', badge: 'state_missing', attempts: 1 })
    expect((await readdir(dirname(state))).toSorted()).toEqual(['opencode', 'opencode.unusable-1'])
    expect(await bench.texts(second.row.runId, 'warning')).toContainEqual(
      expect.stringContaining('kept of its sessions cannot be read'),
    )
  })
})

describe('the login of opencode', () => {
  it('is read from its file, and stays out of the sessions', async () => {
    bench = await createCliBench(createOpencodeAdapter())
    const key = 'sk-0123456789abcdef-of-a-person'
    const folder = join(bench.folder, '.agent-credentials', 'opencode')
    await mkdir(folder, { recursive: true, mode: 0o700 })
    await writeFile(join(folder, 'auth.json'), JSON.stringify({ custom: { type: 'api', key } }), {
      mode: 0o600,
    })
    const { row } = await bench.latest(await bench.newIssue())
    expect(row.outcome).toBe('succeeded')
    expect(bench.model.turns()[0]?.headers).toMatchObject({ authorization: '[key]' })
    const state = bench.stateFolder(1, 'opencode')
    for (const name of await readdir(state))
      expect(await readFile(join(state, name), 'latin1')).not.toContain(key)
  })
})

describe('a phase that only reads', () => {
  const script: Script = ({ toolResults, tools }) =>
    tools.length === 0
      ? say('a title')
      : ([
          write('/workspace/not-allowed.txt', 'x'),
          write('/alfred/out/notes.txt', 'allowed'),
          bash('cat /alfred/out/notes.txt'),
        ][toolResults] ?? say('the plan'))

  it('has its edits of the workspace denied, and told, though the CLI exits with 0', async () => {
    bench = await createCliBench(createOpencodeAdapter(), { script })
    const mailboxId = await bench.newIssue()
    const { row } = await bench.latest(mailboxId)
    expect(row.outcome).toBe('succeeded')
    expect(await bench.texts(row.runId, 'warning')).toContainEqual('write was denied.')
    expect(toldTo(bench.model.turns().at(-1))).toContain('allowed')
    expect(toldTo(bench.model.turns().at(-1))).toContain('prevents you from using')
  })
})
