import { execFile } from 'node:child_process'

/*
 * On Linux a tray icon shows only where the desktop has a host for it, and Electron does not tell. A window that hides
 * to a tray that is not there would be lost, so the desktop is asked over its session bus.
 */

const patienceMs = 3_000
const watcher = 'org.kde.StatusNotifierWatcher'

const property = 'IsStatusNotifierHostRegistered'
const get = 'org.freedesktop.DBus.Properties.Get'
const path = '/StatusNotifierWatcher'

/** Each of these asks the same question; which ones are installed differs. */
const questions: readonly { readonly program: string; readonly args: string }[] = [
  {
    program: 'gdbus',
    args: `call --session --dest ${watcher} --object-path ${path} --method ${get} ${watcher} ${property}`,
  },
  { program: 'busctl', args: `--user get-property ${watcher} ${path} ${watcher} ${property}` },
  {
    program: 'dbus-send',
    args: `--session --print-reply --dest=${watcher} ${path} ${get} string:${watcher} string:${property}`,
  },
]

/** Whether the desktop shows tray icons; false when nobody can say. */
export async function hasTrayHost(platform: NodeJS.Platform = process.platform): Promise<boolean> {
  if (platform !== 'linux') return true
  for (const question of questions) {
    const answer = await ask(question.program, question.args.split(' '))
    if (answer !== null) return answer.includes('true')
  }
  return false
}

/** What the program printed; null when it is not installed, '' when it failed. */
function ask(program: string, args: readonly string[]): Promise<string | null> {
  return new Promise((resolve) => {
    execFile(program, [...args], { timeout: patienceMs }, (error, stdout) => {
      if (error === null) resolve(stdout)
      else resolve(error.code === 'ENOENT' ? null : '')
    })
  })
}
