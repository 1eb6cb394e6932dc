import { execFileSync } from 'node:child_process'
import { mkdtemp, readdir, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createFakeAdapter } from '@main/adapters/agents/fake/fake-adapter'
import { createDockerRuntime } from '@main/adapters/container/docker/docker-runtime'
import { createSystemClock } from '@main/adapters/system/system-clock'
import type { FakeScript, FakeStep } from '@main/adapters/agents/fake/fake-agent-program'
import type { MailboxId, RunId } from '@shared/model/ids'
import { agentImageTag, testRuntime } from './support/agent-container'
import {
  clientOf,
  containersOfRun,
  createEngineBench,
  createWatch,
  startTestEngine,
  value,
  type EngineBench,
} from './support/engine-bench'
import { openEngineDatabase } from './support/engine-database'
import {
  loadAgentImage,
  ownDockerOrSkip,
  startOwnDocker,
  type OwnDockerEngine,
} from './support/own-docker-engine'
import { scriptByStart } from './support/script-by-start'

/*
 * Docker dies, hangs and comes back under live runs: a real dockerd that belongs to these tests alone.
 */

const canRun = ownDockerOrSkip()
let docker: OwnDockerEngine
let bench: EngineBench

beforeAll(async () => {
  if (!canRun) return
  docker = await startOwnDocker()
  await loadAgentImage(docker)
  process.env['DOCKER_HOST'] = docker.url
})
afterAll(async () => {
  delete process.env['DOCKER_HOST']
  await docker?.remove()
})
beforeEach(() => docker.ensureRunning())
afterEach(async () => {
  await docker.ensureRunning()
  await bench.remove()
})

const init: FakeStep = { print: { type: 'init', session_id: '$ID' } }
const save: FakeStep = { save: '{}' }
const atWork: FakeStep = { print: { type: 'text', text: 'at work' } }
const done: FakeStep = { print: { type: 'result', is_error: false, text: 'The plan.' } }
const hang: FakeStep = { pauseMs: 600_000 }

/** A run whose agent is at work; the scripts answer start by start. */
async function atWorkWith(
  ...scripts: readonly FakeScript[]
): Promise<{ mailboxId: MailboxId; runId: RunId; asked: ReturnType<typeof scriptByStart>['asked'] }> {
  const { asked, script } = scriptByStart(...scripts)
  bench = await createEngineBench({ adapter: 'fake', adapters: [createFakeAdapter({ script })] })
  const mailboxId = await bench.newIssue()
  const runId = await liveRun(mailboxId)
  await untilSaid(runId, 'at work')
  return { mailboxId, runId, asked }
}

const liveRun = (mailboxId: MailboxId): Promise<RunId> =>
  bench.until(async () => {
    const page = value(
      await bench.client.call('sessions', 'timeline', { mailboxId, beforeRunId: null, limit: 1 }),
    )
    return page.rows.at(-1)?.runId ?? null
  })

const untilSaid = (runId: RunId, words: string) =>
  bench.until(async () => ((await bench.texts(runId, 'text')).includes(words) ? true : null))

const status = async () => value(await bench.client.call('app', 'status', {}))
/** The banner that says that Docker is away, once it is there. */
const untilTold = () =>
  bench.until(async () => (await status()).banners.find(({ code }) => code === 'docker_unreachable') ?? null)
const untilBack = () =>
  bench.until(async () => {
    const { docker: seen, banners } = await status()
    return seen.state === 'reachable' && banners.every(({ code }) => code !== 'docker_unreachable')
      ? true
      : null
  })

/** Another engine on the same data; its agent does what it is asked. */
async function nextEngine() {
  const engine = await startTestEngine(bench.folder, [createFakeAdapter()])
  const client = clientOf(engine)
  const { until } = createWatch(client)
  const ended = (runId: RunId) =>
    until(async () => {
      const run = value(await client.call('runs', 'get', { runId }))
      return run.row.state === 'ended' ? run : null
    })
  return { engine, client, until, ended }
}

