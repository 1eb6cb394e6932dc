import { DatabaseSync } from 'node:sqlite'
import { join } from 'node:path'
import { resumeVersions } from '@main/core/agents/resume-versions'
import { cliPackages } from '@main/core/agents/image-clis'
import { createApiAdapter } from '@main/adapters/agents/api/api-adapter'
import { installationCapability } from '@main/core/agents/installation-capability'
import type { ImageCli } from '@shared/model/words'
import { expect, test } from './fixtures'
import { HomePage } from './pages/home-page'
import { keepScreen } from './screens'

test.setTimeout(120_000)

test('each installation tells what applies to it, and no more', async ({ demoHome, start }) => {
  seedInstallations(demoHome)
  const alfred = await start({ home: demoHome })
  await new HomePage(alfred).openMailbox('#1')
  await alfred.page.keyboard.press('Control+Shift+A')
  await expect(alfred.part('agents-screen')).toBeVisible()
  const rowOf = (adapter: ImageCli, runner = 'container') =>
    alfred.page.locator(`[data-test="installation-row"][data-adapter="${adapter}"][data-runner="${runner}"]`)
  const inspector = alfred.page.getByRole('complementary', { name: 'Installation' })

  await test.step('one that can resume: range, conditions, place of its sessions, and that it is not signed in', async () => {
    const row = rowOf('codex')
    await expect(row.getByTestId('resumable')).toHaveAttribute('data-value', 'yes')
    await expect(row.getByTestId('installation-version')).toHaveAttribute(
      'data-value',
      cliPackages.codex.version,
    )
    const [range] = resumeVersions.codex
    await expect(row.getByTestId('verified-range')).toHaveText(`${range?.from} to ${range?.to}`)
    await expect(row.getByTestId('login-check')).toHaveAttribute('data-value', 'missing')
    await row.click()
    await expect(inspector.getByText('AGENT_SESSION_RESUME is on')).toBeVisible()
    await expect(inspector.getByTestId('session-place')).toContainText('/home/agent/.codex/sessions')
    await expect(inspector).toContainText('Its runs wait instead of failing.')
    await keepScreen(alfred, 'agents-signed-out')
  })

  await test.step('one of a version that nobody has tried: why every run starts fresh', async () => {
    const row = rowOf('copilot')
    await expect(row.getByTestId('resumable')).toHaveAttribute('data-value', 'no')
    await expect(row.getByTestId('resumable-reason')).toHaveText('outside the verified range')
    await row.click()
    await expect(inspector).toContainText('Does not hold: 9.0.0 is inside the verified range')
  })

  await test.step('one that is not there: that alone', async () => {
    await rowOf('opencode').click()
    await expect(inspector.getByRole('listitem')).toHaveText(['Does not hold: Installed in this image'])
    await expect(inspector.getByTestId('session-place')).toHaveCount(0)
    await expect(inspector.getByRole('heading', { name: 'Login' })).toHaveCount(0)
    await keepScreen(alfred, 'agents-not-installed')
  })

  await test.step('one of this computer, where no session is kept', async () => {
    const row = rowOf('claude-code', 'host')
    await expect(row.getByTestId('resumable-reason')).toHaveText('Sessions need a container.')
    await row.click()
    await expect(inspector.getByTestId('session-place')).toHaveCount(0)
  })

  await test.step('the api mode: why there is nothing to resume, and that it has no key, which nobody must mend', async () => {
    const row = alfred.page.locator('[data-test="installation-row"][data-adapter="api"]')
    await expect(row.getByTestId('resumable-reason')).toHaveText('Works without a CLI, so nothing to resume.')
    await expect(row.getByTestId('login-check')).toHaveText('No key')
    await row.click()
    await expect(inspector).toContainText('Works without a CLI, so nothing to resume.')
    await expect(inspector.getByTestId('session-place')).toHaveCount(0)
    await keepScreen(alfred, 'agents-api')
  })
})

