import type { Locator } from '@playwright/test'
import type { AlfredWindow } from './alfred-window'

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

  async back(): Promise<void> {
    await this.alfred.part('back-to-mailbox').click()
  }
}
