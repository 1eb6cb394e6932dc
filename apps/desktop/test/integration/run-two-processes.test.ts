import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { buildAlfred, runAlfred, startAlfred, type AlfredProcess } from './support/alfred-process'
import { createBoat, giveIssue, latestEnded } from './support/boat-project'
import { createWatch, removeFolder, value } from './support/engine-bench'

/*
 * Two people, or a person and a script, ask for the same issue at the same moment, each with a process of their own.
 */

let program: string
let folder: string
let owner: AlfredProcess

beforeAll(async () => {
  program = await buildAlfred()
})
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'alfred-two-'))
  owner = await startAlfred(program, folder)
})
afterEach(async () => {
  await owner.client.call('runs', 'stopAll', {}).catch(() => null)
  await createWatch(owner.client)
    .until(async () => (value(await owner.client.call('app', 'status', {})).running === 0 ? true : null))
    .catch(() => null)
  await owner.kill()
  await removeFolder(folder)
})

describe('two requests at once from two processes', { retry: 0 }, () => {
  it('give one run, and the other is told which', async () => {
    const mailboxId = await giveIssue(owner.client, await createBoat(owner.client))
    const rows = async () =>
      value(await owner.client.call('sessions', 'timeline', { mailboxId, beforeRunId: null, limit: 20 })).rows
    await latestEnded(owner.client, mailboxId)
    value(await owner.client.call('app', 'setPaused', { isPaused: true }))

    const ask = () => runAlfred(program, folder, ['run', 'test/boat#1', '--phase', 'development', '--detach'])
    const answers = await Promise.all([ask(), ask()])
    expect(answers.map(({ code }) => code)).toEqual(expect.arrayContaining([0, 1]))
    const refused = answers.find(({ code }) => code === 1)
    const all = await rows()
    expect(all.map(({ phase }) => phase)).toEqual(['analysis', 'development'])
    expect(refused?.stderr).toContain(`Run ${all[1]?.runId ?? 0}`)
  })
})
