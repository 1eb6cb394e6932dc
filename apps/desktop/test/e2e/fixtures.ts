import { test as base } from '@playwright/test'
import { join } from 'node:path'
import { copyHome, newFolder, playDemo, removeHome, type PlayedDemo } from './homes'
import { launch, type LaunchOptions } from './launch'
import { AlfredWindow } from './pages/alfred-window'
import { startSessionBus, type SessionBus } from './session-bus'

export type StartOptions = Pick<LaunchOptions, 'env' | 'args' | 'home' | 'appFolder'>

export interface TestFixtures {
  /** A session bus of this test alone, with notifications and a tray host. */
  readonly bus: SessionBus
  /** A data folder that does not exist yet. */
  readonly home: string
  /** A copy of a data folder in which the demo was played to its end. */
  readonly demoHome: string
  /** Starts Alfred, on `home` unless told otherwise; what still runs at the end of the test is closed. */
  readonly start: (
    options?: StartOptions,
    untilWindow?: Parameters<typeof launch>[1],
  ) => Promise<AlfredWindow>
}

export interface WorkerFixtures {
  readonly playedDemo: PlayedDemo
}

export const test = base.extend<TestFixtures, WorkerFixtures>({
  playedDemo: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads the names of the fixtures from this pattern
    async ({}, use) => {
      const folder = newFolder()
      const home = join(folder, 'home')
      try {
        await use(await playDemo(home))
      } finally {
        removeHome(home)
        removeHome(folder)
      }
    },
    // the first time on a machine the image is built
    { scope: 'worker', timeout: 600_000 },
  ],

  // oxlint-disable-next-line no-empty-pattern -- see above
  bus: async ({}, use) => {
    const bus = await startSessionBus()
    await use(bus)
    await bus.stop()
  },

  // oxlint-disable-next-line no-empty-pattern -- see above
  home: async ({}, use) => {
    const folder = newFolder()
    const home = join(folder, 'home')
    await use(home)
    removeHome(home)
    removeHome(folder)
  },

  demoHome: async ({ playedDemo, home }, use) => {
    copyHome(playedDemo.home, home)
    await use(home)
  },

  start: async ({ bus, home }, use, info) => {
    const started: AlfredWindow[] = []
    await use(async (options = {}, untilWindow) => {
      const alfred = new AlfredWindow(
        await launch({ home, ...options, env: { ...bus.env, ...options.env } }, untilWindow),
      )
      started.push(alfred)
      return alfred
    })
    for (const alfred of started) {
      if (info.status !== info.expectedStatus) await alfred.keepEvidence(info)
      await alfred.close()
    }
  },
})

export { expect } from '@playwright/test'
