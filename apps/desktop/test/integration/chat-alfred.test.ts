import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { RunDetail } from '@shared/contract/runs'
import { buildAlfred, runAlfred, startAlfred, type AlfredProcess } from './support/alfred-process'
import { createBoat, giveIssue, latestEnded } from './support/boat-project'
import { removeFolder, value } from './support/engine-bench'

/*
 * `alfred chat`, beside the owner of the data: a line in, events out.
 */

let program: string
let folder: string
let owner: AlfredProcess
let analysis: RunDetail
beforeAll(async () => {
  program = await buildAlfred()
})
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'alfred-chat-'))
  owner = await startAlfred(program, folder, { environment: { DEMO_PACE: '0' } })
  const { client } = owner
  analysis = await latestEnded(client, await giveIssue(client, await createBoat(client)))
})
afterEach(async () => {
  await owner.client.call('runs', 'stopAll', {})
  await owner.kill()
  await removeFolder(folder)
})

const chat = (words: readonly string[], input: string) =>
  runAlfred(program, folder, ['chat', ...words], input)

describe('alfred chat', () => {
  it('takes each line as a message, and tells programs what becomes of it, event by event', async () => {
    const { runId, nativeSessionId } = analysis.row
    const ended = await chat([String(runId), '--json'], 'Is the README right?\n\nAnd the tests?\n')
    expect(ended).toMatchObject({ code: 0 })
    const events = ended.stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Readonly<Record<string, unknown>>)
    expect(events[0]).toMatchObject({
      type: 'opened',
      issue: 'test/boat#1',
      run_id: runId,
      native_session_id: nativeSessionId,
      saved_at: expect.stringMatching(/^\d{4}-.*Z$/),
      is_replay: false,
    })
    expect(events.map(({ type }) => type).filter((type) => type !== 'event')).toEqual([
      'opened',
      'turn',
      'ended',
      'turn',
      'ended',
    ])
    expect(events.filter(({ kind }) => kind === 'session')).toHaveLength(2)
    const [first, second] = events.filter(({ type }) => type === 'ended')
    const turn = {
      outcome: 'succeeded',
      was_sent: true,
      resumed: true,
      resume_fallback: null,
      is_replay: false,
      native_session_id: nativeSessionId,
      requested_session_id: nativeSessionId,
      failure: null,
      unpushed_commits: 0,
    }
    expect(first).toMatchObject({ ...turn, answer: expect.stringContaining('Is the README right') })
    expect(second).toMatchObject({ ...turn, answer: expect.stringContaining('And the tests') })
  })

  it('tells people what it goes on with, and what the agent says', async () => {
    const ended = await chat([`run ${analysis.row.runId}`], 'Is the README right?')
    expect(ended.code).toBe(0)
    expect(ended.stderr).toContain(
      `Continues run ${analysis.row.runId}, analysis. The agent remembers everything`,
    )
    expect(ended.stdout).toContain('(remembered)')
    expect(ended.stdout).toContain('Last time you asked')
  })

  it('goes on after Alfred was killed in the midst of a turn: the answer is there, once', async () => {
    await owner.kill()
    owner = await startAlfred(program, folder, { environment: { DEMO_PACE: '1500' } })
    const { threadId } = value(await owner.client.call('chats', 'open', { runId: analysis.row.runId }))
    const sent = { threadId, text: 'Is the README right?', resumeChoice: 'auto' } as const
    const { runId } = value(await owner.client.call('chats', 'send', sent))
    const asked = { runId, afterSeq: 0, beforeSeq: null, limit: 9 } as const
    await expect
      .poll(async () => value(await owner.client.call('runs', 'events', asked)).total, { timeout: 60_000 })
      .toBeGreaterThan(0)
    await owner.kill()
    owner = await startAlfred(program, folder, { environment: { DEMO_PACE: '1500' } })
    const row = async () => value(await owner.client.call('runs', 'get', { runId })).row
    await expect.poll(async () => (await row()).state, { timeout: 60_000 }).toBe('ended')
    expect(await row()).toMatchObject({ outcome: 'succeeded', resumed: true, attempts: 1 })
    const said = value(await owner.client.call('chats', 'messages', { threadId, limit: 9 }))
    expect(said.map(({ role, state }) => `${role} ${state}`)).toEqual(['person sent', 'agent sent'])
    expect(said[1]?.text).toContain('Is the README right')
  })

  it('is refused in words', async () => {
    expect(await chat(['99'], 'x')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('There is no run 99.'),
    })
    expect(await chat(['soon'], 'x')).toMatchObject({ code: 2 })
  })
})
