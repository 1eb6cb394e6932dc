import { expect, type Locator } from '@playwright/test'
import type { EngineStatus } from '@shared/contract/app'
import type { TrackerIssue, TrackerProject } from '@shared/contract/tracker'
import type { AlfredWindow } from './alfred-window'
import { HomePage, type SessionRow } from './home-page'
import { RunPage } from './run-page'
import { TrackerPage } from './tracker-page'

/** A run in a container, on a machine that does other things as well. */
const patience = { timeout: 120_000 }

/** What people see of an issue, without times. */
export interface Activity {
  readonly status: string | null
  readonly labels: readonly string[]
  readonly labelEvents: readonly string[]
  readonly comments: readonly string[]
}

/** One issue of the built-in forge and the runs of it, as a person works on both in the window. */
export class IssuePlay {
  readonly home: HomePage
  readonly tracker: TrackerPage
  readonly run: RunPage

  private constructor(
    readonly alfred: AlfredWindow,
    readonly project: TrackerProject,
    readonly iid: number,
  ) {
    this.home = new HomePage(alfred)
    this.tracker = new TrackerPage(alfred)
    this.run = new RunPage(alfred)
  }

  /** Written and given to Alfred, who takes it up at once. */
  static async begin(
    alfred: AlfredWindow,
    project: TrackerProject,
    issue: { readonly title: string; readonly body?: string },
  ): Promise<IssuePlay> {
    const { iid } = await alfred.ask<TrackerIssue>('tracker.createIssue', {
      body: 'Please.',
      ...issue,
      projectId: project.id,
      assignees: ['alfred'],
    })
    return new IssuePlay(alfred, project, iid)
  }

  /** Its timeline, and that the n-th run is its last one and has ended; that one's row. */
  async ended(count: number): Promise<SessionRow> {
    const row = this.home.sessionAt(count - 1)
    await expect(this.home.sessions).toHaveCount(count, patience)
    await expect(row.outcome).toHaveAttribute('data-state', 'ended', patience)
    return row
  }

  async open(): Promise<void> {
    await this.alfred.page.keyboard.press('Control+1')
    const { organization, slug } = this.project
    await this.home
      .mailbox(`#${this.iid}`)
      .filter({ hasText: `${organization}/${slug}` })
      .click()
  }

  /** Repeats the newest run by a click; the row of the run that came of it. */
  async retry(): Promise<SessionRow> {
    const count = await this.home.sessions.count()
    await this.home.sessionAt(count - 1).row.click()
    await this.alfred.part('retry-run').click()
    return this.ended(count + 1)
  }

  /** As `retry`, without what is remembered. */
  async retryFresh(): Promise<SessionRow> {
    const count = await this.home.sessions.count()
    await this.home.sessionAt(count - 1).row.click()
    await this.alfred.part('retry-fresh').click()
    await this.alfred.part('confirm-retry-fresh').click()
    return this.ended(count + 1)
  }

  /** Asks once more for the id that the newest run asked for and lost. */
  async retryOldId(): Promise<SessionRow> {
    const count = await this.home.sessions.count()
    await this.home.breaks.last().getByTestId('retry-previous-id').click()
    return this.ended(count + 1)
  }

  /** The band over the newest run. */
  get lastBreak(): Locator {
    return this.home.breaks.last()
  }

  /** Description or title, as a person edits them; what is not given stays. */
  async edit(change: { readonly title?: string; readonly body?: string }): Promise<void> {
    await this.home.showIssue()
    await this.alfred.part('edit-issue').click()
    if (change.title !== undefined) await this.alfred.part('issue-title-input').fill(change.title)
    const body = this.alfred.part('issue-body-input')
    if (change.body !== undefined) await body.fill(change.body)
    await body.press('Control+Enter')
    await expect(body).toHaveCount(0)
    await this.home.showSessions()
  }

  /** What stands on the issue once nothing waits to be posted. */
  async activity(): Promise<Activity> {
    const { alfred, tracker } = this
    const waiting = async (): Promise<number> =>
      (await alfred.ask<EngineStatus>('app.status', {})).outboxWaiting
    await expect.poll(waiting, patience).toBe(0)
    const stored = await alfred.ask<TrackerIssue>('tracker.getIssue', {
      projectId: this.project.id,
      iid: this.iid,
    })
    await this.home.showIssue()
    await expect(tracker.comments).toHaveCount(stored.commentList.length)
    await expect(alfred.part('label-event')).toHaveCount(stored.labelEvents.length)
    const texts = async (all: Locator): Promise<readonly string[]> =>
      (await all.allInnerTexts()).map(timeless)
    const seen = {
      status: await this.home.status.getAttribute('data-value'),
      labels: await texts(tracker.labels),
      labelEvents: await texts(alfred.part('label-event')),
      comments: await texts(tracker.comments),
    }
    await this.home.showSessions()
    return seen
  }

  /** What the agent of the n-th run was told, as the window copies it. */
  async promptOf(count: number): Promise<string> {
    await this.home.openRun(await this.home.sessionAt(count - 1).runId())
    await this.run.showTab('prompt')
    const prompt = this.alfred.part('run-prompt')
    await expect(prompt).toBeVisible()
    const text = (await prompt.textContent()) ?? ''
    await this.alfred.page.getByRole('button', { name: 'Copy', exact: true }).click()
    await expect.poll(() => this.clipboard()).toBe(text)
    await this.run.back()
    return text
  }

  clipboard(): Promise<string> {
    return this.alfred.inMain(({ clipboard }) => clipboard.readText())
  }
}

/** Without the time of the day that stands beside it. */
const timeless = (text: string): string => text.replace(/\b\d{1,2}:\d\d [AP]M/, '').trim()

/** Where an analysis passes through: which of them are posted hangs on how fast it is. */
const stations = ['status::functional_analysis', 'status::technical_analysis']

/** What came to an issue: all that was there before must be there still, as it was. */
export function added(before: Activity, after: Activity): Activity {
  const rest = (old: readonly string[], now: readonly string[]): readonly string[] => {
    expect(now.slice(0, old.length)).toEqual(old)
    return now.slice(old.length)
  }
  const isLasting = (event: string): boolean => !stations.some((label) => event.includes(label))
  return {
    status: after.status,
    labels: after.labels,
    labelEvents: rest(before.labelEvents, after.labelEvents).filter(isLasting),
    comments: rest(before.comments, after.comments),
  }
}

/** The native id that a row shows. */
export async function idOf(row: SessionRow): Promise<string> {
  await expect(row.nativeId).toHaveAttribute('data-value', /^[0-9a-f-]{36}$/)
  return (await row.nativeId.getAttribute('data-value')) ?? ''
}
