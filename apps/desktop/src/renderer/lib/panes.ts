/*
 * Panes in the order of the page: each is marked `data-pane`. F6 moves between them; inside one, what had the focus
 * last gets it again, else what asks for it (`data-pane-focus`), else the first thing that takes focus.
 */

const lastFocused = new WeakMap<Element, HTMLElement>()
const focusable = ['button', '[href]', 'input', 'select', 'textarea', '[tabindex]']
  .map((selector) => `${selector}:not([tabindex="-1"])`)
  .join(', ')

/** Remembers what had the focus in each pane. Returns what ends it. */
export function rememberPaneFocus(): () => void {
  const onFocusIn = (event: FocusEvent): void => {
    if (!(event.target instanceof HTMLElement)) return
    const pane = event.target.closest('[data-pane]')
    if (pane) lastFocused.set(pane, event.target)
  }
  document.addEventListener('focusin', onFocusIn)
  return () => document.removeEventListener('focusin', onFocusIn)
}

const isShown = (element: HTMLElement): boolean =>
  element.offsetParent !== null || element.getClientRects().length > 0

/** Moves the focus into a pane. */
export function focusInPane(pane: HTMLElement): void {
  const last = lastFocused.get(pane)
  const target =
    (last && pane.contains(last) && isShown(last) ? last : null) ??
    pane.querySelector<HTMLElement>('[data-pane-focus]') ??
    [...pane.querySelectorAll<HTMLElement>(focusable)].find(isShown)
  ;(target ?? pane).focus()
}

export function focusPane(step: 1 | -1): void {
  const panes = [...document.querySelectorAll<HTMLElement>('[data-pane]')].filter(isShown)
  if (panes.length === 0) return
  const current = panes.findIndex((pane) => pane.contains(document.activeElement))
  const next =
    current === -1 ? (step === 1 ? 0 : panes.length - 1) : (current + step + panes.length) % panes.length
  const pane = panes[next]
  if (pane) focusInPane(pane)
}

/** Moves the focus into a pane by its name. */
export function focusNamedPane(name: string): void {
  const pane = document.querySelector<HTMLElement>(`[data-pane="${name}"]`)
  if (pane) focusInPane(pane)
}

/** Moves the focus to what a pane asks for first, whatever had it last. */
export function focusStopOf(name: string): void {
  document.querySelector<HTMLElement>(`[data-pane="${name}"] [data-pane-focus]`)?.focus()
}
