import type { Locator } from '@playwright/test'
import type { AlfredWindow } from './alfred-window'

/** "Make this computer ready", with the demo beside it; the same screen is Diagnostics. */
export class FirstStartPage {
  constructor(readonly alfred: AlfredWindow) {}

  get screen(): Locator {
    return this.alfred.part('first-start')
  }

  get checks(): Locator {
    return this.alfred.part('doctor-line')
  }

  check(name: string): Locator {
    return this.alfred.page.locator(`[data-test="doctor-line"][data-check="${name}"]`)
  }

  get tryDemo(): Locator {
    return this.alfred.part('try-demo')
  }

  get hostConsent(): Locator {
    return this.alfred.part('consent-dialog')
  }

  get confirmHost(): Locator {
    return this.alfred.part('confirm-consent')
  }
}
