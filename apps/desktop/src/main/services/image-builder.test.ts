import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { err, ok } from '@shared/result'
import type { BaseMaker } from '@main/ports/agent-image'
import type { BuildRequest, ContainerError, ContainerRuntime } from '@main/ports/container-runtime'
import type { BuiltImage } from '@main/ports/stores'
import type { ImageCli } from '@shared/model/words'
import {
  createFakeContainerRuntime,
  type FakeContainerRuntime,
} from '../../../test/fakes/fake-container-runtime'
import { silentLogger } from '../../../test/integration/support/silent-logger'
import { createImageBuilder, type ImageBuilder } from './image-builder'

interface Bench {
  readonly builder: ImageBuilder
  readonly runtime: FakeContainerRuntime
  readonly rows: BuiltImage[]
  readonly builds: BuildRequest[]
  readonly disposed: string[]
}

const maker = (name: BaseMaker['name'], obstacle: string | null, disposed: string[]): BaseMaker => ({
  name,
  about: `base ${name}`,
  obstacle: async () => obstacle,
  make: async () =>
    ok({ tar: Readable.from([]), changes: [], dispose: async () => void disposed.push(name) }),
})

function bench(
  change: {
    obstacles?: readonly [string | null, string | null]
    runtime?: Partial<ContainerRuntime>
    clis?: () => readonly ImageCli[]
  } = {},
): Bench {
  const [first, second] = change.obstacles ?? [null, null]
  const rows: BuiltImage[] = []
  const builds: BuildRequest[] = []
  const disposed: string[] = []
  const fake = createFakeContainerRuntime()
  const runtime: FakeContainerRuntime = {
    ...fake,
    buildImage: (request, onProgress, signal) => {
      builds.push(request)
      return fake.buildImage(request, onProgress, signal)
    },
    ...change.runtime,
  }
  const builder = createImageBuilder({
    runtime,
    recipe: {
      defaultBase: 'node:24',
      baseMakers: [maker('collected', first, disposed), maker('debootstrap', second, disposed)],
      files: [],
      derivedFiles: [{ path: 'Dockerfile', source: '/derived', executable: false }],
      cliContext: async (clis) => ({
        files: [{ path: 'Dockerfile', source: '/clis', executable: false }],
        buildArguments: { PACKAGES: clis.join(' ') },
      }),
      sha256: async (words) => createHash('sha256').update(words.join('|')).digest('hex'),
    },
    images: {
      put: (row) => void rows.push(row),
      findByRecipe: (recipe) => rows.find(({ recipeSha256 }) => recipeSha256 === recipe) ?? null,
      list: () => rows,
      remove: (digest) => void rows.splice(0, rows.length, ...rows.filter((row) => row.digest !== digest)),
    },
    clock: { now: () => 5, monotonic: () => 0, sleep: async () => {} },
    logger: silentLogger,
    agents: ['demo'],
    clis: change.clis ?? (() => []),
  })
  return { builder, runtime, rows, builds, disposed }
}

const never = new AbortController().signal

