import type { Locator } from '@playwright/test'
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { TrackerProject } from '@shared/contract/tracker'
import { openEngineDatabase } from '../integration/support/engine-database'
import { expect, test } from './fixtures'
import type { AlfredWindow } from './pages/alfred-window'
import { ChatPage } from './pages/chat-page'
import { HomePage } from './pages/home-page'
import { keepScreen } from './screens'

/*
 * "Continue as chat" in the window, with the demo agent in real containers. By keyboard, but for what is read.
 */

test.setTimeout(300_000)

/** #1 with its last session selected, and the focus on the timeline. */
async function showIssue(alfred: AlfredWindow): Promise<HomePage> {
  const home = new HomePage(alfred)
  await home.openMailbox('#1')
  await expect(home.sessionAt(1).badge).toHaveAttribute('data-value', 'resumed')
  await alfred.page.keyboard.press('Enter')
  await expect.poll(() => alfred.focusedPart()).toBe('session-row')
  return home
}

test('a finished run is continued as a chat, and the next run remembers its turns', async ({
  demoHome,
  start,
}) => {
  const alfred = await start({ home: demoHome })
  const { keyboard } = alfred.page
  const home = await showIssue(alfred)
  const runId = await home.sessionAt(1).runId()
  const nativeId = await home.sessionAt(1).nativeId.getAttribute('data-value')
  const chat = new ChatPage(alfred)

  await keyboard.press('c')
  await expect(chat.banner).toContainText(`Continues run ${runId}, development.`)
  await expect(chat.banner.getByTestId('native-session-id')).toHaveAttribute('data-value', nativeId ?? '')
  await expect(alfred.part('empty-chat')).toBeVisible()
  await expect(chat.chats).toHaveCount(0)
  await expect(alfred.part('show-terminal')).toBeEnabled()
  await expect(chat.memory('A')).toHaveAttribute('aria-current', 'true')
  await keepScreen(alfred, 'chat-begun')

  await chat.say('Why are the words joined with a dash?')
  await expect(chat.messages('agent')).toContainText('Last time you asked “development of')
  await chat.say('And what about **umlauts**?')
  await expect(chat.messages('agent').last()).toContainText('Why are the words joined')
  const tooltip = alfred.page.locator('.tooltip')
  await chat.send.hover()
  await expect(tooltip).toHaveText('Nothing is written yet.')
  await keyboard.type('Thank you.')
  await expect(tooltip).toBeHidden()
  await alfred.page.mouse.move(0, 0)
  await chat.send.focus()
  await keyboard.press('Enter')
  await expect(chat.text).toHaveValue('')
  await expect(chat.messages('agent')).toHaveCount(3, { timeout: 90_000 })
  // refused by now, since nothing is written
  await expect(chat.send).toBeFocused()
  await chat.text.focus()
  await expect(chat.badges).toHaveCount(3)
  for (const badge of await chat.badges.all()) await expect(badge).toHaveAttribute('data-value', 'resumed')
  await expect(chat.messages('person').nth(1)).toHaveText('You: And what about **umlauts**?')
  await expect(chat.chats).toHaveCount(1)
  await expect(alfred.part('chat-cost')).toHaveAttribute('data-value', '0')
  await keepScreen(alfred, 'chat')
  await alfred.resize(960, 600)
  await keepScreen(alfred, 'chat-min')
  await alfred.resize(1280, 800)

  await test.step('dismissing the banner changes nothing else, and going back shows the turns', async () => {
    await alfred.part('dismiss-resume-banner').click()
    await expect(chat.banner).toBeHidden()
    await keyboard.press('Alt+ArrowLeft')
    await expect(home.sessions).toHaveCount(5)
    await expect(home.sessionAt(4).phase).toContainText('Chat')
  })

  await test.step('the next phase run resumes from the last turn', async () => {
    const lastTurn = await home.sessionAt(4).nativeId.getAttribute('data-value')
    const result = await alfred.ask<{ runId: number }>('runs.retry', { runId, resumeChoice: 'auto' })
    await expect(home.session(result.runId).getByTestId('run-outcome')).toHaveAttribute(
      'data-value',
      'succeeded',
      { timeout: 90_000 },
    )
    await expect(home.session(result.runId).getByTestId('session-badge')).toHaveAttribute(
      'data-value',
      'resumed',
    )
    await expect(home.session(result.runId).getByTestId('native-session-id')).toHaveAttribute(
      'data-value',
      lastTurn ?? '',
    )
    await home.session(result.runId).click()
  })

  await test.step('without sessions each turn is told a replay, and the chat says so', async () => {
    const [demo] = await alfred.ask<readonly TrackerProject[]>('tracker.listProjects', {})
    const off = { scope: 'project', scopeId: demo?.id, key: 'AGENT_SESSION_RESUME', value: false }
    await alfred.ask('settings.set', off)
    await keyboard.press('c')
    await expect(chat.banner).toContainText('The agent does not remember it: with each message it is told')
    await chat.say('Do you still know it?')
    await expect(alfred.part('turn-replayed')).toHaveText('a replay, not the memory')
    await expect(chat.badges).toHaveAttribute('data-value', 'none')
    await keepScreen(alfred, 'chat-replay')
  })
})

