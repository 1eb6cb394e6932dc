import type { KeyboardEvent } from 'react'

/** Where a key of a list moves to; null if it is none of a list's. `Home` and `g g` go to the first. */
export function rovingTarget(key: string, index: number, count: number, pageSize = 8): number | null {
  const last = count - 1
  const clamp = (n: number): number => Math.max(0, Math.min(last, n))
  switch (key) {
    case 'ArrowDown':
    case 'j':
      return clamp(index + 1)
    case 'ArrowUp':
    case 'k':
      return clamp(index - 1)
    case 'PageDown':
      return clamp(index + pageSize)
    case 'PageUp':
      return clamp(index - pageSize)
    case 'Home':
      return 0
    case 'End':
      return last
    default:
      return null
  }
}

/** True for a stroke that a list may take for itself. */
export const isPlainStroke = (event: KeyboardEvent): boolean =>
  !event.ctrlKey && !event.metaKey && !event.altKey && !event.shiftKey
