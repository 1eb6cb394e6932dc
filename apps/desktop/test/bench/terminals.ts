import { execFile, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import type { Page } from '@playwright/test'
import type { RunId } from '@shared/model/ids'
import { say } from '../fakes/model-server/answers'
import { createClaudeBench, type ClaudeBench } from '../integration/support/claude-bench'
import { removeFolder, value } from '../integration/support/engine-bench'
import { copyFolder, createTwin } from './container-twin'
import { startApp } from './driven-app'
import { againstRival, alone, median, quantile, type BenchRow } from './figures'
import { inspectRunContainer, untilContainersGone } from './run-containers'

const keys = 300
/** So that keys do not come in step with the frames. */
const betweenKeysMs = 37
const patience = { timeout: 600_000 }

/**
 * From the key, as the page is told of it, to the frame in which the terminal shows what its program echoed: through
 * the engine into a real container and back.
 */
export async function benchKeyEcho(app: string): Promise<readonly BenchRow[]> {
  const folder = mkdtempSync(join(tmpdir(), 'alfred-bench-'))
  try {
    const home = join(folder, 'home')
    mkdirSync(home, { mode: 0o700 })
    const env = { ALFRED_DEMO_PACE: '0' }
    const { page, close } = await startApp({ target: app, home, ready: '[data-test=try-demo]', env })
    try {
      await openTerminal(page)
      const taken: number[] = []
      for (let key = 0; key < keys + keys / 10; key += 1) {
        const echoed = await keyToEcho(page)
        // the first tenth is warm-up
        if (key >= keys / 10) taken.push(echoed)
        await pause(betweenKeysMs)
      }
      return [alone('key to echo in the in-app terminal, p99', quantile(taken, 0.99), 'ms', 30)]
    } finally {
      await endTerminal(page).catch(() => undefined)
      await close()
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function openTerminal(page: Page): Promise<void> {
  await page.locator('[data-test=doctor-line][data-check=docker][data-state=passed]').waitFor(patience)
  await page.locator('[data-test=try-demo]').click()
  await page.locator('[data-test=mailbox-row][data-mailbox="#1"]').click(patience)
  const analysis = page.locator('[data-test=session-row]').first()
  await analysis.locator('[data-test=run-outcome][data-value=succeeded]').waitFor(patience)
  await analysis.click()
  await page.keyboard.press('Shift+T')
  await page.locator('[data-test=terminal-state][data-value=attached]').waitFor(patience)
  await page.locator('[data-test=terminal] .xterm-rows').filter({ hasText: 'you>' }).waitFor(patience)
}

/** Its container would outlive the app. */
async function endTerminal(page: Page): Promise<void> {
  await page.evaluate(() => window.alfred.invoke('runs.stopAll', {}))
  await page.locator('[data-test=terminal-ended]').waitFor({ timeout: 30_000 })
}

interface Measured {
  echoed?: Promise<number>
}

/** Milliseconds; what was typed is taken away again, and seen to be gone. */
async function keyToEcho(page: Page): Promise<number> {
  const before = await page.evaluate(() => {
    const rows = document.querySelector('[data-test=terminal] .xterm-rows')
    if (rows === null) throw new Error('no terminal is shown')
    const signs = (): number => rows.textContent.split('x').length
    const signsBefore = signs()
    let pressed: number | null = null
    document.addEventListener('keydown', ({ timeStamp }) => (pressed = timeStamp), {
      capture: true,
      once: true,
    })
    ;(globalThis as Measured).echoed = new Promise((resolve) => {
      const drawn = new MutationObserver(() => {
        if (pressed === null || signs() <= signsBefore) return
        drawn.disconnect()
        resolve(performance.now() - pressed)
      })
      drawn.observe(rows, { childList: true, subtree: true, characterData: true })
    })
    return signsBefore
  })
  await page.keyboard.press('x')
  const taken = await page.evaluate(() => (globalThis as Measured).echoed)
  if (taken === undefined) throw new Error('nothing was measured')
  await page.keyboard.press('Backspace')
  await page.waitForFunction(
    (signs) =>
      document.querySelector('[data-test=terminal] .xterm-rows')?.textContent.split('x').length === signs,
    before,
  )
  return taken
}

const rounds = 3
const lastWords = 'I looked at every lamp.'
/** One word of it, since a screen may have more than spaces between two. */
const lastWord = 'lamp.'
const size = { columns: 120, rows: 40 } as const
const run = promisify(execFile)

/**
 * From the wish to the first screen that shows the conversation so far, with the real Claude Code. The rival is the
 * same CLI on a copy of the same memory in the same sandbox, started by `docker run -it` in a terminal of its own.
 */
export async function benchAttach(): Promise<readonly BenchRow[]> {
  const bench = await createClaudeBench({ script: () => say(lastWords) })
  const ours: number[] = []
  const rival: number[] = []
  try {
    const mailboxId = await bench.newIssue('The harbour lights go out at noon.')
    const { row } = await bench.latest(mailboxId)
    await untilContainersGone(bench, row.runId)
    for (let round = 0; round <= rounds; round += 1) {
      const taken = await oneRound(bench, row.runId, round)
      // the first one warms the disk cache
      if (round === 0) continue
      ours.push(taken.ours)
      rival.push(taken.rival)
    }
  } finally {
    await bench.remove()
  }
  const name = 'attach to the first screen, real claude'
  return [
    againstRival(name, median(ours), median(rival), 'ms', 1.1),
    alone(`${name}: time added`, median(ours) - median(rival), 'ms', 300),
  ]
}

async function oneRound(
  bench: ClaudeBench,
  runId: RunId,
  round: number,
): Promise<{ readonly ours: number; readonly rival: number }> {
  const before = join(bench.folder, 'bench', `before-${round}`)
  await mkdir(before, { recursive: true })
  await copyFolder(bench.stateFolder(1, 'claude-code'), join(before, 'state'))
  const repository = join(bench.folder, 'repositories', `test-${bench.projectId}-issue-1.git`)
  await copyFolder(repository, join(before, 'repo.git'))
  await pause(1_000)
  const begin = performance.now()
  const request = { runId, resumeChoice: 'auto', takeOver: false } as const
  const terminal = value(await bench.client.call('terminals', 'open', request)).runId
  await firstScreen(bench, terminal)
  const ours = performance.now() - begin
  const original = await inspectRunContainer(bench, terminal)
  await bench.client.call('runs', 'stop', { runId: terminal })
  await bench.ended(terminal)
  await untilContainersGone(bench, terminal)
  await pause(1_000)
  const folder = join(bench.folder, 'bench', `rival-${round}`)
  const parts = { folder, repository: join(before, 'repo.git'), state: join(before, 'state') }
  const twin = await createTwin(original, parts)
  try {
    // the original's first two words are the entry
    const words = twin.words(['/bin/sh', '-c', bare, 'sh', ...twin.argv.slice(2)])
    return { ours, rival: await firstScreenOf(['docker', 'run', '-it', ...words]) }
  } finally {
    await run('docker', ['rm', '-f', twin.name])
    await removeFolder(folder)
  }
}

async function firstScreen({ client }: ClaudeBench, runId: RunId): Promise<void> {
  const key = { runId, who: 'the benchmark', takeOver: false, watches: false, ...size }
  let shown = ''
  let isOver = false
  const leave = await client.follow('terminals', 'attach', key, (event) => {
    if (event.type === 'shown') shown += Buffer.from(event.bytes, 'base64').toString('latin1')
    isOver ||= event.type === 'ended' || event.type === 'held'
  })
  while (!shown.includes(lastWord)) {
    if (isOver) throw new Error('the terminal ended before it showed anything')
    await pause(2)
  }
  leave()
}

/** The files that the CLI is configured by, and the CLI. */
const bare = String.raw`
for word in $ALFRED_HOME_FILES; do
  target=$HOME/$(echo "$word" | cut -d= -f2)
  mkdir -p "$(dirname "$target")"
  cp "/alfred/in/$(echo "$word" | cut -d= -f1)" "$target"
done
exec "$@"`

/** In a terminal that `script` makes. */
function firstScreenOf(words: readonly string[]): Promise<number> {
  const quoted = words.map((word) => `'${word.replaceAll("'", String.raw`'\''`)}'`).join(' ')
  const inTerminal = `stty cols ${size.columns} rows ${size.rows}; exec ${quoted}`
  const begin = performance.now()
  const child = spawn('script', ['-qfec', inTerminal, '/dev/null'], { stdio: ['pipe', 'pipe', 'inherit'] })
  let shown = ''
  return new Promise((resolve, reject) => {
    child.stdout.on('data', (bytes: Buffer) => {
      shown += bytes.toString('latin1')
      if (shown.includes(lastWord)) resolve(performance.now() - begin)
    })
    child.once('error', reject)
    child.once('exit', (code) => reject(new Error(`the rival ended with ${code} before it showed anything`)))
  })
}
