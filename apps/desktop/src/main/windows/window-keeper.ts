import type { BrowserWindow } from 'electron'
import { followState, shellChannels } from './shell-ipc'

/*
 * The app has one window. It is kept when it is closed to the tray, made again when it is gone, and gets the links
 * that came before its page could show them.
 */

export interface WindowKeeperParts {
  create(): BrowserWindow
  /** What the close button means right now. */
  onClose(): 'close' | 'hide' | 'ask'
  askToQuit(): void
}

export interface WindowKeeper {
  /** Opens or raises the window; with a link it goes there. */
  show(link: string | null): void
  /** Shows the window, or hides it where it is shown. */
  toggle(): void
  /** The page listens: from now on it gets links at once. */
  pageReady(): void
  askQuit(): void
  isFocused(): boolean
  current(): BrowserWindow | null
  /** Shows another page, which starts from nothing. */
  load(address: string): void
}

export function createWindowKeeper(parts: WindowKeeperParts): WindowKeeper {
  let window: BrowserWindow | null = null
  let isPageReady = false
  let pending: string | null = null

  const open = (): BrowserWindow => {
    const opened = parts.create()
    isPageReady = false
    followState(opened)
    opened.on('close', (event) => {
      if (opened !== window) return
      const meaning = parts.onClose()
      if (meaning === 'close') return
      event.preventDefault()
      if (meaning === 'hide') opened.hide()
      else parts.askToQuit()
    })
    opened.on('closed', () => {
      if (opened === window) window = null
    })
    opened.webContents.on('did-start-navigation', (details) => {
      if (details.isMainFrame && !details.isSameDocument) isPageReady = false
    })
    // a page that died would stay white for ever
    opened.webContents.on('render-process-gone', (_event, details) => {
      if (details.reason !== 'clean-exit') opened.webContents.reload()
    })
    window = opened
    return opened
  }

  const raise = (target: BrowserWindow): void => {
    if (target.isMinimized()) target.restore()
    target.show()
    target.focus()
  }

  const go = (link: string): void => {
    if (window !== null && isPageReady) window.webContents.send(shellChannels.openView, link)
    else pending = link
  }

  return {
    show(link) {
      if (link !== null) go(link)
      if (window === null) open()
      else raise(window)
    },
    toggle() {
      if (window === null) open()
      else if (window.isVisible() && !window.isMinimized()) window.hide()
      else raise(window)
    },
    pageReady() {
      isPageReady = true
      if (pending === null) return
      const link = pending
      pending = null
      go(link)
    },
    askQuit() {
      if (window === null) open()
      else raise(window)
      window?.webContents.send(shellChannels.quitAsked)
    },
    isFocused: () => window?.isFocused() === true,
    current: () => window,
    load(address) {
      if (window === null) open()
      else void window.loadURL(address)
    },
  }
}
