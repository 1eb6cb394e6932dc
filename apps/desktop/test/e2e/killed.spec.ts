import { expect, test } from './fixtures'
import { liveContainers } from './homes'
import { startEndlessRun } from './pages/engine'
import { HomePage } from './pages/home-page'
import { RunPage } from './pages/run-page'
import { keepScreen } from './screens'

// What it loses once is lost.
test.describe.configure({ retries: 0 })

test('an app that is killed in the middle of a run finds it again, and says so', async ({
  demoHome,
  start,
}) => {
  const alfred = await start({ home: demoHome })
  const runId = await startEndlessRun(alfred, 'Something that takes long')
  const before = new RunPage(alfred)
  await new HomePage(alfred).openMailbox('#3')
  await new HomePage(alfred).openRun(runId)
  // The last thing that it says before it hangs.
  await expect(before.events.last()).toContainText('I start with')
  const told = await before.events.count()
  const [container] = liveContainers(demoHome)
  alfred.app.process().kill('SIGKILL')
  await expect.poll(() => alfred.isClosed).toBe(true)
  expect(liveContainers(demoHome)).toEqual([container])

  const again = await start({ home: demoHome })
  const run = new RunPage(again)
  await again.page.keyboard.press('Control+3')
  await new HomePage(again).openRun(runId)
  await expect(run.state).toHaveAttribute('data-value', 'running')
  const notice = 'Alfred was started again, and goes on with this run.'
  await expect(run.events.last()).toContainText(notice)
  // Nothing of what was told before is lost or told twice, and the run is the same one.
  await expect(run.events).toHaveCount(told + 1)
  expect(liveContainers(demoHome)).toEqual([container])
  await keepScreen(again, 'run-after-kill')
  await again.part('stop-run').click()
  await again.part('confirm-stop').click()
  await expect(run.state).toHaveAttribute('data-value', 'stopped', { timeout: 30_000 })
  await expect(run.events.filter({ hasText: notice })).toHaveCount(1)
  await expect.poll(() => liveContainers(demoHome)).toEqual([])
})
