import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, statfsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { MailboxRow } from '@shared/contract/mailboxes'
import type { SettingRow } from '@shared/contract/settings'
import type { TrackerChangeRow, TrackerProject } from '@shared/contract/tracker'
import { cliPackages } from '@main/core/agents/image-clis'
import { expect, test as base, type TestFixtures, type WorkerFixtures } from './fixtures'
import type { AlfredWindow } from './pages/alfred-window'
import { giveIssueToAlfred } from './pages/engine'
import { HomePage } from './pages/home-page'
import { keepScreen } from './screens'
import { seedInstallation, withDatabase } from './seed/seeded-rows'

/*
 * What a banner offers, clicked: another agent for one whose account is used up, and room on a full disk.
 */

interface DiskFixtures {
  /** The played demo on a file system of its own, whose size a test sets; only root can mount one. */
  readonly smallHome: string
}

const test = base.extend<TestFixtures & DiskFixtures, WorkerFixtures>({
  smallHome: async ({ playedDemo, home }, use) => {
    mkdirSync(home, { recursive: true })
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=4g,mode=700', 'alfred-test', home])
    try {
      execFileSync('cp', ['-a', `${playedDemo.home}/.`, home])
      await use(home)
    } finally {
      execFileSync('umount', ['--lazy', home])
    }
  },
})

const demoProject = async (alfred: AlfredWindow): Promise<number> => {
  const projects = await alfred.ask<readonly TrackerProject[]>('tracker.listProjects', {})
  return projects.find(({ isDemo }) => isDemo)?.id ?? 0
}

test.describe('an account that is used up', () => {
  /** Which agents the demo project's settings name for its phases. */
  const named = async (alfred: AlfredWindow): Promise<readonly unknown[]> => {
    const scopeId = await demoProject(alfred)
    const rows = await alfred.ask<readonly SettingRow[]>('settings.list', { scope: 'project', scopeId })
    const agents = rows.filter(({ key }) => key.startsWith('AGENT_ADAPTER_')).map(({ value }) => value)
    return [...new Set(agents)]
  }

  test('another agent works for now, on one click, and not any more on another', async ({
    demoHome,
    start,
  }) => {
    withDatabase(demoHome, (db, digest) =>
      seedInstallation(db, { adapter: 'codex', version: cliPackages.codex.version, digest }),
    )
    const login = join(demoHome, '.agent-credentials', 'codex')
    mkdirSync(login, { recursive: true })
    writeFileSync(join(login, 'auth.json'), JSON.stringify({ OPENAI_API_KEY: 'made-up' }), { mode: 0o600 })
    const alfred = await start({ home: demoHome })
    const home = new HomePage(alfred)
    const waiting = await giveIssueToAlfred(
      alfred,
      'Something for which there is no money',
      'DEMO_FAULT=account_limit',
    )
    const banner = alfred.part('error-account-limit')
    await expect(banner).toContainText(/^The demo account is out of usage until .*New demo runs wait/, {
      timeout: 60_000,
    })
    await expect(alfred.part('use-stand-in')).toHaveText('Use codex for now')
    await keepScreen(alfred, 'banner-account-limit')
    expect(await named(alfred)).toEqual(['demo'])

    await alfred.part('use-stand-in').click()
    const toast = alfred.part('toast').filter({ hasText: 'New runs use codex' })
    await expect(toast).toContainText(
      'Runs that wait already go on waiting for demo, which has their memory.',
    )
    expect(await named(alfred)).toEqual(['codex'])
    await toast.hover()
    await keepScreen(alfred, 'banner-account-limit-switched')
    await toast.getByRole('button', { name: 'Undo' }).click()
    await expect.poll(() => named(alfred)).toEqual(['demo'])
    await expect(alfred.part('use-stand-in')).toBeVisible()

    await alfred.ask('app.setPaused', { isPaused: true })
    await alfred.part('use-stand-in').click()
    await expect.poll(() => named(alfred)).toEqual(['codex'])
    const next = await giveIssueToAlfred(alfred, 'Something that another agent does')
    await alfred.part('show-queue').click()
    await expect(home.mailbox(`#${waiting.iid}`)).toBeVisible()
    await home.openMailbox(`#${next.iid}`)
    await expect(home.sessionAt(0).row.getByTestId('session-agent')).toContainText('codex')
    await home.openRun(await home.sessionAt(0).runId())
    await expect(alfred.part('run-attempt')).toContainText('New runs are paused.')
    await alfred.part('back-to-mailbox').click()
    await home.openMailbox(`#${waiting.iid}`)
    await expect(home.sessionAt(0).row.getByTestId('session-agent')).toContainText('demo')
  })
})

