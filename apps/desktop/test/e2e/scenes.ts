import { expect, type Locator } from '@playwright/test'
import type { AlfredWindow } from './pages/alfred-window'
import { FirstStartPage } from './pages/first-start-page'
import { HomePage } from './pages/home-page'
import { RunPage } from './pages/run-page'

/** Something that the window can show: how to get there from home, and how to leave it again. */
export interface Scene {
  readonly name: string
  readonly show: (alfred: AlfredWindow) => Promise<void>
  readonly leave?: (alfred: AlfredWindow) => Promise<void>
}

const press = (keys: string) => (alfred: AlfredWindow) => alfred.page.keyboard.press(keys)

/** The run of issue 1 that resumed: a transcript, a diff and a memory. */
async function showRememberedRun(alfred: AlfredWindow): Promise<RunPage> {
  const home = new HomePage(alfred)
  const run = new RunPage(alfred)
  await showIssue(alfred, '#1')
  await home.openRun(await home.sessionAt(1).runId())
  await expect(run.events.first()).toBeVisible()
  return run
}

async function showIssue(alfred: AlfredWindow, reference: string): Promise<void> {
  const home = new HomePage(alfred)
  await press('Control+1')(alfred)
  await home.openMailbox(reference)
  await expect(home.sessionAt(1).outcome).toHaveAttribute('data-value', 'succeeded')
}

const runTab = (
  tab: 'diff' | 'prompt' | 'raw-log' | 'same-memory',
  shown: (run: RunPage) => Locator,
): Scene => ({
  name: `run-${tab}`,
  show: async (alfred) => {
    const run = await showRememberedRun(alfred)
    await run.showTab(tab)
    await expect(shown(run)).toBeVisible()
  },
  leave: press('Escape'),
})

const goTo = (name: string, part: string, go: (alfred: AlfredWindow) => Promise<void>): Scene => ({
  name,
  show: async (alfred) => {
    await go(alfred)
    await expect(alfred.part(part).first()).toBeVisible()
  },
  leave: press('Escape'),
})

const clickOn = (part: string) => (alfred: AlfredWindow) => alfred.part(part).click()

/** On a data folder in which the demo was played. */
export const playedScenes: readonly Scene[] = [
  { name: 'home', show: (alfred) => showIssue(alfred, '#1') },
  {
    name: 'home-lost-memory',
    show: async (alfred) => {
      await showIssue(alfred, '#2')
      await expect(new HomePage(alfred).breaks).toBeVisible()
    },
  },
  { name: 'run', show: async (alfred) => void (await showRememberedRun(alfred)), leave: press('Escape') },
  runTab('diff', (run) => run.diff),
  runTab('prompt', (run) => run.alfred.part('run-prompt')),
  runTab('raw-log', (run) => run.alfred.part('raw-log')),
  runTab('same-memory', (run) => run.alfred.part('memory-row').first()),
  {
    name: 'tracker-issue',
    show: async (alfred) => {
      await showIssue(alfred, '#1')
      await new HomePage(alfred).showIssue()
      await expect(alfred.part('issue-comment').first()).toBeVisible()
    },
  },
  {
    name: 'tracker-change',
    show: async (alfred) => {
      await new HomePage(alfred).showIssue()
      await alfred.part('issue-change').click()
      await expect(alfred.part('change-diff')).toBeVisible()
    },
    leave: async (alfred) => {
      await alfred.page.getByRole('button', { name: 'Back to the issue' }).click()
      await new HomePage(alfred).showSessions()
    },
  },
  {
    name: 'plan',
    show: async (alfred) => {
      await showIssue(alfred, '#1')
      await alfred.part('mailbox-more').click()
      await alfred.part('read-plan').click()
      await expect(alfred.part('plan-dialog')).toBeVisible()
    },
    leave: press('Escape'),
  },
  {
    name: 'find-sessions',
    show: async (alfred) => {
      await showIssue(alfred, '#1')
      await alfred.part('mailbox-more').click()
      await alfred.part('open-find-sessions').click()
      await alfred.part('find-folder').fill('/no/such/folder')
      await press('Enter')(alfred)
      await expect(alfred.part('find-problem')).toBeVisible()
    },
    leave: press('Escape'),
  },
  goTo('new-issue', 'new-issue-dialog', clickOn('new-issue')),
  goTo('new-project', 'new-project-dialog', clickOn('new-project')),
  goTo('settings', 'setting-row', press('Control+,')),
  goTo('agents', 'installation-row', press('Control+Shift+A')),
  {
    ...goTo('diagnostics', 'first-start', clickOn('open-diagnostics')),
    show: async (alfred) => {
      await clickOn('open-diagnostics')(alfred)
      await checksAreDone(alfred)
    },
  },
  goTo('palette', 'palette-item', press('Control+K')),
  goTo('palette-search', 'palette-item', async (alfred) => {
    await press('Control+K')(alfred)
    await alfred.page.keyboard.type('note')
    await expect(alfred.page.locator('[data-test="palette-item"][data-mailbox-id]').first()).toBeVisible()
  }),
  goTo('notifications', 'notification', clickOn('open-notifications')),
  goTo('key-list', 'key-list', async (alfred) => {
    await new HomePage(alfred).openMailbox('#1')
    await press('?')(alfred)
  }),
  goTo('empty-needs-you', 'empty-needs-you', press('Control+2')),
  goTo('empty-search', 'empty-search', async (alfred) => {
    await press('Control+1')(alfred)
    await alfred.part('filter-text').fill('no such words')
  }),
]

async function checksAreDone(alfred: AlfredWindow): Promise<void> {
  const { checks } = new FirstStartPage(alfred)
  await expect(checks.first()).toBeVisible()
  // One of the checks starts a container.
  await expect(alfred.part('run-doctor')).not.toHaveAttribute('aria-busy', 'true', { timeout: 60_000 })
  await expect(checks.and(alfred.page.locator('[data-state=checking]'))).toHaveCount(0)
}

/** On a data folder that is new. */
export const freshScenes: readonly Scene[] = [
  { name: 'first-start', show: checksAreDone },
  goTo('empty', 'empty-projects', press('Control+1')),
]

/** Small windows, on a data folder in which the demo was played. */
export const smallScenes: readonly Scene[] = playedScenes
  .filter(({ name }) =>
    ['home', 'home-lost-memory', 'run', 'settings', 'agents', 'diagnostics', 'tracker-issue'].includes(name),
  )
  .map((scene) => ({ ...scene, name: `${scene.name}-min` }))
