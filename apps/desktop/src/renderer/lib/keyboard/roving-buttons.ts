import type { KeyboardEvent } from 'react'
import { focusPane } from '../panes'
import { isPlainStroke, rovingTarget } from './roving'

/** For a button of a group that is one tab stop: the current one is reached by Tab, the others by the arrow keys. */
export const rovingButton = (
  isStop: boolean,
): { readonly tabIndex: 0 | -1; readonly 'data-roving': true } => ({
  tabIndex: isStop ? 0 : -1,
  'data-roving': true,
})

/** The keys of such a group, for the element around its buttons; Right leads out of one that is a pane. */
export function onRovingKey(event: KeyboardEvent<HTMLElement>): void {
  if (!isPlainStroke(event) || !(event.target instanceof HTMLElement) || !event.target.dataset['roving'])
    return
  if (event.key === 'ArrowRight' && event.currentTarget.dataset['pane'] !== undefined) {
    event.preventDefault()
    focusPane(1)
    return
  }
  const buttons = [...event.currentTarget.querySelectorAll<HTMLElement>('[data-roving]')]
  const target = rovingTarget(event.key, buttons.indexOf(event.target), buttons.length)
  const button = target === null ? undefined : buttons[target]
  if (!button) return
  event.preventDefault()
  button.focus()
}
