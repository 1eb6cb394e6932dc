import { expect, type Locator } from '@playwright/test'
import type { AlfredWindow } from './alfred-window'

const patience = { timeout: 60_000 }

/** A terminal in the window. */
export class TerminalPage {
  constructor(readonly alfred: AlfredWindow) {}

  get panel(): Locator {
    return this.alfred.part('terminal-panel')
  }

  get state(): Locator {
    return this.alfred.part('terminal-state')
  }

  /** What its rows show, as text. */
  get rows(): Locator {
    return this.alfred.part('terminal').locator('.xterm-rows')
  }

  /** Waits until it is attached and shows this. */
  async shows(text: string | RegExp): Promise<void> {
    await expect(this.rows).toContainText(text, patience)
  }

  /** Types a line into what has the focus. */
  async say(line: string): Promise<void> {
    await this.alfred.page.keyboard.type(line)
    await this.alfred.page.keyboard.press('Enter')
  }

  /** Clicks on words that are shown. The rows lie below what takes the pointer, so it is moved there. */
  async choose(words: string): Promise<void> {
    // A row under the pointer is drawn anew: what was found may be gone again before it is measured.
    await expect(async () => {
      const box = await this.rows
        .locator('span')
        .filter({ hasText: words })
        .last()
        .boundingBox({ timeout: 1_000 })
      if (box === null) throw new Error(`${words} is not shown`)
      const [x, y] = [box.x + box.width / 2, box.y + box.height / 2]
      const { mouse } = this.alfred.page
      await mouse.move(x - 2, y)
      await mouse.move(x, y)
      await mouse.click(x, y)
    }).toPass(patience)
  }

  /** Clicks into a cell of the screen; the first one is 1, 1. */
  async clickCell(column: number, row: number): Promise<void> {
    const [columns, rows] = (await this.size())?.split('x').map(Number) ?? []
    const box = await this.alfred.part('terminal').locator('.xterm-screen').boundingBox()
    if (box === null || columns === undefined || rows === undefined) throw new Error('no terminal is shown')
    const x = box.x + ((column - 0.5) * box.width) / columns
    const y = box.y + ((row - 0.5) * box.height) / rows
    await this.alfred.page.mouse.click(x, y)
  }

  async size(): Promise<string | null> {
    return this.alfred.part('terminal-size').getAttribute('data-value')
  }
}
