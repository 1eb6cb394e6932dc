import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'

/*
 * Starting with the desktop's session on Linux: a file in the autostart folder. Other systems have a list of their own.
 */

/** Alfred was started by the session and not by a person: the tray is enough. */
export const hiddenFlag = '--hidden'

/** Whether the file says that it is switched off: desktops write that into it instead of taking it away. */
const isSwitchedOff = (text: string): boolean =>
  /^(?:Hidden=true|X-GNOME-Autostart-enabled=false)$/m.test(text)

/** Writes or takes away the file; throws where that cannot be done. */
export function setAutostart(file: string, command: readonly string[] | null): void {
  if (command === null) return rmSync(file, { force: true })
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, autostartText(command))
}

/** The program may have moved since; what a person switched off in the desktop's own settings stays off. */
export function renewAutostart(file: string, command: readonly string[]): void {
  const text = readText(file)
  if (text === autostartText(command) || (text !== null && isSwitchedOff(text))) return
  setAutostart(file, command)
}

export const autostartText = (command: readonly string[]): string =>
  `[Desktop Entry]
Type=Application
Name=Alfred
Comment=Coding agents work on your issues
Exec=${command.map(quoted).join(' ')}
Terminal=false
X-GNOME-Autostart-enabled=true
`

/** As an Exec line is read: first as a string, then as words in quotes, then for its field codes. */
const quoted = (word: string): string =>
  `"${word
    .replaceAll(/["`$\\]/g, '\\$&')
    .replaceAll('\\', '\\\\')
    .replaceAll('%', '%%')}"`

function readText(file: string): string | null {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return null
  }
}

export interface StartedProgram {
  readonly execPath: string
  /** The folder of the app where it is not packaged. */
  readonly appFolder: string | null
  readonly environment: NodeJS.ProcessEnv
}

/** What starts this very app on this very data. */
export function loginCommand({ execPath, appFolder, environment }: StartedProgram): readonly string[] {
  // the file that an AppImage runs from is there only while it runs
  const program = environment['APPIMAGE'] ?? execPath
  const home = environment['ALFRED_HOME']
  return [
    ...(home === undefined || home === '' ? [] : ['env', `ALFRED_HOME=${home}`]),
    program,
    ...(appFolder === null ? [] : [appFolder]),
    hiddenFlag,
  ]
}
