import { bridge } from '../bridge'

/*
 * Keys are written once, as `Ctrl+Shift+A`. Ctrl is Cmd on macOS, except for Ctrl+` and what belongs to a terminal.
 */

const isMac = (): boolean => bridge().shell.platform === 'darwin'

const macSymbols: Readonly<Record<string, string>> = { Ctrl: '⌘', Shift: '⇧', Alt: '⌥' }
const staysCtrlOnMac = new Set(['Ctrl+`'])

/** As printed on a button: `Ctrl K`, on macOS `⌘ K`. */
export function keyLabel(keys: string, mac = isMac()): string {
  const parts = keys.split(/\+(?=.)/) // the last + may be the key itself
  if (!mac) return parts.join(' ')
  return parts.map((part) => (staysCtrlOnMac.has(keys) ? part : (macSymbols[part] ?? part))).join(' ')
}

/** As `aria-keyshortcuts` wants it: `Control+K`, on macOS `Meta+K`. */
export function ariaShortcut(keys: string, mac = isMac()): string {
  const control = mac && !staysCtrlOnMac.has(keys) ? 'Meta' : 'Control'
  return keys.replace(/^Ctrl/, control)
}
