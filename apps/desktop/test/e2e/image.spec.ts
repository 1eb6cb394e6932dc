import { appendFileSync, copyFileSync, cpSync, mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import type { EngineStatus } from '@shared/contract/app'
import { expect, test } from './fixtures'
import { newFolder, removeContainers, removeHome, removeImages } from './homes'
import { appFolder } from './launch'
import type { AlfredWindow } from './pages/alfred-window'
import { FirstStartPage } from './pages/first-start-page'
import { HomePage } from './pages/home-page'
import { keepScreen } from './screens'

test.setTimeout(600_000)

let folder: string
let alfred: AlfredWindow | null = null

test.beforeEach(() => {
  folder = newFolder()
})
test.afterEach(async ({ home }) => {
  const status = alfred === null || alfred.isClosed ? null : await alfred.ask<EngineStatus>('app.status', {})
  await alfred?.close()
  // an image is removed only when no container is made of it
  removeContainers(home)
  if (status?.image.tag) removeImages(status.image.tag)
  removeHome(folder)
})

test('an image that is not there is built by the demo, and its progress is shown', async ({ start }) => {
  alfred = await start({ appFolder: appWithAnotherImage(folder) })
  const firstStart = new FirstStartPage(alfred)
  const home = new HomePage(alfred)
  await expect(firstStart.check('image')).toHaveAttribute('data-state', /failed|optional/)
  await expect(firstStart.check('image').getByTestId('doctor-fix')).toHaveText('Build the image')
  await firstStart.tryDemo.click()

  await home.openMailbox('#1')
  await expect(home.nowStrip).toContainText('Building the agent image: ')
  await expect(alfred.part('status-bar')).toContainText('Building the agent image')
  await keepScreen(alfred, 'home-image-building')
  await expect(home.nowStrip.getByRole('progressbar')).toHaveAttribute('value', /^\d+$/)
  await expect(home.nowStrip.getByRole('button', { name: 'Cancel building the image' })).toBeVisible()

  await expect(home.validatePlan).toBeVisible({ timeout: 400_000 })
  await expect(home.sessionAt(0).badge).toHaveAttribute('data-value', 'no_prior_session')
})

/** The same app with one more line in the image's recipe: no computer has that image yet. */
function appWithAnotherImage(place: string): string {
  const other = join(place, 'app')
  mkdirSync(other)
  copyFileSync(join(appFolder, 'package.json'), join(other, 'package.json'))
  symlinkSync(join(appFolder, 'out'), join(other, 'out'))
  cpSync(join(appFolder, 'resources'), join(other, 'resources'), { recursive: true })
  appendFileSync(join(other, 'resources/agent-image/Dockerfile'), `# made by a test in ${place}\n`)
  return other
}
