import { openEngineDatabase } from '../integration/support/engine-database'
import { expect, test } from './fixtures'
import { HomePage } from './pages/home-page'
import { SettingsPage } from './pages/settings-page'
import { keepScreen } from './screens'

test('a setting is written for app, organization and project, a wrong value is told beside it, and a reset gives it back', async ({
  demoHome,
  start,
}) => {
  const alfred = await start({ home: demoHome })
  const settings = new SettingsPage(alfred)
  await expect(new HomePage(alfred).mailboxes).toHaveCount(2)
  await settings.open()
  const limit = 'RUN_TIMEOUT'
  await expect(settings.origin(limit)).toHaveAttribute('data-value', 'default')

  await test.step('what cannot be read is refused in words, and stored nowhere', async () => {
    await settings.write(limit, 'soon')
    await expect(settings.error(limit)).toHaveText('Not a duration. Write 30m or 1h 30m.')
    await expect(settings.value(limit)).toHaveAttribute('aria-invalid', 'true')
    await keepScreen(alfred, 'settings-wrong-value')
    await expect(settings.origin(limit)).toHaveAttribute('data-value', 'default')
  })

  await test.step('for the app', async () => {
    await settings.write(limit, '30m')
    await expect(settings.error(limit)).toHaveCount(0)
    await expect(settings.origin(limit)).toHaveAttribute('data-value', 'app')
    await expect(settings.value(limit)).toHaveAttribute('data-value', '30m')
  })

  await test.step('for the organization, which goes before', async () => {
    await settings.editFor('organization')
    await settings.write(limit, '50m')
    await expect(settings.origin(limit)).toHaveAttribute('data-value', 'organization')
    await expect(settings.origin(limit)).toHaveAccessibleName('App 30m, demo 50m, in force')
    await keepScreen(alfred, 'settings-organization')
    expect(await inForce(alfred, limit)).toBe(50 * 60_000)
  })

  await test.step('for the project, which goes before both', async () => {
    await settings.editFor('project')
    await settings.write(limit, '1h 10m')
    await expect(settings.origin(limit)).toHaveAttribute('data-value', 'project')
    await expect(settings.origin(limit)).toHaveAccessibleName(
      /^App 30m, demo 50m, .*harbour-notes 1h 10m, in force$/,
    )
    expect(await inForce(alfred, limit)).toBe(70 * 60_000)
  })

  await test.step('and back to what the organization says, and then to what the app says', async () => {
    await settings.row(limit).getByTestId('reset-setting').click()
    await expect(settings.origin(limit)).toHaveAttribute('data-value', 'organization')
    expect(await inForce(alfred, limit)).toBe(50 * 60_000)
    await settings.editFor('organization')
    await settings.row(limit).getByTestId('reset-setting').click()
    await expect(settings.origin(limit)).toHaveAttribute('data-value', 'app')
    expect(await inForce(alfred, limit)).toBe(30 * 60_000)
  })
})

test('runs execute on this computer for a project only, after a person has agreed to it', async ({
  demoHome,
  start,
}) => {
  const alfred = await start({ home: demoHome })
  const settings = new SettingsPage(alfred)
  await expect(new HomePage(alfred).mailboxes).toHaveCount(2)
  await settings.open()
  const runner = 'AGENT_RUNNER'

  await test.step('for the whole app it is not offered, and refused whoever agrees', async () => {
    await settings.value(runner).click()
    await expect(alfred.page.getByRole('option')).toHaveText([/container/])
    await alfred.page.getByRole('option', { name: 'container' }).click()
    await expect(alfred.page.getByRole('option')).toHaveCount(0)
    await expect(settings.row(runner)).toContainText('can be chosen for a project only')
    const host = { scope: 'app', scopeId: 0, key: runner, value: 'host', consent: true }
    expect(await alfred.invoke('settings.set', host)).toMatchObject({
      ok: false,
      error: { type: 'wrong_scope' },
    })
  })

  await test.step('for a project it is asked about, and a refusal writes nothing', async () => {
    await settings.editFor('project')
    await expect(settings.row(runner)).not.toContainText('can be chosen for a project only')
    await settings.choose(runner, 'host')
    await expect(settings.consent).toContainText('as your user, without a sandbox')
    await keepScreen(alfred, 'settings-host-consent')
    await settings.consent.getByRole('button', { name: 'Cancel' }).click()
    await expect(settings.consent).toBeHidden()
    await expect(settings.value(runner)).toHaveAttribute('data-value', 'container')
    expect(await inForce(alfred, runner)).toBe('container')
  })

  await test.step('with consent it holds', async () => {
    await settings.choose(runner, 'host')
    await settings.consent.getByTestId('confirm-consent').click()
    await expect(settings.value(runner)).toHaveAttribute('data-value', 'host')
    await expect(settings.origin(runner)).toHaveAttribute('data-value', 'project')
    await expect(settings.error(runner)).toHaveCount(0)
    expect(await inForce(alfred, runner)).toBe('host')
  })

  await test.step('and is taken back without a question', async () => {
    await settings.choose(runner, 'container')
    await expect(settings.value(runner)).toHaveAttribute('data-value', 'container')
    await expect(settings.consent).toBeHidden()
    expect(await inForce(alfred, runner)).toBe('container')
  })
})

