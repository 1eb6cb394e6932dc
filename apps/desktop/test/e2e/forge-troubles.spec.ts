import { startForgeServer, type ForgeServer } from '../fakes/forge-server/forge-server'
import { expect, test } from './fixtures'
import type { AlfredWindow } from './pages/alfred-window'
import { keepScreen } from './screens'

/*
 * What the window says while a connected forge is not as it should be: away, slowed down, with a token that it refuses,
 * with a project that is gone. Each ends as soon as the forge is well again.
 */

test.setTimeout(120_000)

let forge: ForgeServer
test.beforeEach(async () => {
  forge = await startForgeServer({ kind: 'gitea', subPath: '/git' })
  for (const login of ['alfred-bot', 'dev']) forge.seed.user(login)
  forge.seed.organization('acme', { 'alfred-bot': 'write', dev: 'write' })
  for (const name of ['harbour', 'lighthouse']) await forge.seed.repository(`acme/${name}`)
})
test.afterEach(() => forge.close())

const name = (): string => forge.url.slice('http://'.length)

/** Connected, with two projects that are polled every second. */
async function connect(alfred: AlfredWindow): Promise<void> {
  await alfred.ask('settings.set', { scope: 'app', scopeId: 0, key: 'POLL_INTERVAL', value: 1_000 })
  await alfred.ask('forges.add', {
    url: forge.url,
    caFile: null,
    token: forge.seed.token('alfred-bot'),
    projects: ['acme/harbour', 'acme/lighthouse'],
    mayKeepInFile: true,
  })
  await expect(alfred.part('empty-projects')).toHaveCount(0)
  for (const project of ['harbour', 'lighthouse']) {
    const list = `/api/v1/repos/acme/${project}/issues?`
    await expect.poll(() => forge.requests.some(({ address }) => address.startsWith(list))).toBe(true)
  }
  await expect(alfred.part('status-forge')).toHaveAttribute('data-state', 'ok')
  await alfred.page.keyboard.press('Control+1')
  await expect(alfred.part('filter-all-open')).toBeVisible()
}

test('a forge that is away is told once, tried by hand, and forgotten when it answers', async ({ start }) => {
  const alfred = await start()
  await connect(alfred)
  forge.faults.add({ fault: { kind: 'html', status: 502 } })
  const banner = alfred.part('error-forge-unreachable')
  await expect(banner).toContainText(`${name()} does not answer (HTTP 502). Runs go on. Next try in `, {
    timeout: 30_000,
  })
  await expect(banner).toContainText('Last whole answer ')
  await expect(alfred.part('status-forge')).toContainText('does not answer')
  await keepScreen(alfred, 'forge-unreachable')
  await alfred.resize(960, 600)
  await keepScreen(alfred, 'forge-unreachable-min')
  forge.faults.clear()
  await banner.getByRole('button', { name: 'Try now' }).click()
  await expect(banner).toHaveCount(0)
  await expect(alfred.part('status-forge')).toHaveAttribute('data-state', 'ok')
})

test('a forge that wants fewer requests is left alone for as long as it said, by all its projects', async ({
  start,
}) => {
  const alfred = await start()
  await connect(alfred)
  forge.faults.add({ fault: { kind: 'too_many', retryAfterSeconds: 1_500 } })
  const banner = alfred.part('error-forge-rate-limited')
  await expect(banner).toContainText(
    `${name()} asked Alfred to slow down (HTTP 429). Polling goes on by itself at `,
    { timeout: 30_000 },
  )
  await expect(alfred.part('status-forge')).toContainText('wants fewer requests')
  await keepScreen(alfred, 'forge-rate-limited')
  // Checks of the doctor are not polls.
  const polls = () => forge.requests.filter(({ address }) => address.includes('state=all')).length
  const asked = polls()
  await alfred.page.waitForTimeout(3_000)
  expect(polls()).toBe(asked)
})

test('a token that is refused pauses the polling until there is a new one', async ({ start }) => {
  const alfred = await start()
  await connect(alfred)
  for (const token of forge.state.tokens) token.isRevoked = true
  const banner = alfred.part('error-forge-token')
  await expect(banner).toContainText(
    `${name()} refused the token (HTTP 401). Polling is paused for 2 projects; live runs go on and their results wait here.`,
    { timeout: 30_000 },
  )
  await keepScreen(alfred, 'forge-token')
  await banner.getByRole('button', { name: 'Paste a new token' }).click()
  await expect(alfred.part('access-dialog')).toBeVisible()
  await expect.poll(() => alfred.focusedPart()).toBe('new-token')
  await keepScreen(alfred, 'forge-token-new')
  await alfred.part('new-token').fill(forge.seed.token('alfred-bot', ['all'], 'newer'))
  await alfred.part('save-access').click()
  await expect(alfred.part('access-dialog')).toHaveCount(0)
  await expect(banner).toHaveCount(0)
})

test('a project that is gone is told by itself, and the others are polled on', async ({ start }) => {
  const before = await start()
  await connect(before)
  await before.close()
  forge.seed.find('acme/lighthouse').isDeleted = true
  // A start looks at each project; else it is looked at every ten minutes, or when something is done there.
  const alfred = await start()
  const banner = alfred.part('error-forge-project')
  await expect(banner).toContainText(
    'acme/lighthouse cannot be polled. acme/lighthouse is not on the forge any more, or hidden from alfred-bot.',
    { timeout: 30_000 },
  )
  await expect(alfred.part('status-forge')).toHaveAttribute('data-state', 'ok')
  await keepScreen(alfred, 'forge-project')
  await banner.getByRole('button', { name: 'Open forges' }).click()
  const gone = alfred.part('watched-project').and(alfred.page.locator('[data-value="acme/lighthouse"]'))
  await gone.getByRole('button', { name: /Stop watching/ }).click()
  await expect(banner).toHaveCount(0)
})
