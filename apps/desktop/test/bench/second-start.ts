import { chromium, type Browser } from '@playwright/test'
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { alfred, helloWorld, seedHome } from './driven-app'
import { againstRival, alone, median, type BenchRow } from './figures'

const rounds = 5
const name = 'second start, from npm start to a usable window'

/**
 * What `npm start` takes once all is set up: it looks at each step and skips it. The rival is `npm start` of a
 * hello-world app on the same runtime, which has nothing to look at. Both were started before, and take turns.
 */
export async function benchSecondStart(app: string): Promise<readonly BenchRow[]> {
  const folder = mkdtempSync(join(tmpdir(), 'alfred-bench-'))
  try {
    const home = join(folder, 'home')
    seedHome(home, { mailboxes: 20, runs: 200, attempts: 1, events: 2_000 })
    const rival = { folder: helloPackage(app, folder), home, ready: helloWorld(app).ready }
    const ours = { folder: join(app, '..', '..'), home, ready: alfred(app).ready }
    const taken = { ours: [] as number[], rival: [] as number[] }
    for (let round = 0; round <= rounds; round += 1) {
      const times = { rival: await timeToReady(rival), ours: await timeToReady(ours) }
      // the first round warms the disk cache
      if (round === 0) continue
      taken.rival.push(times.rival)
      taken.ours.push(times.ours)
    }
    return [
      againstRival(name, median(taken.ours), median(taken.rival), 'ms', 1.75),
      alone(`${name}: time`, median(taken.ours), 'ms', 5_000),
    ]
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** A package whose `npm start` opens the hello-world app; what is behind `--` goes to it, as with ours. */
function helloPackage(app: string, folder: string): string {
  const hello = join(folder, 'hello')
  mkdirSync(hello)
  const electron = String(createRequire(join(app, 'package.json'))('electron'))
  const switches = process.getuid?.() === 0 ? ' --no-sandbox' : ''
  const start = `"${electron}"${switches} "${helloWorld(app).target}"`
  writeFileSync(join(hello, 'package.json'), JSON.stringify({ private: true, scripts: { start } }))
  return hello
}

interface Start {
  /** Of the package that is started. */
  readonly folder: string
  readonly home: string
  readonly ready: string
}

async function timeToReady({ folder, home, ready }: Start): Promise<number> {
  const port = await freePort()
  const words = [`--remote-debugging-port=${port}`, `--user-data-dir=${join(home, '..', 'profile')}`]
  const begin = performance.now()
  const started = spawn('npm', ['start', '--', ...words], {
    cwd: folder,
    env: { ...process.env, ALFRED_HOME: home },
    stdio: ['ignore', 'ignore', 'pipe'],
    detached: true,
  })
  let told = ''
  started.stderr.setEncoding('utf8').on('data', (text: string) => (told += text))
  try {
    const browser = await untilDriven(started, port, () => told)
    const page = browser.contexts()[0]?.pages()[0] ?? (await browser.contexts()[0]?.waitForEvent('page'))
    await page?.locator(ready).first().waitFor({ state: 'visible', timeout: 60_000 })
    return performance.now() - begin
  } finally {
    await end(started)
  }
}

async function untilDriven(started: ChildProcess, port: number, told: () => string): Promise<Browser> {
  for (;;) {
    const answer = await fetch(`http://127.0.0.1:${port}/json/list`).catch(() => null)
    const pages = answer === null ? [] : ((await answer.json()) as readonly { readonly type: string }[])
    if (pages.some(({ type }) => type === 'page')) return chromium.connectOverCDP(`http://127.0.0.1:${port}`)
    if (started.exitCode !== null) throw new Error(`npm start ended ${started.exitCode}: ${told()}`)
    await pause(10)
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

/** The whole group: npm, its shell and what they started. */
async function end(started: ChildProcess): Promise<void> {
  const group = -(started.pid ?? 0)
  const closed = started.exitCode === null ? once(started, 'close') : Promise.resolve()
  for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
    try {
      process.kill(group, signal)
    } catch {
      return
    }
    await Promise.race([closed, pause(10_000)])
  }
}
