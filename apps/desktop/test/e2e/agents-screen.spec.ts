import { execFileSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import type { Locator } from '@playwright/test'
import { cliPackages, pinLine } from '@main/core/agents/image-clis'
import { expect, test } from './fixtures'
import { removeContainers, removeImages } from './homes'
import type { AlfredWindow } from './pages/alfred-window'
import { HomePage } from './pages/home-page'
import { keepScreen } from './screens'
import { seedInstallation as seed, withDatabase } from './seed/seeded-rows'

test.setTimeout(300_000)

const day = 86_400_000
const goneDigest = `sha256:${'0'.repeat(64)}`

async function openAgents(alfred: AlfredWindow): Promise<void> {
  await new HomePage(alfred).openMailbox('#1')
  await alfred.page.keyboard.press('Control+Shift+A')
  await expect(alfred.part('agents-screen')).toBeVisible()
}

const rowOf = (alfred: AlfredWindow, adapter: string) =>
  alfred.page.locator(`[data-test="installation-row"][data-adapter="${adapter}"][data-runner="container"]`)
const inspectorOf = (alfred: AlfredWindow) => alfred.page.getByRole('complementary', { name: 'Installation' })

test('one installation is checked alone, judged by the range of today, and one of an image that is gone is not shown', async ({
  demoHome,
  start,
}) => {
  const sessions = withDatabase(demoHome, (db, digest) => {
    // As an older version of Alfred left them: one judged too low, one too high, one of an image that was pruned.
    seed(db, { adapter: 'codex', version: cliPackages.codex.version, resumable: 0, digest })
    seed(db, { adapter: 'claude-code', version: '9.0.0', resumable: 1, digest })
    seed(db, { adapter: 'grok-build', version: cliPackages['grok-build'].version, digest: goneDigest })
    db.prepare(
      `INSERT INTO images (digest, tag, base, agents, size_bytes, recipe_sha256, built_at)
       VALUES (?, 'alfred-agent:pruned', 'node:20', '[]', 1, 'pruned', 1)`,
    ).run(goneDigest)
    db.prepare("UPDATE agent_installations SET version = '0.0.1' WHERE adapter = 'demo'").run()
    return countSessions(db)
  })
  const alfred = await start({ home: demoHome })
  await openAgents(alfred)
  const inspector = inspectorOf(alfred)

  await expect(rowOf(alfred, 'codex').getByTestId('resumable')).toHaveAttribute('data-value', 'yes')
  await expect(rowOf(alfred, 'claude-code').getByTestId('resumable')).toHaveAttribute('data-value', 'no')
  await expect(rowOf(alfred, 'grok-build')).toHaveCount(0)

  const demo = rowOf(alfred, 'demo')
  await expect(demo.getByTestId('installation-version')).toHaveAttribute('data-value', '0.0.1')
  await expect(demo.getByTestId('resumable')).toHaveAttribute('data-value', 'no')
  const claudeChecked = await rowOf(alfred, 'claude-code')
    .getByTestId('last-check')
    .getAttribute('data-value')
  await demo.getByRole('button', { name: 'demo' }).press('Enter')
  await expect(inspector.getByRole('heading', { name: 'demo' })).toBeVisible()
  await inspector.getByTestId('check-installation').press('Enter')
  await expect(demo.getByTestId('installation-version')).toHaveAttribute('data-value', '1.0.0')
  await expect(demo.getByTestId('resumable')).toHaveAttribute('data-value', 'yes')
  await expect(alfred.announcement).toHaveText(/^demo 1\.0\.0 in alfred-agent:\w+: can resume$/)
  await expect(rowOf(alfred, 'claude-code').getByTestId('last-check')).toHaveAttribute(
    'data-value',
    claudeChecked ?? '',
  )
  await alfred.close()
  withDatabase(demoHome, (db) => {
    expect(countSessions(db)).toBe(sessions)
    expect(
      db.prepare("SELECT count(*) AS n FROM agent_installations WHERE adapter = 'grok-build'").get(),
    ).toEqual({ n: 1 })
  })
})

test('a version that nobody has tried has a line that pins one that is verified', async ({
  demoHome,
  start,
}) => {
  withDatabase(demoHome, (db, digest) => {
    seed(db, { adapter: 'claude-code', version: '9.0.0', digest })
  })
  const alfred = await start({ home: demoHome })
  await openAgents(alfred)
  const notice = alfred.part('unverified-notice')
  await expect(notice).toContainText(/^claude-code 9\.0\.0 in alfred-agent:\w+ starts every run fresh\./)
  await expect(notice).toContainText(`or pin ${cliPackages['claude-code'].version} in the image.`)
  await keepScreen(alfred, 'agents-unverified')
  await notice.getByTestId('copy-pin-line').press('Enter')
  await expect(notice.getByTestId('copy-pin-line')).toContainText('Copied')
  expect(await alfred.inMain(({ clipboard }) => clipboard.readText())).toBe(pinLine('claude-code'))
  await expect(alfred.announcement).toHaveText(/^Copied the line that installs claude-code /)
})

test('a login tells when it ends, what signs it in, and what its provider said when it was asked', async ({
  demoHome,
  start,
}) => {
  const now = Date.now()
  withDatabase(demoHome, (db, digest) => {
    for (const adapter of ['claude-code', 'codex', 'opencode', 'copilot'] as const)
      seed(db, { adapter, version: cliPackages[adapter].version, digest })
    const prove = db.prepare(
      `INSERT INTO login_proofs (adapter, image_digest, outcome, message, took_ms, cost_usd, asked_at)
       VALUES (?, ?, ?, ?, ?, ?, ?)`,
    )
    prove.run('claude-code', digest, 'answered', null, 2_100, 0.0004, now - 9_000_000)
    prove.run('codex', digest, 'refused', 'HTTP 401: token expired', 900, null, now - 3_700_000)
  })
  const write = (adapter: string, name: string, content: unknown): void => {
    const folder = join(demoHome, '.agent-credentials', adapter)
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, name), JSON.stringify(content), { mode: 0o600 })
  }
  const jwt = (endsAt: number): string =>
    ['e30', Buffer.from(JSON.stringify({ exp: Math.floor(endsAt / 1000) })).toString('base64url'), 'x'].join(
      '.',
    )
  write('claude-code', '.credentials.json', {
    claudeAiOauth: { accessToken: 'made-up', expiresAt: now + 2 * day + 3_600_000 },
  })
  write('codex', 'auth.json', { tokens: { access_token: jwt(now - day) } })
  write('opencode', 'auth.json', { opencode: { type: 'api', key: 'made-up' } })

  const alfred = await start({ home: demoHome })
  await openAgents(alfred)
  const inspector = inspectorOf(alfred)
  const login = (adapter: string) => rowOf(alfred, adapter).getByTestId('login-check')
  await expect(login('claude-code')).toHaveText('Expires in 2d')
  await expect(login('codex')).toHaveText('Expired')
  await expect(login('opencode')).toHaveText('Signed in')
  await expect(login('copilot')).toHaveText('Not signed in')

  await rowOf(alfred, 'claude-code').click()
  await expect(inspector.getByTestId('login-kind')).toHaveText('Login file .credentials.json')
  await expect(inspector.getByTestId('login-mounted')).toHaveText('read-only, 1 file')
  await expect(inspector.getByTestId('login-ends')).toHaveAttribute(
    'data-value',
    String(now + 2 * day + 3_600_000),
  )
  await expect(inspector.getByTestId('login-proof')).toHaveText('a one-word answer 2h ago, in 2s, $0.0004')
  await expect(inspector).toContainText('After that, its runs wait instead of failing.')
  await keepScreen(alfred, 'agents-login-expiring')

  await rowOf(alfred, 'codex').click()
  await expect(inspector.getByTestId('login-proof')).toHaveText('refused 1h ago: HTTP 401: token expired')
  await keepScreen(alfred, 'agents-login-expired')
  await rowOf(alfred, 'copilot').click()
  await expect(inspector.getByTestId('login-kind')).toHaveCount(0)
  await expect(inspector.getByTestId('login-mounted')).toHaveText('nothing')
  await signsIn(alfred, inspector.getByTestId('sign-in'))
  await expect(inspector.getByTestId('login-proof')).toHaveText('never: nobody has asked the provider yet')

  await alfred.resize(960, 600)
  await rowOf(alfred, 'claude-code').click()
  const sheet = alfred.page.getByRole('dialog', { name: 'Installation' })
  await expect(sheet.getByTestId('login-kind')).toBeVisible()
  await keepScreen(alfred, 'agents-narrow')
  await alfred.page.keyboard.press('Escape')

  // Told by itself, soon after the start; a click leads here.
  await alfred.page.keyboard.press('Alt+ArrowLeft')
  await expect(alfred.part('agents-screen')).toHaveCount(0)
  await alfred.part('open-notifications').click()
  const told = alfred.page.locator('[data-test="notification"][data-kind="login-expiring"]')
  await expect(told).toContainText('Claude login expires in 2 days', { timeout: 60_000 })
  await expect(told).toContainText('After that, runs with claude-code wait instead of failing.')
  await keepScreen(alfred, 'notification-login-expiring')
  await told.click()
  await expect(alfred.part('agents-screen')).toBeVisible()
})

