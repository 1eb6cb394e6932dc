import type { Locator } from '@playwright/test'
import type { AlfredWindow } from './alfred-window'

/** The built-in forge as a tracker: projects, issues, comments, labels, people, changes. */
export class TrackerPage {
  constructor(readonly alfred: AlfredWindow) {}

  /** The issue that is open. */
  get panel(): Locator {
    return this.alfred.part('issue-panel')
  }

  get title(): Locator {
    return this.alfred.part('issue-title')
  }

  get body(): Locator {
    return this.alfred.part('issue-body')
  }

  get comments(): Locator {
    return this.alfred.part('issue-comment')
  }

  /** Where the next comment is written. */
  get newComment(): Locator {
    return this.alfred.part('comment-text')
  }

  get titleInput(): Locator {
    return this.panel.getByTestId('issue-title-input')
  }

  get labels(): Locator {
    return this.panel.getByTestId('issue-label')
  }

  get assignees(): Locator {
    return this.alfred.part('issue-assignee')
  }

  get changeState(): Locator {
    return this.alfred.part('change-state')
  }

  get rows(): Locator {
    return this.alfred.part('issue-row')
  }

  row(iid: number): Locator {
    return this.alfred.page.locator(`[data-test="issue-row"][data-value="${iid}"]`)
  }

  /** In the dialog for a new project, which is open; empty, or from the repository at `path`. */
  async createProject(name: string, path?: string): Promise<void> {
    if (path !== undefined) {
      await this.alfred.part('project-import').click()
      await this.alfred.part('project-path').fill(path)
    }
    await this.alfred.part('project-name').fill(name)
    await this.alfred.part('create-project').click()
  }

  async createIssue(issue: {
    readonly title: string
    readonly body: string
    readonly isForAlfred: boolean
  }): Promise<void> {
    await this.alfred.part('new-issue').click()
    const dialog = this.alfred.part('new-issue-dialog')
    await dialog.getByTestId('issue-title-input').fill(issue.title)
    await dialog.getByTestId('issue-body-input').fill(issue.body)
    const forAlfred = dialog.getByTestId('issue-for-alfred')
    if ((await forAlfred.getAttribute('aria-checked')) !== String(issue.isForAlfred)) await forAlfred.click()
    await dialog.getByTestId('create-issue').click()
  }

  async edit({ title, body }: { readonly title: string; readonly body: string }): Promise<void> {
    await this.alfred.part('edit-issue').click()
    await this.alfred.part('issue-title-input').fill(title)
    await this.alfred.part('issue-body-input').fill(body)
    await this.alfred.page.keyboard.press('Control+Enter')
  }

  async comment(text: string): Promise<void> {
    await this.newComment.fill(text)
    await this.alfred.page.keyboard.press('Control+Enter')
  }

  async addLabel(name: string): Promise<void> {
    await this.alfred.part('new-label').fill(name)
    await this.alfred.page.keyboard.press('Enter')
  }

  async assignMyself(): Promise<void> {
    await this.alfred.part('add-assignee').click()
    await this.alfred.page.getByRole('menuitem').filter({ hasNotText: 'Alfred' }).first().click()
  }

  async removeLabel(name: string): Promise<void> {
    await this.panel.getByRole('button', { name: `Remove the label ${name}`, exact: true }).click()
  }

  async unassign(name: string): Promise<void> {
    await this.panel.getByRole('button', { name: `Unassign ${name}`, exact: true }).click()
  }

  async showAllIssues(): Promise<void> {
    await this.alfred.part('open-issues').click()
  }

  async search(query: string): Promise<void> {
    await this.alfred.part('tracker-search').fill(query)
  }
}
