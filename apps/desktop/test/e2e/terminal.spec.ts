import { execFileSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from './fixtures'
import { HomePage } from './pages/home-page'

/*
 * "Resume in terminal" from the window: a terminal program of this computer, with the agent's own screen in it.
 */

test.setTimeout(240_000)
const patience = { timeout: 60_000 }

test('a run is resumed in a terminal program, found or named, and one that does not open is told', async ({
  demoHome,
  start,
}) => {
  const alfred = await start()
  const { page } = alfred
  const home = new HomePage(alfred)
  const name = `alfred-e2e-${randomUUID()}`
  const tmux = (...words: readonly string[]): string =>
    execFileSync('tmux', ['-L', name, ...words], {
      encoding: 'utf8',
      env: { ...process.env, LC_ALL: 'C.UTF-8' },
    })
  const screen = (): string => {
    try {
      return tmux('capture-pane', '-p', '-J')
    } catch {
      return 'it is not there'
    }
  }
  const named = (value: string): Promise<unknown> =>
    alfred.ask('settings.set', { scope: 'app', scopeId: 0, key: 'TERMINAL_COMMAND', value })
  await home.openMailbox('#1')
  await expect(home.sessions).toHaveCount(2)
  const opened = home.sessions.nth(2)

  await test.step('the command is copied, and holds nothing but the number of the run', async () => {
    const runId = await home.dock.getAttribute('data-run')
    await home.sessions.nth(1).focus()
    await page.keyboard.press('y')
    const copied = (): Promise<string> => alfred.inMain(({ clipboard }) => clipboard.readText())
    await expect.poll(copied).toBe(`alfred attach ${runId}`)
    await alfred.screenshot('dock-terminal')
  })

  await test.step('a key opens the first terminal program that is found', async () => {
    await page.keyboard.press('t')
    await expect(opened).toHaveAttribute('data-state', 'running', patience)
    await expect(opened).toContainText('Terminal')
    await alfred.screenshot('terminal-open')
    const live = await opened.getAttribute('data-run')
    await alfred.ask('runs.stop', { runId: Number(live) })
    await expect(opened).toHaveAttribute('data-state', 'ended', patience)
    // its window waits until a person has read why it ended
    execFileSync('pkill', ['-f', `ALFRED_HOME=${demoHome}`])
  })

  await test.step('the button opens the one that the person named: what is typed there is remembered', async () => {
    await named(`tmux -L ${name} -f /dev/null new-session -d -x 120 -y 30 -- {command}`)
    try {
      await home.sessions.nth(1).click()
      await alfred.part('resume-in-terminal').click()
      await expect.poll(screen, patience).toContain('Last time you asked')
      tmux('send-keys', '-l', '--', 'Why at noon?')
      tmux('send-keys', 'Enter')
      await expect.poll(screen, patience).toContain('You said “Why at noon?”')
      tmux('send-keys', '-l', '--', 'exit')
      tmux('send-keys', 'Enter')
      await expect(home.sessions.nth(3)).toHaveAttribute('data-state', 'ended', patience)
      await expect(home.sessions.nth(3)).toContainText('Resumed')
      await expect.poll(screen, patience).toContain('Press Enter to close this window.')
      tmux('send-keys', 'Enter')
      await expect.poll(screen, patience).toBe('it is not there')
    } finally {
      execFileSync('sh', ['-c', `tmux -L ${name} kill-server 2>/dev/null || true`])
    }
  })

  await test.step('it is left nothing that the app has open: a terminal outlives the app', async () => {
    const list = join(demoHome, 'open-in-terminal')
    await named(`sh -c "ls -l /proc/self/fd > ${list}" {command}`)
    await alfred.part('resume-in-terminal').click()
    await expect.poll(() => existsSync(list) && readFileSync(list, 'utf8')).toContain('/dev/null')
    // but for where it says why it could not be opened
    const left = readFileSync(list, 'utf8').replaceAll(/^.* 2 -> .*$/gm, '')
    expect(left).not.toMatch(/socket:|shm|\.pak|\.db/)
  })

  await test.step('one that does not open is told, with the command to copy', async () => {
    await named('/gone/terminal -- {command}')
    await alfred.part('resume-in-terminal').click()
    const toast = alfred.part('toast').last()
    await expect(toast).toContainText('The terminal was not opened')
    await expect(toast).toContainText('/gone/terminal could not be started')
    await alfred.screenshot('terminal-not-opened')
    await toast.getByRole('button', { name: 'Copy command' }).click()
    const copied = (): Promise<string> => alfred.inMain(({ clipboard }) => clipboard.readText())
    await expect.poll(copied).toMatch(/^alfred attach \d+$/)
  })
})
