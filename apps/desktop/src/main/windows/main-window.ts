import { BrowserWindow, nativeTheme, screen } from 'electron'
import { readFileSync, writeFileSync } from 'node:fs'
import { boundsToOpenWith, parseBounds, smallestSize, type SavedBounds } from './window-bounds'

export interface MainWindowOptions {
  readonly preloadFile: string
  readonly iconFile: string
  readonly boundsFile: string
  /** The page to load, with the reason why there is no engine if that is so. */
  readonly address: string
}

/** The grounds of tokens.css: shown for the moment before the page paints. */
const grounds = { light: '#f5f5f1', dark: '#151716' } as const
const titleBarHeight = 40

/** Opens the one window, where it was last time, and shows it once it has something to show. */
export function createMainWindow(options: MainWindowOptions): BrowserWindow {
  const saved = readBounds(options.boundsFile)
  const window = new BrowserWindow({
    ...boundsToOpenWith(
      saved,
      screen.getAllDisplays().map((display) => display.workArea),
    ),
    minWidth: smallestSize.width,
    minHeight: smallestSize.height,
    title: 'Alfred',
    icon: options.iconFile,
    show: false,
    backgroundColor: nativeTheme.shouldUseDarkColors ? grounds.dark : grounds.light,
    ...frame(process.platform),
    webPreferences: {
      preload: options.preloadFile,
      sandbox: true,
      contextIsolation: true,
      nodeIntegration: false,
      webviewTag: false,
      spellcheck: false,
      // the page's code is kept, compiled, from its first start on
      v8CacheOptions: 'bypassHeatCheck',
      navigateOnDragDrop: false,
    },
  })
  if (saved?.isMaximized === true) window.maximize()
  window.on('close', () => saveBounds(options.boundsFile, window))
  window.once('ready-to-show', () => window.show())
  void window.loadURL(options.address)
  return window
}

/** The page draws the title bar; macOS and Windows keep their own buttons over it. */
function frame(platform: NodeJS.Platform): Electron.BrowserWindowConstructorOptions {
  switch (platform) {
    case 'darwin':
      return { titleBarStyle: 'hiddenInset', trafficLightPosition: { x: 14, y: 12 } }
    case 'win32':
      return {
        titleBarStyle: 'hidden',
        titleBarOverlay: { height: titleBarHeight - 1, color: '#00000000', symbolColor: '#62665e' },
      }
    default:
      return { frame: false }
  }
}

function readBounds(file: string): SavedBounds | null {
  try {
    return parseBounds(readFileSync(file, 'utf8'))
  } catch {
    return null // no start before this one
  }
}

function saveBounds(file: string, window: BrowserWindow): void {
  const bounds: SavedBounds = { ...window.getNormalBounds(), isMaximized: window.isMaximized() }
  try {
    writeFileSync(file, JSON.stringify(bounds))
  } catch {
    // the place of the window is not worth a message while it closes
  }
}
