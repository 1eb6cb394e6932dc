import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { autostartText, loginCommand, renewAutostart, setAutostart } from './login-start'

let folder: string
let file: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'alfred-autostart-'))
  file = join(folder, 'autostart', 'alfred.desktop')
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))
const written = (): string => readFileSync(file, 'utf8')

describe('starting at login', () => {
  it('is a file that starts this app on this data, in the tray', () => {
    const execPath = '/opt/Alfred/alfred-desktop'
    expect(loginCommand({ execPath, appFolder: null, environment: {} })).toEqual([execPath, '--hidden'])
    const environment = { APPIMAGE: '/home/ann/Alfred.AppImage', ALFRED_HOME: '/data' }
    expect(loginCommand({ execPath, appFolder: null, environment })).toEqual([
      'env',
      'ALFRED_HOME=/data',
      '/home/ann/Alfred.AppImage',
      '--hidden',
    ])
    expect(loginCommand({ execPath: '/e', appFolder: '/app', environment: {} })).toEqual([
      '/e',
      '/app',
      '--hidden',
    ])
  })

  it('quotes what an Exec line would take for something else', () => {
    const line = autostartText(['/my apps/a"$`%\\b', '--hidden']).split('\n')[4]
    expect(line).toBe(String.raw`Exec="/my apps/a\\"\\$\\` + '`' + String.raw`%%\\\\b" "--hidden"`)
  })

  it('comes and goes with the setting', () => {
    setAutostart(file, ['/opt/a', '--hidden'])
    expect(written()).toContain('Exec="/opt/a" "--hidden"\n')
    setAutostart(file, null)
    expect(existsSync(file)).toBe(false)
    setAutostart(file, null)
  })

  it('follows a program that moved, and is left alone where the desktop switched it off', () => {
    renewAutostart(file, ['/opt/a'])
    renewAutostart(file, ['/opt/b'])
    expect(written()).toContain('Exec="/opt/b"\n')
    for (const line of ['Hidden=true', 'X-GNOME-Autostart-enabled=false']) {
      writeFileSync(file, `[Desktop Entry]\n${line}\n`)
      renewAutostart(file, ['/opt/c'])
      expect(written()).not.toContain('/opt/c')
    }
  })
})
