import { expect, test } from './fixtures'
import { FirstStartPage } from './pages/first-start-page'
import { HomePage } from './pages/home-page'
import { RunPage } from './pages/run-page'

/** A newcomer's two minutes, and an image that may have to be built first. */
test.setTimeout(600_000)
const demoPatience = { timeout: 120_000 }

test('from the first start to a memory that is proven and one that is lost', async ({ start }) => {
  const alfred = await start()
  const firstStart = new FirstStartPage(alfred)
  const home = new HomePage(alfred)
  const run = new RunPage(alfred)

  await test.step('the first start makes this computer ready', async () => {
    await expect(firstStart.screen).toHaveAttribute('data-value', 'first-start')
    await expect(firstStart.check('docker')).toHaveAttribute('data-state', 'passed')
    await expect(firstStart.checks.and(alfred.page.locator('[data-state=checking]'))).toHaveCount(0)
  })

  await test.step('one click starts the demo', async () => {
    await firstStart.tryDemo.click()
    await expect(home.mailboxes).toHaveCount(2, demoPatience)
  })

  const first = home.sessionAt(0)
  await test.step('issue 1 is analysed by a session of its own and waits for a person', async () => {
    await home.openMailbox('#1')
    await expect(home.validatePlan).toBeVisible({ timeout: 400_000 })
    await expect(home.status).toHaveAttribute('data-value', 'waiting_validation')
    await expect(home.sessions).toHaveCount(1)
    await expect(first.phase).toHaveAttribute('data-value', 'analysis')
    await expect(first.badge).toHaveAttribute('data-value', 'no_prior_session')
    await expect(home.breaks).toHaveCount(0)
  })
  const remembered = await first.nativeId.getAttribute('data-value')
  expect(remembered).toMatch(/^[0-9a-f-]{36}$/)

  await test.step('one click validates the plan, and its development remembers', async () => {
    await home.validatePlan.click()
    const second = home.sessionAt(1)
    await expect(second.badge).toHaveAttribute('data-value', 'resumed', demoPatience)
    await expect(second.phase).toHaveAttribute('data-value', 'development')
    await expect(second.nativeId).toHaveAttribute('data-value', remembered ?? '')
    await expect(second.outcome).toHaveAttribute('data-value', 'succeeded', demoPatience)
    await expect(home.status).toHaveAttribute('data-value', 'in_review', demoPatience)
  })

  await test.step('branch and diff are there', async () => {
    await expect(home.branch).toHaveAttribute('data-value', /^agent\/issue-1-/)
    await expect(home.sessionAt(1).name).toHaveAttribute('data-value', /^agent\/issue-1-/)
    await home.openRun(await home.sessionAt(1).runId())
    await expect(run.badge).toHaveAttribute('data-value', 'resumed')
    await run.showTab('diff')
    await expect(run.diff).toContainText('added')
    await expect(run.changedFiles.first()).toBeVisible()
    await run.back()
  })

  await test.step('issue 2 lost its memory, and everybody can see it', async () => {
    await home.openMailbox('#2')
    await expect(home.sessions).toHaveCount(2, demoPatience)
    const [asked, got] = [home.sessionAt(0), home.sessionAt(1)]
    await expect(got.badge).toHaveAttribute('data-value', 'state_missing', demoPatience)
    await expect(home.breaks).toBeVisible()
    await expect(home.breaks.getByTestId('resume-fallback-reason')).toHaveAttribute(
      'data-value',
      'state_missing',
    )
    const lost = (await asked.nativeId.getAttribute('data-value')) ?? ''
    await expect(home.breaks.getByTestId('previous-session-id')).toHaveAttribute('data-value', lost)
    await expect(got.outcome).toHaveAttribute('data-value', 'succeeded', demoPatience)
    await expect(got.nativeId).not.toHaveAttribute('data-value', lost)
  })
})