const nightMs = 12 * 3_600_000

/** As if all that happened to the only run had done so before the night. */
async function moveToYesterday(runFolder: string): Promise<void> {
  const database = openEngineDatabase(bench.folder)
  database.exec(`UPDATE runs SET deadline = deadline - ${nightMs}, started_at = started_at - ${nightMs};
    UPDATE run_starts SET started_at = started_at - ${nightMs}; UPDATE run_events SET at = at - ${nightMs}`)
  database.close()
  for (const name of await readdir(runFolder, { recursive: true })) {
    if (!/stream\.(out|err)$/.test(name)) continue
    const path = join(runFolder, name)
    const at = ((await stat(path)).mtimeMs - nightMs) / 1000
    await utimes(path, at, at)
  }
}

/** It was cut off, and went on with its memory: nothing of it failed. */
async function expectWentOn(
  runId: RunId,
  mailboxId: MailboxId,
  asked: ReturnType<typeof scriptByStart>['asked'],
): Promise<void> {
  const run = await bench.ended(runId)
  expect(run.row).toMatchObject({ outcome: 'succeeded', attempts: 2 })
  expect(run.attempts.map(({ outcome }) => outcome)).toEqual(['interrupted', 'succeeded'])
  const [first, second] = await bench.sessions(mailboxId)
  expect(asked.at(-1)).toMatchObject({ mode: 'resume', nativeId: first?.nativeSessionId })
  expect(second).toMatchObject({ resumed: true, nativeSessionId: first?.nativeSessionId })
}

const slowBase = 'alfred-test-slow-base:1'
/** A shell that takes its time with the step that makes an agent image of its base, and goes at once when it is told. */
const slowShell = [
  '#!/bin/plain-sh',
  'case "$*" in -c*prepare-image*) trap "exit 1" TERM; echo preparing slowly; sleep 5 & wait $!;; esac',
  'exec /bin/plain-sh "$@"',
]

async function buildSlowBase(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'alfred-slow-base-'))
  const source = join(folder, 'Dockerfile')
  const lines = slowShell.map((line) => `'${line.replaceAll("'", "'\\''")}'`).join(' ')
  const write = `printf '%s\\n' ${lines} > /tmp/sh && chmod 755 /tmp/sh`
  const replace = 'cp "$(readlink -f /bin/sh)" /bin/plain-sh && mv /tmp/sh /bin/sh'
  await writeFile(source, `FROM ${await agentImageTag(testRuntime())}\nRUN ${write} && ${replace}\n`)
  const runtime = createDockerRuntime({
    endpointSetting: () => docker.url,
    clock: createSystemClock(),
    labels: {},
  })
  const request = { tag: slowBase, buildArguments: {}, labels: {}, network: 'default' } as const
  const files = [{ path: 'Dockerfile', source, executable: false }]
  value(await runtime.buildImage({ ...request, files }, () => undefined, new AbortController().signal))
  await rm(folder, { recursive: true })
}

