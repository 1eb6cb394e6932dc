import { FitAddon } from '@xterm/addon-fit'
import { SearchAddon } from '@xterm/addon-search'
import { WebLinksAddon } from '@xterm/addon-web-links'
import { Terminal } from '@xterm/xterm'
import '@xterm/xterm/css/xterm.css'
import { pastedText, shownText } from './shown-text'
import { styledDocument } from './styled-document'
import type { TerminalScreen, TerminalSize } from './terminal-link'
import { onThemeChange, terminalTheme } from './terminal-theme'

/*
 * The emulator, with nothing switched on that a program could misuse: it reads no clipboard and writes none, gives
 * away no title, opens no address by itself, and what it is shown stays inside its box.
 */

export interface TerminalView extends TerminalScreen {
  focus(): void
  /** What is marked; empty: nothing is. */
  selection(): string
  /** False: it is not there. */
  find(text: string, direction: 'next' | 'previous'): boolean
  paste(text: string): void
  /** Is as large as the screen of who has it, and not as this window; null: nobody has had it yet. */
  follow(size: TerminalSize | null): void
  /** No more is typed into it. */
  close(): void
  end(): void
}

export interface ViewOptions {
  readonly host: HTMLElement
  readonly onTyped: (bytes: Uint8Array) => void
  readonly onResized: () => void
  /** A person chose a link of what is shown. */
  readonly onLink: (address: string) => void
  /** True: the key is one of the window's. */
  readonly isOwnKey: (event: KeyboardEvent) => boolean
}

const linesKept = 10_000
const fontSize = 12.5

export function createTerminalView({
  host,
  onTyped,
  onResized,
  onLink,
  isOwnKey,
}: ViewOptions): TerminalView {
  const root = host.ownerDocument.documentElement
  const styled = styledDocument(host.ownerDocument)
  const terminal = new Terminal({
    documentOverride: styled.document,
    scrollback: linesKept,
    fontFamily: getComputedStyle(root).getPropertyValue('--font-mono').trim(),
    fontSize: fontSize * textScale(root),
    theme: terminalTheme(root),
    // A program that paints dark on dark is readable all the same.
    minimumContrastRatio: 4.5,
    cursorBlink: false,
    linkHandler: { activate: (_event, address) => onLink(address), allowNonHttpProtocols: false },
  })
  const fit = new FitAddon()
  const search = new SearchAddon()
  terminal.loadAddon(fit)
  terminal.loadAddon(search)
  terminal.loadAddon(new WebLinksAddon((_event, address) => onLink(address)))
  terminal.open(host)
  terminal.textarea?.setAttribute('data-pane-focus', '')
  let followed: TerminalSize | null = null
  const resize = (): void =>
    followed === null ? fit.fit() : terminal.resize(followed.columns, followed.rows)
  resize()

  const text = shownText()
  const encoder = new TextEncoder()
  terminal.onData((typed) => onTyped(encoder.encode(typed)))
  // Reports of the mouse in its oldest form, which is no text.
  terminal.onBinary((typed) => onTyped(Uint8Array.from(typed, (sign) => sign.codePointAt(0) ?? 0)))
  terminal.onResize(onResized)
  terminal.attachCustomKeyEventHandler((event) => !isOwnKey(event))
  const paste = (pasted: string): void => terminal.paste(pastedText(pasted))
  const onPaste = (event: ClipboardEvent): void => {
    event.preventDefault()
    event.stopPropagation()
    paste(event.clipboardData?.getData('text/plain') ?? '')
  }
  host.addEventListener('paste', onPaste, { capture: true })
  const resizes = new ResizeObserver(resize)
  resizes.observe(host)
  const endTheme = onThemeChange(root, () => {
    terminal.options.theme = terminalTheme(root)
    terminal.options.fontSize = fontSize * textScale(root)
    resize()
  })
  return {
    size: () => ({ columns: terminal.cols, rows: terminal.rows }),
    show: (bytes) => new Promise((resolve) => terminal.write(text(bytes), resolve)),
    focus: () => terminal.focus(),
    selection: () => terminal.getSelection(),
    find: (wanted, direction) =>
      direction === 'next' ? search.findNext(wanted) : search.findPrevious(wanted),
    paste,
    follow(size) {
      followed = size
      resize()
    },
    close() {
      // keys are the window's again
      terminal.blur()
      terminal.options.disableStdin = true
      terminal.options.cursorInactiveStyle = 'none'
    },
    end() {
      endTheme()
      resizes.disconnect()
      host.removeEventListener('paste', onPaste, { capture: true })
      terminal.dispose()
      styled.end()
    },
  }
}

const textScale = (root: HTMLElement): number =>
  Number(getComputedStyle(root).getPropertyValue('--text-scale')) || 1
