import type { ITheme } from '@xterm/xterm'

/** The tokens of the page as the colours of a terminal; read anew when the theme changes. */
export function terminalTheme(root: HTMLElement): ITheme {
  const style = getComputedStyle(root)
  const token = (name: string): string => style.getPropertyValue(`--${name}`).trim()
  const colours = {
    black: token('text'),
    red: token('bad'),
    green: token('ok'),
    yellow: token('warn'),
    blue: token('run'),
    magenta: token('new'),
    cyan: token('accent'),
    white: token('text-2'),
  }
  return {
    ...colours,
    brightBlack: token('text-3'),
    brightRed: colours.red,
    brightGreen: colours.green,
    brightYellow: colours.yellow,
    brightBlue: colours.blue,
    brightMagenta: colours.magenta,
    brightCyan: colours.cyan,
    brightWhite: token('text'),
    background: token('term-bg'),
    foreground: token('term-text'),
    cursor: token('accent'),
    cursorAccent: token('term-bg'),
    selectionBackground: token('selected'),
    selectionInactiveBackground: token('selected'),
    scrollbarSliderBackground: token('line'),
    scrollbarSliderHoverBackground: token('line-strong'),
    scrollbarSliderActiveBackground: token('control-line'),
  }
}

/** Calls back when the page turns light or dark. Returns what ends it. */
export function onThemeChange(root: HTMLElement, listener: () => void): () => void {
  const system = matchMedia('(prefers-color-scheme: dark)')
  const chosen = new MutationObserver(listener)
  chosen.observe(root, { attributes: true, attributeFilter: ['data-theme', 'style'] })
  system.addEventListener('change', listener)
  return () => {
    chosen.disconnect()
    system.removeEventListener('change', listener)
  }
}
