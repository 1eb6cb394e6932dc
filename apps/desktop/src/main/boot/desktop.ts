import { app, dialog, Notification, powerMonitor, shell } from 'electron'
import { join } from 'node:path'
import { createDesktopServices } from '../adapters/system/desktop-services'
import { askAhead } from '@shared/ask-ahead'
import type { RestoreReport } from '@shared/contract/restore'
import type { StartFailure } from '@shared/contract/shell-bridge'
import { serveEngine } from '../ipc/electron-transport'
import { createEngineGate } from '../ipc/engine-gate'
import { setAppMenu } from '../windows/app-menu'
import { registerWindowScheme, serveWindowPage, windowPage } from '../windows/app-protocol'
import { createDataPaths } from '../services/runs/data-paths'
import { linkInArguments } from '../windows/deep-links'
import { trustsFrame, guardWebContents } from '../windows/web-guards'
import { createMainWindow } from '../windows/main-window'
import { createDesktopNotifier } from '../windows/notifier'
import { createQuitFlow } from '../windows/quit-flow'
import { serveShell } from '../windows/shell-ipc'
import { countLive, shellEngine, type ShellEngine } from '../windows/shell-status'
import { createTray, type AppTray } from '../windows/tray'
import { createTrayHint } from '../windows/tray-hint'
import { createWindowKeeper } from '../windows/window-keeper'
import {
  readEngine,
  restoreDesktopData,
  startDesktopEngine,
  type DesktopEngine,
  type EngineWorker,
} from './desktop-engine'
import { followStartAtLogin, isStartedAtLogin } from './start-at-login'

/*
 * Starts the app: the window, and the engine in a thread beside it; what works in the background and the tray wait
 * for the first picture.
 */

/** A window that nobody looks at must not keep the work waiting. */
const picturePatienceMs = 3_000
const stopPatienceMs = 15_000
const closePatienceMs = 5_000

export interface DesktopPlaces {
  /** The data folder. */
  readonly home: string
  readonly resources: string
}

