import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from './fixtures'
import { TrackerPage } from './pages/tracker-page'
import { keepScreen } from './screens'

test('a project is worked on with the built-in tracker, without any agent', async ({ start }) => {
  const alfred = await start()
  const tracker = new TrackerPage(alfred)

  await test.step('a project is made', async () => {
    await alfred.part('start-polling').click()
    await tracker.createProject('Harbour Log')
    await expect(alfred.part('project-harbour-log')).toBeVisible()
  })

  await test.step('an issue is written, and Alfred leaves it alone', async () => {
    await tracker.createIssue({
      title: 'Ferries have no colour',
      body: 'They should be **blue**.\n\n- all of them',
      isForAlfred: false,
    })
    await expect(tracker.body.locator('strong')).toHaveText('blue')
    await expect(tracker.body.locator('li')).toHaveText('all of them')
    await expect(tracker.assignees).toHaveCount(0)
  })

  await test.step('title and text are edited', async () => {
    await tracker.edit({ title: 'Ferries need a colour', body: 'Blue, or green.' })
    await expect(tracker.title).toHaveText('Ferries need a colour')
    await expect(tracker.body).toContainText('Blue, or green.')
  })

  await test.step('it is commented, labelled and assigned', async () => {
    await tracker.comment('I would take `green`.')
    await expect(tracker.comments).toHaveCount(1)
    await expect(tracker.comments.locator('code')).toHaveText('green')
    await tracker.addLabel('ui')
    await expect(tracker.labels).toHaveText(['ui'])
    await tracker.assignMyself()
    await expect(tracker.assignees).toHaveCount(1)
    await keepScreen(alfred, 'tracker')
  })

  await test.step('a label and a person are taken off again, and the rest stays', async () => {
    await tracker.addLabel('harbour')
    await expect(tracker.labels).toHaveText(['harbour', 'ui'])
    await tracker.removeLabel('harbour')
    await expect(tracker.labels).toHaveText(['ui'])
    await tracker.unassign(await tracker.assignees.innerText())
    await expect(tracker.assignees).toHaveCount(0)
    await expect(tracker.labels).toHaveText(['ui'])
  })

  await test.step('a second one is found by words, by label and by number', async () => {
    await tracker.newComment.fill('Not yet sent')
    await tracker.createIssue({ title: 'Tide tables are off by an hour', body: '', isForAlfred: false })
    await tracker.showAllIssues()
    await tracker.search('tide')
    await expect(tracker.rows).toHaveCount(1)
    await expect(tracker.rows).toContainText('Tide tables')
    await tracker.search('label:ui')
    await expect(tracker.rows).toContainText('Ferries need a colour')
    await tracker.search('#2')
    await expect(tracker.rows).toContainText('Tide tables')
    await tracker.search('nowhere to be found')
    await expect(alfred.part('empty-search')).toBeVisible()
  })

  await test.step('what is written and not sent outlives a look at another issue', async () => {
    await tracker.search('is:open')
    await expect(tracker.newComment).toHaveValue('')
    await tracker.row(1).click()
    await expect(tracker.newComment).toHaveValue('Not yet sent')
    await alfred.part('edit-issue').click()
    await tracker.titleInput.fill('Half a title')
    await tracker.row(2).click()
    await expect(tracker.title).toHaveText('Tide tables are off by an hour')
    await tracker.row(1).click()
    await expect(tracker.titleInput).toHaveValue('Half a title')
    await tracker.panel.getByRole('button', { name: 'Cancel' }).click()
    await expect(tracker.title).toHaveText('Ferries need a colour')
  })

  await test.step('closed issues leave the list of open ones and can come back', async () => {
    await tracker.search('is:open')
    await tracker.row(1).click()
    await alfred.part('close-issue').click()
    await expect(tracker.panel).toHaveAttribute('data-state', 'closed')
    await tracker.search('is:closed')
    await expect(tracker.row(1)).toHaveAttribute('data-state', 'closed')
    await tracker.row(1).click()
    await alfred.part('reopen-issue').click()
    await expect(tracker.panel).toHaveAttribute('data-state', 'open')
  })
})

test('the change that an agent made is read and merged, and its issue is done', async ({
  demoHome,
  start,
}) => {
  const alfred = await start({ home: demoHome })
  const tracker = new TrackerPage(alfred)
  await alfred.page.locator('[data-test="mailbox-row"][data-mailbox="#1"]').click()
  await alfred.part('show-issue').click()
  await tracker.newComment.fill('Reads well')
  await alfred.part('issue-change').click()
  await expect(alfred.part('change-diff')).toContainText('export function')
  await expect(tracker.changeState).toHaveAttribute('data-value', 'open')
  await alfred.part('merge-change').click()
  await expect(alfred.part('merge-dialog')).toContainText('issue #1 is closed')
  await alfred.part('confirm-merge').click()
  await expect(tracker.changeState).toHaveAttribute('data-value', 'merged')
  await alfred.page.getByRole('button', { name: 'Back to the issue' }).click()
  await expect(tracker.panel).toHaveAttribute('data-state', 'closed')
  await expect(tracker.newComment).toHaveValue('Reads well')
  await alfred.part('send-comment').click()
  await expect(tracker.comments.last()).toContainText('Reads well')
  await expect(tracker.newComment).toHaveValue('')
  await expect(alfred.part('mailbox-status')).toHaveAttribute('data-value', 'done', { timeout: 20_000 })
  await alfred.page.keyboard.press('Control+7')
  await expect(alfred.page.locator('[data-test="mailbox-row"][data-mailbox="#1"]')).toBeVisible()
})

test('an issue is taken away from Alfred and given back', async ({ demoHome, start }) => {
  const alfred = await start({ home: demoHome })
  const tracker = new TrackerPage(alfred)
  await alfred.page.locator('[data-test="mailbox-row"][data-mailbox="#1"]').click()
  await alfred.part('show-issue').click()
  await expect(tracker.assignees).toHaveText(['Alfred'])
  await alfred.part('unassign-alfred').click()
  await expect(tracker.assignees).toHaveCount(0)
  await expect(alfred.part('unassign-alfred')).toBeHidden()
  await alfred.part('assign-alfred').click()
  await expect(tracker.assignees).toHaveText(['Alfred'])
  await tracker.unassign('Alfred')
  await expect(alfred.part('assign-alfred')).toBeVisible()
  await expect(tracker.assignees).toHaveCount(0)
})

test('a repository of this computer becomes a project with all its branches', async ({ start }) => {
  const folder = mkdtempSync(join(tmpdir(), 'alfred-import-'))
  const git = (...args: readonly string[]) =>
    execFileSync('git', ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.invalid', ...args], {
      cwd: folder,
      stdio: 'ignore',
    })
  try {
    git('init', '--initial-branch=trunk')
    writeFileSync(join(folder, 'README.md'), '# Light house\n')
    git('add', '.')
    git('commit', '-m', 'Begin')
    git('branch', 'storm')
    const alfred = await start()
    await alfred.part('start-polling').click()
    await new TrackerPage(alfred).createProject('Light house', folder)
    await expect(alfred.part('project-light-house')).toBeVisible()
    const projects = await alfred.ask<readonly { slug: string; defaultBranch: string; remotePath: string }[]>(
      'tracker.listProjects',
      {},
    )
    expect(projects).toEqual([expect.objectContaining({ slug: 'light-house', defaultBranch: 'trunk' })])
    const branches = execFileSync('git', ['ls-remote', '--heads', projects[0]?.remotePath ?? ''], {
      encoding: 'utf8',
    })
    expect(branches).toContain('refs/heads/storm')
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})
