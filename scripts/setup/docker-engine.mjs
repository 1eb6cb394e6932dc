// A container engine that answers. As root on Debian it is installed and started; elsewhere the way to get one is told.
import { spawn } from 'node:child_process'
import fs from 'node:fs'
import http from 'node:http'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { findProgram, lastLines, run } from './commands.mjs'
import { canInstall, install, isDebian } from './debian.mjs'
import { cacheDir } from './places.mjs'
import { optionalStep, StepError } from './steps.mjs'

const startTimeoutMs = 60_000
const systemSocket = '/var/run/docker.sock'
/** The engine, its network rules, and what builds an agent image without an image registry. */
const enginePackages = ['docker.io', 'iptables', 'debootstrap', 'busybox-static']

/** `{ endpoint, version }`, or undefined after saying what to do: runs then need the host runner. */
export function ensureDockerEngine() {
  return optionalStep('Docker engine', {
    find: findEngine,
    doing:
      canInstall && !process.env.DOCKER_HOST
        ? 'no engine answers; installing and starting one'
        : 'no engine answers',
    make: async (tell) => {
      if (process.env.DOCKER_HOST) throw chosenIsSilent(process.env.DOCKER_HOST)
      if (!canInstall) throw cannotStart()
      if (findProgram('dockerd') === undefined) {
        tell(`installing ${enginePackages.join(' ')} (apt-get)`)
        await install(enginePackages)
      }
      await startDaemon(tell)
      const engine = await findEngine()
      if (engine) return engine
      throw new StepError('the engine was started but does not answer', `read ${logFile()}`)
    },
  })
}

async function findEngine() {
  for (const endpoint of await candidates()) {
    const version = await askVersion(endpoint)
    if (version) return { endpoint, version, note: `${version} at ${endpoint}` }
  }
  return undefined
}

/** Who sets DOCKER_HOST means that engine and no other one. */
async function candidates() {
  if (process.env.DOCKER_HOST) return [process.env.DOCKER_HOST]
  const usual = [
    process.env.XDG_RUNTIME_DIR && path.join(process.env.XDG_RUNTIME_DIR, 'docker.sock'),
    systemSocket,
    path.join(os.homedir(), '.docker', 'run', 'docker.sock'),
    path.join(os.homedir(), '.docker', 'desktop', 'docker.sock'),
    path.join(os.homedir(), '.colima', 'default', 'docker.sock'),
    path.join(os.homedir(), '.orbstack', 'run', 'docker.sock'),
  ].filter((socket) => socket && fs.existsSync(socket))
  const chosen = await contextEndpoint()
  const pipes = process.platform === 'win32' ? ['npipe:////./pipe/docker_engine'] : []
  return [...new Set([chosen, ...usual.map((socket) => `unix://${socket}`), ...pipes].filter(Boolean))]
}

/** The endpoint of the docker context that the person chose, if it is not the default one. */
async function contextEndpoint() {
  try {
    const config = fs.readFileSync(path.join(os.homedir(), '.docker', 'config.json'), 'utf8')
    if (!JSON.parse(config).currentContext) return undefined
  } catch {
    return undefined
  }
  const { code, stdout } = await run('docker', [
    'context',
    'inspect',
    '--format',
    '{{.Endpoints.docker.Host}}',
  ])
  return code === 0 ? stdout.trim() : undefined
}

/** The engine's version; undefined when nothing answers there within 3 s. */
function askVersion(endpoint) {
  const target = connection(endpoint)
  if (target === undefined) return Promise.resolve(undefined)
  return new Promise((resolve) => {
    const request = http.get({ ...target, path: '/version', timeout: 3000 }, (response) => {
      let body = ''
      response.setEncoding('utf8')
      response.on('data', (chunk) => (body += chunk))
      response.on('error', () => resolve(undefined))
      response.on('end', () => {
        try {
          resolve(JSON.parse(body).Version)
        } catch {
          resolve(undefined)
        }
      })
    })
    request.on('timeout', () => request.destroy())
    request.on('error', () => resolve(undefined))
  })
}

