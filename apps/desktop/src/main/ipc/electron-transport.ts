import { ipcMain, type IpcMainEvent, type IpcMainInvokeEvent, type WebContents } from 'electron'
import { err, type Result } from '@shared/result'
import type { Dispatch } from './dispatch'

/*
 * The window's way to the engine. A message counts only when it comes from the top frame of our own page; all else
 * (parsing, errors, incidents) is the dispatcher's.
 */

/** Names of the messages between the preload and this transport; the preload uses the same. */
export const engineChannels = {
  invoke: 'engine.invoke',
  subscribe: 'engine.subscribe',
  unsubscribe: 'engine.unsubscribe',
  event: 'engine.event',
} as const

export type EngineCalls = Pick<Dispatch, 'invoke' | 'subscribe'>

/** Streams that one page may follow at a time; more is a page that forgets to leave. */
const mostSubscriptions = 200

type Subscriptions = Map<number, () => void>

/** Serves the engine to windows whose frames `isTrusted` accepts. Returns what ends all subscriptions. */
export function serveEngine(
  engine: EngineCalls,
  isTrusted: (event: IpcMainEvent | IpcMainInvokeEvent) => boolean,
): () => void {
  const pages = new Map<WebContents, Subscriptions>()

  ipcMain.handle(
    engineChannels.invoke,
    (event, channel: unknown, input: unknown): Promise<Result<unknown, unknown>> => {
      if (!isTrusted(event) || typeof channel !== 'string') {
        return Promise.resolve(err({ type: 'invalid_input', message: 'not a call of the window' }))
      }
      return engine.invoke(channel, input)
    },
  )

  ipcMain.on(engineChannels.subscribe, (event, id: unknown, channel: unknown, key: unknown) => {
    if (!isTrusted(event) || typeof id !== 'number' || typeof channel !== 'string') return
    const page = subscriptionsOf(pages, event.sender)
    if (page.has(id) || page.size >= mostSubscriptions) return
    const started = engine.subscribe(channel, key, (value) => {
      if (!event.sender.isDestroyed()) event.sender.send(engineChannels.event, id, value)
    })
    if (started.ok) page.set(id, started.value)
  })

  ipcMain.on(engineChannels.unsubscribe, (event, id: unknown) => {
    if (!isTrusted(event) || typeof id !== 'number') return
    const page = pages.get(event.sender)
    page?.get(id)?.()
    page?.delete(id)
  })

  return () => {
    for (const page of pages.values()) endAll(page)
    pages.clear()
  }
}

/** The page's subscriptions; a reload or the window's end ends them all. */
function subscriptionsOf(pages: Map<WebContents, Subscriptions>, contents: WebContents): Subscriptions {
  const known = pages.get(contents)
  if (known !== undefined) return known
  const page: Subscriptions = new Map()
  pages.set(contents, page)
  contents.on('did-start-navigation', (details) => {
    if (details.isMainFrame && !details.isSameDocument) endAll(page)
  })
  contents.once('destroyed', () => {
    endAll(page)
    pages.delete(contents)
  })
  return page
}

function endAll(page: Subscriptions): void {
  for (const end of page.values()) end()
  page.clear()
}
