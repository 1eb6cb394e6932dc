import { usePreferences } from '../preferences'
import { bridge } from '../bridge'
import { runAction } from './actions'
import { actionsOfStroke, keyMap } from './key-map'
import { strokeName } from './match-key'

/*
 * The one listener for keys of the key map. Lists, timelines and transcripts mark themselves with
 * `data-letter-keys`; only inside them single letters are keys.
 */

const isTyping = (target: Element): boolean =>
  target.closest('input:not([type=checkbox]):not([type=radio]), textarea, [contenteditable=true]') !== null

/** Inside a dialog or a popup its own keys are the only ones; one that stands in the page leaves it its keys. */
const isModal = (target: Element): boolean =>
  target.closest('[role=dialog],[role=alertdialog]:not([data-in-page]),.popup-layer') !== null

const worksInDialogs = new Set(['Ctrl+Q', 'Ctrl++', 'Ctrl+=', 'Ctrl+-', 'Ctrl+0'])

/** Where nothing has the focus these harm nothing. */
const worksAnywhere = new Set(['?', '/'])

/** Keys that write nothing into a text. */
const isCommandStroke = (stroke: string): boolean => /^(?:Ctrl\+|Alt\+|(?:Shift\+)?F\d)/.test(stroke)

function isAllowed(stroke: string, isLetter: boolean, target: Element): boolean {
  if (isModal(target)) return worksInDialogs.has(stroke)
  if (isTyping(target)) return isCommandStroke(stroke)
  if (!isLetter) return true
  if (!usePreferences.getState().letterKeys) return false
  return (
    target.closest('[data-letter-keys]') !== null || (target === document.body && worksAnywhere.has(stroke))
  )
}

/** Follows the keyboard. Returns what ends it. */
export function listenForKeys(): () => void {
  const isMac = bridge().shell.platform === 'darwin'
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.defaultPrevented || event.isComposing) return
    const target = event.target instanceof Element ? event.target : document.body
    const stroke = strokeName(event, isMac)
    for (const id of actionsOfStroke(stroke)) {
      if (!isAllowed(stroke, keyMap[id].isLetter === true, target)) continue
      if (!runAction(id)) continue
      event.preventDefault()
      return
    }
  }
  window.addEventListener('keydown', onKeyDown)
  return () => window.removeEventListener('keydown', onKeyDown)
}