function connection(endpoint) {
  if (endpoint.startsWith('unix://')) return { socketPath: endpoint.slice('unix://'.length) }
  if (endpoint.startsWith('npipe://'))
    return { socketPath: endpoint.slice('npipe://'.length).replaceAll('/', '\\') }
  if (!/^(tcp|http):/.test(endpoint)) return undefined
  const { hostname, port } = new URL(endpoint.replace(/^tcp:/, 'http:'))
  return { host: hostname, port: port || 2375 }
}

const chosenIsSilent = (endpoint) =>
  new StepError(
    `no engine answers at ${endpoint}, which DOCKER_HOST names`,
    'start that engine, or unset DOCKER_HOST; until then runs need the host runner',
  )

function cannotStart() {
  try {
    if (fs.existsSync(systemSocket)) fs.accessSync(systemSocket, fs.constants.R_OK | fs.constants.W_OK)
  } catch {
    return new StepError(
      `your user may not use ${systemSocket}`,
      'sudo usermod -aG docker "$USER", log in again, and start again; until then runs need the host runner',
    )
  }
  const command = isDebian
    ? 'sudo apt-get install -y docker.io && sudo usermod -aG docker "$USER", then log in again'
    : 'install and start Docker Desktop, Docker Engine, Colima or OrbStack'
  return new StepError('no container engine answers', `${command}; until then runs need the host runner`)
}

const logFile = () => path.join(cacheDir, 'dockerd.log')

/** Starts the daemon so that it outlives this script: through systemd where it runs, else in a session of its own. */
async function startDaemon(tell) {
  if (fs.existsSync('/run/systemd/system')) {
    tell('systemctl start docker')
    const { code, output } = await run('systemctl', ['start', 'docker'])
    if (code !== 0)
      throw new StepError(
        `systemctl could not start docker:\n${lastLines(output, 4)}`,
        'journalctl -u docker',
      )
    return waitForEngine()
  }
  removeStalePidFiles()
  fs.mkdirSync(cacheDir, { recursive: true })
  const log = fs.openSync(logFile(), 'a')
  const daemon = spawn('dockerd', ['--host', `unix://${systemSocket}`], {
    detached: true,
    stdio: ['ignore', log, log],
  })
  fs.closeSync(log)
  const ended = new Promise((resolve) => {
    daemon.on('error', resolve)
    daemon.on('exit', resolve)
  })
  daemon.unref()
  tell(`started dockerd (pid ${daemon.pid}); it keeps running, its log is ${logFile()}`)
  return waitForEngine(ended)
}

async function waitForEngine(ended = new Promise(() => {})) {
  const until = Date.now() + startTimeoutMs
  let hasEnded = false
  void ended.then(() => (hasEnded = true))
  while (Date.now() < until && !hasEnded) {
    if (await askVersion(`unix://${systemSocket}`)) return
    await sleep(200)
  }
  const log = fs.existsSync(logFile()) ? lastLines(fs.readFileSync(logFile(), 'utf8'), 5) : ''
  throw new StepError(
    `dockerd ${hasEnded ? 'ended at once' : 'did not answer within 60 s'}:\n${log}`,
    `read ${logFile()}; runs need the host runner until it works`,
  )
}

/**
 * Pid files of daemons that were killed name processes that are gone or something else by now: dockerd refuses to start
 * over its own, and waits in vain for a containerd that the other names.
 */
function removeStalePidFiles() {
  removeStalePidFile('/var/run/docker.pid', 'dockerd')
  removeStalePidFile('/var/run/docker/containerd/containerd.pid', 'containerd')
}

function removeStalePidFile(file, daemon) {
  if (!fs.existsSync(file)) return
  const pid = fs.readFileSync(file, 'utf8').trim()
  const status = `/proc/${pid}/status`
  const words = fs.existsSync(status) ? fs.readFileSync(status, 'utf8') : ''
  // one that was killed and not yet taken leave of (Z) is over, though dockerd would take it for running
  const isRunning = words.startsWith(`Name:\t${daemon}`) && !/^State:\s+[ZX]/m.test(words)
  if (!isRunning) fs.rmSync(file)
}