test.describe('a full disk', () => {
  test.skip(process.getuid?.() !== 0, 'only root can mount the small file system that is filled here')
  const reserve = 2_000_000_000
  const held = 60_000_000

  /** Lets so much be free on the file system that lies there. */
  function leave(home: string, free: number): void {
    const { blocks, bavail, bsize } = statfsSync(home)
    const size = (blocks - bavail) * bsize + free
    execFileSync('mount', ['-o', `remount,size=${size}`, home])
  }

  async function closeIssue(alfred: AlfredWindow, iid: number): Promise<void> {
    const projectId = await demoProject(alfred)
    for (const change of await alfred.ask<readonly TrackerChangeRow[]>('tracker.listChanges', {
      projectId,
      state: 'open',
    }))
      if (change.closesIid === iid) await alfred.ask('tracker.closeChange', { projectId, iid: change.iid })
    await alfred.ask('tracker.close', { projectId, iid })
    await expect
      .poll(async () => {
        const page = await alfred.ask<{ rows: readonly MailboxRow[] }>('mailboxes.list', {
          filter: 'all-open',
          projectId: null,
          text: null,
          limit: 50,
          before: null,
        })
        return page.rows.some((row) => row.iid === iid)
      })
      .toBe(false)
  }

  test('says what finished issues hold, and runs go on once a person has freed it', async ({
    smallHome,
    start,
  }) => {
    const [finished = '', open = ''] = ['issue-1', 'issue-2'].map((end) =>
      join(
        smallHome,
        'workspaces',
        readdirSync(join(smallHome, 'workspaces')).find((name) => name.endsWith(end)) ?? '',
      ),
    )
    for (const workspace of [finished, open]) writeFileSync(join(workspace, 'packages'), Buffer.alloc(held))
    const alfred = await start({ home: smallHome })
    const home = new HomePage(alfred)
    await closeIssue(alfred, 1)
    leave(smallHome, reserve - held / 2)
    const banner = alfred.part('error-disk-full')
    await expect(banner).toContainText(
      /No new run starts\. Live runs keep their last saved events\. 1 workspace of a finished issue holds 60 MB\./,
      { timeout: 60_000 },
    )
    const { iid } = await giveIssueToAlfred(alfred, 'Something that needs room')
    await home.openMailbox(`#${iid}`)
    await expect(home.nowStrip).toContainText('disk')
    await keepScreen(alfred, 'banner-disk-full')

    await alfred.part('review-space').click()
    const row = alfred.part('finished-workspace')
    await expect(row).toHaveCount(1)
    await expect(row).toContainText('#1')
    await expect(row.getByRole('checkbox')).toBeChecked()
    await row.getByRole('checkbox').click()
    await expect(alfred.part('free-space')).toHaveAttribute('aria-disabled', 'true')
    await row.getByRole('checkbox').click()
    await keepScreen(alfred, 'free-space')
    await alfred.part('free-space').click()
    await expect(alfred.part('confirm-free-dialog')).toContainText('Remove 1 workspace?')
    await keepScreen(alfred, 'free-space-asks')
    expect(existsSync(finished)).toBe(true)
    await alfred.part('confirm-free').click()
    await expect(alfred.part('toast').filter({ hasText: '60 MB freed' })).toBeVisible()
    await expect(banner).toHaveCount(0)
    expect([existsSync(finished), existsSync(open)]).toEqual([false, true])
    await expect(home.sessionAt(0).outcome).toHaveAttribute('data-value', 'succeeded', { timeout: 60_000 })
  })
})
