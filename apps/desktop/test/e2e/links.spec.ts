import { spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from './fixtures'
import { appFolder, electronExecutable, environment } from './launch'
import type { AlfredWindow } from './pages/alfred-window'
import { startEndlessRun } from './pages/engine'
import { HomePage } from './pages/home-page'
import { RunPage } from './pages/run-page'
import type { SessionBus } from './session-bus'

test('links lead into the app that runs, whatever it does, and odd ones are refused in words', async ({
  bus,
  demoHome,
  start,
}) => {
  const alfred = await start({ home: demoHome })
  const home = new HomePage(alfred)
  const run = new RunPage(alfred)
  await home.openMailbox('#1')
  await expect(home.sessions).toHaveCount(2)
  const ended = await home.sessionAt(1).runId()
  const follow = (link: string): Promise<void> => openLink(link, demoHome, bus)

  // a window that is hidden comes back
  await alfred.inMain(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.hide())
  expect(await isShown(alfred)).toBe(false)
  await follow('alfred://settings')
  await expect.poll(() => isShown(alfred)).toBe(true)
  await expect(alfred.part('settings-screen')).toBeVisible()

  // a run is live, and the window asks something
  const live = await startEndlessRun(alfred, 'Something that takes long')
  await alfred.page.keyboard.press('Control+Q')
  await expect(alfred.part('quit-dialog')).toBeVisible()
  await follow(`alfred://run/${live}`)
  await expect(run.id).toHaveAttribute('data-value', String(live))
  await expect(alfred.part('quit-dialog')).toBeHidden()
  await follow(`alfred://run/${live}/chat`)
  await expect(toast(alfred, `Run ${live} was not continued`)).toBeVisible()
  await expect(run.id).toHaveAttribute('data-value', String(live))

  // the chat of a run that has ended, and the same from within it
  await follow(`alfred://run/${ended}/chat`)
  await expect(alfred.part('chat-panel')).toBeVisible()
  await expect(alfred.part('resume-banner')).toContainText(`run ${ended}`)
  await follow(`alfred://run/${ended}/chat`)
  await expect(alfred.part('chat-panel')).toBeVisible()

  await follow('alfred://run/1?x=<script>alert(1)</script>')
  const refused = toast(alfred, 'A link was not opened')
  const odd = refused.filter({ hasText: 'It holds what no link of Alfred has. Nothing of it was followed.' })
  await expect(odd).toBeVisible()
  await follow('alfred://issue/4')
  await expect(
    refused.filter({ hasText: 'alfred://issue/4 leads to nothing that Alfred knows.' }),
  ).toBeVisible()
  await expect(alfred.part('chat-panel')).toBeVisible()
  await follow('alfred://run/999999')
  await expect(run.screen).toContainText('There is no run 999999')

  // quitting asks anew, since the link was a no
  await alfred.page.keyboard.press('Control+Q')
  await expect(alfred.part('quit-dialog')).toBeVisible()
  await alfred.part('quit-confirm').click()
  await expect.poll(() => alfred.isClosed).toBe(true)

  // and into one that is closed
  const again = await start({ home: demoHome, args: [`alfred://run/${ended}/chat`] })
  await expect(again.part('chat-panel')).toBeVisible()
  await expect(again.part('resume-banner')).toContainText(`run ${ended}`)
})

test('started at login, it waits in the tray; the setting writes the file that starts it', async ({
  bus,
  home,
  start,
}) => {
  const config = join(home, '..', 'config')
  const env = { XDG_CONFIG_HOME: config }
  const file = join(config, 'autostart', 'alfred.desktop')
  const alfred = await start({ env, args: ['--hidden'] }, async (app) => {
    await expect.poll(() => bus.tray() !== null, { timeout: 20_000 }).toBe(true)
    expect(app.windows()).toEqual([])
    await bus.tray()?.activate()
  })
  await expect.poll(() => isShown(alfred)).toBe(true)
  await bus.tray()?.activate()
  await expect.poll(() => isShown(alfred)).toBe(false)
  await bus.tray()?.activate()
  await expect.poll(() => isShown(alfred)).toBe(true)

  expect(existsSync(file)).toBe(false)
  await setting(alfred, true)
  await expect.poll(() => existsSync(file)).toBe(true)
  expect(readFileSync(file, 'utf8')).toContain(
    `Exec="env" "ALFRED_HOME=${home}" "${electronExecutable()}" "${appFolder}" "--hidden"\n`,
  )
  await setting(alfred, false)
  await expect.poll(() => existsSync(file)).toBe(false)
})

const setting = (alfred: AlfredWindow, value: boolean): Promise<unknown> =>
  alfred.ask('settings.set', { scope: 'app', scopeId: 0, key: 'START_AT_LOGIN', value })

/** As the desktop does: it starts the program with the link as its last word, and that one ends at once. */
async function openLink(link: string, home: string, bus: SessionBus): Promise<void> {
  const args = [appFolder, ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []), link]
  const second = spawn(electronExecutable(), args, {
    env: environment({ env: bus.env }, home),
    stdio: 'ignore',
  })
  expect(await new Promise((resolve) => second.once('exit', resolve))).toBe(0)
}

const toast = (alfred: AlfredWindow, title: string) => alfred.part('toast').filter({ hasText: title })

const isShown = (alfred: AlfredWindow): Promise<boolean> =>
  alfred.inMain(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.isVisible() === true)
