import type { DesktopServices } from '../../ports/desktop-services'
import type { Check, Finding } from './doctor-service'

/*
 * What of the desktop is missing changes where a person is told things, and keeps no run from working.
 */

export const desktopCheck = {
  check: 'desktop',
  group: 'computer',
  title: 'Notifications and tray',
} as const satisfies Check

export const linksCheck = { check: 'links', group: 'computer', title: 'Links' } as const satisfies Check

export async function desktopFinding(
  desktop: Pick<DesktopServices, 'showsNotifications' | 'showsTray'>,
): Promise<Finding> {
  const missing = [
    (await desktop.showsNotifications())
      ? null
      : 'no notification service, so messages wait in the notification centre',
    (await desktop.showsTray()) ? null : 'no place for tray icons, so closing the window quits',
  ].filter((one) => one !== null)
  if (missing.length > 0) return { state: 'optional', detail: missing.join('; ') }
  return { state: 'passed', detail: 'the desktop shows both' }
}

const desktopFile = 'alfred-desktop.desktop'

/** null: nothing can be said here. */
export async function linksFinding(desktop: Pick<DesktopServices, 'linkHandler'>): Promise<Finding | null> {
  const handler = await desktop.linkHandler()
  if (handler.state === 'not_asked') return null
  if (handler.state === 'set' && handler.program === desktopFile)
    return { state: 'passed', detail: 'alfred:// links open Alfred' }
  return {
    state: 'optional',
    detail:
      handler.state === 'none'
        ? 'no program opens alfred:// links'
        : `alfred:// links open ${handler.program} instead`,
    fix: {
      text: 'Let Alfred open them, once it is installed from its package.',
      command: `xdg-mime default ${desktopFile} x-scheme-handler/alfred`,
      action: 'check_again',
    },
  }
}
