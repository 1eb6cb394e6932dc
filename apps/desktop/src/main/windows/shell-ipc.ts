import { BrowserWindow, clipboard, ipcMain, type IpcMainEvent } from 'electron'
import type { QuitAnswer } from '@shared/contract/shell-bridge'
import { saveText } from './save-text'
import { openExternal } from './web-guards'

/** Names of the messages between the preload and the shell; the preload uses the same. */
export const shellChannels = {
  command: 'shell.command',
  openView: 'shell.open-view',
  quitAsked: 'shell.quit-asked',
  windowState: 'shell.window-state',
} as const

export interface ShellActions {
  quit(): void
  answerQuit(answer: QuitAnswer): void
  showDataFolder(): void
  showSessionsFolder(): void
  /** The backup that the failed start names. */
  showBackup(): void
  /** A damaged database is restored, and afterwards the engine started; nothing where it is not the time. */
  restore(): void
  startEngine(): void
  /** The run that the page shows; null when it shows something else. */
  showsRun(runId: number | null): void
  /** The page listens now: links that wait for it can go. */
  pageReady(): void
  /** The page shows its first picture. */
  pictureReady(): void
}

const longestCopy = 4_000_000

const quitAnswers: readonly QuitAnswer[] = ['keep_running', 'stop', 'cancel']

/** Serves the frame's own commands; `isTrusted` says whether a message comes from our page. */
export function serveShell(actions: ShellActions, isTrusted: (event: IpcMainEvent) => boolean): void {
  ipcMain.on(shellChannels.command, (event, name: unknown, value: unknown) => {
    if (!isTrusted(event)) return
    const window = BrowserWindow.fromWebContents(event.sender)
    if (window === null) return
    switch (name) {
      case 'minimize':
        return window.minimize()
      case 'maximize-toggle':
        return window.isMaximized() ? window.unmaximize() : window.maximize()
      case 'close':
        return window.close()
      case 'quit':
        return actions.quit()
      case 'answer-quit':
        return tellAnswer(actions, value)
      case 'copy-text':
        if (typeof value === 'string') void clipboard.writeText(value.slice(0, longestCopy))
        return
      case 'save-text':
        return void saveText(window, value)
      case 'show-data-folder':
        return actions.showDataFolder()
      case 'show-sessions-folder':
        return actions.showSessionsFolder()
      case 'show-backup':
        return actions.showBackup()
      case 'restore':
        return actions.restore()
      case 'start-engine':
        return actions.startEngine()
      case 'shows-run':
        return actions.showsRun(typeof value === 'number' ? value : null)
      case 'open-external':
        if (typeof value === 'string') openExternal(value)
        return
      case 'page-ready':
        tellState(window)
        return actions.pageReady()
      case 'picture-ready':
        return actions.pictureReady()
      default:
        return
    }
  })
}

function tellAnswer(actions: ShellActions, value: unknown): void {
  const known = quitAnswers.find((candidate) => candidate === value)
  if (known !== undefined) actions.answerQuit(known)
}

/** Tells the page whether it is maximised, now and from now on. */
export function followState(window: BrowserWindow): void {
  const tell = (): void => tellState(window)
  window.on('maximize', tell)
  window.on('unmaximize', tell)
  window.on('enter-full-screen', tell)
  window.on('leave-full-screen', tell)
}

function tellState(window: BrowserWindow): void {
  window.webContents.send(shellChannels.windowState, {
    isMaximized: window.isMaximized(),
    isFullScreen: window.isFullScreen(),
  })
}