test('an agent tells its last runs, what its sessions take on the disk, and the ids that are not tried any more', async ({
  demoHome,
  start,
}) => {
  const sessions = setAside(demoHome, '#1')
  const alfred = await start({ home: demoHome })
  const home = new HomePage(alfred)
  await home.openMailbox('#1')
  await alfred.page.keyboard.press('Control+Shift+A')
  await alfred.page.locator('[data-test="installation-row"][data-adapter="demo"]').first().click()
  const inspector = alfred.page.getByRole('complementary', { name: 'Installation' })

  // The demo's four runs: two that began, one that remembered and one that lost its memory.
  await expect(inspector.getByTestId('last-runs')).toHaveAttribute('data-value', String(sessions.runs))
  await expect(inspector.getByTestId('last-runs-of').filter({ hasText: 'resumed' })).toBeVisible()
  await expect(inspector.getByTestId('last-runs-of').filter({ hasText: 'missing' })).toBeVisible()
  await expect(inspector.getByTestId('sessions-on-disk')).toHaveText(/ for 2 issues · Open folder$/)
  await expect(inspector.getByTestId('sessions-on-disk')).toHaveAttribute('data-value', /^[1-9]\d+$/)

  const row = inspector.getByTestId('set-aside-id')
  await expect(row).toContainText('failed twice, #1')
  await keepScreen(alfred, 'agents-history')
  await row.getByTestId('try-set-aside-id').click()
  await row.getByRole('button', { name: 'Issue #1', exact: true }).click()
  await expect(alfred.part('session-timeline')).toBeVisible()
  await expect(home.sessions).toHaveCount(sessions.ofIssue + 1)
})

test('a run that lost its memory tells how many tokens it took', async ({ demoHome, start }) => {
  const alfred = await start({ home: demoHome })
  const home = new HomePage(alfred)
  await home.openMailbox('#2')
  await home.openRun(await home.sessionAt(1).runId())
  await expect(alfred.part('fallback-cost')).toHaveAttribute('data-value', /^[1-9]\d*$/)
  await expect(alfred.part('fallback-cost')).toContainText(/this run took .+ tokens\.$/)
  await keepScreen(alfred, 'run-lost-memory')
})

/** As a detection would have left them, beside what the demo found. */
function seedInstallations(home: string): void {
  const db = new DatabaseSync(join(home, 'alfred.db'))
  const put = db.prepare(
    `INSERT OR REPLACE INTO agent_installations
       (adapter, runner, image_digest, version, resumable, reason, login_state, detected_at)
     VALUES (?, ?, ?, ?, ?, ?, 'unknown', ?)`,
  )
  const digest =
    db.prepare('SELECT image_digest FROM agent_installations LIMIT 1').get()?.['image_digest'] ?? ''
  const add = (
    adapter: ImageCli,
    version: string | null,
    runner: 'container' | 'host' = 'container',
  ): void => {
    const facts = { runner, resumableSessions: true, resumeVersions: resumeVersions[adapter], version }
    const { resumable, reason } = installationCapability(facts)
    const place = runner === 'host' ? '' : digest
    put.run(adapter, runner, place, version, resumable ? 1 : 0, reason, Date.now())
  }
  add('claude-code', cliPackages['claude-code'].version)
  add('codex', cliPackages.codex.version)
  add('grok-build', cliPackages['grok-build'].version)
  add('copilot', '9.0.0')
  add('opencode', null)
  add('claude-code', '2.1.330', 'host')
  const api = installationCapability({
    ...createApiAdapter({ program: {} }),
    runner: 'container',
    version: '1.0.0',
  })
  put.run('api', 'container', digest, '1.0.0', 0, api.reason, Date.now())
  db.close()
}

/** As if the memory of an issue had failed twice in a row. How many runs there are, and how many of that issue. */
function setAside(home: string, issue: string): { readonly runs: number; readonly ofIssue: number } {
  const db = new DatabaseSync(join(home, 'alfred.db'))
  const iid = Number(issue.slice(1))
  db.prepare(
    `INSERT INTO set_aside_ids (mailbox_id, adapter, native_session_id, reason, set_aside_at)
     SELECT mailbox_id, adapter, native_session_id, 'state_missing', 1 FROM llm_sessions
     WHERE native_session_id IS NOT NULL AND mailbox_id = (SELECT id FROM mailboxes WHERE iid = ?) LIMIT 1`,
  ).run(iid)
  const count = (sql: string, ...of: readonly number[]): number => Number(db.prepare(sql).get(...of)?.['n'])
  const runs = count("SELECT count(*) AS n FROM runs WHERE state = 'ended'")
  const ofIssue = count(
    'SELECT count(*) AS n FROM runs WHERE mailbox_id = (SELECT id FROM mailboxes WHERE iid = ?)',
    iid,
  )
  db.close()
  return { runs, ofIssue }
}
