import { join } from 'node:path'
import { startForgeServer, type ForgeServer } from '../fakes/forge-server/forge-server'
import { openTlsFront } from '../fakes/tls-front'
import { expect, test } from './fixtures'
import { appFolder } from './launch'
import type { AlfredWindow } from './pages/alfred-window'
import { keepScreen } from './screens'

test.setTimeout(120_000)

const link = 'alfred://forges'

let forge: ForgeServer
test.beforeEach(async () => {
  forge = await startForgeServer({ kind: 'gitea', subPath: '/git' })
  for (const login of ['alfred-bot', 'dev']) forge.seed.user(login)
  forge.seed.organization('acme', { 'alfred-bot': 'write', dev: 'write' })
  for (const name of ['harbour', 'lighthouse', 'tide-tables']) await forge.seed.repository(`acme/${name}`)
  await forge.seed.repository('dev/readonly', { collaborators: { 'alfred-bot': 'read' } })
})
test.afterEach(() => forge.close())

/** Types into a field and leaves it. */
async function fill(alfred: AlfredWindow, part: string, text: string): Promise<void> {
  await alfred.part(part).fill(text)
  await alfred.part(part).press('Tab')
}

const found = (alfred: AlfredWindow, part: string) => alfred.part(`${part}-found`)

async function makeLabel(token: string, name: string): Promise<void> {
  const made = await fetch(`${forge.url}/api/v1/repos/acme/harbour/labels`, {
    method: 'POST',
    headers: { Authorization: `token ${token}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ name, color: '#123456' }),
  })
  expect(made.status).toBe(201)
}

test('a forge is connected field by field, each checked as it is left', async ({ start }) => {
  const token = forge.seed.token('alfred-bot', ['read:user', 'write:issue', 'write:repository'])
  const weak = forge.seed.token('alfred-bot', ['read:user', 'read:issue', 'write:repository'])
  for (const name of ['ai::retry', 'ai::retry', 'Status::Done']) await makeLabel(token, name)
  const alfred = await start({ args: [link] })
  await expect(alfred.part('connect-forge')).toBeVisible()
  await expect.poll(() => alfred.focusedPart()).toBe('forge-url')
  await keepScreen(alfred, 'forges-new')
  await expect(alfred.part('open-forges')).toHaveCount(1)
  await alfred.page.keyboard.press('Control+K')
  await alfred.page.keyboard.type('connect')
  const command = alfred.page.locator('[data-action=open-forges]')
  await expect(alfred.part('palette-item').and(command)).toHaveCount(1)
  await alfred.page.keyboard.press('Escape')
  await expect(alfred.part('command-palette')).toHaveCount(0)

  await fill(alfred, 'forge-url', 'http://127.0.0.1:9')
  await expect(found(alfred, 'forge-url')).toContainText('Nothing answers at 127.0.0.1:9.')
  await expect(alfred.part('forge-connect')).toHaveAttribute('aria-disabled', 'true')
  await fill(alfred, 'forge-ca', '/no/such.pem')
  await fill(alfred, 'forge-url', `${forge.url}/api/v1/`)
  await expect(found(alfred, 'forge-ca')).toContainText('/no/such.pem cannot be read.')
  await keepScreen(alfred, 'forges-problems')
  await fill(alfred, 'forge-ca', '')
  await expect(found(alfred, 'forge-url')).toContainText('Gitea 1.26.3')
  await expect(found(alfred, 'forge-url')).toContainText('Not encrypted')
  await expect(found(alfred, 'forge-token')).toContainText('ALFRED_TOKEN_127_0_0_1')

  await fill(alfred, 'forge-token', '0'.repeat(40))
  await expect(found(alfred, 'forge-token')).toContainText('does not accept this token')
  await fill(alfred, 'forge-token', weak)
  await expect(alfred.part('token-grant')).toHaveCount(7)
  const missing = alfred.part('token-grant').and(alfred.page.locator('[data-state=missing]'))
  await expect(missing.first()).toHaveAttribute('data-value', 'write:issue')
  // Without it Alfred works, if less well: it keeps nobody from connecting.
  await expect(missing.last()).toHaveAttribute('data-value', 'read:organization')
  await expect(alfred.part('forge-reason')).toContainText('The token lacks write:issue')
  await keepScreen(alfred, 'forges-weak-token')

  await fill(alfred, 'forge-token', token)
  await expect(alfred.part('forge-project')).toHaveCount(3)
  await alfred.part('find-forge-project').fill('HARB')
  await expect(alfred.part('forge-project')).toHaveCount(1)
  await alfred.part('find-forge-project').press('Tab')
  await alfred.page.keyboard.press('Space')
  await alfred.part('find-forge-project').fill('')
  await expect(alfred.part('forge-project').getByRole('checkbox', { checked: true })).toHaveCount(1)
  await keepScreen(alfred, 'forges-ready')

  await alfred.part('forge-connect').click()
  await expect(alfred.part('forge-no-keyring')).toBeVisible()
  await alfred.screenshot('forges-no-keyring')
  await alfred.part('forge-use-file').click()
  await expect(alfred.part('forge-card')).toContainText('as alfred-bot')
  await expect(alfred.part('connect-forge')).toHaveCount(0)
  await expect(alfred.part('forge-card').getByRole('heading')).toBeFocused()
  const labels = alfred.part('project-labels')
  await expect(labels).toContainText('2 labels are called ai::retry')
  await expect(labels).toContainText('"Status::Done" is not status::done for the forge.')
  await keepScreen(alfred, 'forges-connected')
  await alfred.part('make-labels').click()
  await expect(labels).not.toContainText('missing')
  await expect(labels).toContainText('Status::Done')
  const asked = await alfred.ask<readonly unknown[]>('forges.list', {})
  expect(JSON.stringify(asked)).not.toContain(token)
})

test('a connected forge gets projects and another token, and goes again', async ({ start }) => {
  const token = forge.seed.token('alfred-bot')
  const alfred = await start({ args: [link] })
  await alfred.ask('forges.add', {
    url: forge.url,
    caFile: null,
    token,
    projects: [],
    mayKeepInFile: true,
  })
  await expect(alfred.part('forge-card')).toContainText('No project of this forge is watched yet.')
  await alfred.part('add-forge-projects').click()
  await alfred.part('forge-project').getByRole('checkbox').first().click()
  await expect(alfred.part('watched-project')).toHaveAttribute('data-value', 'acme/harbour')
  await expect(alfred.part('project-labels')).toContainText('17 labels are missing.')
  await alfred.resize(960, 600)
  await keepScreen(alfred, 'forges-min')

  await alfred.part('open-diagnostics').click()
  const line = (what: string) =>
    alfred.page.locator(`[data-check="forge-${forge.url.slice('http://'.length)}-${what}"]`)
  await expect(line('answers')).toHaveAttribute('data-state', 'passed', { timeout: 30_000 })
  await expect(line('token')).toContainText('works for all that Alfred must do, as alfred-bot')
  await expect(line('clock')).toContainText('agrees with this computer')
  await expect(line('projects')).toContainText('acme/harbour can be worked on')
  await expect(line('labels')).toHaveAttribute('data-state', 'failed')
  await line('labels').scrollIntoViewIfNeeded()
  await keepScreen(alfred, 'forges-doctor')
  const harbour = forge.seed.find('acme/harbour')
  harbour.archivedAt = Date.now()
  await alfred.part('run-doctor').click()
  await expect(line('projects')).toContainText('acme/harbour is archived', { timeout: 30_000 })
  await expect(line('projects')).toHaveAttribute('data-state', 'failed')
  await expect(line('projects').getByTestId('doctor-fix')).toHaveCount(1)
  await line('labels').scrollIntoViewIfNeeded()
  await keepScreen(alfred, 'forges-doctor-archived')
  harbour.archivedAt = null
  await alfred.page.keyboard.press('Escape')

  await alfred.part('change-access').click()
  const stranger = forge.seed.token('dev')
  await alfred.part('new-token').fill(stranger)
  await alfred.part('save-access').click()
  await expect(alfred.part('access-dialog')).toContainText('This is a token of dev')
  await alfred.screenshot('forges-access')
  await alfred.part('new-token').fill(forge.seed.token('alfred-bot', ['all'], 'newer'))
  await alfred.part('save-access').click()
  await expect(alfred.part('access-dialog')).toHaveCount(0)

  await alfred.part('remove-forge').click()
  await alfred.part('confirm-remove-forge').click()
  await expect(alfred.part('connect-forge')).toBeVisible()
  expect(await alfred.ask('forges.list', {})).toEqual([])
  await alfred.page.keyboard.press('Control+1')
  await expect(alfred.part('empty-projects')).toBeVisible()
  await expect(alfred.part('empty-connect-forge')).toHaveCount(1)
  await alfred.screenshot('forges-empty-home')
})

test('what cannot be read of a connected forge is told as that, and asked for again', async ({ start }) => {
  const token = forge.seed.token('alfred-bot')
  const alfred = await start({ args: [link] })
  forge.faults.add({ fault: { kind: 'html', status: 500 }, path: /\/user\/repos|\/labels/ })
  await alfred.ask('forges.add', {
    url: forge.url,
    caFile: null,
    token,
    projects: ['acme/lighthouse'],
    mayKeepInFile: true,
  })
  await expect(alfred.part('project-labels')).toContainText('Its labels could not be read: ')
  await alfred.part('add-forge-projects').click()
  const unread = alfred.part('forge-projects-problem')
  await expect(unread).toContainText('The forge is connected, but its projects could not be read.')
  await expect(unread).toContainText('had an error of its own (500). Try again in a few minutes')
  await keepScreen(alfred, 'forges-unread')
  forge.faults.clear()
  await alfred.part('labels-again').click()
  await expect(alfred.part('project-labels')).toContainText('17 labels are missing.')
  await alfred.part('list-again').click()
  await expect(unread).toHaveCount(0)
  await expect(alfred.part('forge-project')).toHaveCount(2)
})

test('a certificate of an own authority, a clock that is off and a public-only token are told where they are met', async ({
  start,
}) => {
  const other = await startForgeServer({ kind: 'forgejo', clock: () => Date.now() + 300_000 })
  const front = await openTlsFront(join(appFolder, 'test/fixtures/forge-tls'), other.url)
  try {
    other.seed.user('alfred-bot')
    other.seed.organization('acme', { 'alfred-bot': 'write' })
    await other.seed.repository('acme/harbour')
    await other.seed.repository('acme/open-water', { isPrivate: false })
    const alfred = await start({ args: [link] })
    await expect(alfred.part('connect-forge')).toBeVisible()
    await fill(alfred, 'forge-url', front.url)
    await expect(found(alfred, 'forge-ca')).toContainText('is not trusted (UNABLE_TO_VERIFY_LEAF_SIGNATURE)')
    await keepScreen(alfred, 'forges-certificate')
    await fill(alfred, 'forge-ca', front.caFile)
    await expect(found(alfred, 'forge-url')).toContainText('Forgejo 11.0.15')
    await expect(found(alfred, 'forge-url')).toContainText('5 min ahead of this computer')
    await expect(found(alfred, 'forge-url')).not.toContainText('Not encrypted')
    const scopes = ['read:user', 'write:issue', 'write:repository', 'read:organization', 'public-only']
    await fill(alfred, 'forge-token', other.seed.token('alfred-bot', scopes))
    const grant = alfred.page.locator('[data-test=token-grant][data-state=missing]')
    await expect(grant).toHaveText(/Private projects.*this is a public-only token/)
    await expect(alfred.part('forge-project')).toHaveCount(1)
    await expect(alfred.part('forge-project')).toHaveAttribute('data-value', 'acme/open-water')
    await keepScreen(alfred, 'forges-public-only')
  } finally {
    front.close()
    await other.close()
  }
})
