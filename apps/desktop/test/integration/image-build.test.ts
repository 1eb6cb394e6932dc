import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createAgentImageRecipe } from '@main/adapters/container/image/agent-image-recipe'
import { createCollectedBase } from '@main/adapters/container/image/collected-base'
import { parseLdd } from '@main/adapters/container/image/host-programs'
import { createSystemClock } from '@main/adapters/system/system-clock'
import { cliPackages } from '@main/core/agents/image-clis'
import type { ContainerRuntime, ImageBuildProgress } from '@main/ports/container-runtime'
import type { BuiltImage } from '@main/ports/stores'
import { imageCliSchema, type ImageCli } from '@shared/model/words'
import { createAgentDetection } from '@main/services/agent-detection'
import { createImageBuilder, type AgentImage } from '@main/services/image-builder'
import { clisUnderTest } from '../clis/clis-under-test'
import { agentImageTag, resourcesFolder, testLabel, testRuntime } from './support/agent-container'
import { silentLogger } from './support/silent-logger'

let runtime: ContainerRuntime
let tag: string
let folder: string
const made: string[] = []
const never = new AbortController().signal

beforeAll(async () => {
  runtime = testRuntime()
  tag = await agentImageTag(runtime)
  folder = await mkdtemp(join(tmpdir(), 'alfred-image-'))
})
afterAll(async () => {
  const { default: Docker } = await import('dockerode')
  const docker = new Docker()
  await Promise.allSettled(made.map((reference) => docker.getImage(reference).remove({ force: true })))
  // Whatever stands on a base of these tests has their label.
  await docker.pruneImages({ filters: { dangling: ['true'], label: ['dev.alfred.test=1'] } })
  await rm(folder, { recursive: true, force: true })
})

async function imageFrom(name: string, dockerfile: string): Promise<string> {
  const file = join(folder, `${name}.Dockerfile`)
  await writeFile(file, dockerfile)
  const reference = `alfred-test-${name}:1`
  made.push(reference)
  const built = await runtime.buildImage(
    {
      files: [{ path: 'Dockerfile', source: file, executable: false }],
      tag: reference,
      buildArguments: {},
      labels: testLabel,
      network: 'default',
    },
    () => {},
    never,
  )
  if (!built.ok) throw new Error(built.error.message)
  return reference
}

const builderOf = (rows: BuiltImage[] = [], clis: readonly ImageCli[] = []) =>
  createImageBuilder({
    runtime,
    recipe: createAgentImageRecipe(resourcesFolder),
    images: {
      put: (row) => void rows.push(row),
      findByRecipe: () => null,
      list: () => rows,
      remove: () => {},
    },
    clock: createSystemClock(),
    logger: silentLogger,
    agents: ['demo'],
    clis: () => clis,
  })

const allClis = imageCliSchema.options

/** What the app finds in the image, by asking each CLI. */
async function detectedIn({ tag: reference, digest }: AgentImage) {
  const detection = createAgentDetection({
    installations: {
      put: () => {},
      find: () => null,
      list: () => [],
      putProof: () => {},
      findProof: () => null,
    },
    clock: createSystemClock(),
    loginOf: () => Promise.resolve('unknown'),
  })
  const found: [string, { version: string | null; resumable: boolean }][] = []
  for (const { create } of clisUnderTest) {
    const asked = await detection.detect(create(), { runner: 'container', runtime, reference, digest })
    if (!asked.ok) throw new Error(asked.error.message)
    const { adapter, version, resumable } = asked.value
    found.push([adapter, { version, resumable }])
  }
  return Object.fromEntries(found)
}

/** How far the build of the CLIs is, in ever larger numbers, and each CLI once it is there. */
function expectTold(progress: readonly ImageBuildProgress[]): void {
  const ofClis = progress.slice(progress.findIndex(({ detail }) => detail === 'ARG TOOLS'))
  const fractions = ofClis.map(({ fraction }) => fraction ?? -1)
  expect(fractions).toEqual(fractions.toSorted((a, b) => a - b))
  expect(new Set(fractions).size).toBeGreaterThan(10)
  const installed = ofClis.map(({ detail }) => detail).filter((detail) => detail.startsWith('alfred: '))
  for (const { program, version } of allClis.map((cli) => cliPackages[cli]))
    expect(installed.find((detail) => detail.startsWith(`alfred: ${program} `))).toContain(version)
}

const said = async (reference: string, script: string): Promise<string> => {
  const ran = await runtime.runOnce(reference, ['sh', '-c', script], 20_000)
  return ran.ok ? ran.value.stdout + ran.value.stderr : ran.error.message
}

describe('the agent image of this computer', () => {
  it('has git, Node, a shell, the demo agent and the usual tools', async () => {
    const told = await said(
      tag,
      'alfred-demo-agent --version; git --version; node --version; for p in sed grep find xargs base64 stat tar; do command -v $p > /dev/null || echo no $p; done',
    )
    expect(told).toMatch(/^alfred-demo-agent 1\.0\.0\ngit version [\d.]+.*\nv\d+\.[\d.]+\n$/)
  })

  it('has an agent user, a home and certificates', async () => {
    const told = await said(
      tag,
      'id -un; stat -c "%u %a" /home/agent; grep -c BEGIN /etc/ssl/certs/ca-certificates.crt',
    )
    expect(told).toMatch(/^agent\n1000 700\n[1-9]\d*\n$/)
  })

  it('carries its recipe, so that it is found again without a database', async () => {
    const rows: BuiltImage[] = []
    const found = await builderOf(rows).find(null)
    expect(found).toMatchObject({ ok: true, value: { tag } })
    const info = await runtime.findImage(tag)
    expect(info.ok && info.value?.labels['dev.alfred.recipe']).toBe(found.ok && found.value?.recipeSha256)
    expect(rows).toHaveLength(1)
  })
})

