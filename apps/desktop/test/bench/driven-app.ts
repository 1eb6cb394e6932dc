import { _electron, type Page } from '@playwright/test'
import { mkdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Store } from '@main/ports/stores'
import { openTestStore } from '../fakes/open-test-store'
import { seedStore, type Seeded, type SeedSize } from '../fakes/seed-store'

export interface DrivenApp {
  readonly page: Page
  /** Of its main process. */
  readonly pid: number
  close(): Promise<void>
}

export interface AppStart {
  /** Folder of the app: Alfred, or its rival. */
  readonly target: string
  /** Data folder; the browser profile lies beside it. */
  readonly home: string
  /** The element that tells that the app can be used. */
  readonly ready: string
  readonly env?: Readonly<Record<string, string>>
}

export const helloWorld = (app: string): Pick<AppStart, 'target' | 'ready'> => ({
  target: join(app, 'test/bench/hello-world'),
  ready: 'h1',
})
export const alfred = (app: string): Pick<AppStart, 'target' | 'ready'> => ({
  target: app,
  ready: '[data-test=session-row]',
})

/** Starts an app and waits until it can be used. */
export async function startApp({ target, home, ready, env = {} }: AppStart): Promise<DrivenApp> {
  const inherited = Object.entries(process.env).filter(
    (entry): entry is [string, string] => entry[1] !== undefined,
  )
  const app = await _electron.launch({
    args: [target, `--user-data-dir=${join(home, '..', 'profile')}`],
    env: { ...Object.fromEntries(inherited), ALFRED_HOME: home, ...env },
  })
  const page = await app.firstWindow()
  await page.locator(ready).first().waitFor({ state: 'visible', timeout: 60_000 })
  return {
    page,
    pid: app.process().pid ?? 0,
    async close() {
      await app.evaluate(({ app: self }) => self.exit(0)).catch(() => undefined)
      await app.close().catch(() => undefined)
    },
  }
}

/** Makes a data folder with a history of that size, and what `more` adds to it. */
export const seedHome = (
  home: string,
  size: SeedSize,
  more: (store: Store, seeded: Seeded) => void = () => undefined,
): Seeded =>
  makeHome(home, (store) => {
    const seeded = seedStore(store, size)
    more(store, seeded)
    return seeded
  })

/** Makes a data folder with what `fill` stores. */
export function makeHome<T>(home: string, fill: (store: Store) => T): T {
  mkdirSync(home, { mode: 0o700 })
  const made = openTestStore()
  const filled = fill(made.store)
  made.db.pragma('wal_checkpoint(TRUNCATE)')
  made.db.close()
  renameSync(made.file, join(home, 'alfred.db'))
  rmSync(made.folder, { recursive: true, force: true })
  return filled
}
