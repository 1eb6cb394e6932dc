import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createDesktopServices } from './desktop-services'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'alfred-desktop-services-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

/** The only programs that are found are these: each a script of the shell. */
function withPrograms(programs: Readonly<Record<string, string>>) {
  for (const [name, script] of Object.entries(programs)) {
    const file = join(folder, name)
    writeFileSync(file, `#!/bin/sh\n${script}\n`)
    chmodSync(file, 0o755)
  }
  return createDesktopServices({ platform: 'linux', environment: { PATH: folder } })
}

describe('what the desktop shows', () => {
  it('is nothing where nobody can be asked, or the bus does not answer', async () => {
    const silent = withPrograms({})
    expect([await silent.showsNotifications(), await silent.showsTray()]).toEqual([false, false])
    const failing = withPrograms({ gdbus: 'exit 1' })
    expect([await failing.showsNotifications(), await failing.showsTray()]).toEqual([false, false])
  })

  it('is asked with whatever program is installed', async () => {
    const asked = withPrograms({ busctl: 'case "$*" in *NameHasOwner*|*Properties*) echo "b true";; esac' })
    expect([await asked.showsNotifications(), await asked.showsTray()]).toEqual([true, true])
  })

  it('counts a service that starts with its first message', async () => {
    const activatable = withPrograms({
      'dbus-send':
        'case "$*" in *ListActivatable*) echo "org.freedesktop.Notifications";; *) echo "boolean false";; esac',
    })
    expect([await activatable.showsNotifications(), await activatable.showsTray()]).toEqual([true, false])
  })

  it('is known without asking on other systems', async () => {
    const elsewhere = createDesktopServices({ platform: 'win32', environment: { PATH: folder } })
    expect([await elsewhere.showsNotifications(), await elsewhere.showsTray()]).toEqual([true, true])
    expect(await elsewhere.linkHandler()).toEqual({ state: 'not_asked' })
  })
})

describe('who opens links', () => {
  it('is told by the desktop, or nobody is asked', async () => {
    expect(await withPrograms({}).linkHandler()).toEqual({ state: 'not_asked' })
    expect(await withPrograms({ 'xdg-mime': 'exit 0' }).linkHandler()).toEqual({ state: 'none' })
    expect(await withPrograms({ 'xdg-mime': 'echo alfred-desktop.desktop' }).linkHandler()).toEqual({
      state: 'set',
      program: 'alfred-desktop.desktop',
    })
  })
})