test('a draft and its chat are there after a restart, and a new chat begins empty and fresh', async ({
  demoHome,
  start,
}) => {
  const alfred = await start({ home: demoHome })
  await showIssue(alfred)
  await alfred.page.keyboard.press('c')
  const chat = new ChatPage(alfred)
  await chat.say('Why a dash?')
  await alfred.page.keyboard.type('And what about the ')
  await alfred.page.keyboard.press('Shift+Enter')
  await alfred.page.keyboard.type('umlauts')
  await chat.attach('notes of the pier.txt', 'It is noon.')
  await chat.pastePicture('image.png')
  await expect(chat.attachments).toHaveCount(2)
  await keepScreen(alfred, 'chat-attachments')
  await alfred.close()

  const again = await start({ home: demoHome })
  const home = new HomePage(again)
  await home.openMailbox('#1')
  await expect(home.sessions).toHaveCount(3)
  await again.page.keyboard.press('Control+K')
  await expect(again.part('command-palette')).toBeVisible()
  await again.page.keyboard.type('open the chat')
  await expect(again.part('palette-item').first()).toHaveAttribute('data-action', 'continue-as-chat')
  await again.page.keyboard.press('Enter')
  const later = new ChatPage(again)
  await expect(later.messages('person')).toHaveText('You: Why a dash?')
  await expect(later.text).toHaveValue('And what about the \numlauts')
  await expect(later.attachments).toHaveCount(2)
  await later.attachments.last().getByTestId('remove-attachment').click()
  await expect(later.attachments).toHaveCount(1)
  await expect(later.attachments).toContainText('notes of the pier.txt')
  await later.attach('empty.txt', '')
  await expect(again.part('attach-problem')).toContainText('“empty.txt” is empty.')

  await again.page.keyboard.press('Control+N')
  await expect(later.banner).toContainText('A new chat, with a fresh memory.')
  await expect(later.messages('person')).toHaveCount(0)
  await expect(later.text).toHaveValue('')
  await expect(later.memory('A')).not.toHaveAttribute('aria-current', 'true')
  await keepScreen(again, 'chat-new')
  await later.say('Do you know me?')
  await expect(later.badges).toHaveAttribute('data-value', 'chosen_fresh')
  await expect(later.memory('B')).toHaveAttribute('aria-current', 'true')
  await later.say('And now?')
  await expect(later.badges.last()).toHaveAttribute('data-value', 'resumed')

  // the first one still has its draft, and goes on with its own memory
  await expect(later.chats).toHaveCount(2)
  await later.chats.last().click()
  await expect(later.text).toHaveValue('And what about the \numlauts')
  await expect(later.memory('A')).toHaveAttribute('aria-current', 'true')
  await later.text.focus()
  await again.page.keyboard.press('Enter')
  await expect(later.attachments).toHaveCount(0)
  await expect(later.messages('person').last()).toContainText('notes of the pier.txt')
  await expect(later.messages('agent')).toHaveCount(2, { timeout: 90_000 })
  await keepScreen(again, 'chat-attached')
})

