import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { err, ok } from '@shared/result'
import { createAgentAdapters } from '@main/adapters/agents/agent-adapters'
import { createCodexAdapter } from '@main/adapters/agents/codex/codex-adapter'
import { createDemoAdapter } from '@main/adapters/agents/demo/demo-adapter'
import type { Installation } from '../../ports/stores'
import { createFakeContainerRuntime } from '../../../../test/fakes/fake-container-runtime'
import { openTestStore, type TestStore } from '../../../../test/fakes/open-test-store'
import { seedMailbox, seedEndedRun } from '../../../../test/fakes/seed-mailbox'
import { createSettableClock } from '../../../../test/fakes/settable-clock'
import { createAgentDetection } from '../agent-detection'
import type { AgentImage } from '../image-builder'
import { createChangeFeed } from '../status/change-feed'
import { createAgentsService } from './agents-service'

/*
 * What the agents screen tells of images: each is looked at by itself or with the others, and one that is gone is not
 * shown any more.
 */

let opened: TestStore
beforeEach(() => {
  opened = openTestStore()
})
afterEach(() => opened.remove())

const ours: AgentImage = {
  tag: 'alfred-agent:1',
  digest: 'sha256:alfred-agent:1',
  base: 'node:24',
  sizeBytes: 1,
  recipeSha256: '1',
  agents: ['demo'],
}
const other: AgentImage = {
  ...ours,
  tag: 'alfred-agent:2',
  digest: 'sha256:alfred-agent:2',
  recipeSha256: '2',
}

const found = (image: AgentImage, change: Partial<Installation> = {}): Installation => ({
  adapter: 'demo',
  runner: 'container',
  imageDigest: image.digest,
  version: '1.0.0',
  resumable: true,
  reason: null,
  loginState: 'not_needed',
  detectedAt: 5,
  ...change,
})

function bench({ usesHost = false, isAway = false, isBroken = false } = {}) {
  const { store } = opened
  const runtime = createFakeContainerRuntime({ images: [ours.tag, other.tag] })
  const asked: string[] = []
  const runOnce = async (reference: string, argv: readonly string[]) => {
    asked.push(`${reference} ${argv[0] ?? ''}`)
    if (isAway) return err({ type: 'unreachable', message: 'away', retryable: true } as const)
    if (isBroken) return err({ type: 'unexpected', message: 'no such device', retryable: false } as const)
    const isDemo = argv.join(' ').includes('demo')
    return ok({ exitCode: isDemo ? 0 : 127, stdout: isDemo ? 'alfred-demo-agent 1.0.0\n' : '', stderr: '' })
  }
  const clock = createSettableClock(100)
  for (const image of [ours, other]) store.images.put({ ...image, builtAt: 1 })
  const built: (string | null)[] = []
  const service = createAgentsService({
    store,
    clock,
    adapters: createAgentAdapters([createDemoAdapter(), createCodexAdapter()]),
    changes: createChangeFeed(clock),
    runtime: { ...runtime, runOnce },
    host: { runOnce },
    usesHost: () => usesHost,
    builder: {
      find: async (base) => ok(base === null ? ours : null),
      ensure: async (base) => {
        built.push(base)
        if (base === 'nobody/has:this')
          return err({ type: 'build_failed', step: `pulling ${base}`, message: 'no such image' })
        return ok(base === null ? ours : other)
      },
    },
    detection: createAgentDetection({
      installations: store.installations,
      clock,
      loginOf: async () => 'not_needed',
    }),
    base: () => null,
    onStatus: () => undefined,
    credentials: {
      loginFacts: async () => ({ state: 'not_needed', endsAt: null, source: null, mounts: 0 }),
      overlap: async () => null,
    },
    probe: {
      ask: async () => ok({ outcome: 'answered', message: null, tookMs: 900.5, costUsd: 0.0004 }),
    },
    allowsDemonstration: true,
  })
  return { store, service, runtime, asked, built, clock }
}

describe('an installation that another version of Alfred found', () => {
  it('is judged by the range of today, for better and for worse', async () => {
    const { store, service } = bench()
    store.installations.put(found(ours, { resumable: false, reason: 'Version 1.0.0 is outside.' }))
    store.installations.put(found(other, { version: '9.9.9' }))
    expect(await service.list()).toMatchObject([
      {
        imageDigest: other.digest,
        resumable: false,
        reason: expect.stringMatching(/outside the verified range/),
      },
      { imageDigest: ours.digest, resumable: true, reason: null },
    ])
  })
})

