import { spawn, execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import type { Page } from '@playwright/test'
import type { ChatThreadId, MailboxId, RunId } from '@shared/model/ids'
import type { Store } from '@main/ports/stores'
import { say } from '../fakes/model-server/answers'
import { seedRun, seedSession } from '../fakes/seed-mailbox'
import { createClaudeBench, type ClaudeBench } from '../integration/support/claude-bench'
import { removeFolder, value } from '../integration/support/engine-bench'
import { copyFolder, createTwin } from './container-twin'
import { alfred, seedHome, startApp } from './driven-app'
import { againstRival, alone, median, type BenchRow } from './figures'
import { inspectRunContainer, untilContainersGone } from './run-containers'

const rounds = 5
const said = 2_000
/** One in ten of these is open, and the window shows it first. */
const mailboxes = 10

/** A chat with very many messages in the real window: how soon its end shows. */
export async function benchLongChat(app: string): Promise<readonly BenchRow[]> {
  const folder = mkdtempSync(join(tmpdir(), 'alfred-bench-'))
  try {
    const home = join(folder, 'home')
    const lastTurn = seedChat(home)
    const { page, close } = await startApp({ ...alfred(app), home })
    try {
      await page.locator(`[data-test=session-row][data-run="${lastTurn}"]`).click()
      const taken: number[] = []
      for (let round = 0; round < rounds; round += 1) {
        taken.push(await openChat(page))
        await page.keyboard.press('Alt+ArrowLeft')
        await page.locator(`[data-test=session-row][data-run="${lastTurn}"]`).waitFor()
      }
      return [alone(`opening a chat of ${said.toLocaleString('en-GB')} messages`, median(taken), 'ms', 300)]
    } finally {
      await close()
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Answers the run of the last turn. */
function seedChat(home: string): RunId {
  let last: RunId | null = null
  seedHome(home, { mailboxes, runs: mailboxes * 3, attempts: 1, events: 0 }, (store, { mailboxIds }) => {
    const mailboxId = mailboxIds[mailboxes - 1]
    const run = mailboxId === undefined ? undefined : store.runs.listByMailbox(mailboxId, 1, null)[0]
    const anchor = run && store.sessions.listByRun(run.id).at(-1)
    if (mailboxId === undefined || anchor === undefined) throw new Error('no run was seeded')
    const begun = { mailboxId, adapter: anchor.adapter, title: 'Run 1', anchorSessionId: anchor.id } as const
    const thread = store.chats.addThread({ ...begun, isFresh: false }, anchor.createdAt)
    store.transaction(() => {
      for (let turn = 1; turn <= said / 2; turn += 1)
        last = seedTurn(store, { mailboxId, threadId: thread.id, turn, at: anchor.createdAt + turn })
    })
  })
  if (last === null) throw new Error('no chat was seeded')
  return last
}

interface Turn {
  readonly mailboxId: MailboxId
  readonly threadId: ChatThreadId
  readonly turn: number
  readonly at: number
}

function seedTurn(store: Store, { mailboxId, threadId, turn, at }: Turn): RunId {
  const { adapter } = store.chats.findThread(threadId) ?? {}
  if (adapter === undefined) throw new Error('no chat')
  const run = seedRun(store, mailboxId, { phase: 'chat', chatThread: threadId, adapter }, at)
  const id = 'd02b91aa-0000-4000-8000-000000000000'
  seedSession(store, run, { nativeSessionId: id, costUsd: 0.01, contextUsed: 50_000, contextMax: 200_000 })
  store.runs.update(run.id, { state: 'ended', outcome: 'succeeded', startedAt: at, endedAt: at + 1 })
  const message = { threadId, runId: run.id, state: 'sent', createdAt: at } as const
  store.chats.addMessage({ ...message, role: 'person', text: `Question ${turn}: why is the lamp out?` })
  const answer = `Answer ${turn}: **because** of the \`tide\`.\n\n- It rises.\n- It falls.\n`
  store.chats.addMessage({ ...message, role: 'agent', text: answer })
  return run.id
}

/** Milliseconds from the click to the frame that shows the last answer. */
async function openChat(page: Page): Promise<number> {
  await page.locator('[data-test=continue-as-chat]:not([aria-disabled=true])').waitFor()
  return page.evaluate(
    async (words) => {
      const begin = performance.now()
      document.querySelector<HTMLElement>('[data-test=continue-as-chat]')?.click()
      const frame = (): Promise<number> => new Promise((resolve) => requestAnimationFrame(resolve))
      const shows = (): boolean =>
        document.querySelector('[data-test=chat-messages]')?.textContent.includes(words) ?? false
      while (!shows()) await frame()
      await frame()
      return performance.now() - begin
    },
    `Answer ${said / 2}:`,
  )
}

const turns = 3
const run = promisify(execFile)

/**
 * From the message to the first event of its turn, with the real Claude Code. The rival is the same CLI with the same
 * words in the same sandbox, started by `docker run`, on a copy of the same memory: to its first line.
 */
export async function benchChatTurn(): Promise<readonly BenchRow[]> {
  const bench = await createClaudeBench({ script: () => say('Because of the tide.') })
  const ours: number[] = []
  const rival: number[] = []
  try {
    const mailboxId = await bench.newIssue()
    const analysis = await bench.latest(mailboxId)
    const opened = value(await bench.client.call('chats', 'open', { runId: analysis.row.runId }))
    await untilContainersGone(bench, analysis.row.runId)
    for (let turn = 0; turn <= turns; turn += 1) {
      const taken = await takeTurn(bench, opened.threadId, turn)
      // the first one warms the disk cache
      if (turn === 0) continue
      ours.push(taken.ours)
      rival.push(taken.rival)
    }
  } finally {
    await bench.remove()
  }
  const name = 'first event of a chat turn, real claude'
  return [
    againstRival(name, median(ours), median(rival), 'ms', 1.1),
    alone(`${name}: time added`, median(ours) - median(rival), 'ms', 300),
  ]
}

async function takeTurn(
  bench: ClaudeBench,
  threadId: ChatThreadId,
  turn: number,
): Promise<{ readonly ours: number; readonly rival: number }> {
  const before = join(bench.folder, 'bench', `before-${turn}`)
  await mkdir(before, { recursive: true })
  await copyFolder(bench.stateFolder(1, 'claude-code'), join(before, 'state'))
  const repository = join(bench.folder, 'repositories', `test-${bench.projectId}-issue-1.git`)
  await copyFolder(repository, join(before, 'repo.git'))
  await pause(1_000)
  const text = 'Why is the lamp out?'
  const begin = performance.now()
  const sent = await bench.client.call('chats', 'send', { threadId, text, resumeChoice: 'auto' })
  const { runId } = value(sent)
  const inspecting = inspectRunContainer(bench, runId)
  const ours = await firstEvent(bench, runId, begin)
  const ended = await bench.ended(runId)
  if (ended.row.badge !== 'resumed') throw new Error(`the turn was not resumed: ${ended.row.badge}`)
  const original = await inspecting
  await untilContainersGone(bench, runId)
  await pause(1_000)
  const folder = join(bench.folder, 'bench', `rival-${turn}`)
  const parts = { folder, repository: join(before, 'repo.git'), state: join(before, 'state') }
  const twin = await createTwin(original, parts)
  // the original's first two words are the entry
  const rival = await firstLine(['run', ...twin.words(['/bin/sh', '-c', bare, 'sh', ...twin.argv.slice(2)])])
  await run('docker', ['rm', '-f', twin.name])
  await removeFolder(folder)
  return { ours, rival }
}

async function firstEvent({ client }: ClaudeBench, runId: RunId, begin: number): Promise<number> {
  let taken: number | null = null
  const end = await client.follow('runs', 'live', { runId }, ({ events }) => {
    if (events.some(({ kind }) => kind === 'session')) taken ??= performance.now() - begin
  })
  while (taken === null) await pause(5)
  end()
  return taken
}

/** The files that the CLI is configured by, and the CLI. */
const bare = String.raw`
for word in $ALFRED_HOME_FILES; do
  target=$HOME/$(echo "$word" | cut -d= -f2)
  mkdir -p "$(dirname "$target")"
  cp "/alfred/in/$(echo "$word" | cut -d= -f1)" "$target"
done
exec "$@" < /alfred/in/prompt`

function firstLine(words: readonly string[]): Promise<number> {
  const begin = performance.now()
  const child = spawn('docker', words, { stdio: ['ignore', 'pipe', 'inherit'] })
  return new Promise((resolve, reject) => {
    child.stdout.once('data', () => resolve(performance.now() - begin))
    child.once('error', reject)
    child.once('exit', (code) => reject(new Error(`the rival ended with ${code} before it said anything`)))
  })
}
