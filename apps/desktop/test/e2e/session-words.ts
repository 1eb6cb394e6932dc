import { expect, type Locator } from '@playwright/test'
import type { SessionBadge } from '@shared/contract/sessions'
import type { AlfredWindow } from './pages/alfred-window'
import { HomePage, type ToldSession } from './pages/home-page'
import { RunPage } from './pages/run-page'

/*
 * What the window says of the sessions of an issue: the words of ui.md, and where they are looked for.
 */

export async function open(alfred: AlfredWindow, title: string): Promise<HomePage> {
  const page = new HomePage(alfred)
  await alfred.part('filter-all-open').click()
  await page.mailboxTitled(title).click()
  await expect(page.title).toHaveText(title)
  return page
}

/** Each session in words, all of them and no other; then as they are told, with their ids. */
export async function expectTold(page: HomePage, words: readonly Words[]): Promise<readonly ToldSession[]> {
  await expect(page.sessions).toHaveCount(words.length)
  const told = async () => (await page.told()).map(withoutFigures)
  await expect.poll(told).toEqual(words.map((row) => expect.objectContaining(patterns(row))))
  await expect.poll(() => cutWords(page)).toEqual([])
  return page.told()
}

/** Why a run has no session, where that is cut. */
const cutWords = ({ sessions }: HomePage): Promise<readonly string[]> =>
  sessions
    .filter({ has: sessions.page().locator('[data-test="session-badge"][data-value="none"]') })
    .getByTestId('session-memory')
    .evaluateAll((cells) =>
      cells.flatMap((cell) => (cell.scrollWidth > cell.clientWidth ? [cell.textContent ?? ''] : [])),
    )

const patterns = (words: Words): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(words).map(([name, word]) => [
      name,
      typeof word === 'string' ? word : expect.stringMatching(word),
    ]),
  )

const withoutFigures = (told: ToldSession): object =>
  Object.fromEntries(
    Object.entries(told).map(([name, text]) => [
      name,
      text.replace(/(?:ses_)?[0-9a-f]{8}…[0-9a-f]{4}/, 'ID').replace(/\d+[smhd] old/, 'AGE old'),
    ]),
  )

/** On the screen of the n-th run; then back on the timeline. */
export async function onRun(
  page: HomePage,
  index: number,
  look: (facts: Locator) => Promise<void>,
): Promise<void> {
  const runId = await page.sessionAt(index).runId()
  await page.openRun(runId)
  const run = new RunPage(page.alfred)
  await expect(run.id).toHaveAttribute('data-value', String(runId))
  await look(page.alfred.part('run-session-facts'))
  await run.back()
  await expect(page.timeline).toBeVisible()
}

/** On the run's screen: nothing of a session, and why. */
export async function expectNoSession(facts: Locator, reason: string): Promise<void> {
  await expect(facts.getByTestId('session-badge')).toHaveAttribute('data-value', 'none')
  await expect(facts.getByTestId('native-session-id')).toHaveText('none')
  await expect(facts.getByTestId('session-name')).toHaveText(`none: ${reason}`)
}

/** On the agents screen: in the row of the CLI, where it may be shorter, and whole in what is said of it beside. */
export async function expectAgent(
  alfred: AlfredWindow,
  adapter: string,
  {
    resumable,
    reason,
    inRow = reason,
  }: { readonly resumable: 'yes' | 'no'; readonly reason: RegExp; readonly inRow?: RegExp },
): Promise<void> {
  await alfred.page.keyboard.press('Control+Shift+A')
  const row = alfred.page.locator(
    `[data-test="installation-row"][data-adapter="${adapter}"][data-runner="container"]`,
  )
  await expect(row.getByTestId('resumable')).toHaveAttribute('data-value', resumable)
  await expect(row.getByTestId('resumable-reason')).toHaveText(inRow)
  await row.click()
  const inspector = alfred.page.getByRole('complementary', { name: 'Installation' })
  await expect(inspector.getByText(reason)).toBeVisible()
}

/** A row's words; ID stands for an id in its short form, AGE for an age. */
export type Words = { readonly badge: SessionBadge } & Partial<
  Readonly<Record<keyof ToldSession, RegExp | string>>
>

export const firstRun = (adapter: string): Words => ({
  badge: 'no_prior_session',
  memory: new RegExp(
    `^Fresh · first run\\. First session of this issue with ${adapter}\\. Nothing to remember yet\\.$`,
  ),
  under: /^new · [\d.]+ k?B saved$/,
  outcome: /^Analysed$/,
  spoken: /Fresh, first run, memory A\./,
})

export const resumed = (): Words => ({
  badge: 'resumed',
  memory: /^Resumed\. Remembered\. The first event carried ID\. State [\d.]+ k?B, AGE old\.$/,
  under: /^[\d.]+ k?B · AGE old$/,
  outcome: /^Done$/,
  spoken: /Resumed, memory A\./,
})

/** `words` of the badge, `sentence` of what happened to the memory, and the letter of the one that came after. */
export const fellBack = (badge: SessionBadge, words: string, sentence: string, letter: string): Words => ({
  badge,
  id: /^\S{36}$/,
  memory: new RegExp(`^Fell back · ${words}\\. ${sentence} Ran fresh\\.$`),
  under: /^was ID$/,
  outcome: /^Done$/,
  result: /^no commits$/,
  spoken: new RegExp(`Fell back, ${words}: asked for \\w{8}, got memory ${letter}\\.`),
})

export const unproven = (letter: string, more: Pick<Words, 'result'>): Words => ({
  badge: 'unproven',
  id: /^$/,
  memory: new RegExp(
    `^Resume not proven\\. Asked to continue ID; the run ended before the agent proved it\\. Memory ${letter} is kept\\.$`,
  ),
  under: /^asked for ID$/,
  outcome: /^Failed$/,
  spoken: /Resume not proven: asked for \w{8}\./,
  ...more,
})

/** `inShort`: under the badge, where there is little room. */
export const noSession = (reason: string, inShort = reason.replace(/^switched /, '')): Words => ({
  badge: 'none',
  id: /^$/,
  memory: new RegExp(`^No session\\. Sessions do not apply here: ${reason}\\.$`),
  under: new RegExp(`^${inShort}$`),
  outcome: /^Done$/,
  spoken: new RegExp(`No session: ${reason}\\.`),
})