/** Must be called before the app is ready, and only by the one instance that holds the lock. */
export function startDesktop(places: DesktopPlaces): void {
  registerWindowScheme()
  // while Chromium gets ready
  let readAhead: EngineWorker | null = readEngine(places.home)
  const devServer = app.isPackaged ? undefined : process.env['ELECTRON_RENDERER_URL']
  const icons = join(places.resources, 'icons')
  const gate = createEngineGate()
  const engine = shellEngine(gate.calls)
  const picture = createSignal()

  let running: DesktopEngine | null = null
  let instead: InsteadOfEngine | null = null
  let tray: AppTray | null = null
  let trayIsShown = false
  let isQuitting = false
  let atQuit: 'keep' | 'stop' = 'keep'
  let runInFront: number | null = null

  const pageAddress = (): string => {
    const page = devServer ?? windowPage
    return instead === null ? page : `${page}?${queryOf(instead)}`
  }
  const sayWhereItGoes = createTrayHint({
    platform: process.platform,
    file: join(app.getPath('userData'), 'tray-told'),
    say: (hint) => new Notification(hint).show(),
  })
  const keeper = createWindowKeeper({
    create: () =>
      createMainWindow({
        preloadFile: join(import.meta.dirname, '../preload/index.cjs'),
        iconFile: join(icons, 'window.png'),
        boundsFile: join(app.getPath('userData'), 'window.json'),
        address: pageAddress(),
      }),
    onClose: () => {
      if (isQuitting || instead !== null) return 'close'
      if (process.platform !== 'darwin' && !trayIsShown) return 'ask'
      sayWhereItGoes()
      return 'hide'
    },
    askToQuit: () => void quitFlow.request(),
  })

  const quitNow = (containers: 'keep' | 'stop' = 'keep'): void => {
    isQuitting = true
    atQuit = containers
    app.quit()
  }
  const quitFlow = createQuitFlow({
    countLive: async () => {
      const status = running === null ? null : await engine.status()
      return status === null ? 0 : countLive(status)
    },
    ask: () => keeper.askQuit(),
    quitNow,
  })
  const quit = (): void => void quitFlow.request()

  const isTrusted = trustsFrame(devServer)
  // answered while the page is still read
  const ahead = askAhead((channel, input) => gate.calls.invoke(channel, input))
  serveEngine(
    {
      ...gate.calls,
      invoke: (channel, input) => ahead.take(channel, input) ?? gate.calls.invoke(channel, input),
    },
    isTrusted,
  )
  serveShell(
    {
      quit,
      answerQuit: (answer) => quitFlow.answer(answer),
      pageReady: () => keeper.pageReady(),
      pictureReady: () => {
        ahead.drop()
        picture.give()
      },
      showDataFolder: () => void shell.openPath(places.home),
      showSessionsFolder: () => void shell.openPath(createDataPaths(places.home).sessions),
      showBackup: () => {
        const failure = instead?.name === 'start-failure' ? instead.value : null
        if (failure?.type === 'database_newer' && failure.backup !== null)
          shell.showItemInFolder(failure.backup)
      },
      restore: () => void restore().catch((defect: unknown) => fail(unexpected(defect))),
      startEngine: () => void startEngine().catch((defect: unknown) => fail(unexpected(defect))),
      showsRun: (runId) => {
        runInFront = runId
      },
    },
    isTrusted,
  )

  app.on('second-instance', (_event, argv) => keeper.show(linkInArguments(argv)))
  app.on('open-url', (event, url) => {
    event.preventDefault()
    keeper.show(linkInArguments([url]))
  })
  app.on('activate', () => keeper.show(null))
  app.on('window-all-closed', () => {
    if (!trayIsShown || instead !== null) quitNow()
  })
  // whatever quits from outside (a session that ends, a signal) does not ask: containers go on and are found again
  let isClosed = false
  app.on('before-quit', (event) => {
    isQuitting = true
    if (isClosed) return
    event.preventDefault()
    void closeEngine(running, atQuit).finally(() => {
      isClosed = true
      tray?.destroy()
      app.quit()
    })
  })
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => quitNow())

  const openTray = async (): Promise<void> => {
    const desktop = createDesktopServices({ platform: process.platform, environment: process.env })
    followStartAtLogin(engine)
    // one that stands already follows the engine that was lost
    if (tray !== null) return followStatus(engine, tray)
    trayIsShown = await desktop.showsTray()
    if (!trayIsShown) {
      // nobody could bring a window back that was not opened
      if (keeper.current() === null) keeper.show(null)
      return followStatus(engine, null)
    }
    tray = createTray(icons, {
      open: (link) => keeper.show(link),
      toggle: () => keeper.toggle(),
      setPaused: (isPaused) => void engine.setPaused(isPaused),
      stopAll: () => void askToStopAll(engine),
      quit,
    })
    followStatus(engine, tray)
  }

  const showInstead = (shown: InsteadOfEngine | null): void => {
    instead = shown
    keeper.load(pageAddress())
  }
  const fail = (reason: StartFailure): void => {
    gate.shut(reason.type)
    // a page that comes after this one asks another engine
    ahead.drop()
    showInstead({ name: 'start-failure', value: reason })
  }
  let isRestoring = false
  const restore = async (): Promise<void> => {
    if (isRestoring || instead?.name !== 'start-failure' || instead.value.type !== 'database_damaged') return
    isRestoring = true
    try {
      const restored = await restoreDesktopData(places.home)
      if (!restored.ok) return fail(restored.error)
      if (restored.value !== null) return showInstead({ name: 'restored', value: restored.value })
      await startAgain()
    } finally {
      isRestoring = false
    }
  }
  const startAgain = async (): Promise<void> => {
    await start()
    if (running !== null) showInstead(null)
  }
  const startEngine = async (): Promise<void> => {
    const isLost = instead?.name === 'start-failure' && instead.value.type === 'engine_lost'
    if ((instead?.name === 'restored' || isLost) && running === null) await startAgain()
  }
  const start = async (): Promise<void> => {
    const notifier = createDesktopNotifier({
      iconFile: join(icons, 'icon.png'),
      open: (link, message) => {
        void engine.openedNotification(message.id)
        keeper.show(link)
      },
      isInFront: (message) => message.runId !== null && message.runId === runInFront && keeper.isFocused(),
    })
    const workAfter = Promise.race([picture.given, wait(picturePatienceMs)])
    void workAfter.then(() => ahead.drop())
    const onLost = (message: string): void => {
      running = null
      fail({ type: 'engine_lost', message })
    }
    const reading = readAhead ?? readEngine(places.home)
    readAhead = null
    const started = await startDesktopEngine({ ...places, reading, notifier, workAfter, onLost })
    if (!started.ok) {
      const { error } = started
      fail(error.type === 'not_writable' ? { ...error, message: `${places.home}: ${error.message}` } : error)
      return
    }
    running = started.value
    gate.open(running.calls)
    // it asks another program whether there is a place for it
    void workAfter.then(openTray).catch((defect: unknown) => fail(unexpected(defect)))
  }

  // before the app is ready, or Electron makes a menu of its own first
  setAppMenu({ open: (link) => keeper.show(link), quit })

  void app.whenReady().then(() => {
    serveWindowPage(join(import.meta.dirname, '../renderer'))
    guardWebContents(devServer)
    // asked first: the engine has more to do before it can answer than the window before it can ask
    const starting = start()
    const link = linkInArguments(process.argv)
    if (link !== null || !isStartedAtLogin()) keeper.show(link)
    // there is no picture to wait for
    else picture.give()
    powerMonitor.on('resume', () => running?.wake())
    // a window that waits for ever for its engine would say nothing
    return starting.catch((defect: unknown) => fail(unexpected(defect)))
  })
}

