import type { Locator } from '@playwright/test'
import type { AlfredWindow } from './alfred-window'

/** The settings, one line for each. */
export class SettingsPage {
  constructor(readonly alfred: AlfredWindow) {}

  async open(): Promise<void> {
    await this.alfred.page.keyboard.press('Control+,')
  }

  /** Whom a change is written for: `app`, `organization` or `project`. */
  async editFor(scope: string): Promise<void> {
    await this.alfred.part(`scope-${scope}`).click()
  }

  row(key: string): Locator {
    return this.alfred.page.locator(`[data-test="setting-row"][data-setting="${key}"]`)
  }

  value(key: string): Locator {
    return this.row(key).getByTestId('setting-value')
  }

  /** What the scopes say, and which of them is in force. */
  origin(key: string): Locator {
    return this.row(key).getByTestId('setting-origin')
  }

  error(key: string): Locator {
    return this.row(key).getByTestId('setting-error')
  }

  /** What is asked before a value is written that a person must agree to. */
  get consent(): Locator {
    return this.alfred.part('consent-dialog')
  }

  /** The dialog in which a list is written. */
  get list(): Locator {
    return this.alfred.part('setting-list-dialog')
  }

  /** Chooses one of the values that are offered. */
  async choose(key: string, option: string): Promise<void> {
    await this.value(key).click()
    await this.alfred.page.getByRole('option', { name: option }).click()
  }

  /** Writes a list, an entry per line, in its dialog. */
  async writeList(key: string, entries: readonly string[]): Promise<void> {
    await this.value(key).click()
    await this.list.getByRole('textbox').fill(entries.join('\n'))
    await this.list.getByTestId('save-setting-list').click()
  }

  /** Types a value, and leaves the field with Enter. */
  async write(key: string, text: string): Promise<void> {
    await this.value(key).fill(text)
    await this.value(key).press('Enter')
  }
}
