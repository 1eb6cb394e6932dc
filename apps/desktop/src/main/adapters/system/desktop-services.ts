import { execFile } from 'node:child_process'
import type { DesktopServices } from '../../ports/desktop-services'

/*
 * On Linux a notification or a tray icon shows only where something of the desktop shows it, and Electron tells of
 * neither. A window that hides to a tray that is not there would be lost, so the desktop is asked over its session bus.
 */

const patienceMs = 3_000
const bus = 'org.freedesktop.DBus'
const notifications = 'org.freedesktop.Notifications'
const watcher = 'org.kde.StatusNotifierWatcher'
const links = 'x-scheme-handler/alfred'

interface Call {
  readonly destination: string
  readonly path: string
  readonly method: string
  readonly strings: readonly string[]
}

export interface DesktopServicesOptions {
  readonly platform: NodeJS.Platform
  readonly environment: NodeJS.ProcessEnv
}

export function createDesktopServices({ platform, environment }: DesktopServicesOptions): DesktopServices {
  const isAsked = platform === 'linux'
  const run = (program: string, args: readonly string[]) => ask(program, args, environment)
  const call = async (asked: Call): Promise<string> => {
    for (const [program, args] of waysToCall(asked)) {
      const answer = await run(program, args)
      if (answer !== null) return answer
    }
    return ''
  }
  const callBus = (method: string, ...strings: readonly string[]): Promise<string> =>
    call({ destination: bus, path: '/org/freedesktop/DBus', method: `${bus}.${method}`, strings })

  return {
    async showsNotifications() {
      if (!isAsked) return true
      if ((await callBus('NameHasOwner', notifications)).includes('true')) return true
      // some start only when the first message comes
      return (await callBus('ListActivatableNames')).includes(notifications)
    },
    async showsTray() {
      if (!isAsked) return true
      const answer = await call({
        destination: watcher,
        path: '/StatusNotifierWatcher',
        method: `${bus}.Properties.Get`,
        strings: [watcher, 'IsStatusNotifierHostRegistered'],
      })
      return answer.includes('true')
    },
    async linkHandler() {
      if (!isAsked) return { state: 'not_asked' }
      const answer = await run('xdg-mime', ['query', 'default', links])
      if (answer === null) return { state: 'not_asked' }
      const program = answer.trim().split('\n')[0] ?? ''
      return program === '' ? { state: 'none' } : { state: 'set', program }
    },
  }
}

/** Each of these asks the same; which ones are installed differs. */
function waysToCall({ destination, path, method, strings }: Call): readonly [string, readonly string[]][] {
  const dot = method.lastIndexOf('.')
  const signature = strings.length === 0 ? [] : ['s'.repeat(strings.length), ...strings]
  return [
    [
      'gdbus',
      ['call', '--session', '--dest', destination, '--object-path', path, '--method', method, ...strings],
    ],
    [
      'busctl',
      ['--user', 'call', destination, path, method.slice(0, dot), method.slice(dot + 1), ...signature],
    ],
    [
      'dbus-send',
      [
        '--session',
        '--print-reply',
        `--dest=${destination}`,
        path,
        method,
        ...strings.map((text) => `string:${text}`),
      ],
    ],
  ]
}

/** What the program printed; null when it is not installed, '' when it failed. */
function ask(program: string, args: readonly string[], env: NodeJS.ProcessEnv): Promise<string | null> {
  return new Promise((resolve) => {
    execFile(program, [...args], { timeout: patienceMs, env }, (error, stdout) => {
      if (error === null) resolve(stdout)
      else resolve(error.code === 'ENOENT' ? null : '')
    })
  })
}
