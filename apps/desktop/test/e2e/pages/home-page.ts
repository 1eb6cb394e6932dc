import type { Locator } from '@playwright/test'
import type { AlfredWindow } from './alfred-window'

/** Mailboxes, and the sessions of the selected one. */
export class HomePage {
  constructor(readonly alfred: AlfredWindow) {}

  get mailboxes(): Locator {
    return this.alfred.part('mailbox-list').getByTestId('mailbox-row')
  }

  /** The mailbox with this reference: `#1`. */
  mailbox(reference: string): Locator {
    return this.alfred.page.locator(`[data-test="mailbox-row"][data-mailbox="${reference}"]`)
  }

  /** The mailbox of this title, which no other one has. */
  mailboxTitled(title: string): Locator {
    return this.mailboxes.filter({ hasText: title })
  }

  /** What the row of a mailbox says about its state. */
  mailboxState(reference: string): Locator {
    return this.mailbox(reference).getByTestId('mailbox-state')
  }

  get title(): Locator {
    return this.alfred.page.locator('h1[data-test="mailbox-title"]')
  }

  get branch(): Locator {
    return this.alfred.part('mailbox-branch')
  }

  get status(): Locator {
    return this.alfred.part('mailbox-status')
  }

  get nowStrip(): Locator {
    return this.alfred.part('now-strip')
  }

  get validatePlan(): Locator {
    return this.alfred.part('validate-plan')
  }

  get timeline(): Locator {
    return this.alfred.part('session-timeline')
  }

  get sessions(): Locator {
    return this.timeline.getByTestId('session-row')
  }

  session(runId: number): Locator {
    return this.alfred.page.locator(`[data-test="session-row"][data-run="${runId}"]`)
  }

  /** The n-th session that is drawn, from 0. */
  sessionAt(index: number): SessionRow {
    return new SessionRow(this.sessions.nth(index))
  }

  /** All that is drawn of the sessions, from top to bottom, in words. */
  async told(): Promise<readonly ToldSession[]> {
    return this.sessions.evaluateAll((rows) =>
      rows.map((row) => {
        const words = (test: string): string =>
          row.querySelector(`[data-test="${test}"]`)?.textContent?.trim() ?? ''
        return {
          agent: words('session-agent'),
          id: row.querySelector('[data-test="native-session-id"]')?.getAttribute('data-value') ?? '',
          badge: row.querySelector('[data-test="session-badge"]')?.getAttribute('data-value') ?? '',
          memory: words('session-badge'),
          under: words('session-memory'),
          outcome: words('run-outcome'),
          result: words('run-result'),
          spoken: row.getAttribute('aria-label') ?? '',
        }
      }),
    )
  }

  get breaks(): Locator {
    return this.timeline.getByTestId('memory-break')
  }

  get dock(): Locator {
    return this.alfred.part('action-dock')
  }

  async openMailbox(reference: string): Promise<void> {
    await this.mailbox(reference).click()
  }

  /** The issue itself, where it is one of the built-in forge. */
  async showIssue(): Promise<void> {
    await this.alfred.part('show-issue').click()
  }

  async showSessions(): Promise<void> {
    await this.alfred.part('show-sessions').click()
  }

  async openRun(runId: number): Promise<void> {
    await this.session(runId).dblclick()
  }
}

/** What a session's row says. */
export interface ToldSession {
  readonly agent: string
  readonly id: string
  readonly badge: string
  /** The badge with the sentence behind it. */
  readonly memory: string
  /** The line under the badge. */
  readonly under: string
  readonly outcome: string
  readonly result: string
  readonly spoken: string
}

/** One session on the timeline. */
export class SessionRow {
  constructor(readonly row: Locator) {}

  get badge(): Locator {
    return this.row.getByTestId('session-badge')
  }

  get phase(): Locator {
    return this.row.getByTestId('session-phase')
  }

  get nativeId(): Locator {
    return this.row.getByTestId('native-session-id')
  }

  get name(): Locator {
    return this.row.getByTestId('session-name')
  }

  get outcome(): Locator {
    return this.row.getByTestId('run-outcome')
  }

  async runId(): Promise<number> {
    return Number(await this.row.getAttribute('data-run'))
  }
}