/** The login of copilot in a terminal program of the person, and in one that does not open. */
async function signsIn(alfred: AlfredWindow, button: Locator): Promise<void> {
  const name = `alfred-e2e-${randomUUID()}`
  const tmux = (words: string): string =>
    execFileSync('sh', ['-c', `tmux -L ${name} ${words} 2>/dev/null || true`], { encoding: 'utf8' })
  const named = (value: string): Promise<unknown> =>
    alfred.ask('settings.set', { scope: 'app', scopeId: 0, key: 'TERMINAL_COMMAND', value })
  await named('/gone/terminal -- {command}')
  await button.press('Enter')
  const toast = alfred.part('toast').last()
  await expect(toast).toContainText('The terminal was not opened')
  await keepScreen(alfred, 'agents-sign-in')
  await toast.getByRole('button', { name: 'Copy command' }).click()
  const copied = (): Promise<string> => alfred.inMain(({ clipboard }) => clipboard.readText())
  await expect.poll(copied).toBe('alfred agents login copilot')

  await named(`tmux -L ${name} -f /dev/null new-session -d -x 120 -y 30 -- {command}`)
  try {
    await button.press('Enter')
    const screen = (): string => tmux('capture-pane -p -J')
    await expect.poll(screen, { timeout: 60_000 }).toContain('Opens the login of copilot.')
    // The image of the demo has no such CLI.
    await expect.poll(screen, { timeout: 60_000 }).toContain('Press Enter to close this window.')
  } finally {
    tmux('kill-server')
  }
}

