import { describe, expect, it } from 'vitest'
import type { LinkHandler } from '../../ports/desktop-services'
import { desktopFinding, linksFinding } from './desktop-checks'

const desktop = (notifications: boolean, tray: boolean) => ({
  showsNotifications: () => Promise.resolve(notifications),
  showsTray: () => Promise.resolve(tray),
})
const handler = (answer: LinkHandler) => ({ linkHandler: () => Promise.resolve(answer) })

describe('the desktop', () => {
  it('is fine with both, and what is missing is said with what it means', async () => {
    expect(await desktopFinding(desktop(true, true))).toEqual({
      state: 'passed',
      detail: 'the desktop shows both',
    })
    expect(await desktopFinding(desktop(false, false))).toEqual({
      state: 'optional',
      detail:
        'no notification service, so messages wait in the notification centre; no place for tray icons, so closing the window quits',
    })
    expect((await desktopFinding(desktop(false, true))).detail).not.toContain('tray')
    expect((await desktopFinding(desktop(true, false))).detail).not.toContain('notification')
  })
})

describe('links', () => {
  it('open Alfred, another program or nothing', async () => {
    expect(await linksFinding(handler({ state: 'not_asked' }))).toBeNull()
    expect(await linksFinding(handler({ state: 'set', program: 'alfred-desktop.desktop' }))).toEqual({
      state: 'passed',
      detail: 'alfred:// links open Alfred',
    })
    expect(await linksFinding(handler({ state: 'set', program: 'butler.desktop' }))).toMatchObject({
      state: 'optional',
      detail: 'alfred:// links open butler.desktop instead',
    })
    expect(await linksFinding(handler({ state: 'none' }))).toMatchObject({
      state: 'optional',
      detail: 'no program opens alfred:// links',
      fix: { command: 'xdg-mime default alfred-desktop.desktop x-scheme-handler/alfred' },
    })
  })
})