test('login files are mounted after a person has agreed to it, also those that an older version stored', async ({
  demoHome,
  start,
}) => {
  const mounts = 'AGENT_CREDENTIAL_MOUNTS'
  const login = 'claude-code=/home/me/.claude/.credentials.json:/home/agent/.claude/.credentials.json'
  const old = 'codex=/home/me/.codex/auth.json:/home/agent/.codex/auth.json'
  const db = openEngineDatabase(demoHome)
  db.prepare("INSERT INTO settings (scope, scope_id, key, value, updated_at) VALUES ('app', 0, ?, ?, 1)").run(
    mounts,
    JSON.stringify([old]),
  )
  db.close()
  const alfred = await start({ home: demoHome })
  const settings = new SettingsPage(alfred)
  await expect(new HomePage(alfred).mailboxes).toHaveCount(2)
  await settings.open()

  await test.step('what was stored unasked does not count, and says so', async () => {
    await expect(settings.row(mounts)).toContainText(`Stored, but nobody has agreed to ["${old}"] yet`)
    await expect(settings.origin(mounts)).toHaveAttribute('data-value', 'default')
    await settings.row(mounts).getByTestId('agree-setting').click()
    await expect(settings.consent).toContainText('codex: /home/me/.codex/auth.json →')
    await settings.consent.getByRole('button', { name: 'Cancel' }).click()
    await expect(settings.consent).toBeHidden()
    await settings.row(mounts).scrollIntoViewIfNeeded()
    await keepScreen(alfred, 'settings-unagreed-mounts')
    expect(await inForce(alfred, mounts)).toEqual([])
  })

  await test.step('another list is asked about, and a refusal writes nothing', async () => {
    await settings.writeList(mounts, [old, login])
    await expect(settings.consent).toContainText('Mount login files into the runs of all projects?')
    await expect(settings.consent).toContainText('a refresh inside a run can sign you out on this computer')
    await expect(settings.consent.getByRole('listitem')).toHaveText([
      'codex: /home/me/.codex/auth.json → /home/agent/.codex/auth.json, read-only',
      'claude-code: /home/me/.claude/.credentials.json → /home/agent/.claude/.credentials.json, read-only',
    ])
    await expect(settings.consent.getByRole('button', { name: 'Cancel' })).toBeFocused()
    await keepScreen(alfred, 'settings-mount-consent')
    await settings.consent.getByRole('button', { name: 'Cancel' }).click()
    await expect(settings.consent).toBeHidden()
    await expect(settings.list.getByRole('textbox')).toHaveValue(`${old}\n${login}`)
    await expect(settings.list.getByRole('textbox')).toBeFocused()
    await expect(settings.row(mounts).getByTestId('setting-unagreed')).toBeVisible()
    await expect(settings.error(mounts)).toHaveCount(0)
    expect(await inForce(alfred, mounts)).toEqual([])
  })

  await test.step('with consent it holds, of what was typed before', async () => {
    await settings.list.getByTestId('save-setting-list').click()
    await settings.consent.getByTestId('confirm-consent').click()
    await expect(settings.list).toBeHidden()
    await expect(settings.value(mounts)).toHaveAttribute('data-value', JSON.stringify([old, login]))
    await expect(settings.origin(mounts)).toHaveAttribute('data-value', 'app')
    await expect(settings.row(mounts).getByTestId('setting-unagreed')).toHaveCount(0)
    expect(await inForce(alfred, mounts)).toEqual([old, login])
  })

  await test.step('and one is taken away without a question', async () => {
    await settings.writeList(mounts, [login])
    await expect(settings.value(mounts)).toHaveAttribute('data-value', JSON.stringify([login]))
    await expect(settings.consent).toBeHidden()
  })
})

/** What the engine goes by for the demo project. */
async function inForce(alfred: SettingsPage['alfred'], key: string): Promise<unknown> {
  const [project] = await alfred.ask<readonly { id: number }[]>('mailboxes.projects', {})
  const rows = await alfred.ask<readonly { key: string; value: unknown }[]>('settings.list', {
    scope: 'project',
    scopeId: project?.id,
  })
  return rows.find((row) => row.key === key)?.value
}
