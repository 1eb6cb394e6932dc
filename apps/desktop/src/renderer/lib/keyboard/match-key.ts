/** What of a keyboard event decides which key it is. */
export interface KeyStroke {
  readonly key: string
  readonly ctrlKey: boolean
  readonly metaKey: boolean
  readonly shiftKey: boolean
  readonly altKey: boolean
}

const names: Readonly<Record<string, string>> = {
  ' ': 'Space',
  ArrowUp: 'Up',
  ArrowDown: 'Down',
  ArrowLeft: 'Left',
  ArrowRight: 'Right',
  Escape: 'Esc',
}

/**
 * The name of a stroke as the key map writes it: `Ctrl+Shift+A`, `Shift+R`, `?`, `Left`.
 * On macOS Cmd counts as Ctrl. A sign that needs Shift to be typed (`?`) carries no Shift of its own.
 */
export function strokeName(stroke: KeyStroke, isMac: boolean): string {
  const isCtrl = isMac ? stroke.metaKey || (stroke.ctrlKey && stroke.key === '`') : stroke.ctrlKey
  const isLetter = /^[a-z]$/i.test(stroke.key)
  const isSign = stroke.key.length === 1 && !isLetter && stroke.key !== ' '
  const key = isLetter ? stroke.key.toUpperCase() : (names[stroke.key] ?? stroke.key)
  return [isCtrl && 'Ctrl', stroke.altKey && 'Alt', stroke.shiftKey && !isSign && 'Shift', key]
    .filter(Boolean)
    .join('+')
}
