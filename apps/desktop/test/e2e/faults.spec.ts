import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { TrackerIssue, TrackerProject } from '@shared/contract/tracker'
import { bundleScript } from '../fakes/bundle-script'
import { plantedSecret, secretVariable } from '../integration/faults/agent-steps'
import type { Fault } from '../integration/faults/fault'
import { findFault } from '../integration/faults/fault-table'
import { openEngineDatabase } from '../integration/support/engine-database'
import { expect, test as base, type TestFixtures, type WorkerFixtures } from './fixtures'
import { copyHome, newFolder, removeHome } from './homes'
import { appFolder } from './launch'
import type { AlfredWindow } from './pages/alfred-window'
import { giveIssueToAlfred } from './pages/engine'
import { HomePage } from './pages/home-page'
import { RunPage } from './pages/run-page'
import { keepScreen } from './screens'

/*
 * Rows of the table of faults (test/integration/faults) in the real window: the same words, where a person reads them.
 */

interface SeededFaults {
  readonly home: string
  readonly made: Readonly<Record<string, { readonly iid: number; readonly runId: number }>>
}

const test = base.extend<TestFixtures, WorkerFixtures & { readonly seeded: SeededFaults }>({
  seeded: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads the names of the fixtures from this pattern
    async ({}, use) => {
      const folder = newFolder()
      const home = join(folder, 'home')
      const script = await bundleScript(join(appFolder, 'test/e2e/seed/fault-home.ts'))
      const { stdout } = await promisify(execFile)(
        process.execPath,
        [script.file, home, join(appFolder, 'resources')],
        { env: { ...process.env, [secretVariable]: plantedSecret } },
      )
      script.remove()
      await use({ home, made: JSON.parse(stdout) as SeededFaults['made'] })
      removeHome(home)
      removeHome(folder)
    },
    // the first time on a machine the image is built
    { scope: 'worker', timeout: 600_000 },
  ],
})

type Start = TestFixtures['start']

const fault = (
  id: string,
  body: (row: Fault, fixtures: { start: Start; demoHome: string }) => Promise<void>,
): void => {
  const row = findFault(id)
  test(row.fault, ({ start, demoHome }) => body(row, { start, demoHome }))
}

/** A row whose run was made before: its run screen has the words. */
const seededFault = (id: string, check: (alfred: AlfredWindow) => Promise<void>): void => {
  const row = findFault(id)
  test(row.fault, async ({ seeded, home, start }) => {
    copyHome(seeded.home, home)
    const alfred = await start({ env: { [secretVariable]: plantedSecret } })
    const { iid, runId } = seeded.made[id] ?? { iid: 0, runId: 0 }
    await openRun(alfred, iid, runId)
    await expectWords(alfred, row)
    await check(alfred)
    await keepScreen(alfred, `fault-${id}`)
  })
}

async function openRun(alfred: AlfredWindow, iid: number, runId?: number): Promise<void> {
  const home = new HomePage(alfred)
  await home.openMailbox(`#${iid}`)
  await home.openRun(runId ?? (await home.sessionAt(0).runId()))
  await expect(new RunPage(alfred).screen).toBeVisible()
}

