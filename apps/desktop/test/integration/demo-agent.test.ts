import { chown, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createDemoAdapter } from '@main/adapters/agents/demo/demo-adapter'
import { createLineSplitter } from '@main/core/stream/line-splitter'
import type { AgentEvent, EndedStart, SessionRequest } from '@main/ports/agent-adapter'
import type { ContainerRuntime } from '@main/ports/container-runtime'
import {
  agentImageTag,
  createTestMailbox,
  testRuntime,
  untilFileHas,
  user,
  type EndedRun,
  type TestMailbox,
} from './support/agent-container'

/*
 * The demo agent in its real container, through its adapter: what a run of the product sees.
 */

const adapter = createDemoAdapter({ environment: { DEMO_PACE: '0' } })
const id = '0e8a1c34-5d21-4b7f-9c11-1234567890ab'
const otherId = '0e8a1c34-5d21-4b7f-9c11-1234567890ff'
const name = 'agent/issue-1-thing'

let runtime: ContainerRuntime
let image: string
let mailbox: TestMailbox

beforeAll(async () => {
  runtime = testRuntime()
  image = await agentImageTag(runtime)
})
beforeEach(async () => {
  mailbox = await createTestMailbox(runtime, image)
})
afterEach(() => mailbox.remove())

const promptOf = (phase: string, fault?: string): string =>
  `Phase: ${phase}\nProject: demo/demo\nIssue: #1\nTitle: Turn titles into slugs\n${fault === undefined ? '' : `DEMO_FAULT=${fault}\n`}`

const optionsOf = (
  session: SessionRequest,
  phase: string,
  fault?: string,
): Parameters<TestMailbox['run']>[0] => {
  const command = adapter.start({
    session,
    phase: 'analysis',
    model: null,
    provider: null,
    baseUrl: null,
    readOnly: false,
    runner: 'container',
  })
  return {
    argv: command.argv,
    environment: command.environment,
    prompt: promptOf(phase, fault),
    withState: session.mode !== 'none',
    tree: phase === 'analysis' ? 'temporary' : 'branch',
  }
}

const fresh: SessionRequest = { mode: 'fresh', name, chosenId: id }
const resumed: SessionRequest = { mode: 'resume', name, nativeId: id }
const run = (session: SessionRequest, phase: string, fault?: string): Promise<EndedRun> =>
  mailbox.run(optionsOf(session, phase, fault))

function eventsOf({ stdout }: EndedRun): readonly AgentEvent[] {
  const splitter = createLineSplitter()
  const parser = adapter.createParser()
  return [...splitter.push(Buffer.from(stdout)), ...splitter.end()].flatMap(({ text }) => parser.parse(text))
}

const endedStart = (run: EndedRun): EndedStart => ({
  exitCode: run.state.exitCode,
  stdoutTail: run.stdout.slice(-16_384),
  stderrTail: run.stderr.slice(-16_384),
  sawSession: null,
  result: null,
})

const resultOf = async ({ output }: EndedRun): Promise<unknown> =>
  JSON.parse(await readFile(join(output, 'result.json'), 'utf8'))
const sessionIdsOf = (run: EndedRun): readonly string[] =>
  eventsOf(run).flatMap((event) => (event.kind === 'session' ? [event.nativeId] : []))

describe('the demo agent', () => {
  it('analyses, then develops with the memory of it: real files, passing tests, one commit', async () => {
    const analysis = await run(fresh, 'analysis')
    expect(analysis.state.exitCode).toBe(0)
    expect(sessionIdsOf(analysis)).toEqual([id])
    expect(await resultOf(analysis)).toMatchObject({
      version: 1,
      phase: 'analysis',
      outcome: 'done',
      plan: expect.stringContaining('slugify'),
    })
    expect(analysis.status).toMatchObject({ commits: 0, kept: 'none' })
    expect(await readdir(mailbox.state)).toEqual([adapter.sessionFile(id)])

    const development = await run(resumed, 'development')
    expect(sessionIdsOf(development)).toEqual([id])
    const texts = eventsOf(development).map((event) => (event.kind === 'text' ? event.text : ''))
    expect(texts.join('\n')).toContain(
      'Last time you asked “analysis of Turn titles into slugs”, and I answered “Planned slugify: one function, one test file.”',
    )
    expect(development.status).toMatchObject({ commits: 1, kept: 'none' })
    expect(mailbox.show(join(development.output, 'commits.bundle'), 'src/slugify.js')).toContain(
      'export function slugify',
    )
    expect(eventsOf(development)).toContainEqual(
      expect.objectContaining({ kind: 'tool_result', output: expect.stringContaining('# pass 2') }),
    )
    expect(eventsOf(development).at(-1)).toMatchObject({ kind: 'result', succeeded: true })
    expect((await readFile(join(mailbox.state, `${id}.jsonl`), 'utf8')).trim().split('\n')).toHaveLength(2)
  })

  it('works without sessions, under an id of its own, and leaves nothing behind', async () => {
    const ran = await run({ mode: 'none' }, 'development')
    expect(ran.state.exitCode).toBe(0)
    expect(sessionIdsOf(ran)).toHaveLength(1)
    expect(await readdir(mailbox.state)).toEqual([])
  })

  it('gives the same work for the same issue', async () => {
    const first = await run({ mode: 'none' }, 'development')
    const second = await run({ mode: 'none' }, 'development')
    const show = (ended: EndedRun): string =>
      mailbox.show(join(ended.output, 'commits.bundle'), 'test/slugify.test.js')
    expect(show(first)).toBe(show(second))
  })

  it('saves its turn when it is stopped', async () => {
    const started = await mailbox.start(optionsOf(fresh, 'development', 'hang'))
    await untilFileHas(join(started.output, 'stream.out'), 'I start with')
    await runtime.stop(started.state.id, 8_000)
    expect((await started.ended()).state.exitCode).toBe(143)
    const next = await run(resumed, 'development')
    expect(next.state.exitCode).toBe(0)
    expect(next.stdout).toContain('I was stopped before I was done')
  })
})

