import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { bundleScript } from '../fakes/bundle-script'
import { expect, test } from './fixtures'
import { newFolder, removeHome } from './homes'
import { appFolder } from './launch'
import { HomePage } from './pages/home-page'
import { keepScreen } from './screens'

test('the timeline says of each run how its session began, and why it did not go on', async ({ start }) => {
  const folder = newFolder()
  const home = join(folder, 'home')
  const script = await bundleScript(join(appFolder, 'test/e2e/seed/reasons-home.ts'))
  try {
    await promisify(execFile)(process.execPath, [script.file, home], {
      env: { ...process.env, ALFRED_TEST_RESOURCES: join(appFolder, 'resources') },
    })
    const alfred = await start({ home })
    const page = new HomePage(alfred)
    await page.openMailbox('#1')
    const badges = [
      'no_prior_session',
      'resumed',
      'state_missing',
      'unsupported_version',
      'refused',
      'unproven',
      'chosen_fresh',
      'adapter_changed',
      'resumed',
      'none',
    ]
    await expect(page.sessions).toHaveCount(badges.length)
    for (const [index, badge] of badges.entries())
      await expect(page.sessionAt(index).badge).toHaveAttribute('data-value', badge)
    const reasons = page.breaks.getByTestId('resume-fallback-reason')
    expect(
      await reasons.evaluateAll((found) => found.map((each) => each.getAttribute('data-value'))),
    ).toEqual(['state_missing', 'unsupported_version', 'refused'])
    await keepScreen(alfred, 'session-reasons')
    await alfred.close()
  } finally {
    script.remove()
    removeHome(folder)
  }
})