test('Esc stops a turn and gives its text back, and what is queued is sent when a turn ends, wherever one is', async ({
  demoHome,
  start,
}) => {
  const alfred = await start({ home: demoHome, env: { ALFRED_DEMO_PACE: '3000' } })
  const { keyboard } = alfred.page
  const home = await showIssue(alfred)
  await keyboard.press('c')
  const chat = new ChatPage(alfred)
  await expect(chat.text).toBeFocused()
  await keyboard.type('Take your time')
  await keyboard.press('Enter')
  const live = alfred.part('live-text')
  await expect(live).toHaveAttribute('data-state', 'writing', { timeout: 60_000 })
  await expect(live).toContainText('Last time you asked')
  await keepScreen(alfred, 'chat-live')
  await keyboard.press('Escape')
  await expect(chat.text).toHaveValue('Take your time')
  await expect(alfred.part('turn-ended')).toContainText('You stopped this turn.', { timeout: 60_000 })
  await expect(chat.messages('person')).toHaveAttribute('data-state', 'sent')
  await expect(alfred.part('retry-turn')).toBeHidden()
  await keepScreen(alfred, 'chat-stopped')

  await chat.text.fill('Once more')
  await keyboard.press('Enter')
  await expect(chat.stop).toBeVisible()
  await keyboard.type('and then this')
  // a key that is held down queues it once, and takes nothing back
  await keyboard.down('Enter')
  await keyboard.down('Enter')
  await keyboard.up('Enter')
  await expect(chat.send).toContainText('Queued')
  await keyboard.press('Alt+ArrowLeft')
  await expect(home.sessions).toHaveCount(5, { timeout: 90_000 })
  await home.sessions.last().click()
  await keyboard.press('Control+K')
  await expect(alfred.part('command-palette')).toBeVisible()
  await keyboard.type('open the chat')
  await expect(alfred.part('palette-item').first()).toHaveAttribute('data-action', 'continue-as-chat')
  await keyboard.press('Enter')
  await expect(chat.messages('person')).toHaveCount(3, { timeout: 90_000 })
  await expect(chat.messages('person').last()).toHaveText('You: and then this')
  await expect(chat.text).toHaveValue('')
  await expect(chat.messages('agent').last()).toContainText('Once more', { timeout: 90_000 })
})

test('a turn that cannot resume says why, keeps the message, and asks for the old memory again', async ({
  demoHome,
  start,
}) => {
  const alfred = await start({ home: demoHome })
  const { keyboard } = alfred.page
  await showIssue(alfred)
  await keyboard.press('c')
  const chat = new ChatPage(alfred)
  await expect(chat.text).toBeFocused()
  await keyboard.type('Do you still know it?')
  await keyboard.press('Shift+Enter')
  await keyboard.type('DEMO_FAULT=refuse')
  await keyboard.press('Enter')
  await expect(chat.messages('agent')).toHaveCount(1, { timeout: 90_000 })
  await expect(chat.fallback).toContainText('This turn could not resume memory A.')
  await expect(chat.fallback).toContainText('answered by a fresh session, memory B')
  await expect(chat.fallback.getByTestId('resume-fallback-reason')).toHaveAttribute('data-value', 'refused')
  await expect(chat.badges).toHaveAttribute('data-value', 'refused')
  await expect(chat.messages('person')).toHaveCount(1)
  await keepScreen(alfred, 'chat-fallback')

  await alfred.part('keep-fresh-session').click()
  await expect(alfred.part('keep-fresh-session')).toBeHidden()
  await expect(chat.fallback).toBeVisible()
  await chat.text.focus()
  await chat.say('Go on')
  await expect(chat.badges.last()).toHaveAttribute('data-value', 'resumed')

  await test.step('a state that is gone is said too, and the old memory is asked for by hand', async () => {
    removeState(demoHome)
    await chat.say('And now?')
    await expect(chat.fallback).toHaveCount(2)
    await expect(chat.fallback.last()).toContainText('Its state is gone.')
    await chat.fallback.last().getByTestId('retry-previous-id').click()
    await expect(chat.messages('person')).toHaveCount(4)
    await expect(chat.messages('person').last()).toHaveText('You: And now?')
    await expect(chat.fallback).toHaveCount(3, { timeout: 90_000 })
  })

  /** The file of the newest session of the issue. */
  function removeState(home: string): void {
    const db = openEngineDatabase(home)
    const id = db
      .prepare<[], string>('SELECT native_session_id FROM llm_sessions ORDER BY id DESC LIMIT 1')
      .pluck()
      .get()
    const folder = db.prepare<[], number>('SELECT project_id FROM mailboxes WHERE iid = 1').pluck().get()
    db.close()
    rmSync(join(home, '.agent-sessions', `demo-${folder}-issue-1`, 'demo', `${id}.jsonl`))
  }
})

