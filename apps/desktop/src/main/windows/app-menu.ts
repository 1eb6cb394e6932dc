import { Menu } from 'electron'

/** macOS has a menu bar, and copy and paste work there only through it; elsewhere the window has no menu. */
export function setAppMenu(actions: { open(link: string): void; quit(): void }): void {
  if (process.platform !== 'darwin') {
    Menu.setApplicationMenu(null)
    return
  }
  Menu.setApplicationMenu(
    Menu.buildFromTemplate([
      {
        role: 'appMenu',
        submenu: [
          { role: 'about' },
          { type: 'separator' },
          { label: 'Settings…', accelerator: 'Command+,', click: () => actions.open('alfred://settings') },
          { type: 'separator' },
          { role: 'hide' },
          { role: 'hideOthers' },
          { role: 'unhide' },
          { type: 'separator' },
          { label: 'Quit Alfred', accelerator: 'Command+Q', click: () => actions.quit() },
        ],
      },
      { role: 'editMenu' },
      {
        label: 'View',
        submenu: [
          { label: 'All open', click: () => actions.open('alfred://home') },
          { label: 'Needs you', click: () => actions.open('alfred://home/needs-you') },
          { label: 'Agents', click: () => actions.open('alfred://agents') },
          { label: 'Diagnostics', click: () => actions.open('alfred://diagnostics') },
          { type: 'separator' },
          { role: 'togglefullscreen' },
        ],
      },
      { role: 'windowMenu' },
    ]),
  )
}