describe('checking one installation', () => {
  const place = { adapter: 'demo', runner: 'container', imageDigest: other.digest } as const

  it('asks that CLI of that image alone, and answers its row', async () => {
    const { store, service, asked } = bench()
    store.installations.put(found(ours))
    store.installations.put(found(other, { version: null }))
    expect(await service.checkOne(place)).toMatchObject({
      ok: true,
      value: { imageDigest: other.digest, version: '1.0.0', resumable: true, detectedAt: 100 },
    })
    expect(asked).toHaveLength(1)
    expect(asked[0]).toContain(other.digest)
    expect(store.installations.find('demo', 'container', ours.digest)?.detectedAt).toBe(5)
  })

  it('says that the image is gone, and shows it no more', async () => {
    const { store, service } = bench()
    const gone = { ...other, digest: 'sha256:gone', recipeSha256: '3' }
    store.images.put({ ...gone, builtAt: 1 })
    store.installations.put(found(gone))
    store.installations.put(found(ours))
    expect(await service.checkOne({ ...place, imageDigest: gone.digest })).toMatchObject({
      ok: false,
      error: { type: 'image_gone', message: expect.stringMatching(/sessions are kept/) },
    })
    expect((await service.list()).map(({ imageDigest }) => imageDigest)).toEqual([ours.digest])
  })

  it('says that Docker is away, that nobody looked there, and that nothing runs on this computer', async () => {
    const { store, service, runtime, asked } = bench()
    expect(await service.checkOne(place)).toMatchObject({ ok: false, error: { type: 'not_found' } })
    const onHost = { ...place, runner: 'host', imageDigest: null } as const
    store.installations.put(found(other, { runner: 'host', imageDigest: '' }))
    expect(await service.checkOne(onHost)).toMatchObject({ ok: false, error: { type: 'not_found' } })
    store.installations.put(found(other))
    runtime.failWith('unreachable')
    expect(await service.checkOne(place)).toMatchObject({ ok: false, error: { type: 'docker_unreachable' } })
    expect(asked).toEqual([])
  })

  it('asks on this computer where a project runs there', async () => {
    const { store, service, asked } = bench({ usesHost: true })
    store.installations.put(found(other, { runner: 'host', imageDigest: '', version: null }))
    const checked = await service.checkOne({ adapter: 'demo', runner: 'host', imageDigest: null })
    expect(checked).toMatchObject({ ok: true, value: { runner: 'host', version: '1.0.0' } })
    expect(asked).toHaveLength(1)
  })
})

describe('checking all', () => {
  it('asks in every image in which somebody looked before, beside the one of the app', async () => {
    const { store, service, asked } = bench()
    store.installations.put(found(other))
    await service.check()
    expect(new Set(asked.map((line) => line.split(' ')[0]))).toEqual(new Set([ours.digest, other.digest]))
    expect(asked).toHaveLength(4)
  })
})

describe('an image that is gone from the engine', () => {
  it('shows no row any more; what was found in it stays for its runs, and so does every session', async () => {
    const { store, service } = bench()
    const mailbox = seedMailbox(store)
    seedEndedRun(store, mailbox, { mode: 'fresh', nativeSessionId: 'kept-id' })
    store.images.put({ ...other, digest: 'sha256:pruned', builtAt: 1 })
    store.installations.put(found({ ...other, digest: 'sha256:pruned' }))
    expect(await service.list()).toHaveLength(1)
    await service.findImage()
    expect(await service.list()).toEqual([])
    expect(store.images.list().map(({ digest }) => digest)).not.toContain('sha256:pruned')
    expect(store.installations.find('demo', 'container', 'sha256:pruned')).not.toBeNull()
    expect(store.sessions.listByMailbox(mailbox, 10, null).map((row) => row.nativeSessionId)).toEqual([
      'kept-id',
    ])
  })

  it('is not forgotten while Docker does not answer', async () => {
    const { store, service, runtime } = bench()
    store.images.put({ ...other, digest: 'sha256:pruned', builtAt: 1 })
    store.installations.put(found({ ...other, digest: 'sha256:pruned' }))
    runtime.failWith('unreachable')
    await service.findImage()
    expect(await service.list()).toHaveLength(1)
  })
})

