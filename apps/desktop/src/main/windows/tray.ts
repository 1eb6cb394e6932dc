import { Menu, nativeImage, nativeTheme, Tray, type NativeImage } from 'electron'
import { join } from 'node:path'
import { trayMenu, type TrayActions } from './tray-menu'
import { trayIconName, trayTooltip, type TrayStatus } from './tray-status'

type NeedsYouRows = Parameters<typeof trayMenu>[1]

export interface AppTray {
  show(status: TrayStatus, needsYou: NeedsYouRows): void
  destroy(): void
}

const idle: TrayStatus = { running: 0, queued: 0, needsYou: 0, isPaused: false, banners: [], runs: [] }

/** Puts the bow tie into the tray. A click shows or hides the window; some hosts always show the menu instead. */
export function createTray(iconFolder: string, actions: TrayActions): AppTray {
  let status = idle
  let needsYou: NeedsYouRows = []
  const tray = new Tray(icon(iconFolder, idle))
  tray.on('click', () => actions.toggle())

  let shownMenu = ''
  const draw = (): void => {
    tray.setImage(icon(iconFolder, status))
    tray.setToolTip(trayTooltip(status))
    const items = trayMenu(status, needsYou, actions)
    // a new menu closes the open one, so it is set only when it says something else
    const says = JSON.stringify([items, status.runs.map((run) => run.runId), needsYou.map((row) => row.id)])
    if (says === shownMenu) return
    shownMenu = says
    tray.setContextMenu(Menu.buildFromTemplate(items))
  }
  nativeTheme.on('updated', draw)
  draw()
  return {
    show(nextStatus, nextNeedsYou) {
      status = nextStatus
      needsYou = nextNeedsYou
      draw()
    },
    destroy() {
      nativeTheme.off('updated', draw)
      tray.destroy()
    },
  }
}

/** macOS colours a template image itself; elsewhere the ink follows the theme. The @2x file is found by its name. */
function icon(folder: string, status: TrayStatus): NativeImage {
  const isTemplate = process.platform === 'darwin'
  const ink = isTemplate ? 'black' : nativeTheme.shouldUseDarkColors ? 'white' : 'black'
  const image = nativeImage.createFromPath(join(folder, `${trayIconName(status)}-${ink}.png`))
  image.setTemplateImage(isTemplate)
  return image
}
