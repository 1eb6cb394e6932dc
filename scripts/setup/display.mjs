// What Electron needs of a Linux system: its shared libraries, and Xvfb as a display for tests.
import { spawn } from 'node:child_process'
import net from 'node:net'
import path from 'node:path'
import { findProgram, run } from './commands.mjs'
import { canInstall, install, installCommand } from './debian.mjs'
import { optionalStep, StepError } from './steps.mjs'

const packageByLibrary = {
  'libgtk-3.so.0': 'libgtk-3-0',
  'libnss3.so': 'libnss3',
  'libasound.so.2': 'libasound2',
  'libgbm.so.1': 'libgbm1',
  'libnotify.so.4': 'libnotify4',
  'libatspi.so.0': 'at-spi2-core',
}
const packageByTestProgram = {
  Xvfb: 'xvfb',
  'dbus-daemon': 'dbus',
  // terminals that a person may have, and the keys typed into them
  xterm: 'xterm',
  'xfce4-terminal': 'xfce4-terminal',
  urxvt: 'rxvt-unicode',
  xdotool: 'xdotool',
  tmux: 'tmux',
  // one of the shells that the entry is tried in; it comes with an engine only where set-up installs that
  busybox: 'busybox-static',
}

const displayTimeoutMs = 3000

/** Why a window cannot be shown here; undefined: it can. */
export async function whyNoDisplay(env = process.env) {
  if (process.platform !== 'linux') return undefined
  const { DISPLAY: display, WAYLAND_DISPLAY: wayland } = env
  if (!display && !wayland) return 'DISPLAY and WAYLAND_DISPLAY are not set'
  if (wayland && (await answers({ path: path.resolve(env.XDG_RUNTIME_DIR ?? '/', wayland) })))
    return undefined
  if (!display) return `nothing answers at ${wayland}, which WAYLAND_DISPLAY names`
  for (const place of placesOf(display)) if (await answers(place)) return undefined
  return `nothing answers at ${display}, which DISPLAY names`
}

/** Where an X server with this name may listen. */
function placesOf(display) {
  const [, host, number] = /^(.*):(\d+)(?:\.\d+)?$/.exec(display) ?? []
  if (number === undefined) return []
  if (host !== '' && host !== 'unix') return [{ host, port: 6000 + Number(number) }]
  const socket = `/tmp/.X11-unix/X${number}`
  return [{ path: socket }, { path: `\0${socket}` }]
}

function answers(place) {
  return new Promise((resolve) => {
    const socket = net.connect({ ...place, timeout: displayTimeoutMs })
    const end = (isThere) => {
      socket.destroy()
      resolve(isThere)
    }
    socket.on('connect', () => end(true))
    socket.on('error', () => end(false))
    socket.on('timeout', () => end(false))
  })
}

/** Libraries for the window, and with `tests` the programs that e2e tests use. Goes on without what cannot be had. */
export function ensureDisplayParts({ tests }) {
  if (process.platform !== 'linux') return Promise.resolve()
  const name = tests ? 'Xvfb, libraries' : 'libraries'
  return optionalStep(name, {
    find: async () => ((await missingPackages(tests)).length === 0 ? {} : undefined),
    doing: canInstall ? 'installing what a window needs (apt-get)' : 'looking for what a window needs',
    make: async () => {
      const missing = await missingPackages(tests)
      await install(missing)
      const still = await missingPackages(tests)
      if (still.length > 0) throw new StepError(`still missing: ${still.join(', ')}`, installCommand(still))
      return { note: missing.join(' ') }
    },
  })
}

async function missingPackages(tests) {
  const { code, stdout } = await run(findProgram('ldconfig') ?? '/sbin/ldconfig', ['-p'])
  // a system without ldconfig (musl, Nix) cannot be asked: the start itself will tell
  const libraries = code === 0 ? Object.keys(packageByLibrary).filter((file) => !stdout.includes(file)) : []
  const programs = tests
    ? Object.keys(packageByTestProgram).filter((name) => findProgram(name) === undefined)
    : []
  return [
    ...libraries.map((file) => packageByLibrary[file]),
    ...programs.map((name) => packageByTestProgram[name]),
  ]
}

/** Starts an own Xvfb on a free display: `{ display, stop }`. */
export async function startXvfb() {
  const args = ['-displayfd', '3', '-screen', '0', '1440x900x24', '-nolisten', 'tcp']
  const child = spawn('Xvfb', args, { stdio: ['ignore', 'ignore', 'ignore', 'pipe'] })
  const number = await new Promise((resolve, reject) => {
    let text = ''
    child.on('error', () => reject(new StepError('Xvfb is not installed', installCommand(['xvfb']))))
    child.on('exit', (code) =>
      reject(
        new StepError(`Xvfb ended at once with code ${code}`, 'run Xvfb :99 by hand and read what it says'),
      ),
    )
    child.stdio[3].on('data', (chunk) => {
      text += chunk
      if (text.includes('\n')) resolve(text.trim())
    })
  })
  child.removeAllListeners('exit')
  child.unref()
  child.stdio[3].destroy()
  return { display: `:${number}`, stop: () => child.kill('SIGTERM') }
}
