import { execFileSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { expect, test } from './fixtures'
import type { AlfredWindow } from './pages/alfred-window'
import { HomePage } from './pages/home-page'
import { TerminalPage } from './pages/terminal-page'
import { keepScreen } from './screens'

/*
 * The agent's own screen in the window, with the demo agent in real containers. By keyboard, but for what has no key.
 */

test.setTimeout(300_000)
const patience = { timeout: 60_000 }

async function showIssue(alfred: AlfredWindow): Promise<HomePage> {
  const home = new HomePage(alfred)
  await home.openMailbox('#1')
  await expect(home.sessionAt(1).badge).toHaveAttribute('data-value', 'resumed')
  await alfred.page.keyboard.press('Enter')
  await expect.poll(() => alfred.focusedPart()).toBe('session-row')
  return home
}

test('a run is resumed in the window: typed, resized, searched, copied, detached, shown again, ended, remembered', async ({
  demoHome,
  start,
}) => {
  const alfred = await start({ home: demoHome })
  const { page } = alfred
  const { keyboard } = page
  const clipboard = (): Promise<string> => alfred.inMain((electron) => electron.clipboard.readText())
  const home = await showIssue(alfred)
  const terminal = new TerminalPage(alfred)
  await keyboard.press('Shift+T')

  await test.step('what is typed reaches the agent, which remembers', async () => {
    await terminal.shows('Last time you asked “development of')
    await expect(terminal.state).toHaveAttribute('data-value', 'attached')
    await expect(alfred.part('terminal-note')).toContainText('It is stopped at')
    await terminal.say('Why the umlauts?')
    await terminal.shows('You said “Why the umlauts?”')
    await keepScreen(alfred, 'terminal')
  })

  await test.step('the program knows the size of the screen, also when it changes', async () => {
    const sizes: (string | null)[] = []
    for (const [width, height] of [
      [1280, 800],
      [960, 600],
    ] as const) {
      await alfred.resize(width, height)
      await expect.poll(() => terminal.size()).not.toBe(sizes.at(-1) ?? null)
      // what is beside it may go on changing for a moment
      await expect(async () => {
        const [columns, rows] = (await terminal.size())?.split('x') ?? []
        await terminal.say('!echo "size $(stty size)"')
        await expect(terminal.rows).toContainText(`size ${rows} ${columns}`, { timeout: 5_000 })
      }).toPass(patience)
      sizes.push(await terminal.size())
    }
    await keepScreen(alfred, 'terminal-min')
    await alfred.resize(1280, 800)
  })

  await test.step('colours are drawn under the policy of the page', async () => {
    await terminal.say(String.raw`!printf '\033[38;2;250;10;20mtrue\033[0m \033[32mgreen\033[0m\n'`)
    const colourOf = (word: string): Promise<string | undefined> =>
      terminal.rows
        .locator('span')
        .filter({ hasText: new RegExp(`^${word}$`) })
        .evaluate((span) => getComputedStyle(span).color)
    await terminal.shows(/true green/)
    expect(await colourOf('true')).not.toBe(await colourOf('green'))
  })

  await test.step('words are found and copied, and pasted text is one paste', async () => {
    await alfred.part('find-in-terminal').click()
    await alfred.part('terminal-search').fill('umlauts')
    await keyboard.press('Enter')
    // the first empties the field
    await keyboard.press('Escape')
    await keyboard.press('Escape')
    await expect(alfred.part('terminal-search')).toBeHidden()
    await keyboard.press('Control+Shift+C')
    await expect.poll(clipboard).toBe('umlauts')
    // so many bytes are what comes: the words between the two marks of a paste
    await terminal.say(
      String.raw`!printf '\033[?2004h'; echo "pasting-$((40 + 2))"; head -c 32 | cat -v; echo " pasted-$((40 + 2))"`,
    )
    await terminal.shows('pasting-42')
    await alfred.inMain((electron) => electron.clipboard.writeText('one\nrm -rf /\u001B[201~two'))
    await keyboard.press('Control+Shift+V')
    await terminal.shows('^[[200~one^Mrm -rf /[201~two^[[201~ pasted-42')
  })

  await test.step('a program that asks for the mouse is told of a click, by its cell', async () => {
    // so many bytes are the press and the release
    await terminal.say(
      String.raw`!printf '\033[?1000h\033[?1006h'; echo "listening-$((40 + 2))"; head -c 22 | cat -v; echo " clicked-$((40 + 2))"`,
    )
    await terminal.shows('listening-42')
    await terminal.clickCell(12, 14)
    await terminal.shows('^[[<0;12;14M^[[<0;12;14m clicked-42')
    await terminal.say(String.raw`!printf '\033[?1000l\033[?1006l'; echo "deaf-$((40 + 2))"`)
    await terminal.shows('deaf-42')
  })

  await test.step('10,000 lines are kept above the screen, and are there again', async () => {
    await terminal.say(`!seq -f 'line-%.0f' 12000; echo "counted-$((40 + 2))"`)
    await terminal.shows('counted-42')
    const [, rows = 0] = (await terminal.size())?.split('x').map(Number) ?? []
    // with the rows of the screen; the few lines behind the last number have a place among them
    const gone = 2_001 - rows
    const find = alfred.part('terminal-search')
    const answer = alfred.part('terminal-panel').locator('.terminal-find').getByRole('status')
    await alfred.part('find-in-terminal').click()
    await find.fill(`line-${gone}`)
    await expect(answer).toHaveText('nothing found')
    await find.fill(`line-${gone + 10}`)
    await terminal.shows(`line-${gone + 10}`)
    await expect(answer).toHaveText('')
    await keyboard.press('Escape')
    await keyboard.press('Escape')
    await expect(find).toBeHidden()
    await terminal.say('And back?')
    await terminal.shows('You said “And back?”')
  })

  await test.step('keys of the window reach it only where they are its own', async () => {
    await keyboard.press('Control+,')
    await expect(terminal.panel).toBeVisible()
    await keyboard.press('Control+K')
    await expect(alfred.part('command-palette')).toBeVisible()
    await keyboard.press('Escape')
  })

  await test.step('detached it goes on, and is shown again as it is', async () => {
    const runId = await terminal.panel.getAttribute('data-value')
    await alfred.part('terminal').click()
    await keyboard.press('Control+Shift+D')
    await expect(home.sessions).toHaveCount(3)
    await expect(home.sessionAt(2).row).toHaveAttribute('data-state', 'running')
    await expect(home.sessionAt(2).row).toHaveAttribute('data-run', runId ?? '')
    await expect(alfred.part('now-strip')).toContainText('It goes on while nobody looks.')
    await alfred.screenshot('terminal-detached')
    await alfred.part('show-terminal').click()
    await expect(terminal.state).toHaveAttribute('data-value', 'attached', patience)
    await terminal.say('And at noon?')
    await terminal.shows('You said “And at noon?”')
  })

  await test.step('it ends, and the timeline has it as a run that remembered', async () => {
    await terminal.say('exit')
    await expect(alfred.part('terminal-ended')).toContainText('This terminal has ended', patience)
    await expect(alfred.part('terminal-ended')).toContainText('the next run goes on with it')
    await keepScreen(alfred, 'terminal-ended')
    await keyboard.press('Alt+ArrowLeft')
    await expect(home.sessionAt(2).badge).toHaveAttribute('data-value', 'resumed')
  })
})

test('one writer: who holds the session is told, watched, taken over, and one place shows a terminal at a time', async ({
  demoHome,
  start,
}) => {
  const alfred = await start({ home: demoHome, env: { ALFRED_DEMO_PACE: '4000' } })
  const { keyboard } = alfred.page
  const home = await showIssue(alfred)
  const terminal = new TerminalPage(alfred)
  const ended = await home.sessionAt(1).runId()
  const live = await alfred.ask<{ runId: number }>('runs.retry', { runId: ended, resumeChoice: 'auto' })
  await expect(home.session(live.runId)).toHaveAttribute('data-state', 'running', patience)
  const inUse = alfred.part('session-in-use')

  await test.step('a run holds it: who, since when, and three ways on', async () => {
    await home.sessionAt(1).row.click()
    await keyboard.press('Shift+T')
    await expect(inUse).toHaveRole('alertdialog')
    await expect(inUse.getByTestId('lock-owner')).toContainText(`Run ${live.runId}, development`)
    await expect(inUse.getByTestId('lock-age')).toContainText('sign of life')
    await expect(inUse.getByTestId('watch-run')).toBeFocused()
    await keepScreen(alfred, 'terminal-in-use')
    // it is no dialog over the window: the keys of the window work
    await keyboard.press('Escape')
    await expect(home.sessionAt(1).row).toBeFocused()
    await keyboard.press('Shift+T')
    await expect(inUse.getByTestId('watch-run')).toBeFocused()
    await keyboard.press('Enter')
    await expect(alfred.part('run-screen')).toBeVisible()
    await keyboard.press('Alt+ArrowLeft')
  })

  await test.step('taken over: the run is stopped, its work and memory are kept, and the terminal opens', async () => {
    await inUse.getByTestId('take-over').click()
    await expect(terminal.state).toHaveAttribute('data-value', 'attached', patience)
    await terminal.shows('you>')
    const { row } = await alfred.ask<{ row: { outcome: string } }>('runs.get', { runId: live.runId })
    expect(row.outcome).toBe('stopped')
  })

  await test.step('a terminal program shows it after the window let go, and the window takes it back', async () => {
    const name = `alfred-e2e-${randomUUID()}`
    const screen = (): string => {
      try {
        return execFileSync('tmux', ['-L', name, 'capture-pane', '-p', '-J', '-t', 'it'], {
          encoding: 'utf8',
          env: { ...process.env, LC_ALL: 'C.UTF-8' },
          stdio: ['ignore', 'pipe', 'ignore'],
        })
      } catch {
        return ''
      }
    }
    // a server that runs already, without the variables of the app
    const bare = { PATH: process.env['PATH'] ?? '', HOME: process.env['HOME'] ?? '' }
    const keeper = ['-L', name, '-f', '/dev/null', 'new-session', '-d', '-s', 'keeper', '--', 'sleep', '600']
    execFileSync('tmux', keeper, { env: bare })
    try {
      const value = `tmux -L ${name} new-session -d -s it -x 120 -y 30 -- {command}`
      await alfred.ask('settings.set', { scope: 'app', scopeId: 0, key: 'TERMINAL_COMMAND', value })
      await alfred.part('open-terminal-program').click()
      await expect(alfred.part('terminal-left')).toBeVisible()
      await expect.poll(screen, patience).toContain('is open already; it is shown here')
      await alfred.part('terminal-left').getByRole('button').click()
      await expect(inUse).toContainText('alfred attach, process')
      await keepScreen(alfred, 'terminal-held')
      await inUse.getByTestId('watch-run').click()
      await expect(terminal.state).toHaveAttribute('data-value', 'watching', patience)
      await expect(alfred.part('terminal-note')).toContainText('It is used by alfred attach, process')
      // as large as there
      await expect.poll(() => terminal.size()).toBe('120x30')
      await alfred.part('terminal').click()
      await terminal.say('unheard words')
      execFileSync('tmux', ['-L', name, 'send-keys', '-t', 'it', 'heard words', 'Enter'], { env: bare })
      await terminal.shows('You said “heard words”')
      expect(screen()).not.toContain('unheard')
      await keepScreen(alfred, 'terminal-watched')
      await alfred.part('take-over').click()
      await expect(terminal.state).toHaveAttribute('data-value', 'attached', patience)
      await expect.poll(screen, patience).toContain('was taken over by the window of Alfred')
      await terminal.say('exit')
      await expect(alfred.part('terminal-ended')).toContainText('This terminal has ended', patience)
    } finally {
      execFileSync('tmux', ['-L', name, 'kill-server'])
    }
  })
})

test('what is hostile is drawn in its box: nothing is fetched, opened, copied or answered', async ({
  demoHome,
  start,
}) => {
  const alfred = await start({ home: demoHome })
  const { page } = alfred
  const { keyboard } = page
  const title = await page.title()
  await alfred.inMain((electron) => electron.clipboard.writeText('mine'))
  const asked: string[] = []
  page.on('request', (request) => asked.push(request.url()))
  await showIssue(alfred)
  await keyboard.press('Shift+T')
  const terminal = new TerminalPage(alfred)
  await terminal.shows('you>')
  /** Prints it in the container, and a word behind it. */
  let count = 0
  const print = async (octal: string): Promise<void> => {
    count += 1
    await terminal.say(`!printf '${octal}\\nprinted-%s\\n' ${count}`)
    await terminal.shows(`printed-${count}`)
  }

  await test.step('the clipboard and the titles are not the program’s', async () => {
    // nothing is marked
    await keyboard.press('Control+Shift+C')
    await print(String.raw`\033]52;c;c3RvbGVu\007`)
    await print(String.raw`\033]0;stolen title\007\033]2;stolen title\033\\`)
    expect(await alfred.inMain((electron) => electron.clipboard.readText())).toBe('mine')
    expect(await page.title()).toBe(title)
  })

  await test.step('reports that would be typed into the prompt are not given', async () => {
    await terminal.say(
      String.raw`!printf '\033]52;c;?\007\033[21t\033[20t'; stty raw -echo min 0 time 20; dd bs=999 count=1 2>/dev/null | od -c | head -3; stty sane; echo 'asked-%s' done`,
    )
    // what was typed into it is counted: nothing
    await terminal.shows(/0000000\s+asked-%s done/)
  })

  await test.step('a link is opened only when it is http(s), and after its address was shown', async () => {
    await print(
      String.raw`\033]8;;javascript:alert(1)\033\\script-link\033]8;;\033\\ \033]8;;file:///etc/passwd\033\\file-link\033]8;;\033\\`,
    )
    for (const word of ['script-link', 'file-link']) {
      await terminal.choose(word)
      await expect(alfred.part('open-link-dialog')).toBeHidden()
    }
    await print(String.raw`\033]8;;https://example.invalid/told\033\\innocent-words\033]8;;\033\\`)
    await terminal.choose('innocent-words')
    await expect(alfred.part('open-link-address')).toHaveText('https://example.invalid/told')
    await alfred.screenshot('terminal-link')
    await keyboard.press('Escape')
    await alfred.part('terminal').click()
  })

  await test.step('half sequences, what is no text, and turned lines stay in their rows', async () => {
    // what comes next is its end, as in any terminal
    await terminal.say(String.raw`!printf '\033[3'; echo "half-$((40 + 2))"`)
    await terminal.shows('alf-42')
    await print(String.raw`\377\376 \342\200\256turned\342\200\254 \360\237\230\200`)
    await print(String.raw`\033[999;999H\033[99999999X\033#8\033[?1049h\033[?1049l\033[2J\033[H`)
    const box = await alfred.part('terminal').boundingBox()
    const outside = await terminal.rows.locator('span').evaluateAll(
      (spans, limit) =>
        spans.filter((span) => {
          const { left, right, top, bottom, width } = span.getBoundingClientRect()
          return (
            width > 0 &&
            (left < limit.left || right > limit.right || top < limit.top || bottom > limit.bottom)
          )
        }).length,
      {
        left: (box?.x ?? 0) - 1,
        right: (box?.x ?? 0) + (box?.width ?? 0) + 1,
        top: (box?.y ?? 0) - 1,
        bottom: (box?.y ?? 0) + (box?.height ?? 0) + 1,
      },
    )
    expect(outside).toBe(0)
  })

  await test.step('a burst of 100 MB is drawn to its end, and the window answers meanwhile', async () => {
    await terminal.say(`!yes '<img src=x onerror=alert(1)> burst' | head -c 100000000; echo "burst-%s" over`)
    await keyboard.press('Control+K')
    await expect(alfred.part('command-palette')).toBeVisible()
    await keyboard.press('Escape')
    await expect(terminal.rows).toContainText('burst-%s over', { timeout: 180_000 })
    await expect(terminal.rows.locator('img')).toHaveCount(0)
  })
  expect(asked.filter((url) => !url.startsWith('app://alfred/'))).toEqual([])
})