describe('the agent image', () => {
  it('stands on a pulled base where a registry can be reached', async () => {
    const { builder, builds } = bench({
      runtime: { pullImage: async () => ok({ digest: 'sha256:p', sizeBytes: 1, labels: {} }) },
    })
    const image = await builder.ensure(null, () => {}, never)
    expect(image).toMatchObject({ ok: true, value: { base: 'node:24' } })
    expect(builds[0]?.buildArguments).toEqual({ BASE: 'node:24' })
  })

  it('stands on a base made here where none can be reached', async () => {
    const { builder, builds, rows, disposed } = bench()
    const image = await builder.ensure(null, () => {}, never)
    expect(image).toMatchObject({ ok: true, value: { base: 'collected' } })
    expect(builds[0]?.buildArguments['BASE']).toMatch(/^alfred-base:collected-/)
    expect(rows).toMatchObject([{ base: 'collected', agents: ['demo'], builtAt: 5 }])
    expect(disposed).toEqual(['collected'])
  })

  it('takes the next way when the first is not possible, and names all reasons when none is', async () => {
    expect(
      await bench({ obstacles: ['no Linux', null] }).builder.ensure(null, () => {}, never),
    ).toMatchObject({ ok: true, value: { base: 'debootstrap' } })
    const none = await bench({ obstacles: ['no Linux', 'no root'] }).builder.ensure(null, () => {}, never)
    expect(none).toMatchObject({ ok: false, error: { type: 'build_failed', step: 'getting a base image' } })
    expect(!none.ok && none.error.message).toMatch(/no such host.*no Linux.*no root/)
  })

  it.each([
    ['build', null, 'buildImage', 'The command returned a non-zero code: 137'],
    ['pull', 'debian:12', 'pullImage', 'context canceled'],
  ] as const)(
    'is not what failed where the engine ends under its %s: that is away, a moment later',
    async (_name, base, call, message) => {
      const cut: ContainerError = { type: 'build_failed', message, retryable: false }
      const change = { [call]: async () => err(cut) }
      const away: ContainerError = { type: 'unreachable', message: 'no Docker', retryable: true }
      const { builder, runtime } = bench({ runtime: change })
      let asked = 0
      const { info } = runtime
      runtime.info = () => ((asked += 1) < 5 ? info() : Promise.resolve(err(away)))
      expect(await builder.ensure(base, () => {}, never)).toEqual(
        err({ type: 'docker_unreachable', message: 'no Docker' }),
      )
      expect(await bench({ runtime: change }).builder.ensure(base, () => {}, never)).toMatchObject({
        ok: false,
        error: { type: 'build_failed', message },
      })
    },
  )

  it('is built once, and found afterwards', async () => {
    const { builder, builds } = bench()
    expect(await builder.find(null)).toEqual({ ok: true, value: null })
    const built = await builder.ensure(null, () => {}, never)
    expect(await builder.ensure(null, () => {}, never)).toEqual(built)
    expect(await builder.find(null)).toEqual(built)
    expect(builds).toHaveLength(1)
  })

  it('is built once for two who ask at the same time; both see its progress', async () => {
    const { builder, builds } = bench()
    const steps: string[] = []
    await Promise.all(
      [1, 2].map((who) => builder.ensure(null, ({ step }) => steps.push(`${who} ${step}`), never)),
    )
    expect(builds).toHaveLength(1)
    expect(steps).toEqual(expect.arrayContaining(['1 step 1 of 1', '2 step 1 of 1']))
  })

  it('makes older ones of the same base go, but none that a container uses or somebody else built', async () => {
    const { builder, runtime, rows } = bench()
    const old = (recipe: string, base: string) => {
      const tag = `alfred-agent:${recipe}`
      const image = {
        digest: `sha256:${tag}`,
        tag,
        base,
        agents: ['demo' as const],
        sizeBytes: 1,
        recipeSha256: recipe,
        builtAt: 1,
      }
      runtime.addImage(tag, { labels: { 'dev.alfred.recipe': recipe } })
      return image
    }
    rows.push(old('older', 'collected'), old('used', 'node:24'), old('project', 'python:3'))
    old('elsewhere', 'node:24')
    runtime.addImage('alfred-base:collected-older')
    const inUse = { name: 'c', image: 'sha256:alfred-agent:used', labels: {} }
    await runtime.start(inUse as unknown as Parameters<typeof runtime.start>[0])
    const built = await builder.ensure(null, () => {}, never)
    const isThere = async (tag: string) => {
      const found = await runtime.findImage(tag)
      return found.ok && found.value !== null
    }
    const left = ['older', 'used', 'project', 'elsewhere'].map((recipe) => isThere(`alfred-agent:${recipe}`))
    expect(await Promise.all(left)).toEqual([false, true, true, true])
    expect(await isThere('alfred-base:collected-older')).toBe(false)
    expect(rows.map(({ recipeSha256 }) => recipeSha256)).toEqual([
      'used',
      'project',
      built.ok && built.value.recipeSha256,
    ])
  })

  it('is built again when another image took its name', async () => {
    const { builder, runtime, builds } = bench()
    const built = await builder.ensure(null, () => {}, never)
    runtime.addImage(built.ok ? built.value.tag : '', { labels: {} })
    await builder.ensure(null, () => {}, never)
    expect(builds).toHaveLength(2)
  })

  it('takes Node from our own image for a base without one', async () => {
    const { builder, runtime, builds } = bench()
    runtime.addImage('debian:12')
    runtime.answerOnce(() => ok({ exitCode: 127, stdout: '', stderr: '' }))
    const image = await builder.ensure('debian:12', () => {}, never)
    expect(image).toMatchObject({ ok: true, value: { base: 'debian:12' } })
    expect(builds).toHaveLength(2)
    expect(builds[1]).toMatchObject({
      buildArguments: { BASE: 'debian:12', TOOLS: builds[0]?.tag },
      files: [{ source: '/derived' }],
    })
  })

  it('is built straight on a base that has Node', async () => {
    const { builder, runtime, builds } = bench()
    runtime.addImage('node:20')
    runtime.answerOnce(() => ok({ exitCode: 0, stdout: 'v20.1.0\n', stderr: '' }))
    await builder.ensure('node:20', () => {}, never)
    expect(builds.map(({ buildArguments }) => buildArguments)).toEqual([{ BASE: 'node:20' }])
  })

  it('gets the chosen CLIs on top of the plain image, and is another image than the plain one', async () => {
    let clis: readonly ImageCli[] = ['claude-code']
    const { builder, builds, rows } = bench({ clis: () => clis })
    const image = await builder.ensure(null, () => {}, never)
    expect(builds).toHaveLength(2)
    expect(builds[1]).toMatchObject({
      files: [{ source: '/clis' }],
      buildArguments: { PACKAGES: 'claude-code', BASE: builds[0]?.tag, TOOLS: builds[0]?.tag },
    })
    expect(image).toMatchObject({
      ok: true,
      value: { tag: builds[1]?.tag, base: 'collected', agents: ['demo', 'claude-code'] },
    })
    expect(rows.map(({ agents }) => agents)).toEqual([['demo'], ['demo', 'claude-code']])
    clis = []
    expect(await builder.find(null)).toMatchObject({ ok: true, value: { tag: builds[0]?.tag } })
    expect(builds[1]?.tag).not.toBe(builds[0]?.tag)
  })

  it("installs the CLIs of a project's own base in our image, which has npm", async () => {
    const { builder, runtime, builds } = bench({ clis: () => ['claude-code'] })
    runtime.addImage('node:20')
    runtime.answerOnce(() => ok({ exitCode: 0, stdout: 'v20.1.0\n', stderr: '' }))
    expect(await builder.ensure('node:20', () => {}, never)).toMatchObject({
      ok: true,
      value: { base: 'node:20' },
    })
    const [plain, own, last] = builds
    expect(last?.buildArguments).toMatchObject({ BASE: plain?.tag, TOOLS: own?.tag })
    expect(plain?.buildArguments['BASE']).toBe('node:20')
  })

  it('says that a project base cannot be pulled, without making another one', async () => {
    const image = await bench().builder.ensure('registry.example/base:1', () => {}, never)
    expect(image).toMatchObject({
      ok: false,
      error: { type: 'build_failed', step: 'pulling registry.example/base:1' },
    })
  })

  // An engine that shuts down fails by itself (`unexpected`) before it is away.
  it.each(['unreachable', 'unexpected'] as const)(
    'tells an engine that is %s apart from a failed build',
    async (type) => {
      const { builder, runtime } = bench()
      runtime.failWith(type)
      expect(await builder.ensure(null, () => {}, never)).toMatchObject({
        ok: false,
        error: { type: 'docker_unreachable' },
      })
    },
  )

  it('goes on for the other when one of two gives up, and stops when both have', async () => {
    const failed: ContainerError = { type: 'aborted', message: '', retryable: false }
    let seen: AbortSignal | null = null
    const { builder } = bench({
      runtime: {
        pullImage: (_reference, _onProgress, signal) => {
          seen = signal
          return new Promise((resolve) => signal.addEventListener('abort', () => resolve(err(failed))))
        },
      },
    })
    const [one, two] = [new AbortController(), new AbortController()]
    const first = builder.ensure(null, () => one.abort(), one.signal)
    const second = builder.ensure(null, () => {}, two.signal)
    while (seen === null) await Promise.resolve()
    const pulling: AbortSignal = seen
    one.abort()
    expect(await first).toMatchObject({ ok: false, error: { type: 'cancelled' } })
    expect(pulling.aborted).toBe(false)
    two.abort()
    expect(await second).toMatchObject({ ok: false, error: { type: 'cancelled' } })
    expect(pulling.aborted).toBe(true)
  })
})
