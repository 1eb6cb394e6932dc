import { app, session, shell, type IpcMainEvent, type IpcMainInvokeEvent, type WebContents } from 'electron'
import { externalAddress } from './external-links'
import { windowOrigin } from './app-protocol'

/*
 * What no page of ours may do, whatever gets into it: leave its address, open windows, embed others, ask for
 * camera or location, download.
 */

/** Whether a message comes from the top frame of our own page; nothing else may speak to the engine. */
export const trustsFrame =
  (devServer: string | undefined) =>
  (event: IpcMainEvent | IpcMainInvokeEvent): boolean =>
    event.senderFrame !== null &&
    event.senderFrame === event.sender.mainFrame &&
    isOwnPage(event.senderFrame.url, devServer)

/** Whether an address is one of our own page. */
function isOwnPage(address: string, devServer: string | undefined): boolean {
  const origin = devServer === undefined ? windowOrigin : new URL(devServer).origin
  return address === origin || address.startsWith(`${origin}/`)
}

/** Must run once the app is ready, before the first window. */
export function guardWebContents(devServer: string | undefined): void {
  app.on('web-contents-created', (_event, contents) => guard(contents, devServer))
  const { defaultSession } = session
  defaultSession.setPermissionRequestHandler((_contents, _permission, answer) => answer(false))
  defaultSession.setPermissionCheckHandler(() => false)
  defaultSession.setDevicePermissionHandler(() => false)
  defaultSession.on('will-download', (event) => event.preventDefault())
}

function guard(contents: WebContents, devServer: string | undefined): void {
  contents.on('will-navigate', (event) => {
    // a reload of the development server is the only navigation there is
    if (devServer === undefined || !isOwnPage(event.url, devServer)) event.preventDefault()
  })
  contents.on('will-redirect', (event) => event.preventDefault())
  contents.on('will-attach-webview', (event) => event.preventDefault())
  contents.setWindowOpenHandler(({ url }) => {
    openExternal(url)
    return { action: 'deny' }
  })
}

/** Opens an http(s) address in the person's browser; refuses everything else. */
export function openExternal(address: string): void {
  const safe = externalAddress(address)
  if (safe !== null) void shell.openExternal(safe).catch(() => undefined)
}