describe("a project's own base", () => {
  it('without Node gets Node, and keeps what is its own', async () => {
    const base = await imageFrom(
      'without-node',
      `FROM ${tag}\nRUN rm -rf /usr/local/bin/node /opt/alfred /usr/local/bin/alfred-demo-agent && echo own > /own.txt\nENTRYPOINT ["/bin/false"]\nENV MARK=kept\n`,
    )
    const built = await builderOf().ensure(base, () => {}, never)
    if (!built.ok) throw new Error(built.error.message)
    made.push(built.value.tag)
    expect(built.value).toMatchObject({ base })
    expect(
      await said(built.value.tag, 'cat /own.txt; echo $MARK; alfred-demo-agent --version; node --version'),
    ).toMatch(/^own\nkept\nalfred-demo-agent 1\.0\.0\nv/)
  })

  it('that has everything is used as it is', async () => {
    const base = await imageFrom('with-node', `FROM ${tag}\nRUN echo own > /own.txt\n`)
    const built = await builderOf().ensure(base, () => {}, never)
    if (!built.ok) throw new Error(built.error.message)
    made.push(built.value.tag)
    expect(await said(built.value.tag, 'cat /own.txt; ls /opt/alfred')).toBe(
      'own\ndemo-agent\nprepare-image.sh\n',
    )
  })

  it(
    'gets all CLIs at once, also without npm, tells how far it is, and is built once',
    {
      timeout: 400_000,
    },
    async () => {
      const base = await imageFrom(
        'without-npm',
        `FROM ${tag}\nRUN rm -rf /usr/local/lib/node_modules /usr/local/bin/npm /usr/local/bin/npx && echo own > /own.txt\n`,
      )
      const rows: BuiltImage[] = []
      const builder = builderOf(rows, allClis)
      const progress: ImageBuildProgress[] = []
      const built = await builder.ensure(base, (one) => void progress.push(one), never)
      if (!built.ok) throw new Error(built.error.message)
      made.push(...rows.map((row) => row.tag).filter((name) => name !== tag))
      const image = built.value
      expect(image).toMatchObject({ base, agents: ['demo', ...allClis.toSorted()] })
      // Each of them has hundreds of megabytes.
      expect(image.sizeBytes).toBeGreaterThan(1_000_000_000)
      expect(rows.at(-1)).toMatchObject({ tag: image.tag, sizeBytes: image.sizeBytes })
      expectTold(progress)
      expect(await said(image.tag, 'cat /own.txt; command -v npm || echo no npm')).toBe('own\nno npm\n')
      expect(await detectedIn(image)).toEqual(
        Object.fromEntries(
          allClis.map((cli) => [cli, { version: cliPackages[cli].version, resumable: true }]),
        ),
      )

      const again = await builder.ensure(base, () => expect.unreachable('it is there already'), never)
      expect(again).toEqual({ ok: true, value: image })
    },
  )

  it('without git and without a package manager fails with the words that help', async () => {
    const base = await imageFrom('without-git', `FROM ${tag}\nRUN rm -f /usr/bin/git\n`)
    const built = await builderOf().ensure(base, () => {}, never)
    expect(built).toMatchObject({ ok: false, error: { type: 'build_failed' } })
    expect(built.ok ? '' : built.error.message).toContain(
      'git is missing in the base and could not be installed',
    )
  })

  it('can be given up while it is built', async () => {
    const stop = new AbortController()
    const file = join(folder, 'slow.Dockerfile')
    await writeFile(file, `FROM ${tag}\nRUN sleep 300\n`)
    const building = runtime.buildImage(
      {
        files: [{ path: 'Dockerfile', source: file, executable: false }],
        tag: 'alfred-test-slow:1',
        buildArguments: {},
        labels: testLabel,
        network: 'default',
      },
      ({ detail }) => {
        if (detail.includes('sleep')) stop.abort()
      },
      stop.signal,
    )
    expect(await building).toMatchObject({ ok: false, error: { type: 'aborted' } })
    expect(await runtime.findImage('alfred-test-slow:1')).toEqual({ ok: true, value: null })
  })
})

describe('a base collected from this computer', () => {
  const maker = createCollectedBase(join(resourcesFolder, 'agent-image', 'collected-programs.txt'))

  it('is possible for an engine of the same kind only', async () => {
    const info = await runtime.info()
    if (!info.ok) throw new Error(info.error.message)
    expect(await maker.obstacle(info.value)).toBeNull()
    expect(await maker.obstacle({ architecture: 'riscv64', operatingSystem: 'linux' })).toContain('riscv64')
  })

  it('reads what ldd says, static programs and missing libraries included', () => {
    const output = [
      '/usr/bin/git:',
      '\tlinux-vdso.so.1 (0x00007ffd)',
      '\tlibz.so.1 => /lib/x86_64-linux-gnu/libz.so.1 (0x00007f66)',
      '\tlibgone.so => not found',
      '/usr/bin/busybox:',
      '\tnot a dynamic executable',
      '\t/lib64/ld-linux-x86-64.so.2 (0x00007f86)',
      '\tlibz.so.1 => /lib/x86_64-linux-gnu/libz.so.1 (0x00007f67)',
    ].join('\n')
    expect(parseLdd(output)).toEqual(['/lib/x86_64-linux-gnu/libz.so.1', '/lib64/ld-linux-x86-64.so.2'])
  })
})
