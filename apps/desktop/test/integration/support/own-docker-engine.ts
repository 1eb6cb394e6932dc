import { execFileSync, spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync, rmdirSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import Docker from 'dockerode'
import { agentImageTag, testRuntime } from './agent-container'

/*
 * A Docker engine that a test may kill, hang and restart. It lives in namespaces of its own (network, mounts,
 * processes): the computer's engine is not touched, and when the namespace's first process goes, all of it goes.
 */

export interface OwnDockerEngine {
  /** As DOCKER_HOST has it. */
  readonly url: string
  /** SIGKILL to dockerd alone, as when it crashes; its containers are left to themselves. */
  kill(): Promise<void>
  /** SIGTERM, and its end: containers are stopped, unless they may live on. */
  terminate(): Promise<void>
  /** dockerd stands still: it accepts connections and answers none. */
  hang(): void
  wakeUp(): void
  /** Starts dockerd again; settles when it answers. */
  start(options?: OwnDockerOptions): Promise<void>
  /** As after the start, whatever a test left: at work, and without live restore. */
  ensureRunning(): Promise<void>
  /** Nothing is told to end and everything is gone at once: dockerd, what it leans on, and every container. */
  losePower(): Promise<void>
  /** Ends everything and removes what it left. */
  remove(): Promise<void>
}

export interface OwnDockerOptions {
  /** Containers go on while dockerd is away. */
  readonly liveRestore: boolean
}

/** Why no engine of one's own can be started on this computer; null: it can. */
export function whyNoOwnDocker(): string | null {
  if (process.platform !== 'linux') return 'an engine of its own needs Linux namespaces'
  if (process.getuid?.() !== 0) return 'an engine of its own needs root'
  const missing = ['dockerd', 'unshare', 'nsenter', 'ip'].filter(
    (program) => spawnSync('sh', ['-c', `command -v ${program}`], { stdio: 'ignore' }).status !== 0,
  )
  return missing.length === 0 ? null : `an engine of its own needs ${missing.join(', ')}`
}

/** Where the tools are missing, a developer's tests are skipped and say why; CI must have them. */
export function ownDockerOrSkip(): boolean {
  const reason = whyNoOwnDocker()
  if (reason === null) return true
  if (process.env['CI']) throw new Error(reason)
  process.stderr.write(`skipped: ${reason}\n`)
  return false
}

// The first process of the namespace: it takes up orphans, and ends with the test that started it.
const firstProcess = `ip link set lo up && trap 'exit 0' TERM && exec 3<&0
{ cat <&3 > /dev/null; kill -TERM 1; } &
echo ready
while :; do sleep 1; done`

export async function startOwnDocker(): Promise<OwnDockerEngine> {
  const folder = await mkdtemp(join(tmpdir(), 'alfred-docker-'))
  const socket = join(folder, 'docker.sock')
  const pidFile = join(folder, 'docker.pid')
  const group = basename(folder)
  const first = spawn(
    'unshare',
    ['--net', '--mount', '--pid', '--fork', '--kill-child', '--mount-proc', 'sh', '-c', firstProcess],
    { stdio: ['pipe', 'pipe', 'inherit'] },
  )
  await once(first.stdout, 'data')
  const children = readFileSync(`/proc/${first.pid}/task/${first.pid}/children`, 'utf8')
  const inside = ['--target', children.trim(), '--net', '--mount', '--pid', '--']
  const run = (script: string): string =>
    execFileSync('nsenter', [...inside, 'sh', '-c', script], { encoding: 'utf8' })
  const client = new Docker({ socketPath: socket })
  let daemon: ChildProcess | null = null
  let isLiveRestoring = false

  const signal = (name: 'KILL' | 'TERM' | 'STOP' | 'CONT'): void =>
    void run(`kill -${name} ${readFileSync(pidFile, 'utf8').trim()}`)
  // nsenter stops itself when its child is stopped.
  const wakeUp = (): void => {
    signal('CONT')
    daemon?.kill('SIGCONT')
  }
  const ended = async (): Promise<void> => {
    if (daemon !== null && daemon.exitCode === null && daemon.signalCode === null) await once(daemon, 'exit')
    daemon = null
  }

  const engine: OwnDockerEngine = {
    url: `unix://${socket}`,
    async kill() {
      signal('KILL')
      await ended()
    },
    async terminate() {
      signal('TERM')
      await ended()
    },
    hang: () => signal('STOP'),
    wakeUp,
    async start(options = { liveRestore: false }) {
      isLiveRestoring = options.liveRestore
      // What a killed dockerd leaves would keep the next one waiting for a containerd that is not there.
      await rm(join(folder, 'exec', 'containerd', 'containerd.pid'), { force: true })
      await rm(pidFile, { force: true })
      daemon = spawn(
        'nsenter',
        [
          ...inside,
          'dockerd',
          `--host=unix://${socket}`,
          `--data-root=${join(folder, 'data')}`,
          `--exec-root=${join(folder, 'exec')}`,
          `--pidfile=${pidFile}`,
          `--cgroup-parent=/${group}`,
          ...(isLiveRestoring ? ['--live-restore'] : []),
        ],
        { stdio: ['ignore', 'ignore', 'pipe'] },
      )
      let said = ''
      daemon.stderr?.on('data', (chunk: Buffer) => (said = (said + chunk.toString()).slice(-20_000)))
      while (
        !(await client.ping().then(
          () => true,
          () => false,
        ))
      ) {
        if (daemon.exitCode !== null) throw new Error(`dockerd ended with ${daemon.exitCode}: ${said}`)
        await wait(50)
      }
    },
    async ensureRunning() {
      if (daemon !== null) wakeUp()
      if (daemon !== null && isLiveRestoring) await engine.terminate()
      if (daemon === null) await engine.start()
    },
    async losePower() {
      run('kill -KILL -1 || true')
      await ended()
    },
    async remove() {
      first.kill('SIGKILL')
      daemon?.kill('SIGCONT')
      await ended()
      await removeGroups(group)
      await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 })
    },
  }
  await engine.start()
  return engine
}

/** The product's agent image, made by the computer's own engine and copied. */
export async function loadAgentImage(engine: OwnDockerEngine): Promise<void> {
  const tag = await agentImageTag(testRuntime())
  const from = new Docker()
  const to = new Docker({ socketPath: engine.url.replace('unix://', '') })
  const progress = await to.loadImage(await from.getImage(tag).get(), { quiet: true })
  for await (const _ of progress) continue
}

/** Control groups outlive their processes, and cannot go before them. */
async function removeGroups(group: string): Promise<void> {
  const root = '/sys/fs/cgroup'
  for (const place of [root, ...readdirSync(root).map((name) => join(root, name))]) {
    const path = join(place, group)
    if (!existsSync(path)) continue
    for (const entry of readdirSync(path, { withFileTypes: true }))
      if (entry.isDirectory()) await removeGroup(join(path, entry.name))
    await removeGroup(path)
  }
}

async function removeGroup(path: string): Promise<void> {
  for (let left = 100; ; left -= 1) {
    try {
      return rmdirSync(path)
    } catch (thrown) {
      if (left === 0) throw thrown
      await wait(50)
    }
  }
}