/** What the window shows while there is no engine. */
type InsteadOfEngine =
  | { readonly name: 'start-failure'; readonly value: StartFailure }
  | { readonly name: 'restored'; readonly value: RestoreReport }

const queryOf = ({ name, value }: InsteadOfEngine): string =>
  `${name}=${encodeURIComponent(JSON.stringify(value))}`

const unexpected = (defect: unknown): StartFailure => ({
  type: 'unexpected',
  message: defect instanceof Error ? defect.message : String(defect),
})

function followStatus(engine: ShellEngine, tray: AppTray | null): void {
  engine.follow((status) => {
    app.setBadgeCount(status.needsYou)
    if (tray === null) return
    if (status.needsYou === 0) tray.show(status, [])
    else void engine.listNeedsYou().then((rows) => tray.show(status, rows))
  })
}

async function askToStopAll(engine: ShellEngine): Promise<void> {
  const status = await engine.status()
  const live = status === null ? 0 : countLive(status)
  if (live === 0) return
  const { response } = await dialog.showMessageBox({
    type: 'question',
    message: live === 1 ? 'Stop 1 run?' : `Stop ${live} runs?`,
    detail: 'Their work and memory are kept; nothing more is posted.',
    buttons: ['Go on', live === 1 ? 'Stop run' : 'Stop runs'],
    defaultId: 0,
    cancelId: 0,
  })
  if (response === 1) await engine.stopAll()
}

/** Stopping takes until the agents' last save: 10 s to KILL, and what follows it. */
async function closeEngine(engine: DesktopEngine | null, containers: 'keep' | 'stop'): Promise<void> {
  if (engine === null) return
  await Promise.race([
    engine.close(containers),
    wait(containers === 'stop' ? stopPatienceMs : closePatienceMs),
  ])
}

interface Signal {
  readonly given: Promise<void>
  give(): void
}

function createSignal(): Signal {
  let give = (): void => undefined
  const given = new Promise<void>((resolve) => {
    give = resolve
  })
  return { given, give: () => give() }
}

const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))
