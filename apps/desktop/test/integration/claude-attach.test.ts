import { spawnSync } from 'node:child_process'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { RunDetail } from '@shared/contract/runs'
import type { MailboxId } from '@shared/model/ids'
import { bash, say, type Script } from '../fakes/model-server/answers'
import { agentImageTag, testRuntime } from './support/agent-container'
import { buildAlfred, environmentOf } from './support/alfred-process'
import { createClaudeBench, toldTo, type ClaudeBench, type ClaudeBenchOptions } from './support/claude-bench'
import { value } from './support/engine-bench'
import { openTerminal, type Terminal } from './support/tmux'

/*
 * `alfred attach` with the real Claude Code: its own screen, in a real terminal, on the session of a run.
 */

let program: string
let bench: ClaudeBench
let terminal: Terminal | null = null
beforeAll(async () => {
  await agentImageTag(testRuntime(), ['claude-code'])
  program = await buildAlfred()
})
afterEach(async () => {
  await terminal?.close()
  terminal = null
  await bench.remove()
})

const script: Script = (turn) => {
  if (turn.prompt.includes('Phase: analysis')) return say('I looked at every lamp.')
  if (turn.prompt.includes('Commit it'))
    return turn.toolResults === 0
      ? bash('echo lamp > lamp.txt && git add lamp.txt && git commit -qm "Add a lamp"')
      : say('The lamp is committed.')
  if (turn.prompt.includes('Which lamp')) return say('The third one from the harbour mouth.')
  return say('I am done.')
}

async function analysed(
  options: Pick<ClaudeBenchOptions, 'key'> = {},
): Promise<{ readonly mailboxId: MailboxId; readonly analysis: RunDetail }> {
  bench = await createClaudeBench({ script, ...options })
  const mailboxId = await bench.newIssue('The harbour lights go out at noon.')
  return { mailboxId, analysis: await bench.latest(mailboxId) }
}

async function attach(run: RunDetail): Promise<Terminal> {
  const words = [process.execPath, program, 'attach', String(run.row.runId)]
  terminal = await openTerminal(words, environmentOf(bench.folder))
  // The words of the run before, on the screen of its agent.
  await terminal.shows('I looked at every lamp.')
  return terminal
}

async function ask(screen: Terminal, prompt: string, answer: string): Promise<void> {
  await screen.type(prompt)
  await screen.shows(prompt)
  await screen.press('Enter')
  await screen.shows(answer)
}

async function leave(screen: Terminal): Promise<void> {
  await screen.type('/exit')
  await screen.shows('/exit')
  await screen.press('Enter')
  expect(await screen.ended()).toBe(0)
}

describe('alfred attach with claude-code', () => {
  it('shows what was said, answers what is typed, and the next run remembers it', async () => {
    const { mailboxId, analysis } = await analysed()
    const screen = await attach(analysis)
    await ask(screen, 'Which lamp is it?', 'The third one from the harbour mouth.')
    const told = toldTo(bench.model.turns().at(-1))
    for (const words of ['The harbour lights', 'I looked at every lamp.', 'Which lamp is it?'])
      expect(told).toContain(words)
    await ask(screen, 'Commit it.', 'The lamp is committed.')
    await leave(screen)
    await screen.shows('1 commit not pushed.')
    const talk = await bench.latest(mailboxId)
    const { nativeSessionId } = analysis.row
    expect(talk.row).toMatchObject({
      phase: 'terminal',
      outcome: 'succeeded',
      badge: 'resumed',
      nativeSessionId,
      commits: 1,
    })
    const push = value(await bench.client.call('mailboxes', 'pendingPush', { mailboxId }))
    const { headSha = '' } = push ?? {}
    value(await bench.client.call('mailboxes', 'goOnWithoutPush', { mailboxId, headSha }))
    const next = await bench.run(mailboxId, 'development')
    expect(next.row).toMatchObject({ badge: 'resumed', requestedSessionId: nativeSessionId })
    const heard = toldTo(bench.model.turns().at(-1))
    expect(heard).toContain('Which lamp is it?')
    expect(heard).toContain('The third one from the harbour mouth.')
  })

  it('tells that another session was opened in it, and the next run goes on with that one', async () => {
    const { mailboxId, analysis } = await analysed()
    const screen = await attach(analysis)
    await screen.type('/clear')
    await screen.shows('/clear')
    await screen.press('Enter')
    await ask(screen, 'Which lamp is it?', 'The third one from the harbour mouth.')
    await leave(screen)
    await screen.shows('It ended in another session than')
    const talk = await bench.latest(mailboxId)
    expect(talk.row.nativeSessionId).not.toBe(analysis.row.nativeSessionId)
    const warnings = await bench.texts(talk.row.runId, 'warning')
    expect(warnings).toEqual([expect.stringContaining('The terminal ended in another session than')])
    const next = await bench.run(mailboxId, 'development')
    expect(next.row).toMatchObject({
      badge: 'resumed',
      requestedSessionId: talk.row.nativeSessionId,
    })
    const heard = toldTo(bench.model.turns().at(-1))
    expect(heard).toContain('Which lamp is it?')
    // The session that it began with would have this, and not the other.
    expect(heard).not.toContain('Phase: analysis')
    expect(heard).toContain('/clear')
  })

  it('asks nobody whether it may use a key that was given in the settings, and keeps nothing of it', async () => {
    const key = 'sk-ant-api03-of-the-scripted-model'
    const { analysis } = await analysed({ key })
    expect(analysis.failure).toBeNull()
    const screen = await attach(analysis)
    await ask(screen, 'Which lamp is it?', 'The third one from the harbour mouth.')
    const { headers } = bench.model.turns().at(-1) ?? {}
    expect(headers).toMatchObject({ 'x-api-key': expect.any(String) as string })
    expect(headers).not.toHaveProperty('authorization')
    await leave(screen)
    // Nothing of the key is in any file of this computer, the session's own among them.
    const found = spawnSync('grep', ['-rlF', '--', key.slice(-20), bench.folder], { encoding: 'utf8' })
    expect(found.error).toBeUndefined()
    expect(found.stdout).toBe('')
  })
})
