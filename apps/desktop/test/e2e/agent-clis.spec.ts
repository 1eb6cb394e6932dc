import { cliPackages } from '@main/core/agents/image-clis'
import { expect, test } from './fixtures'
import { removeContainers } from './homes'

// the first time on a machine the CLI is fetched
test.setTimeout(600_000)

test('a CLI is put into the agent image by a button, and is told with version and size afterwards', async ({
  home,
  start,
}) => {
  const alfred = await start()
  await expect(alfred.part('first-start')).toBeVisible()
  await alfred.page.keyboard.press('Control+K')
  await alfred.part('command-palette').getByRole('combobox').fill('open agents')
  await alfred.page.getByRole('option', { name: 'Open agents' }).click()
  const bar = alfred.part('agent-image')
  const button = alfred.page.locator('[data-test="build-image-with"][data-value="claude-code"]')
  await expect(button).toHaveText('Build image with claude-code')
  await button.click()
  await expect(bar).toHaveAttribute('data-state', 'ready', { timeout: 500_000 })
  await expect(bar).toContainText(/\d+ MB, with demo, claude-code\./)
  await expect(button).toHaveCount(0)
  const { version } = cliPackages['claude-code']
  const row = alfred.page.locator('[data-test="installation-row"][data-adapter="claude-code"]').filter({
    has: alfred.page.locator(`[data-test="installation-version"][data-value="${version}"]`),
  })
  await expect(row.getByTestId('resumable')).toHaveAttribute('data-value', 'yes', { timeout: 60_000 })
  await alfred.close()
  removeContainers(home)
})
