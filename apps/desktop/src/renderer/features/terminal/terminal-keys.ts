import { bridge } from '../../lib/bridge'
import { strokeName } from '../../lib/keyboard/match-key'

/*
 * In a terminal all keys go to the program, but for these.
 */

const windowKeys: ReadonlySet<string> = new Set(['Ctrl+Shift+D', 'F6', 'Shift+F6', 'Ctrl+K'])
const copyKey = 'Ctrl+Shift+C'
const pasteKey = 'Ctrl+Shift+V'

export type OwnKey = 'window' | 'copy' | 'paste'

/** Whose key it is; null: the program's. */
export function ownKey(event: KeyboardEvent): OwnKey | null {
  const isMac = bridge().shell.platform === 'darwin'
  const stroke = strokeName(event, isMac)
  if (windowKeys.has(stroke)) return 'window'
  if (stroke === copyKey || (isMac && stroke === 'Ctrl+C')) return 'copy'
  return stroke === pasteKey || (isMac && stroke === 'Ctrl+V') ? 'paste' : null
}

/** Keeps the keys of the program from being the window's as well. Returns what ends it. */
export function keepKeys(host: HTMLElement): () => void {
  const onKeyDown = (event: KeyboardEvent): void => {
    if (ownKey(event) !== 'window') event.stopPropagation()
  }
  host.addEventListener('keydown', onKeyDown)
  return () => host.removeEventListener('keydown', onKeyDown)
}
