/** `words`: every button has its words; `short`: what is done most has them; `icons`: only the last one has. */
export type DockLayout = 'words' | 'short' | 'icons'

/** What the buttons take in one line at normal text size and with the widest usual font. Pixels. */
const wordsFrom = 1_300
const shortFrom = 768

/** How the dock fits into its width, so that its buttons stand in one line. */
export function dockLayout(width: number, textScale: number): DockLayout {
  const room = width / Math.max(1, textScale)
  return room >= wordsFrom ? 'words' : room >= shortFrom ? 'short' : 'icons'
}