describe('a resume that fails', () => {
  const putState = async (text: string): Promise<void> => {
    const file = join(mailbox.state, `${id}.jsonl`)
    await writeFile(file, text)
    if (process.getuid?.() === 0) await chown(file, user.uid, user.gid)
  }

  it.each([
    ['is not there', null, 'state_missing'],
    ['is empty', '', 'state_missing'],
    ['is cut in the middle', '{"version":1,"asked":"x","answ', 'state_missing'],
    ['is no session', '{"version":1}\n', 'state_missing'],
    ['is of a newer version', '{"version":2,"asked":"x","answered":"y"}\n', 'unsupported_version'],
  ])('is recognised when the state %s', async (_what, text, expected) => {
    if (text !== null) await putState(text)
    const ended = await run(resumed, 'development')
    expect(ended.state.exitCode).not.toBe(0)
    expect(sessionIdsOf(ended)).toEqual([])
    expect(adapter.resumeFailure(endedStart(ended))).toBe(expected)
    expect(ended.status).toMatchObject({ commits: 0, kept: 'none' })
  })

  it.each([
    ['refuse', 'refused'],
    ['unknown_option', 'unsupported_version'],
    ['crash', null],
    ['provider_error', null],
  ])('by the fault %s means %s', async (fault, expected) => {
    await run(fresh, 'analysis')
    expect(adapter.resumeFailure(endedStart(await run(resumed, 'development', fault)))).toBe(expected)
  })

  it('silently is seen by the other id', async () => {
    await run(fresh, 'analysis')
    const ended = await run(resumed, 'development', 'other_id')
    expect(ended.state.exitCode).toBe(0)
    expect(sessionIdsOf(ended)).not.toContain(id)
  })

  it('does not begin a session under an id that is in use', async () => {
    await run(fresh, 'analysis')
    const again = await run(fresh, 'development')
    expect(again.state.exitCode).toBe(3)
    expect(adapter.resumeFailure(endedStart(again))).toBeNull()
  })
})

describe('other failures of the demo agent', () => {
  it.each([
    ['provider_error', 'retryable'],
    ['account_limit', 'account_limit'],
    ['login', 'login'],
  ])('%s is told as %s', async (fault, type) => {
    expect(adapter.providerFailure(endedStart(await run(fresh, 'development', fault)))?.type).toBe(type)
  })

  it('runs out of memory', async () => {
    const { argv, ...options } = optionsOf({ mode: 'fresh', name, chosenId: otherId }, 'development', 'oom')
    const ended = await mailbox.run({
      ...options,
      argv: argv ?? [],
      limits: { memoryBytes: 150_000_000, cpus: 2, pids: 128 },
    })
    expect(ended.state.outOfMemory).toBe(true)
  })

  it('prints a line of ten megabytes, and lines that are none', async () => {
    const big = await run({ mode: 'none' }, 'development', 'big_line')
    const splitter = createLineSplitter()
    const cut = [...splitter.push(Buffer.from(big.stdout)), ...splitter.end()].filter(
      ({ droppedBytes }) => droppedBytes > 0,
    )
    expect(cut).toHaveLength(1)
    const garbage = await run({ mode: 'none' }, 'development', 'garbage')
    expect(eventsOf(garbage).filter((event) => event.kind === 'output').length).toBeGreaterThanOrEqual(3)
  })

  it('leaves its work uncommitted, or no result, or a broken one', async () => {
    expect((await run({ mode: 'none' }, 'development', 'no_commit')).status).toMatchObject({
      commits: 0,
      kept: 'written',
    })
    expect(await readdir((await run({ mode: 'none' }, 'development', 'no_result')).output)).not.toContain(
      'result.json',
    )
    const broken = await run({ mode: 'none' }, 'development', 'bad_result')
    await expect(resultOf(broken)).rejects.toThrow('JSON')
  })
})
