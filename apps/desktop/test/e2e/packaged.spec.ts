import { expect, test } from '@playwright/test'
import { execFile } from 'node:child_process'
import { existsSync, readFileSync, rmSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { newFolder } from './homes'
import { launch } from './launch'
import { seedHome } from './seed/build-seed'

const root = resolve(import.meta.dirname, '../../../..')
const unpacked = join(root, 'apps/desktop/release/test', folderName())
/** Of the line in the log. */
const checkpointsAlone = 'a thread for checkpoints'
const executable = join(unpacked, executableName())

test.describe.configure({ mode: 'serial', timeout: 300_000 })

test('npm run package -- --test makes an app that is marked as unreleased', async () => {
  const { code, output } = await makePackage(['--test'])
  expect(code, output).toBe(0)
  expect(readFileSync(join(unpacked, 'UNRELEASED.txt'), 'utf8')).toContain('Unreleased test package')
})

test('the packaged app opens its window, and its engine answers there', async () => {
  const alfred = await launch({ packagedExecutable: executable })
  try {
    await expect(alfred.window).toHaveTitle(/Alfred/)
    expect(await alfred.app.evaluate(({ app }) => app.isPackaged)).toBe(true)
    // the first start is told by the engine: its database was made, with the binding that lies in the package
    await expect(alfred.window.getByTestId('first-start')).toBeVisible()
    await expect(alfred.window.locator('[data-test="doctor-line"][data-check="git"]')).toHaveAttribute(
      'data-state',
      'passed',
    )
    await alfred.window.screenshot({ path: test.info().outputPath('packaged.png') })
  } finally {
    await alfred.close()
  }
})

test('the packaged app lays a burst out, and a thread of its own takes it from the log to the database', async () => {
  const folder = newFolder()
  const { home } = await seedHome(join(folder, 'home'), {
    mailboxes: 1,
    runs: 1,
    attempts: 1,
    events: 0,
    burst: 40_000,
  })
  const megabytes = (name: string): number =>
    (statSync(join(home, name), { throwIfNoEntry: false })?.size ?? 0) / 1e6
  const alfred = await launch({ packagedExecutable: executable, home })
  try {
    await expect.poll(() => megabytes('alfred.db'), { timeout: 240_000 }).toBeGreaterThan(35)
    // without the thread SQLite would have done it, which is told
    const log = join(home, 'logs', 'alfred.log')
    expect(existsSync(log) ? readFileSync(log, 'utf8') : '').not.toContain(checkpointsAlone)
  } finally {
    await alfred.close()
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
  }
})

test('a package for release refuses the fallback runtime in plain words', async () => {
  const { code, output } = await makePackage([], { ALFRED_ELECTRON: 'fallback' })
  expect(code).toBe(1)
  expect(output).toContain('a package for release is made on the official Electron only')
  expect(output).toContain('npm run package -- --test')
})

function makePackage(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<{ code: number; output: string }> {
  return new Promise((done) => {
    const command = [join(root, 'scripts/package.mjs'), ...args]
    execFile(process.execPath, command, { env: { ...process.env, ...env } }, (error, stdout, stderr) => {
      done({ code: error === null ? 0 : Number(error.code ?? 1), output: `${stdout}${stderr}` })
    })
  })
}

function folderName(): string {
  if (process.platform === 'darwin') return process.arch === 'arm64' ? 'mac-arm64' : 'mac'
  return process.platform === 'win32' ? 'win-unpacked' : 'linux-unpacked'
}

function executableName(): string {
  if (process.platform === 'darwin') return 'Alfred.app/Contents/MacOS/Alfred'
  return process.platform === 'win32' ? 'alfred-desktop.exe' : 'alfred-desktop'
}
