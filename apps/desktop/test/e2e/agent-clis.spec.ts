import { cliPackages } from '@main/core/agents/image-clis'
import { expect, test } from './fixtures'
import { removeContainers } from './homes'

// the first time on a machine the CLI is fetched
test.setTimeout(600_000)

test('a CLI is put into the agent image from a menu, and is told with version and size afterwards', async ({
  home,
  start,
}) => {
  const alfred = await start()
  await expect(alfred.part('first-start')).toBeVisible()
  await alfred.page.keyboard.press('Control+K')
  await alfred.part('command-palette').getByRole('combobox').fill('open agents')
  await alfred.page.getByRole('option', { name: 'Open agents' }).click()
  const bar = alfred.part('agent-image')
  const button = alfred.part('build-image-with')
  await expect(button).toHaveText('Build image with…')
  await button.click()
  const items = alfred.page.getByRole('menuitem')
  await expect(items).toHaveText(['claude-code', 'codex', 'opencode', 'copilot', 'grok-build'])
  await alfred.screenshot('agents-build-with')
  await items.filter({ hasText: 'claude-code' }).click()
  await expect(bar).toHaveAttribute('data-state', 'ready', { timeout: 500_000 })
  await expect(bar).toContainText(/\d+ MB, with demo, claude-code\./)
  await button.click()
  await expect(items.filter({ hasText: 'claude-code' })).toBeDisabled()
  await alfred.page.keyboard.press('Escape')
  const { version } = cliPackages['claude-code']
  const row = alfred.page.locator('[data-test="installation-row"][data-adapter="claude-code"]').filter({
    has: alfred.page.locator(`[data-test="installation-version"][data-value="${version}"]`),
  })
  await expect(row.getByTestId('resumable')).toHaveAttribute('data-value', 'yes', { timeout: 60_000 })
  await row.click()
  await alfred.part('probe-login').click()
  const proof = alfred.part('login-proof')
  await expect(proof).toHaveAttribute('data-value', 'refused', { timeout: 60_000 })
  await expect(proof).toContainText('refused just now: ')
  await alfred.screenshot('agents-login-refused')
  await alfred.close()
  removeContainers(home)
})
