import { execFileSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { createAgentImageRecipe } from '@main/adapters/container/image/agent-image-recipe'
import { createDockerRuntime } from '@main/adapters/container/docker/docker-runtime'
import { createSandboxFiles } from '@main/adapters/container/sandbox-files'
import { createStreamFiles } from '@main/adapters/container/stream-file'
import { createSystemClock } from '@main/adapters/system/system-clock'
import { buildContainerSpec, type SandboxRequest } from '@main/core/sandbox/sandbox-spec'
import { sandboxUser } from '@main/core/sandbox/sandbox-user'
import type { ImageCli } from '@shared/model/words'
import type { ContainerRuntime, ContainerSpec, ContainerState } from '@main/ports/container-runtime'
import { createImageBuilder } from '@main/services/image-builder'
import { silentLogger } from './silent-logger'

/*
 * One mailbox's folders on the disk and containers of the real engine around them.
 */

/** A bundle of the tests lies elsewhere, and is told. */
export const resourcesFolder =
  process.env['ALFRED_TEST_RESOURCES'] ?? resolve(import.meta.dirname, '../../../resources')
export const testLabel = { 'dev.alfred.test': '1' } as const
const clock = createSystemClock()

export const testRuntime = (): ContainerRuntime =>
  createDockerRuntime({ endpointSetting: () => null, clock, labels: testLabel })

/** The product's own image, with these CLIs; built once per computer, then found by its recipe. */
export async function agentImageTag(
  runtime: ContainerRuntime,
  clis: readonly ImageCli[] = [],
): Promise<string> {
  const builder = createImageBuilder({
    runtime,
    recipe: createAgentImageRecipe(resourcesFolder),
    images: { put: () => {}, findByRecipe: () => null, list: () => [], remove: () => {} },
    clock,
    logger: silentLogger,
    agents: ['demo'],
    clis: () => clis,
  })
  const image = await builder.ensure(null, () => {}, new AbortController().signal)
  if (!image.ok) throw new Error(image.error.message)
  return image.value.tag
}

export const appUser = { uid: process.getuid?.() ?? 1000, gid: process.getgid?.() ?? 1000 }
export const user = sandboxUser(appUser, { rootless: false })

export interface StartOptions {
  readonly argv?: readonly string[]
  readonly prompt?: string
  readonly purpose?: SandboxRequest['purpose']
  readonly tree?: SandboxRequest['git']['tree']
  readonly environment?: Readonly<Record<string, string>>
  readonly baseSha?: string
  readonly limits?: SandboxRequest['limits']
  /** Whose CLI it is; the demo agent where nothing is said. */
  readonly adapter?: SandboxRequest['adapter']
  /** What the start writes beside the prompt, by name. */
  readonly files?: Readonly<Record<string, string>>
  readonly withState?: boolean
  /** Shell the entry runs with inside the image. */
  readonly shell?: string
}

export interface EndedRun {
  readonly state: ContainerState
  readonly stdout: string
  readonly stderr: string
  readonly status: Readonly<Record<string, unknown>> | null
  readonly entry: Readonly<Record<string, unknown>> | null
  readonly output: string
}

export interface TestMailbox {
  readonly folder: string
  readonly workspace: string
  readonly repository: string
  readonly state: string
  readonly baseSha: string
  readonly branch: string
  git(...argv: string[]): string
  /** Makes folders and files of a start without starting it. */
  specOf(options: StartOptions): Promise<{ readonly spec: ContainerSpec; readonly output: string }>
  start(
    options: StartOptions,
  ): Promise<{ readonly state: ContainerState; readonly output: string; ended(): Promise<EndedRun> }>
  run(options: StartOptions): Promise<EndedRun>
  /** Head of a bundle, after git verified it against the bare repository. */
  bundleHead(path: string): { readonly sha: string; readonly ref: string }
  /** Content of a file in a commit that came with a bundle. */
  show(bundle: string, path: string): string
  remove(): Promise<void>
}

export async function createTestMailbox(runtime: ContainerRuntime, image: string): Promise<TestMailbox> {
  const folder = await mkdtemp(join(tmpdir(), 'alfred-entry-'))
  const repository = join(folder, 'repo.git')
  const workspace = join(folder, 'workspace')
  const state = join(folder, 'state')
  const uid = randomUUID()
  const branch = 'agent/issue-1-thing'
  const files = createSandboxFiles({ resourcesFolder, dataFolder: folder })
  const streams = createStreamFiles(clock)
  let starts = 0
  const git = (...argv: string[]): string =>
    execFileSync('git', ['-C', repository, ...argv], {
      encoding: 'utf8',
      env: { ...process.env, ...author },
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim()

  await seedRepository(folder, repository)
  await files.ensureFolder(workspace, user)
  await files.ensureFolder(state, user)
  const baseSha = git('rev-parse', 'refs/remotes/origin/main')

  const specOf: TestMailbox['specOf'] = async (options) => {
    starts += 1
    const output = join(folder, `out-${starts}`)
    const input = join(folder, `in-${starts}`)
    await files.ensureFolder(output, user)
    await mkdir(input, { recursive: true })
    const written = { prompt: 'Phase: chat\nTitle: test\n', ...options.files }
    if (options.prompt !== undefined) written.prompt = options.prompt
    for (const [name, text] of Object.entries(written)) await writeFile(join(input, name), text)
    for (const name of ['stream.out', 'stream.err']) {
      const made = await streams.create(join(output, name), user)
      if (!made.ok) throw new Error(made.error.message)
      await made.value.close()
    }
    const built = buildContainerSpec({
      purpose: options.purpose ?? 'run',
      ids: { installId: 'test', runUid: uid, mailboxId: 1, attempt: 1, start: starts },
      image,
      engine: { rootless: false, cpus: 2 },
      appUser,
      adapter: options.adapter ?? demoAdapter,
      command: { argv: options.argv ?? [], environment: options.environment ?? {} },
      folders: { workspace, repository, input, output, state: options.withState ? state : null },
      files: await files.fixedFiles(user),
      credentials: [],
      limits: options.limits ?? { memoryBytes: 512_000_000, cpus: 2, pids: 256 },
      git: {
        branch,
        baseSha: options.baseSha ?? baseSha,
        tree: options.tree ?? 'branch',
        authorName: 'Agent',
        authorEmail: 'agent@example.invalid',
      },
    })
    if (!built.ok) throw new Error(built.error.message)
    const argv =
      options.shell === undefined
        ? built.value.argv
        : [...options.shell.split(' '), ...built.value.argv.slice(1)]
    return { spec: { ...built.value, argv, labels: { ...built.value.labels, ...testLabel } }, output }
  }

  const start: TestMailbox['start'] = async (options) => {
    const { spec, output } = await specOf(options)
    const started = await runtime.start(spec)
    if (!started.ok) throw new Error(started.error.message)
    return {
      state: started.value,
      output,
      ended: async () => {
        const state = await runtime.wait(started.value.id, new AbortController().signal)
        if (!state.ok) throw new Error(state.error.message)
        await runtime.remove(started.value.id)
        return endedRun(state.value, output)
      },
    }
  }

  return {
    folder,
    workspace,
    repository,
    state,
    baseSha,
    branch,
    git,
    specOf,
    start,
    run: async (options) => (await start(options)).ended(),
    bundleHead: (path) => {
      git('bundle', 'verify', '--quiet', path)
      const [sha = '', ref = ''] = git('bundle', 'list-heads', path).split(' ')
      return { sha, ref }
    },
    show: (bundle, path) => {
      git('fetch', '--quiet', bundle, '+refs/*:refs/test/*')
      const [sha = ''] = git('bundle', 'list-heads', bundle).split(' ')
      return git('show', `${sha}:${path}`)
    },
    remove: async () => {
      const left = await runtime.listByLabel('dev.alfred.run', uid)
      if (left.ok) await Promise.all(left.value.map(({ id }) => runtime.remove(id)))
      await rm(folder, { recursive: true, force: true })
    },
  }
}

const demoAdapter = {
  id: 'demo',
  sessionStatePath: '/home/agent/.demo/sessions',
  scratchPaths: ['/home/agent/.demo'],
} as const

const author = {
  GIT_AUTHOR_NAME: 'Person',
  GIT_AUTHOR_EMAIL: 'person@example.invalid',
  GIT_COMMITTER_NAME: 'Person',
  GIT_COMMITTER_EMAIL: 'person@example.invalid',
}

/** A bare repository as the app keeps it: the forge's branches below refs/remotes/origin. */
async function seedRepository(folder: string, repository: string): Promise<void> {
  const seed = join(folder, 'seed')
  await mkdir(join(seed, 'src'), { recursive: true })
  await writeFile(join(seed, 'README.md'), '# Sample\n')
  await writeFile(join(seed, '.gitignore'), 'ignored/\n')
  await writeFile(join(seed, 'src', 'main.js'), 'export const answer = 42\n')
  await writeFile(join(seed, 'package.json'), '{ "type": "module" }\n')
  const git = (cwd: string, ...argv: string[]): unknown =>
    execFileSync('git', argv, { cwd, env: { ...process.env, ...author } })
  git(seed, 'init', '--quiet', '-b', 'main')
  git(seed, 'add', '-A')
  git(seed, 'commit', '--quiet', '-m', 'Begin')
  git(folder, 'init', '--quiet', '--bare', repository)
  git(repository, 'fetch', '--quiet', seed, '+refs/heads/*:refs/remotes/origin/*')
}

async function endedRun(state: ContainerState, output: string): Promise<EndedRun> {
  const json = async (name: string): Promise<Readonly<Record<string, unknown>> | null> =>
    existsSync(join(output, name)) ? JSON.parse(await readFile(join(output, name), 'utf8')) : null
  return {
    state,
    stdout: await readFile(join(output, 'stream.out'), 'utf8'),
    stderr: await readFile(join(output, 'stream.err'), 'utf8'),
    status: await json('status.json'),
    entry: await json('entry.json'),
    output,
  }
}

/** NUL-separated fields of a list in status.json. */
export function listOf(status: Readonly<Record<string, unknown>> | null, name: string): string[] {
  const value = status?.[name]
  return typeof value === 'string'
    ? Buffer.from(value, 'base64').toString('utf8').split('\0').slice(0, -1)
    : []
}

/** Settles when the file holds the text; for steps that only the container can tell. */
export async function untilFileHas(path: string, text: string): Promise<void> {
  while (!(await readFile(path, 'utf8').catch(() => '')).includes(text)) await clock.sleep(20)
}