test('the folder of the sessions is opened in the file manager', async ({ demoHome, start }) => {
  const alfred = await start({ home: demoHome })
  await openAgents(alfred)
  await rowOf(alfred, 'demo').first().click()
  await alfred.inMain(({ shell }) => {
    shell.openPath = (path) => {
      process.env['OPENED_FOLDER'] = path
      return Promise.resolve('')
    }
  })
  await inspectorOf(alfred).getByTestId('open-sessions-folder').press('Enter')
  await expect
    .poll(() => alfred.inMain(() => process.env['OPENED_FOLDER'] ?? null))
    .toBe(join(demoHome, '.agent-sessions'))
})

test('an image on a base of the person is added with the keyboard, and a project works in it', async ({
  demoHome,
  start,
}) => {
  const base = `alfred-e2e-base:${Date.now()}`
  const made: string[] = [base]
  const alfred = await start({ home: demoHome })
  try {
    await openAgents(alfred)
    const tag = await ownTag(alfred)
    execFileSync('docker', ['build', '-q', '-t', base, '-'], {
      input: `FROM ${tag}\nLABEL made.by.a.test=1\n`,
    })
    const dialog = alfred.part('add-image-dialog')
    const input = alfred.part('add-image-base')
    const build = alfred.part('build-added-image')

    await test.step('it opens on its field, says what is wrong, and leaves with Escape', async () => {
      await alfred.part('add-image').press('Enter')
      await expect(input).toBeFocused()
      await expect(build).toHaveAttribute('aria-disabled', 'true')
      await keepScreen(alfred, 'agents-add-image')
      await input.fill('-rm all')
      await expect(dialog).toContainText('That is no name of an image')
      await keepScreen(alfred, 'agents-add-image-not-valid')
      await alfred.page.keyboard.press('Escape')
      await expect(dialog).toHaveCount(0)
      await expect(alfred.part('add-image')).toBeFocused()
    })

    await test.step('a base that cannot be had is refused in place, and nothing is changed', async () => {
      await alfred.part('add-image').press('Enter')
      await input.fill('localhost:1/nobody/has-this:1')
      await input.press('Enter')
      await expect(alfred.part('add-image-problem')).toContainText(
        'Step "pulling localhost:1/nobody/has-this:1" failed',
      )
      await keepScreen(alfred, 'agents-add-image-refused')
    })

    await test.step('one that is there is built, looked at, and used by the project that was chosen', async () => {
      await input.fill(base)
      await alfred.part('add-image-user').press('Enter')
      await alfred.page.getByRole('option', { name: 'demo/harbour-notes', exact: true }).click()
      await input.press('Enter')
      await expect(alfred.part('add-image-progress').getByRole('progressbar')).toBeVisible()
      await alfred.screenshot('agents-add-image-building')
      await alfred.part('cancel-add-image').press('Enter')
      await expect(alfred.part('add-image-problem')).toHaveText('The build was cancelled.', {
        timeout: 60_000,
      })
      await input.press('Enter')
      await expect(dialog).toHaveCount(0, { timeout: 200_000 })
      await expect(alfred.announcement).toHaveText(`The image on ${base} is there`)
      const use = alfred.part('image-use').filter({ hasText: base })
      await expect(use).toContainText(`on ${base} · used by 1 project · `)
      const rows = await alfred.ask<{ adapter: string; imageTag: string; version: string | null }[]>(
        'app.agents',
        {},
      )
      made.push(...new Set(rows.map(({ imageTag }) => imageTag).filter((other) => other !== tag)))
      expect(made).toHaveLength(2)
      expect(
        rows.filter(({ imageTag, adapter }) => imageTag === made[1] && adapter === 'demo'),
      ).toMatchObject([{ version: '1.0.0' }])
      await keepScreen(alfred, 'agents-image-added')
    })
  } finally {
    await alfred.close()
    removeContainers(demoHome)
    for (const tag of made.toReversed()) removeImages(tag)
  }
})

const ownTag = async (alfred: AlfredWindow): Promise<string> => {
  const rows = await alfred.ask<{ adapter: string; imageTag: string }[]>('app.agents', {})
  return rows.find(({ adapter }) => adapter === 'demo')?.imageTag ?? ''
}

const countSessions = (db: DatabaseSync): number =>
  Number(
    db.prepare('SELECT count(*) AS n FROM llm_sessions WHERE native_session_id IS NOT NULL').get()?.['n'],
  )
