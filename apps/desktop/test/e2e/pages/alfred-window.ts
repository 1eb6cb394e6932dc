import type * as electronModule from 'electron'
import type { ElectronApplication, Locator, Page, TestInfo } from '@playwright/test'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { RunningApp } from '../launch'
import { appFolder } from '../launch'

/** Kept as artifacts of a test run: NAME-light.png and NAME-dark.png. */
const screenshotFolder = join(appFolder, 'test-results', 'screenshots')

export const colourSchemes = ['light', 'dark'] as const
export type ColourScheme = (typeof colourSchemes)[number]

/** One running Alfred and its window. */
export class AlfredWindow {
  readonly app: ElectronApplication
  readonly page: Page
  readonly home: string
  readonly #running: RunningApp
  #isClosed = false

  constructor(running: RunningApp) {
    this.#running = running
    this.app = running.app
    this.page = running.window
    this.home = running.home
    running.app.once('close', () => {
      this.#isClosed = true
    })
  }

  get isClosed(): boolean {
    return this.#isClosed
  }

  /** An element by its test hook. */
  part(test: string): Locator {
    return this.page.getByTestId(test)
  }

  /** What the window's only live region says now. */
  get announcement(): Locator {
    return this.part('announcer')
  }

  /** The name of the focused element's test hook, or null. */
  focusedPart(): Promise<string | null> {
    return this.page.evaluate(() => document.activeElement?.getAttribute('data-test') ?? null)
  }

  /** Calls the engine as the page does; the answer as it comes, a `Result`. */
  invoke(channel: string, input: unknown): Promise<unknown> {
    return this.page.evaluate(([name, value]) => window.alfred.invoke(name, value), [channel, input] as const)
  }

  /** Calls the engine and fails on an error; `T` is what the contract says. */
  async ask<T>(channel: string, input: unknown): Promise<T> {
    const answer = (await this.invoke(channel, input)) as { ok: boolean; value: T; error: unknown }
    if (!answer.ok) throw new Error(`${channel}: ${JSON.stringify(answer.error)}`)
    return answer.value
  }

  /**
   * Does something in the main process, which must bear to be done twice: the runtime may collect the promise of a
   * call before its answer is read, and the call is made again.
   */
  async inMain<R, A = undefined>(
    work: (electron: typeof electronModule, argument: A) => R | Promise<R>,
    argument?: A,
  ): Promise<R> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.app.evaluate<R, A>(work as never, argument as A)
      } catch (error) {
        if (attempt === 5 || !String(error).includes('was garbage collected')) throw error
      }
    }
  }

  async resize(width: number, height: number): Promise<void> {
    await this.inMain(
      ({ BrowserWindow }, size) => BrowserWindow.getAllWindows()[0]?.setSize(size.width, size.height),
      { width, height },
    )
    await this.page.waitForFunction((wanted) => window.innerWidth === wanted, width)
  }

  async showAs(colorScheme: ColourScheme): Promise<void> {
    await this.page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
  }

  /** Keeps what is on the screen, light and dark. */
  async screenshot(name: string): Promise<void> {
    for (const scheme of colourSchemes) {
      await this.showAs(scheme)
      await this.page.screenshot({ path: join(screenshotFolder, `${name}-${scheme}.png`) })
    }
    await this.page.emulateMedia({ colorScheme: null, reducedMotion: null })
  }

  /** After a failure: what was on the screen, and the engine's log. */
  async keepEvidence(info: TestInfo): Promise<void> {
    if (!this.#isClosed) {
      await this.page
        .screenshot({ path: info.outputPath('at-failure.png'), timeout: 5_000 })
        .catch(() => undefined)
    }
    const log = join(this.home, 'logs', 'alfred.log')
    if (existsSync(log))
      await info.attach('alfred.log', { body: readFileSync(log), contentType: 'text/plain' })
  }

  async close(): Promise<void> {
    if (!this.#isClosed) await this.#running.close()
  }
}