/** Every sentence of the row is on the screen; `…` is any text. */
async function expectWords(alfred: AlfredWindow, row: Fault, timeout = 10_000): Promise<void> {
  for (const words of row.words) {
    const pattern = words
      .split('…')
      .map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`).replaceAll(' ', String.raw`\s*`))
      .join('[^]*')
    await expect(alfred.page.locator('body')).toContainText(new RegExp(pattern), {
      useInnerText: true,
      timeout,
    })
  }
}

const demoProject = async (alfred: AlfredWindow): Promise<TrackerProject> => {
  const projects = await alfred.ask<readonly TrackerProject[]>('tracker.listProjects', {})
  const found = projects.find((project) => project.isDemo)
  if (found === undefined) throw new Error('there is no demo project')
  return found
}

async function setForDemo(alfred: AlfredWindow, key: string, value: unknown): Promise<void> {
  const { id } = await demoProject(alfred)
  await alfred.ask('settings.set', { scope: 'project', scopeId: id, key, value })
}

/** The issue's only run, once it has ended so. */
async function openEnded(alfred: AlfredWindow, issue: TrackerIssue, outcome: string): Promise<void> {
  const home = new HomePage(alfred)
  await home.openMailbox(`#${issue.iid}`)
  await expect(home.sessionAt(0).outcome).toHaveAttribute('data-value', outcome, { timeout: 60_000 })
  await home.openRun(await home.sessionAt(0).runId())
}

fault('docker-missing', async (row, { start, demoHome }) => {
  const alfred = await start({ home: demoHome, env: { DOCKER_HOST: 'unix:///nonexistent/alfred-e2e.sock' } })
  const { iid } = await giveIssueToAlfred(alfred, 'Something to wait with')
  await new HomePage(alfred).openMailbox(`#${iid}`)
  await expectWords(alfred, row, 20_000)
  await keepScreen(alfred, 'fault-docker-missing')
})

fault('image-missing', async (row, { start, demoHome }) => {
  const alfred = await start({ home: demoHome })
  await setForDemo(alfred, 'AGENT_IMAGE', 'localhost:1/alfred/none:1')
  await openEnded(alfred, await giveIssueToAlfred(alfred, 'Something without an image'), 'failed')
  await expectWords(alfred, row)
  await expect(alfred.part('run-error').getByRole('button', { name: 'Build the image' })).toBeVisible()
  await keepScreen(alfred, 'fault-image-missing')
})

fault('out-of-memory', async (row, { start, demoHome }) => {
  const alfred = await start({ home: demoHome })
  await setForDemo(alfred, 'RUN_MEMORY', 128_000_000)
  await openEnded(
    alfred,
    await giveIssueToAlfred(alfred, 'Something large', 'DEMO_FAULT=oom'),
    'out_of_memory',
  )
  await expectWords(alfred, row)
  await keepScreen(alfred, 'fault-out-of-memory')
  const run = new RunPage(alfred)
  const before = await run.id.getAttribute('data-value')
  await alfred.part('retry-with-memory').click()
  await expect(run.id).not.toHaveAttribute('data-value', before ?? '')
  await expect(alfred.part('sandbox-limits')).toContainText('256 MB', { timeout: 30_000 })
})

fault('line-of-10-mb', async (row, { start, demoHome }) => {
  const alfred = await start({ home: demoHome })
  const home = new HomePage(alfred)
  const { iid } = await giveIssueToAlfred(alfred, 'Something very long', 'DEMO_FAULT=big_line')
  await home.openMailbox(`#${iid}`)
  await expect(home.sessionAt(0).row).toBeVisible()
  await home.openRun(await home.sessionAt(0).runId())
  // Meanwhile the window does what it is asked.
  await alfred.page.keyboard.press('Control+,')
  await expect(alfred.part('settings-screen')).toBeVisible()
  await alfred.page.keyboard.press('Escape')
  await expect(new RunPage(alfred).screen).toBeVisible()
  await expectWords(alfred, row, 60_000)
  await expect(alfred.part('cut-marker')).toHaveCount(1)
  await expect(new RunPage(alfred).state).toHaveAttribute('data-value', 'succeeded', { timeout: 60_000 })
  await keepScreen(alfred, 'fault-line-of-10-mb')
})

seededFault('control-sequences', async (alfred) => {
  await expect(alfred.part('transcript')).not.toContainText(/[^\P{Cc}\t\n]|owned|evil/u)
  expect(await alfred.page.title()).not.toContain('owned')
  await expect(alfred.part('transcript').getByRole('link')).toHaveCount(0)
})

seededFault('result-without-plan', async (alfred) => {
  await expect(new RunPage(alfred).state).toHaveAttribute('data-value', 'result_refused')
  await expect(alfred.part('run-error').getByRole('button', { name: 'Retry' })).toBeVisible()
})

seededFault('secret-printed', async (alfred) => {
  await new RunPage(alfred).showTab('raw-log')
  await expect(alfred.part('run-screen')).toContainText('[redacted]')
  for (const text of [await alfred.page.content(), await alfred.page.locator('body').innerText()])
    expect(text).not.toMatch(/Pl4nted|UGw0bnRlZC9/)
  await new RunPage(alfred).showTab('transcript')
})

fault('title-10000', async (row, { start, demoHome }) => {
  const alfred = await start({ home: demoHome })
  const home = new HomePage(alfred)
  const { id: projectId } = await demoProject(alfred)
  const { iid } = await alfred.ask<TrackerIssue>('tracker.createIssue', {
    projectId,
    title: 'A short title',
    body: '',
    labels: ['type::task'],
    assignees: [],
  })
  setTitle(demoHome, iid, 'A title that does not end, '.repeat(400).slice(0, 10_000))
  await alfred.ask('tracker.assign', { projectId, iid, login: 'alfred' })
  await home.openMailbox(`#${iid}`)
  await expect(home.sessionAt(0).outcome).toHaveAttribute('data-value', 'succeeded', { timeout: 60_000 })
  await expectWords(alfred, row)
  await expect(home.branch).toContainText('a-title-that-does-not-end')
  // No taller than its neighbour, and nothing is pushed out of the window.
  const [long, other] = await Promise.all([
    home.mailbox(`#${iid}`).boundingBox(),
    home.mailbox('#1').boundingBox(),
  ])
  expect(long?.height).toBe(other?.height)
  expect(await home.title.evaluate((title) => title.getClientRects().length)).toBe(1)
  expect((await home.title.boundingBox())?.height).toBeLessThan(40)
  expect(await alfred.page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true)
  await keepScreen(alfred, 'fault-title-10000')
  await home.openRun(await home.sessionAt(0).runId())
  await keepScreen(alfred, 'fault-title-10000-run')
  expect(await alfred.page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true)
})

function setTitle(home: string, iid: number, title: string): void {
  const db = openEngineDatabase(home)
  try {
    db.prepare(
      'UPDATE local_issues SET title = ? WHERE iid = ? AND project_id = (SELECT id FROM projects WHERE is_demo = 1)',
    ).run(title, iid)
  } finally {
    db.close()
  }
}
