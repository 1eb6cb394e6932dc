/*
 * Text that has no room is cut with an ellipsis. Whether it is depends on the window, so its tooltip is made when the
 * pointer comes: what is whole has none.
 */

/** All of a text that is cut; null: it is shown whole. */
export const wholeText = ({
  scrollWidth,
  clientWidth,
  textContent,
}: Pick<HTMLElement, 'scrollWidth' | 'clientWidth' | 'textContent'>): string | null =>
  scrollWidth > clientWidth ? (textContent?.trim() ?? null) : null

/** Follows the pointer. Returns what ends it. */
export function explainCutText(): () => void {
  const onPointerOver = ({ target }: PointerEvent): void => {
    const cut = target instanceof Element ? target.closest<HTMLElement>('.cut') : null
    if (cut === null) return
    const isOurs = cut.dataset['cutTitle'] !== undefined
    // words of its own, or of what it is in, say more
    if (!isOurs && cut.closest('[title]') !== null) return
    const text = wholeText(cut)
    cut.toggleAttribute('data-cut-title', text !== null)
    if (text === null) cut.removeAttribute('title')
    else cut.title = text
  }
  document.addEventListener('pointerover', onPointerOver, { passive: true })
  return () => document.removeEventListener('pointerover', onPointerOver)
}
