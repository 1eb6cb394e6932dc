import { contextBridge, ipcRenderer } from 'electron'
import { askAhead } from '@shared/ask-ahead'
import { channels } from '@shared/contract/channels'
import type { RestoreReport } from '@shared/contract/restore'
import type {
  AlfredBridge,
  QuitAnswer,
  StartFailure,
  WindowPlatform,
  WindowState,
} from '@shared/contract/shell-bridge'

/*
 * All that the page has of the world: calls and streams of the contract's channels, and the frame of its window.
 */

const listeners = new Map<number, (event: unknown) => void>()
let lastSubscription = 0

ipcRenderer.on('engine.event', (_event, id: number, value: unknown) => listeners.get(id)?.(value))

function follow<T>(channel: string, listener: (value: T) => void): () => void {
  const receive = (_event: unknown, value: T): void => listener(value)
  ipcRenderer.on(channel, receive)
  return () => {
    ipcRenderer.off(channel, receive)
  }
}

const ask = (channel: string, input: unknown): Promise<unknown> =>
  ipcRenderer.invoke('engine.invoke', channel, input)
// a page that says why there is no engine has nothing to ask it
const ahead = location.search === '' ? askAhead(ask) : null

const command = (name: string, value?: unknown): void => ipcRenderer.send('shell.command', name, value)

const bridge: AlfredBridge = {
  invoke: (channel, input) => {
    if (channels.has(channel)) return ahead?.take(channel, input) ?? ask(channel, input)
    return Promise.resolve({ ok: false, error: { type: 'not_found', what: `channel ${channel}` } })
  },
  subscribe: (channel, key, listener) => {
    if (!channels.has(channel)) return () => undefined
    lastSubscription += 1
    const id = lastSubscription
    listeners.set(id, listener)
    ipcRenderer.send('engine.subscribe', id, channel, key)
    return () => {
      if (listeners.delete(id)) ipcRenderer.send('engine.unsubscribe', id)
    }
  },
  shell: {
    platform: process.platform as WindowPlatform,
    startFailure: readQuery<StartFailure>('start-failure'),
    restored: readQuery<RestoreReport>('restored'),
    restore: () => command('restore'),
    startEngine: () => command('start-engine'),
    minimize: () => command('minimize'),
    maximizeToggle: () => command('maximize-toggle'),
    close: () => command('close'),
    quit: () => command('quit'),
    copyText: (text: string) => command('copy-text', text),
    saveText: (fileName: string, text: string) => command('save-text', { fileName, text }),
    showDataFolder: () => command('show-data-folder'),
    showSessionsFolder: () => command('show-sessions-folder'),
    showBackup: () => command('show-backup'),
    showsRun: (runId: number | null) => command('shows-run', runId),
    pictureReady: () => {
      ahead?.drop()
      command('picture-ready')
    },
    openExternal: (url: string) => command('open-external', url),
    onOpenView: (listener: (link: string) => void) => {
      const end = follow('shell.open-view', listener)
      // links that came before the page could show them wait for this
      command('page-ready')
      return end
    },
    onQuitAsked: (listener: () => void) => follow('shell.quit-asked', listener),
    answerQuit: (answer: QuitAnswer) => command('answer-quit', answer),
    onWindowState: (listener: (state: WindowState) => void) => follow('shell.window-state', listener),
  },
}

/** The main process loads the page with the reason when there is no engine, and with what was restored. */
function readQuery<T>(name: 'start-failure' | 'restored'): T | null {
  const text = new URLSearchParams(location.search).get(name)
  return text === null ? null : (JSON.parse(text) as T)
}

contextBridge.exposeInMainWorld('alfred', bridge)
