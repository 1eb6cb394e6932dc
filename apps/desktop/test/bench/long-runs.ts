import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import type { RunId } from '@shared/model/ids'
import type { NewEvent, PackedEvents } from '@main/ports/stores'
import { openTestStore } from '../fakes/open-test-store'
import { seedEvent } from '../fakes/seed-store'
import { alfred, seedHome, startApp } from './driven-app'
import { alone, median, type BenchRow } from './figures'

const rounds = 5
const opened = 10_000
const scrolled = 100_000
/** Per frame: some screens, as with the thumb of a scroll bar. */
const scrollPx = 3_000
/** A slow computer need not come to the first event. */
const longestScrollMs = 40_000
/** One in ten of these is open, and the window shows it first. */
const mailboxes = 10

/** Runs with long transcripts in the real window: how soon one shows, and whether it scrolls without a jerk. */
export async function benchLongRuns(app: string): Promise<readonly BenchRow[]> {
  const folder = mkdtempSync(join(tmpdir(), 'alfred-bench-'))
  try {
    const home = join(folder, 'home')
    const [longest, packed, first, ...others] = await seedRuns(home)
    const { page, close } = await startApp({ ...alfred(app), home })
    try {
      const takenFirst = await openRun(page, first, opened)
      await page.locator('[data-test=back-to-mailbox]').click()
      const takenPacked = await openRun(page, packed, opened)
      const taken: number[] = []
      for (const runId of others) {
        await page.locator('[data-test=back-to-mailbox]').click()
        taken.push(await openRun(page, runId, opened))
      }
      await page.locator('[data-test=back-to-mailbox]').click()
      await openRun(page, longest, scrolled)
      return [
        alone('opening a run of 10,000 events', median(taken), 'ms', 300),
        alone('opening a run of 10,000 events, the first one of a window', takenFirst, 'ms', 300),
        alone('opening a run of 10,000 events that are still packed', takenPacked, 'ms', 300),
        alone('scrolling 100,000 events: longest frame', await scrollUp(page), 'ms', 50),
      ]
    } finally {
      await close()
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Runs of one mailbox: a very long one, one whose burst is just over, the one that a fresh window opens first, and the others. */
async function seedRuns(home: string): Promise<readonly [RunId, RunId, RunId, ...RunId[]]> {
  const each = rounds + 3
  const size = { mailboxes, runs: mailboxes * each, attempts: 1, events: 0 }
  const burst = await packEvents(opened)
  let runs: readonly [RunId, RunId, RunId, ...RunId[]] | null = null
  seedHome(home, size, (store, { mailboxIds }) => {
    const shown = mailboxIds[mailboxes - 1]
    const [longest, packed, first, ...others] =
      shown === undefined ? [] : store.runs.listByMailbox(shown, each, null)
    if (longest === undefined || packed === undefined || first === undefined)
      throw new Error('no runs were seeded')
    const fill = (runId: RunId, events: number): void => {
      store.transaction(() => store.events.append(runId, madeEvents(events)))
    }
    store.events.appendPacked(packed.id, burst)
    fill(longest.id, scrolled)
    for (const { id } of [first, ...others]) fill(id, opened)
    runs = [longest.id, packed.id, first.id, ...others.map(({ id }) => id)]
  })
  if (runs === null) throw new Error('no runs were seeded')
  return runs
}

const madeEvents = (events: number): readonly NewEvent[] =>
  Array.from({ length: events }, (_, seq) => seedEvent(0, seq))

async function packEvents(events: number): Promise<PackedEvents> {
  const { store, remove } = openTestStore()
  try {
    return await store.events.pack(madeEvents(events))
  } finally {
    remove()
  }
}

/** Milliseconds from the double click to the frame that shows the end of the transcript. */
async function openRun(page: Page, runId: RunId, events: number): Promise<number> {
  const row = `[data-test=session-row][data-run="${runId}"]`
  await page.locator(row).waitFor()
  // every third event is the call of a tool, whose words are folded
  const last = (events - 1) % 3 === 0 ? events - 2 : events - 1
  const lastWords = `Event ${last} of run`
  return page.evaluate(
    async ([selector, words]) => {
      const begin = performance.now()
      document.querySelector(selector)?.dispatchEvent(new MouseEvent('dblclick', { bubbles: true }))
      const frame = (): Promise<number> => new Promise((resolve) => requestAnimationFrame(resolve))
      const shows = (): boolean =>
        document.querySelector('[data-test=transcript]')?.textContent.includes(words) ?? false
      while (!shows()) await frame()
      await frame()
      return performance.now() - begin
    },
    [row, lastWords] as const,
  )
}

/** Scrolls up towards the first event, reading earlier pages on the way; milliseconds of the longest frame. */
function scrollUp(page: Page): Promise<number> {
  return page.evaluate(
    async ([step, mostMs]) => {
      const scroller = document.querySelector('[data-test=transcript]')
      if (scroller === null) throw new Error('there is no transcript')
      const frame = (): Promise<number> => new Promise((resolve) => requestAnimationFrame(resolve))
      const begin = await frame()
      let longest = 0
      for (let before = begin; before - begin < mostMs;) {
        if (scroller.textContent.includes('Event 1 of run')) break
        scroller.scrollTop -= step
        const now = await frame()
        longest = Math.max(longest, now - before)
        before = now
      }
      return longest
    },
    [scrollPx, longestScrollMs] as const,
  )
}
