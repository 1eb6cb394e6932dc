import { execFileSync } from 'node:child_process'
import { appendFileSync, existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { SessionBadge } from '@shared/contract/sessions'
import type { TrackerProject } from '@shared/contract/tracker'
import type { SettingKey } from '@shared/model/settings'
import { expect, test } from './fixtures'
import type { AlfredWindow } from './pages/alfred-window'
import { FirstStartPage } from './pages/first-start-page'
import type { SessionRow } from './pages/home-page'
import { added, idOf, IssuePlay } from './pages/issue-play'
import { keepScreen } from './screens'

/*
 * What becomes of a memory, and how the window tells it: each row is played by the whole app, with the demo agent in
 * real containers, real git and the built-in forge. The same rows for every CLI: test/integration/session-matrix.test.ts.
 */

test.setTimeout(600_000)
const patience = { timeout: 120_000 }
const withFault = (name: string): string => `Please.\n\nDEMO_FAULT=${name}`

test('what becomes of a memory when a run goes wrong, a session is lost, an issue is cleaned up or renamed', async ({
  home: folder,
  start,
}) => {
  const alfred = await start({ env: { ALFRED_ALLOW_DEMONSTRATION: '1', ALFRED_DEMO_PACE: '0' } })
  await expect(new FirstStartPage(alfred).screen).toBeVisible()
  await alfred.ask('settings.set', { scope: 'app', scopeId: 0, key: 'AGENT_ADAPTER', value: 'demo' })
  const boat = await newProject(alfred, 'boat')
  const ferry = await newProject(alfred, 'ferry')
  await setting(alfred, ferry, 'RUN_TIMEOUT', 20_000)

  const lamps = await IssuePlay.begin(alfred, boat, { title: 'Light the lamps' })
  const tide = await IssuePlay.begin(alfred, ferry, { title: 'Wait for the tide', body: withFault('hang') })
  const pier = await IssuePlay.begin(alfred, boat, {
    title: 'Paint the pier',
    body: withFault('error_result'),
  })
  const slugs = await IssuePlay.begin(alfred, boat, { title: 'Add a slug helper' })
  const crew = await IssuePlay.begin(alfred, boat, { title: 'Greet the crew', body: withFault('refuse') })
  const minutes = await IssuePlay.begin(alfred, boat, { title: 'Sum up the minutes' })

  await test.step('a changed title leaves the name of the session', () => changeTitle(lamps))
  await test.step('a run that failed tells its id, and the next one goes on with it', async () => {
    await pier.open()
    await expectRemembered(pier, 'failed', '45m', 'outcome-failed')
  })
  await test.step('a run whose time was over tells its id, and the next one goes on with it', async () => {
    await tide.open()
    await (await tide.ended(1)).row.click()
    await setting(alfred, ferry, 'RUN_TIMEOUT', null)
    await expectRemembered(tide, 'timed_out', '20s', 'outcome-timed-out')
  })
  await test.step('a session that is lost is silent on the forge, loud in the window', () =>
    loseSessions(slugs, sessionsFolder(folder, slugs)))
  await test.step('so is one that is refused; refused twice it is set aside, until a person tries it', () =>
    setAside(crew))
  await test.step('cleanup takes the memory, unless sessions are off', () =>
    cleanUp(minutes, sessionsFolder(folder, minutes)))
  await test.step('a branch that was deleted and named anew is no other session', () => deleteBranch(lamps))
})

const newProject = (alfred: AlfredWindow, name: string): Promise<TrackerProject> =>
  alfred.ask<TrackerProject>('tracker.createProject', {
    organization: 'harbour',
    name,
    source: { kind: 'empty' },
  })

/** null: what the scopes above say. */
function setting(
  alfred: AlfredWindow,
  { id }: TrackerProject,
  key: SettingKey,
  value: unknown,
): Promise<unknown> {
  const at = { scope: 'project', scopeId: id, key }
  return value === null ? alfred.ask('settings.reset', at) : alfred.ask('settings.set', { ...at, value })
}

const sessionsFolder = (home: string, { project, iid }: IssuePlay): string =>
  join(home, '.agent-sessions', `${project.organization}-${project.id}-issue-${iid}`, 'demo')

async function changeTitle(play: IssuePlay): Promise<void> {
  await play.open()
  const first = await play.ended(1)
  const id = await idOf(first)
  const name = `agent/issue-${play.iid}-light-the-lamps`
  await expect(first.name).toHaveAttribute('data-value', name)
  await play.edit({ title: 'Put the lamps out' })
  await expect(play.home.title).toHaveText('Put the lamps out')
  // Whose plan was written for another title is analysed again.
  await play.home.validatePlan.click()
  const second = await play.ended(2)
  await expect(second.badge).toHaveAttribute('data-value', 'resumed')
  await expect(second.nativeId).toHaveAttribute('data-value', id)
  await expect(second.name).toHaveAttribute('data-value', name)
  await play.home.validatePlan.click()
  const third = await play.ended(3)
  await expect(third.phase).toHaveAttribute('data-value', 'development')
  await expect(third.badge).toHaveAttribute('data-value', 'resumed')
  await expect(third.name).toHaveAttribute('data-value', name)
  await keepScreen(play.alfred, 'outcome-title-changed')
}

/** The only run of it ended badly; what made it fail is taken out of its description. */
async function expectRemembered(
  play: IssuePlay,
  outcome: string,
  limit: string,
  screen: string,
): Promise<void> {
  const { alfred } = play
  const bad = await play.ended(1)
  await expect(bad.outcome).toHaveAttribute('data-value', outcome)
  const id = await idOf(bad)
  await bad.nativeId.click()
  await expect.poll(() => play.clipboard()).toBe(id)
  await play.home.openRun(await bad.runId())
  await expect(play.run.state).toHaveAttribute('data-value', outcome)
  await expect(alfred.part('run-attempt')).toHaveText(`attempt 1 · limit ${limit}`)
  await expect(alfred.part('run-session-facts').getByTestId('native-session-id')).toHaveAttribute(
    'data-value',
    id,
  )
  await keepScreen(alfred, `${screen}-run`)
  await play.run.back()
  await play.edit({ body: 'Please.' })
  const next = await play.retry()
  await expect(next.badge).toHaveAttribute('data-value', 'resumed')
  await expect(next.nativeId).toHaveAttribute('data-value', id)
  await expect(next.outcome).toHaveAttribute('data-value', 'succeeded')
  await keepScreen(alfred, screen)
}

async function loseSessions(play: IssuePlay, sessions: string): Promise<void> {
  await play.open()
  const firstRun = await play.ended(1)
  const first = await idOf(firstRun)
  await expectOneAttempt(play, firstRun, 'no_prior_session', null)
  const fileOf = (id: string): string => join(sessions, `${id}.jsonl`)
  const before = await play.activity()
  await expect((await play.retry()).badge).toHaveAttribute('data-value', 'resumed')
  const remembered = await play.activity()
  const usual = added(before, remembered)

  const lossOf = async (
    id: string,
    reason: SessionBadge,
    words: string,
    start: string | null,
  ): Promise<string> => {
    const seen = await play.activity()
    const row = await play.retry()
    await expect(row.badge).toHaveAttribute('data-value', reason)
    await expect(row.outcome).toHaveAttribute('data-value', 'succeeded')
    expect(added(seen, await play.activity())).toEqual(usual)
    await expect(play.lastBreak).toContainText(words)
    await expect(play.lastBreak.getByTestId('previous-session-id')).toHaveAttribute('data-value', id)
    await expectOneAttempt(play, row, reason, start)
    return idOf(row)
  }
  rmSync(fileOf(first))
  const second = await lossOf(first, 'state_missing', 'Its state file was gone', null)
  writeFileSync(fileOf(second), '{"version":1,"what":"no turn"}\n')
  const third = await lossOf(second, 'state_missing', 'The agent could not load it', 'started again fresh')
  appendFileSync(fileOf(third), '{"version":2,"asked":"a","answered":"b"}\n')
  await lossOf(third, 'unsupported_version', 'This agent cannot read it', 'started again fresh')
  await keepScreen(play.alfred, 'outcome-lost')

  await expectOneAttempt(play, await play.retryFresh(), 'chosen_fresh', null)
  const prompts = [
    await play.promptOf(2),
    await play.promptOf(4),
    await play.promptOf(5),
    await play.promptOf(6),
  ]
  expect(prompts[0]).toContain('Please.')
  expect(new Set(prompts).size).toBe(1)
}

/** On the run's screen: how it began, that no attempt was made again, and how often the CLI was started in it. */
async function expectOneAttempt(
  play: IssuePlay,
  row: SessionRow,
  badge: SessionBadge,
  start: string | null,
): Promise<void> {
  await play.home.openRun(await row.runId())
  await expect(play.run.badge).toHaveAttribute('data-value', badge)
  const attempt = play.alfred.part('run-attempt')
  await expect(attempt).toHaveAttribute('data-value', '1')
  await expect(attempt).toHaveText(
    start === null ? 'attempt 1 · limit 45m' : `attempt 1 · limit 45m · ${start}`,
  )
  await play.run.back()
}

async function setAside(play: IssuePlay): Promise<void> {
  const { alfred } = play
  await play.open()
  const a = await idOf(await play.ended(1))
  const before = await play.activity()
  const second = await play.retry()
  await expect(second.badge).toHaveAttribute('data-value', 'refused')
  await expectOneAttempt(play, second, 'refused', 'started again fresh')
  const refusal = added(before, await play.activity())

  await expect((await play.retryOldId()).badge).toHaveAttribute('data-value', 'refused')
  await openDemoInstallation(alfred)
  const aside = alfred.part('set-aside-id')
  await expect(aside).toContainText(`failed twice, #${play.iid}`)
  await expect(aside.locator('.copy-id')).toHaveAttribute('data-value', a)
  await keepScreen(alfred, 'outcome-set-aside-agents')

  // Without the younger ones, it would be its turn.
  await play.open()
  await dropMemory(play, 2, 'The next run goes on with the newest memory that is left.')
  await dropMemory(play, 1, 'The next run starts fresh.')
  const skipped = await play.retry()
  await expect(skipped.badge).toHaveAttribute('data-value', 'refused')
  await expect(skipped.row.getByTestId('id-set-aside')).toHaveText('Not tried')
  await expect(play.lastBreak).toContainText('It failed twice, so it was not tried')
  await keepScreen(alfred, 'outcome-set-aside')
  await play.home.openRun(await skipped.runId())
  await expect(alfred.part('run-session-facts').getByTestId('id-set-aside')).toHaveText('Not tried')
  await expect(alfred.part('run-attempt')).toHaveText('attempt 1 · limit 45m')
  await keepScreen(alfred, 'outcome-set-aside-run')
  await play.run.back()

  await play.edit({ body: 'Please.' })
  const seen = await play.activity()
  const tried = await play.retryOldId()
  await expect(tried.badge).toHaveAttribute('data-value', 'resumed')
  await expect(tried.nativeId).toHaveAttribute('data-value', a)
  await expect(tried.row.getByTestId('id-set-aside')).toHaveCount(0)
  expect(refusal).toEqual(added(seen, await play.activity()))
  await openDemoInstallation(alfred)
  await expect(alfred.part('last-runs')).toBeVisible()
  await expect(aside).toHaveCount(0)

  await play.open()
  await tried.row.click()
  await alfred.part('memory-menu').click()
  await alfred.part('fork-own-memory').click()
  await alfred.part('confirm-fork-memory').click()
  const fork = await play.ended(6)
  await expect(fork.badge).toContainText('Forked by hand')
  const forked = await idOf(fork)
  expect(forked).not.toBe(a)
  const next = await play.retry()
  await expect(next.badge).toHaveAttribute('data-value', 'resumed')
  await expect(next.nativeId).toHaveAttribute('data-value', forked)
  await keepScreen(alfred, 'outcome-forked')
}

async function openDemoInstallation(alfred: AlfredWindow): Promise<void> {
  await alfred.page.keyboard.press('Control+Shift+A')
  await alfred.page.locator('[data-test="installation-row"][data-adapter="demo"]').first().click()
}

async function dropMemory(play: IssuePlay, index: number, words: string): Promise<void> {
  const { alfred, home } = play
  await home.sessionAt(index).row.click()
  await alfred.part('memory-menu').click()
  await alfred.part('drop-own-memory').click()
  await alfred.part('confirm-drop-memory').click()
  await expect(alfred.part('toast').last()).toContainText(words)
}

async function cleanUp(play: IssuePlay, sessions: string): Promise<void> {
  const { alfred, project } = play
  await play.open()
  const id = await idOf(await play.ended(1))
  const clean = async (): Promise<void> => {
    await alfred.part('mailbox-more').click()
    await alfred.part('clean-up').click()
    await alfred.part('confirm-clean-up').click()
    await expect(alfred.part('clean-up-dialog')).toHaveCount(0)
  }
  await setting(alfred, project, 'AGENT_SESSION_RESUME', false)
  await clean()
  await expect(alfred.part('toast')).toContainText(
    'Its memory is left alone while sessions are switched off.',
  )
  expect(readdirSync(sessions)).toEqual([`${id}.jsonl`])
  await setting(alfred, project, 'AGENT_SESSION_RESUME', null)
  const second = await play.retry()
  await expect(second.badge).toHaveAttribute('data-value', 'resumed')
  await expect(second.nativeId).toHaveAttribute('data-value', id)

  await clean()
  expect(existsSync(sessions)).toBe(false)
  await expect(alfred.part('action-reason')).toContainText('Memory removed at cleanup')
  await keepScreen(alfred, 'outcome-cleaned-up')
  const third = await play.retry()
  await expect(third.badge).toHaveAttribute('data-value', 'state_missing')
  await expect(third.outcome).toHaveAttribute('data-value', 'succeeded')
  expect(await idOf(third)).not.toBe(id)
  await expect(play.lastBreak).toContainText('It was removed at cleanup, so')
  await expect(play.lastBreak.getByTestId('retry-previous-id')).toHaveCount(0)
  await keepScreen(alfred, 'outcome-after-cleanup')
}

async function deleteBranch(play: IssuePlay): Promise<void> {
  const { alfred, project } = play
  await play.open()
  const id = await idOf(await play.ended(3))
  const branch = (await play.home.branch.getAttribute('data-value')) ?? ''
  expect(branch).toBe(`agent/issue-${play.iid}-light-the-lamps`)
  await play.home.showIssue()
  await alfred.part('issue-change').click()
  await alfred.part('close-change').click()
  await expect(play.tracker.changeState).toHaveAttribute('data-value', 'closed')
  execFileSync('git', ['-C', project.remotePath, 'update-ref', '-d', `refs/heads/${branch}`])
  await alfred.page.getByRole('button', { name: 'Back to the issue' }).click()
  await play.tracker.comment('The branch is gone.')
  await play.home.showSessions()
  // For a minute after a push the forge may not know the branch yet.
  await expect(play.home.branch).toHaveAttribute('data-value', '', patience)
  const steps = alfred.part('mailbox-progress')
  await expect(steps.locator('[data-step=merge]')).toHaveAttribute('data-state', 'ahead')
  await keepScreen(alfred, 'outcome-branch-deleted')
  const next = await play.retry()
  await expect(next.badge).toHaveAttribute('data-value', 'resumed')
  await expect(next.nativeId).toHaveAttribute('data-value', id)
  await expect(next.name).toHaveAttribute('data-value', `agent/issue-${play.iid}-put-the-lamps-out`)
  await expect(play.home.branch).toHaveAttribute('data-value', `agent/issue-${play.iid}-put-the-lamps-out`)
  await keepScreen(alfred, 'outcome-branch-renamed')
}
