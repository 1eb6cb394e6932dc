import type { Locator } from '@playwright/test'
import type { AlfredWindow } from './alfred-window'

interface PlaceOfEvent {
  /** Among the rows that were read. */
  readonly index: number
  /** In the window, in CSS pixels. */
  readonly top: number
}

/** One run: transcript, diff, and the facts beside them. */
export class RunPage {
  constructor(readonly alfred: AlfredWindow) {}

  get screen(): Locator {
    return this.alfred.part('run-screen')
  }

  get id(): Locator {
    return this.alfred.part('run-id')
  }

  get state(): Locator {
    return this.alfred.part('run-state')
  }

  get badge(): Locator {
    return this.alfred.part('run-session-facts').getByTestId('session-badge')
  }

  get events(): Locator {
    return this.alfred.part('transcript').getByTestId('transcript-event')
  }

  get diff(): Locator {
    return this.alfred.part('run-diff')
  }

  get changedFiles(): Locator {
    return this.alfred.part('changed-file')
  }

  get sandbox(): Locator {
    return this.alfred.part('sandbox-contract')
  }

  async showTab(tab: 'transcript' | 'diff' | 'prompt' | 'raw-log' | 'same-memory'): Promise<void> {
    await this.alfred.part(`tab-${tab}`).click()
  }

  /** Scrolls to there; returns a row that can then be seen. */
  scrollTranscript(top: number): Promise<PlaceOfEvent & { readonly seq: number }> {
    return this.alfred.part('transcript').evaluate(async (scroller, scrollTop) => {
      scroller.scrollTop = scrollTop
      const edge = scroller.getBoundingClientRect().top + 100
      const find = (): Element | undefined =>
        [...scroller.querySelectorAll('[data-seq]')].find((row) => row.getBoundingClientRect().top >= edge)
      const isDrawn = (): boolean => (find()?.getBoundingClientRect().top ?? Infinity) < edge + 100
      while (!isDrawn()) await new Promise((resolve) => requestAnimationFrame(resolve))
      const row = find()
      return {
        seq: Number(row?.getAttribute('data-seq')),
        index: Number(row?.closest('[data-index]')?.getAttribute('data-index')),
        top: row?.getBoundingClientRect().top ?? Number.NaN,
      }
    }, top)
  }

  /** Scrolls up by so many CSS pixels. */
  async scrollTranscriptUp(by: number): Promise<void> {
    await this.alfred.part('transcript').evaluate((scroller, px) => {
      scroller.scrollTop -= px
    }, by)
  }

  /** Where an event that is drawn is. */
  placeOf(seq: number): Promise<PlaceOfEvent> {
    return this.alfred
      .part('transcript')
      .locator(`[data-seq="${seq}"]`)
      .evaluate((row) => ({
        index: Number(row.closest('[data-index]')?.getAttribute('data-index')),
        top: row.getBoundingClientRect().top,
      }))
  }

  async back(): Promise<void> {
    await this.alfred.part('back-to-mailbox').click()
  }
}