describe('an image for another base', () => {
  it('is built and looked at, and the status still tells of the one of the app', async () => {
    const { service, built } = bench()
    expect(await service.build('harbour/ci-java:21')).toMatchObject({ ok: true, value: { tag: other.tag } })
    expect(built).toEqual(['harbour/ci-java:21'])
    expect((await service.list()).map(({ adapter, imageDigest }) => [adapter, imageDigest])).toEqual([
      ['codex', other.digest],
      ['demo', other.digest],
    ])
    expect(service.imageStatus()).toMatchObject({ state: 'ready', tag: ours.tag })
  })

  it('that cannot be had says why, and leaves the status of the app as it was', async () => {
    const { service } = bench()
    expect(await service.build('nobody/has:this')).toMatchObject({
      ok: false,
      error: { type: 'build_failed' },
    })
    expect(service.imageStatus()).toMatchObject({ state: 'ready', tag: ours.tag })
  })
})

it('what a paid question brought is kept with the time, until the next one', async () => {
  const { store, service, clock } = bench()
  store.installations.put(found(ours))
  clock.advance(6_900)
  const proof = { outcome: 'answered', message: null, tookMs: 901, costUsd: 0.0004, askedAt: 7_000 }
  expect(await service.probeLogin('demo', ours.digest)).toEqual(ok(proof))
  expect(await service.list()).toMatchObject([{ loginProof: proof }])
})

describe('the daily look', () => {
  const day = 86_400_000
  const never = new AbortController().signal

  it('asks what was asked a day ago or more, in images that are there, and makes none', async () => {
    const { store, service, asked, built, clock } = bench()
    clock.advance(2 * day)
    store.installations.put(found(ours, { version: '0.0.1', detectedAt: clock.now() - day }))
    store.installations.put(found(other, { version: '0.0.1', detectedAt: clock.now() - day + 1 }))
    store.installations.put(found(other, { adapter: 'codex', imageDigest: 'sha256:gone', detectedAt: 1 }))
    store.installations.put(found(ours, { runner: 'host', imageDigest: '', detectedAt: 1 }))
    await service.checkOlderThan(day, never)
    expect(asked).toEqual([expect.stringContaining(ours.digest)])
    expect(built).toEqual([])
    expect(store.installations.find('demo', 'container', ours.digest)).toMatchObject({
      version: '1.0.0',
      detectedAt: clock.now(),
    })
    expect(store.installations.find('demo', 'container', other.digest)).toMatchObject({ version: '0.0.1' })
    await service.checkOlderThan(day, never)
    expect(asked).toHaveLength(1)
  })

  it('asks this computer too where a project runs on it', async () => {
    const { store, service, asked, clock } = bench({ usesHost: true })
    clock.advance(2 * day)
    store.installations.put(found(ours, { runner: 'host', imageDigest: '', detectedAt: 1 }))
    await service.checkOlderThan(day, never)
    expect(asked).toHaveLength(1)
    expect(store.installations.find('demo', 'host', '')).toMatchObject({ detectedAt: clock.now() })
  })

  it('asks once a day also where nothing could be asked, and goes on with the others', async () => {
    const { store, service, asked, clock } = bench({ isBroken: true })
    clock.advance(2 * day)
    for (const image of [ours, other]) store.installations.put(found(image))
    await service.checkOlderThan(day, never)
    expect(asked).toHaveLength(2)
    expect(store.installations.find('demo', 'container', ours.digest)).toMatchObject({ detectedAt: 5 })
    clock.advance(day - 1)
    await service.checkOlderThan(day, never)
    expect(asked).toHaveLength(2)
    clock.advance(1)
    await service.checkOlderThan(day, never)
    expect(asked).toHaveLength(4)
  })

  it('leaves everything as it was while Docker does not answer', async () => {
    const { store, service, asked, clock } = bench({ isAway: true })
    clock.advance(2 * day)
    store.installations.put(found(ours))
    store.installations.put(found(other))
    await service.checkOlderThan(day, never)
    expect(asked).toHaveLength(1)
    expect(store.installations.find('demo', 'container', ours.digest)).toMatchObject({ detectedAt: 5 })
    await service.checkOlderThan(day, never)
    expect(asked).toHaveLength(2)
  })
})
