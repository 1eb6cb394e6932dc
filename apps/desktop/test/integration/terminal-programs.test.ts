import { execFile } from 'node:child_process'
import { mkdtemp, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTerminalPrograms } from '@main/adapters/terminal/terminal-programs'
import type { RunDetail } from '@shared/contract/runs'
import type { MailboxId, RunId } from '@shared/model/ids'
import { say, type Script } from '../fakes/model-server/answers'
import { agentImageTag, testRuntime } from './support/agent-container'
import { buildAlfred } from './support/alfred-process'
import { createClaudeBench, type ClaudeBench } from './support/claude-bench'
import { startDisplay, type Display } from './support/display'
import { containersOfRun, value } from './support/engine-bench'

/*
 * Real terminal programs of Debian on a real display, with the real Claude Code in them: each is given its words as
 * Alfred gives them, and typed into as a person types. The data folder and the issue have the worst of names.
 */

const run = promisify(execFile)
const hostile = 'It\'s "a" $(touch x); 🚢 name'

let display: Display
let program: string
let bench: ClaudeBench
let folder: string
let mailboxId: MailboxId

const script: Script = (turn) =>
  turn.prompt.includes('Which lamp') ? say('The third one.') : say('I looked at every lamp.')

beforeAll(async () => {
  await agentImageTag(testRuntime(), ['claude-code'])
  program = await buildAlfred()
  display = await startDisplay()
  bench = await createClaudeBench({ script })
  folder = await mkdtemp(join(tmpdir(), 'alfred-terminals-'))
  await symlink(bench.folder, join(folder, hostile))
  const { client } = bench
  const [project] = value(await client.call('tracker', 'listProjects', {}))
  if (project === undefined) throw new Error('the bench has a project')
  const issue = { projectId: project.id, title: hostile, body: 'The lights go out.', assignees: ['alfred'] }
  const { iid } = value(await client.call('tracker', 'createIssue', issue))
  const found = await bench.until(async () =>
    value(await client.call('mailboxes', 'find', { projectPath: 'test/boat', iid })),
  )
  mailboxId = found.mailboxId
  expect((await bench.latest(mailboxId)).failure).toBeNull()
}, 300_000)
afterAll(async () => {
  display.close()
  await bench.remove()
  await rm(folder, { recursive: true, force: true })
})

/** Found by themselves under the name that `$TERMINAL` prefers, or named in TERMINAL_COMMAND. */
const terminals = [
  // the agent gives the window the name of its session
  { name: 'xterm', template: null, title: 'agent/issue-1' },
  // this one keeps the title that it was given
  { name: 'xfce4-terminal', template: null, title: 'touch x' },
  { name: 'urxvt', template: 'urxvt -e {command}', title: 'agent/issue-1' },
] as const

/** The agent's screen is there once its terminal gives it each key as it is pressed. */
async function readsKeys(before: RunId): Promise<void> {
  const { client } = bench
  const look = async (): Promise<string> => {
    const page = { mailboxId, beforeRunId: null, limit: 1 } as const
    const runId = value(await client.call('sessions', 'timeline', page)).rows.at(-1)?.runId ?? before
    const [container] = runId === before ? [] : await containersOfRun(client, runId)
    if (container === undefined) return 'no container'
    const asked = ['exec', container.id, 'stty', '-F', '/dev/console', '-a']
    return run('docker', asked).then(({ stdout }) => stdout, String)
  }
  await expect.poll(look, { timeout: 120_000, interval: 200 }).toContain('-icanon')
}

/** What is typed at once, with its Enter, the agent may take for a paste: a person would press it once more. */
async function enterUntil(isDone: () => Promise<boolean>): Promise<void> {
  const press = async (): Promise<boolean> => {
    if (await isDone()) return true
    await display.press('Return')
    return isDone()
  }
  await expect.poll(press, { timeout: 120_000, interval: 1_000 }).toBe(true)
}

describe('a terminal program of this computer', () => {
  it.each(terminals)(
    'shows the agent of a run, and what is typed into it reaches the model: $name',
    async ({ name, template, title }) => {
      const before = await bench.latest(mailboxId)
      const programs = createTerminalPrograms({
        environment: { ...process.env, DISPLAY: display.name, TERMINAL: name },
        platform: 'linux',
        alfred: ['env', `ALFRED_HOME=${join(folder, hostile)}`, process.execPath, program],
      })
      const words = ['attach', String(before.row.runId)]
      expect(await programs.open(words, { title: hostile, template })).toEqual({ ok: true, value: null })
      await readsKeys(before.row.runId)
      await display.focus(await display.window(title))
      const prompt = `Which lamp; is "it" $(${name})?`
      const reached = (): boolean => bench.model.turns().some(({ turn }) => turn.prompt.includes(prompt))
      await display.type(prompt)
      await enterUntil(() => Promise.resolve(reached()))
      const talk = async (): Promise<RunDetail['row']> => {
        const page = { mailboxId, beforeRunId: null, limit: 1 } as const
        const row = value(await bench.client.call('sessions', 'timeline', page)).rows.at(-1)
        if (row === undefined) throw new Error('the issue has a run')
        return row
      }
      await display.type('/exit')
      await enterUntil(async () => (await talk()).state === 'ended')
      const row = await talk()
      expect(row.runId).not.toBe(before.row.runId)
      expect(row).toMatchObject({ phase: 'terminal', outcome: 'succeeded', badge: 'resumed' })
      expect(row.sessionName).toMatch(/^agent\/issue-\d+-[a-z0-9-]+$/)
    },
    400_000,
  )
})