describe.skipIf(!canRun)('Docker', { retry: 0 }, () => {
  it('is killed and comes back: told meanwhile, and the run goes on with its memory', async () => {
    const { runId, mailboxId, asked } = await atWorkWith({ fresh: [init, save, atWork, hang] })
    await docker.kill()
    expect((await untilTold()).facts).toMatchObject({ runs: 1, endpoint: docker.url, interval: 5_000 })
    expect((await status()).docker).toMatchObject({ state: 'unreachable', endpoint: docker.url })
    const { lines } = value(await bench.client.call('app', 'doctor', {}))
    expect(lines.find(({ check }) => check === 'docker')).toMatchObject({
      state: 'failed',
      detail: expect.stringContaining(docker.url),
    })
    await docker.start()
    await expectWentOn(runId, mailboxId, asked)
    await untilBack()
  })

  it('is shut down and started again: an agent that says 1 to its TERM has not failed', async () => {
    const { runId, mailboxId, asked } = await atWorkWith({
      fresh: [{ exitOnTerm: 1 }, init, save, atWork, hang],
    })
    await docker.terminate()
    await docker.start()
    await expectWentOn(runId, mailboxId, asked)
  })

  it('is shut down: an agent that says 0 to its TERM is not done', async () => {
    const { runId, mailboxId, asked } = await atWorkWith({
      fresh: [{ exitOnTerm: 0 }, init, save, atWork, hang],
    })
    await docker.terminate()
    await docker.start()
    await expectWentOn(runId, mailboxId, asked)
  })

  it('loses its power with all that ran: the run goes on in the workspace that it left', async () => {
    const half =
      'if [ -f half.txt ]; then git add half.txt && git commit -q -m Done; else echo half > half.txt; sync; fi'
    const { script } = scriptByStart({ fresh: [init, save, done] })
    bench = await createEngineBench({
      adapter: 'fake',
      adapters: [
        createFakeAdapter({
          script: (request) =>
            request.phase === 'analysis'
              ? script(request)
              : {
                  fresh: [],
                  resume: [
                    init,
                    save,
                    { shell: half },
                    { print: { type: 'text', text: 'at work' } },
                    { shell: 'git log -1 --format=%s | grep -q Done || sleep 600' },
                    done,
                  ],
                },
        }),
      ],
    })
    const mailboxId = await bench.newIssue()
    await bench.latest(mailboxId)
    const runId = await bench.request(mailboxId, 'development')
    await untilSaid(runId, 'at work')
    await docker.losePower()
    await docker.start()
    const run = await bench.ended(runId)
    expect(run.row).toMatchObject({ outcome: 'succeeded', attempts: 2, resumed: true, commits: 1 })
  })

  it('lives on without its containers noticing, where it is set up so: the same attempt goes on', async () => {
    await docker.terminate()
    await docker.start({ liveRestore: true })
    const steps = Array.from({ length: 40 }, (_, n): FakeStep[] => [
      { print: { type: 'text', text: `step ${n}` } },
      { pauseMs: 250 },
    ]).flat()
    const { runId } = await atWorkWith({ fresh: [init, save, atWork, ...steps, done] })
    await docker.kill()
    await untilTold()
    await docker.start({ liveRestore: true })
    const run = await bench.ended(runId)
    expect(run.row).toMatchObject({ outcome: 'succeeded', attempts: 1 })
    expect((await bench.texts(runId, 'text')).filter((text) => text.startsWith('step'))).toEqual(
      Array.from({ length: 40 }, (_, n) => `step ${n}`),
    )
  })

  it('hangs: told, and a stop that was pressed meanwhile is carried out when it answers', async () => {
    const { runId, mailboxId } = await atWorkWith({ fresh: [init, save, atWork, hang] })
    docker.hang()
    expect((await untilTold()).facts['message']).toContain('does not answer')
    value(await bench.client.call('runs', 'stop', { runId }))
    expect((await bench.runIn(runId, 'stopping')).row.outcome).toBeNull()
    docker.wakeUp()
    const run = await bench.ended(runId)
    expect(run.row).toMatchObject({ outcome: 'stopped', attempts: 1 })
    expect((await bench.sessions(mailboxId))[0]).toMatchObject({ nativeSessionId: expect.any(String) })
    await bench.until(async () => ((await containersOfRun(bench.client, runId)).length === 0 ? true : null))
  })

  it('hangs and wakes up: the run has not noticed', async () => {
    const { runId } = await atWorkWith({ fresh: [init, save, atWork, { pauseMs: 15_000 }, done] })
    docker.hang()
    await untilTold()
    docker.wakeUp()
    const run = await bench.ended(runId)
    expect(run.row).toMatchObject({ outcome: 'succeeded', attempts: 1 })
    await untilBack()
  })

  it('hangs while Alfred is quit: it keeps nobody from closing, and the next one finds the run', async () => {
    const { runId, mailboxId } = await atWorkWith({ fresh: [init, save, atWork, hang] })
    docker.hang()
    await untilTold()
    await bench.stopEngine()
    docker.wakeUp()
    await docker.kill()
    const { engine, client, ended, until } = await nextEngine()
    await until(async () => {
      const { banners } = value(await client.call('app', 'status', {}))
      return banners.some(({ code }) => code === 'docker_unreachable') ? true : null
    })
    const state = async () => value(await client.call('runs', 'get', { runId }))
    expect((await state()).row).toMatchObject({ state: 'running', attempts: 1 })
    await docker.start()
    const run = await ended(runId)
    expect(run.row).toMatchObject({ outcome: 'succeeded', attempts: 2 })
    const [first, second] = value(await client.call('sessions', 'records', { mailboxId, limit: 10 }))
    expect(second).toMatchObject({ resumed: true, nativeSessionId: first?.nativeSessionId })
    await engine.stop('stop')
  })

  it('hangs while Alfred is to stop its runs and quit: it quits, and the next one stops them', async () => {
    const { runId, mailboxId } = await atWorkWith({ fresh: [init, save, atWork, hang] })
    docker.hang()
    await untilTold()
    await bench.stopEngine('stop')
    docker.wakeUp()
    const { engine, client, ended } = await nextEngine()
    expect((await ended(runId)).row).toMatchObject({ outcome: 'stopped', attempts: 1 })
    const [session] = value(await client.call('sessions', 'records', { mailboxId, limit: 10 }))
    expect(session?.nativeSessionId).not.toBeNull()
    await engine.stop('stop')
  })

  it('and the computer lose their power overnight: the night is no time of the run', async () => {
    const { runId } = await atWorkWith({ fresh: [init, save, atWork, hang] })
    const { folder } = value(await bench.client.call('runs', 'get', { runId }))
    await bench.stopEngine()
    await docker.losePower()
    await moveToYesterday(folder)
    await docker.start()
    const { engine, ended } = await nextEngine()
    const run = await ended(runId)
    expect(run.row).toMatchObject({ outcome: 'succeeded', attempts: 2 })
    await engine.stop('stop')
  })

  it('is away while a run prepares: it waits, and no attempt is used up', async () => {
    bench = await createEngineBench({ adapter: 'fake', adapters: [createFakeAdapter()] })
    const mailboxId = await bench.newIssue()
    await bench.latest(mailboxId)
    const fifo = join(bench.folder, 'local-forge', 'test', 'boat.git', 'packed-refs')
    await rm(fifo, { force: true })
    execFileSync('mkfifo', [fifo])
    const runId = await bench.request(mailboxId, 'development')
    await bench.runIn(runId, 'preparing')
    await docker.kill()
    await rm(fifo)
    const waiting = await bench.runIn(runId, 'queued')
    expect(waiting.failure).toMatchObject({ type: 'docker_unreachable' })
    await docker.start()
    const run = await bench.ended(runId)
    expect(run.row).toMatchObject({ outcome: 'succeeded', attempts: 1 })
  })

  it('is shut down while it builds an image for a run: it waits, and the image is built when Docker is back', async () => {
    await buildSlowBase()
    bench = await createEngineBench({ adapter: 'fake', adapters: [createFakeAdapter()] })
    await bench.setting('AGENT_IMAGE', slowBase)
    const runId = await liveRun(await bench.newIssue())
    await bench.until(async () => ((await status()).image.detail === 'preparing slowly' ? true : null))
    await docker.terminate()
    const waiting = await bench.runIn(runId, 'queued')
    expect(waiting.failure).toMatchObject({ type: 'docker_unreachable' })
    await docker.start()
    const run = await bench.ended(runId)
    expect(run.row).toMatchObject({ outcome: 'succeeded', attempts: 1 })
  })
})
