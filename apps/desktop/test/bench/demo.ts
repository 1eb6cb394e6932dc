import type { Page } from '@playwright/test'
import { mkdtempSync, mkdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startApp } from './driven-app'
import { alone, type BenchRow } from './figures'

/**
 * What a newcomer waits for: from the click on the demo, on data that was never used, to a memory that was proven in
 * one issue and one that fell back in the other, both developed. The plan is validated as soon as it can be. The agent
 * image is there: the first of two rounds builds it where it is not, and is not counted.
 */
export async function benchDemo(app: string): Promise<readonly BenchRow[]> {
  await playDemo(app)
  return [alone('demo, from the click to both issues developed', await playDemo(app), 'ms', 120_000)]
}

const patience = { timeout: 600_000 }

async function playDemo(app: string): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'alfred-bench-'))
  try {
    const home = join(folder, 'home')
    mkdirSync(home, { mode: 0o700 })
    const { page, close } = await startApp({ target: app, home, ready: '[data-test=try-demo]' })
    try {
      await page.locator('[data-test=doctor-line][data-check=docker][data-state=passed]').waitFor(patience)
      const begin = performance.now()
      await page.locator('[data-test=try-demo]').click()
      await open(page, '#1')
      await page.locator('[data-test=validate-plan]').click(patience)
      await developed(page, 'resumed')
      await open(page, '#2')
      await developed(page, 'state_missing')
      return performance.now() - begin
    } finally {
      await close()
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const open = (page: Page, iid: string): Promise<void> =>
  page.locator(`[data-test=mailbox-row][data-mailbox="${iid}"]`).click(patience)

/** The second session has that badge, and its run went well. */
async function developed(page: Page, badge: string): Promise<void> {
  const second = page.locator('[data-test=session-row]').nth(1)
  await second.locator(`[data-test=session-badge][data-value=${badge}]`).waitFor(patience)
  await second.locator('[data-test=run-outcome][data-value=succeeded]').waitFor(patience)
}