test('a chat is searched, renamed and exported, and nothing in it is fetched or opened without asking', async ({
  demoHome,
  start,
}) => {
  const alfred = await start({ home: demoHome })
  const { page } = alfred
  const file = join(demoHome, 'chat.md')
  await alfred.inMain(({ dialog, shell }, filePath) => {
    const opened: string[] = []
    Reflect.set(globalThis, 'openedInBrowser', opened)
    shell.openExternal = (address: string) => Promise.resolve(void opened.push(address))
    dialog.showSaveDialog = () => Promise.resolve({ canceled: false, filePath })
  }, file)
  const requests: string[] = []
  page.on('request', (request) => requests.push(request.url()))
  await showIssue(alfred)
  await page.keyboard.press('c')
  const chat = new ChatPage(alfred)
  await chat.say(
    '<img src="/x.png"> ![b](https://e.example/b.png) [bad](javascript:x) [good](https://g.example/x) \u202Egnp.exe',
  )
  const answer = chat.messages('agent')
  await expect(answer).toContainText('[image: b]')
  await expect(answer.locator('img, b, script, iframe')).toHaveCount(0)
  await expect(answer.getByRole('link')).toHaveCount(1)
  // what turns the direction of a text turns nothing beside it
  expect(await leftOf(chat.badges)).toBe(await leftOf(answer))
  expect(await leftOf(chat.messages('person'))).toBeGreaterThan(await leftOf(answer))
  await answer.getByRole('link').click()
  await expect(alfred.part('open-link-address')).toHaveText('https://g.example/x')
  await keepScreen(alfred, 'open-link')
  await page.keyboard.press('Enter')
  await expect(alfred.part('open-link-dialog')).toBeHidden()
  const opened = () => alfred.inMain(() => Reflect.get(globalThis, 'openedInBrowser') as readonly string[])
  expect(await opened()).toEqual([])
  await answer.getByRole('link').click()
  await alfred.part('confirm-open-link').click()
  await expect.poll(opened).toEqual(['https://g.example/x'])
  expect(requests.filter((url) => !url.startsWith('app://'))).toEqual([])

  await chat.text.focus()
  await chat.say('Which words are joined?')
  await page.keyboard.press('Control+F')
  await expect(alfred.part('chat-search')).toBeFocused()
  await page.keyboard.type('WORDS joined')
  await expect(alfred.part('chat-search-count')).toHaveText('1 of 2 turns')
  await expect(chat.messages('person')).toHaveText('You: Which words are joined?')
  await keepScreen(alfred, 'chat-search')
  await page.keyboard.press('Escape')
  await page.keyboard.press('Escape')
  await expect(alfred.part('chat-search')).toBeHidden()
  await expect(chat.messages('person')).toHaveCount(2)

  await alfred.part('chat-more').click()
  await alfred.part('rename-chat').click()
  await alfred.part('chat-name').fill('Joined words')
  await page.keyboard.press('Enter')
  await expect(alfred.part('chat-title')).toHaveText('Joined words')
  await expect(chat.chats).toContainText('Joined words')

  await alfred.part('chat-more').click()
  await alfred.part('export-chat').click()
  const exported = () => (existsSync(file) ? readFileSync(file, 'utf8') : '')
  await expect.poll(exported).toContain('# Joined words')
  expect(exported()).toContain('**You** · ')
  expect(exported()).toContain('Which words are joined?')

  async function leftOf(part: Locator): Promise<number> {
    const box = await part.boundingBox()
    if (box === null) throw new Error('it is not shown')
    return Math.round(box.x)
  }
})
