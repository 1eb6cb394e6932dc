// A container engine that answers. As root on Debian it is installed and started; elsewhere the way to get one is told.
import { spawn } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { findProgram, lastLines, run } from './commands.mjs'
import { canInstall, install, isDebian } from './debian.mjs'
import { askVersion, chosenEngine, isOutOfReach, systemSocket, usualEngines } from './docker-endpoint.mjs'
import { cacheDir } from './places.mjs'
import { optionalStep, StepError } from './steps.mjs'

const startTimeoutMs = 60_000
/** The engine, its network rules, and what builds an agent image without an image registry. */
const enginePackages = ['docker.io', 'iptables', 'debootstrap', 'busybox-static']

/** `{ endpoint, version }`, or undefined after saying what to do: runs then need the host runner. */
export function ensureDockerEngine() {
  const chosen = chosenEngine()
  return optionalStep('Docker engine', {
    find: findEngine,
    doing:
      canInstall && chosen === undefined
        ? 'no engine answers; installing and starting one'
        : 'no engine answers',
    make: async (tell) => {
      if (chosen !== undefined)
        throw isOutOfReach(chosen) ? chosenIsOutOfReach(chosen) : chosenIsSilent(chosen)
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
  const chosen = chosenEngine()
  for (const engine of chosen === undefined ? usualEngines() : [chosen]) {
    const version = await askVersion(engine)
    const { endpoint } = engine
    if (version) return { endpoint, version, note: `${version} at ${endpoint}` }
  }
  return undefined
}

const chosenIsSilent = ({ endpoint, by, undo }) =>
  new StepError(
    `no engine answers at ${endpoint}, which ${by} names`,
    `start that engine, or ${undo}; until then runs need the host runner`,
  )

const chosenIsOutOfReach = ({ endpoint, by, undo }) =>
  new StepError(
    `${by} names ${endpoint}, and Alfred speaks to an engine through a socket or tcp only`,
    `forward that engine to a local socket and set DOCKER_HOST to it, or ${undo}; until then runs need the host runner`,
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
    if (await askVersion({ endpoint: `unix://${systemSocket}` })) return
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
