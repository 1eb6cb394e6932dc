import { app, dialog } from 'electron'
import { join } from 'node:path'
import { hiddenFlag, loginCommand, renewAutostart, setAutostart } from '../windows/login-start'
import type { ShellEngine } from '../windows/shell-status'

/** Keeps the system's list of what starts at login as the setting says it. Off, it is touched only by a change. */
export function followStartAtLogin(engine: ShellEngine): () => void {
  let known: boolean | null = null
  const look = async (): Promise<void> => {
    const isOn = await engine.startsAtLogin()
    if (isOn === null || isOn === known) return
    const isFirst = known === null
    known = isOn
    if (isFirst && !isOn) return
    try {
      apply(isOn, isFirst)
    } catch (defect) {
      known = null
      void dialog.showMessageBox({
        type: 'warning',
        message: isOn ? 'Alfred will not start at login.' : 'Alfred will still start at login.',
        detail: `The system's list could not be changed: ${defect instanceof Error ? defect.message : String(defect)}`,
      })
    }
  }
  void look()
  return engine.onSettingsChanged(() => void look())
}

function apply(isOn: boolean, isFirst: boolean): void {
  if (process.platform !== 'linux') {
    app.setLoginItemSettings({ openAtLogin: isOn, args: [hiddenFlag] })
    return
  }
  const file = join(app.getPath('appData'), 'autostart', 'alfred.desktop')
  const command = loginCommand({
    execPath: process.execPath,
    appFolder: app.isPackaged ? null : app.getAppPath(),
    environment: process.env,
  })
  if (isFirst) renewAutostart(file, command)
  else setAutostart(file, isOn ? command : null)
}

/** The session started it, and not a person. */
export const isStartedAtLogin = (): boolean =>
  process.argv.includes(hiddenFlag) ||
  (process.platform === 'darwin' && app.getLoginItemSettings().wasOpenedAtLogin)
