import { startForgeServer, type ForgeServer } from '../fakes/forge-server/forge-server'
import { expect, test } from './fixtures'
import { runAlfred } from './homes'
import type { AlfredWindow } from './pages/alfred-window'
import { HomePage } from './pages/home-page'
import { keepScreen } from './screens'

/*
 * An issue of a forge in the window, from the first poll to the merge: the demo agent in real containers, real git, a fake
 * server over HTTP. What a person does there is done by requests, as they would come from the forge's own pages.
 */

test.setTimeout(600_000)

const repository = 'acme/harbour'
let forge: ForgeServer
let personToken: string
test.beforeEach(async () => {
  forge = await startForgeServer({ kind: 'forgejo', subPath: '/git' })
  for (const login of ['alfred-bot', 'dev']) forge.seed.user(login)
  forge.seed.organization('acme', { 'alfred-bot': 'write', dev: 'write' })
  await forge.seed.repository(repository)
  personToken = forge.seed.token('dev')
})
test.afterEach(() => forge.close())

async function asPerson<T>(method: string, path: string, body: unknown): Promise<T> {
  const answer = await fetch(`${forge.url}/api/v1/repos/${repository}${path}`, {
    method,
    headers: { Authorization: `token ${personToken}`, 'Content-Type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`)
  return (await answer.json().catch(() => null)) as T
}

async function setLabel(iid: number, wanted: string): Promise<void> {
  const labels = await asPerson<readonly { readonly id: number; readonly name: string }[]>(
    'GET',
    '/labels?limit=50&page=1',
    undefined,
  )
  const label = labels.find(({ name }) => name === wanted)
  await asPerson('POST', `/issues/${iid}/labels`, { labels: [label?.id] })
}

async function connect(alfred: AlfredWindow): Promise<void> {
  for (const [key, value] of [
    ['POLL_INTERVAL', 1_000],
    ['AGENT_ADAPTER', 'demo'],
  ] as const) {
    await alfred.ask('settings.set', { scope: 'app', scopeId: 0, key, value })
  }
  const { forgeId } = await alfred.ask<{ readonly forgeId: number }>('forges.add', {
    url: forge.url,
    caFile: null,
    token: forge.seed.token('alfred-bot'),
    projects: [repository],
    mayKeepInFile: true,
  })
  await alfred.ask('forges.makeLabels', { forgeId, path: repository })
}

test('an issue of a forge is worked on: its change, red and green checks, and the merge are shown', async ({
  start,
}) => {
  const alfred = await start({ env: { ALFRED_ALLOW_DEMONSTRATION: '1', ALFRED_DEMO_PACE: '0' } })
  await connect(alfred)
  const { number: iid } = await asPerson<{ readonly number: number }>('POST', '/issues', {
    title: 'Sort the notes by age',
    body: 'The newest first.',
    assignees: ['alfred-bot'],
  })
  const home = new HomePage(alfred)
  await alfred.page.keyboard.press('Control+1')
  await expect(home.mailbox(`#${iid}`)).toBeVisible({ timeout: 60_000 })
  await home.openMailbox(`#${iid}`)
  const status = alfred.part('mailbox-status')
  await expect(status).toHaveAttribute('data-value', 'waiting_validation', { timeout: 300_000 })
  await keepScreen(alfred, 'forge-work-plan')

  await setLabel(iid, 'ai::validate_plan')
  const change = alfred.part('mailbox-change')
  await expect(change).toBeVisible({ timeout: 300_000 })
  const pulls = await asPerson<
    readonly { readonly number: number; readonly head: { readonly sha: string } }[]
  >('GET', '/pulls?state=open', undefined)
  const [pull] = pulls
  const sha = pull?.head.sha ?? ''
  await expect(change).toHaveText(`PR ${pull?.number}`)

  const report = (state: string, context: string): Promise<unknown> =>
    asPerson('POST', `/statuses/${sha}`, { state, context, description: context })
  await report('pending', 'build')
  await expect(status).toHaveAttribute('data-value', 'in_ci', { timeout: 60_000 })
  const checks = alfred.part('mailbox-progress').locator('[data-step=ci]')
  await expect(checks).toHaveAttribute('data-state', 'current')
  await keepScreen(alfred, 'forge-work-checks-run')
  await report('success', 'build')
  await report('failure', 'lint')
  await expect(alfred.part('now-strip')).toContainText('The change has red checks, a conflict or', {
    timeout: 60_000,
  })
  await keepScreen(alfred, 'forge-work-red')
  await report('success', 'lint')
  await expect(status).toHaveAttribute('data-value', 'in_review', { timeout: 60_000 })
  await expect(checks).toHaveAttribute('data-state', 'done')
  await expect(alfred.part('now-strip')).toHaveCount(0)
  await keepScreen(alfred, 'forge-work-green')

  await asPerson('POST', `/pulls/${pull?.number}/merge`, { Do: 'squash' })
  await alfred.page.keyboard.press('Control+7')
  await expect(home.mailbox(`#${iid}`)).toBeVisible({ timeout: 60_000 })
  await expect(status).toHaveAttribute('data-value', 'done')
  await keepScreen(alfred, 'forge-work-done')
})

test('a push of a forge that waits, and an issue changed after its validation, go on when somebody has looked', async ({
  home: folder,
  start,
}) => {
  const alfred = await start({ env: { ALFRED_ALLOW_DEMONSTRATION: '1', ALFRED_DEMO_PACE: '0' } })
  await connect(alfred)
  // Every path is one that a CI would run.
  const everything = { scope: 'app', scopeId: 0, key: 'PUSH_NEEDS_PERSON', value: ['**'] }
  await alfred.ask('settings.set', everything)
  const { number: iid } = await asPerson<{ readonly number: number }>('POST', '/issues', {
    title: 'Sort the notes by age',
    body: 'The newest first.',
    assignees: ['alfred-bot'],
  })
  const home = new HomePage(alfred)
  await alfred.page.keyboard.press('Control+1')
  await expect(home.mailbox(`#${iid}`)).toBeVisible({ timeout: 60_000 })
  await home.openMailbox(`#${iid}`)
  const strip = alfred.part('now-strip')
  const status = alfred.part('mailbox-status')
  await expect(strip.getByRole('button', { name: 'Validate on the forge' })).toBeVisible({ timeout: 300_000 })
  await keepScreen(alfred, 'forge-work-validate')
  await setLabel(iid, 'ai::validate_plan')

  const push = strip.getByRole('button', { name: 'Push', exact: true })
  await expect(push).toBeVisible({ timeout: 300_000 })
  await keepScreen(alfred, 'forge-work-push-waits')
  const shown = await runAlfred(folder, ['issue', 'push', `${repository}#${iid}`, '--show'])
  expect(shown.output).toContain('These wait: files that a push runs')
  await asPerson('PATCH', `/issues/${iid}`, { body: 'The oldest first.' })
  await push.click()

  await expect(status).toHaveAttribute('data-value', 'waiting_validation', { timeout: 60_000 })
  expect(await asPerson('GET', '/pulls?state=all', undefined)).toEqual([])
  await expect(strip).toContainText('Changed since it was validated')
  await keepScreen(alfred, 'forge-work-validate-again')
  await setLabel(iid, 'ai::validate_plan')
  await expect(alfred.part('mailbox-change')).toBeVisible({ timeout: 60_000 })
  const comments = await asPerson<readonly { readonly body: string }[]>(
    'GET',
    `/issues/${iid}/comments`,
    undefined,
  )
  expect(comments.filter(({ body }) => body.includes('since the plan was validated'))).toHaveLength(1)
})
