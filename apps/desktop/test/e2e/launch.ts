import { _electron, type ElectronApplication, type Page } from '@playwright/test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'

export interface LaunchOptions {
  readonly env?: Readonly<Record<string, string>>
  readonly args?: readonly string[]
  /** Where `package.json`, `out` and `resources` lie; apps/desktop if absent. */
  readonly appFolder?: string
  /** The program of a packaged app; the development build if absent. */
  readonly packagedExecutable?: string
  /** A data folder that the caller keeps, to start twice on the same data. */
  readonly home?: string
}

export interface RunningApp {
  readonly app: ElectronApplication
  readonly window: Page
  /** Its data folder (ALFRED_HOME), with the window's profile in it; removed by close unless the caller gave it. */
  readonly home: string
  readonly close: () => Promise<void>
}

/** apps/desktop */
export const appFolder = resolve(import.meta.dirname, '../..')

/**
 * Starts Alfred with data and browser profile of its own and waits for its first window. `untilWindow` is given an app
 * that shows none by itself, and makes it do so.
 */
export async function launch(
  options: LaunchOptions = {},
  untilWindow: (app: ElectronApplication) => Promise<void> = () => Promise.resolve(),
): Promise<RunningApp> {
  const folder = options.home === undefined ? mkdtempSync(join(tmpdir(), 'alfred-e2e-')) : null
  const home = options.home ?? join(folder ?? '', 'home')
  const app = await launchElectron(options, home)
  await untilWindow(app)
  return {
    app,
    window: await app.firstWindow(),
    home,
    close: async () => {
      await app.close()
      if (folder !== null) rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** How often a start that the driver lost sight of is made again. */
const launchAttempts = 3

/**
 * The driver's first call into the main process can stay without an answer (the runtime collects its promise): then
 * the app runs, but nobody can drive it. The driver ends it, and it is started again on the same data.
 */
async function launchElectron(options: LaunchOptions, home: string): Promise<ElectronApplication> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await _electron.launch({
        ...(options.packagedExecutable === undefined ? {} : { executablePath: options.packagedExecutable }),
        args: [
          ...(options.packagedExecutable === undefined ? [options.appFolder ?? appFolder] : []),
          ...(options.args ?? []),
        ],
        env: environment(options, home),
        timeout: 20_000,
      })
    } catch (error) {
      if (attempt === launchAttempts || !/Timeout \d+ms exceeded/.test(String(error))) throw error
    }
  }
}

/** What the app is started with: ours, with its own data folder. */
export function environment(
  options: Pick<LaunchOptions, 'env' | 'packagedExecutable'>,
  home: string,
): Record<string, string> {
  const inherited = Object.entries(process.env).filter(
    (entry): entry is [string, string] => entry[1] !== undefined,
  )
  const env = {
    ...Object.fromEntries(inherited),
    ALFRED_HOME: home,
    ALFRED_CHECK_ANSWERS: '1',
    ...options.env,
  }
  // the package brings its own
  if (options.packagedExecutable !== undefined)
    delete (env as Record<string, string>)['ALFRED_SQLITE_BINDING']
  return env
}

export function electronExecutable(): string {
  const executable = process.env['ALFRED_E2E_ELECTRON']
  if (executable === undefined) throw new Error('no Electron given: start the tests with npm run e2e')
  return executable
}
