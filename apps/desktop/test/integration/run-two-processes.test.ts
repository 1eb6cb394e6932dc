import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { buildAlfred, runAlfred, startAlfred, type AlfredProcess } from './support/alfred-process'
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

describe('two requests at once from two processes', () => {
  it('give one run, and the other is told which', async () => {
    const project = value(
      await owner.client.call('tracker', 'createProject', {
        organization: 'test',
        name: 'boat',
        source: { kind: 'empty' },
      }),
    )
    value(
      await owner.client.call('settings', 'set', {
        scope: 'project',
        scopeId: project.id,
        key: 'AGENT_ADAPTER',
        value: 'demo',
      }),
    )
    const issue = { projectId: project.id, title: 'Add a slug helper', body: '', assignees: ['alfred'] }
    value(await owner.client.call('tracker', 'createIssue', issue))
    const { until } = createWatch(owner.client)
    const { mailboxId } = await until(async () =>
      value(await owner.client.call('mailboxes', 'find', { projectPath: 'test/boat', iid: 1 })),
    )
    const rows = async () =>
      value(await owner.client.call('sessions', 'timeline', { mailboxId, beforeRunId: null, limit: 20 })).rows
    await until(async () => ((await rows())[0]?.state === 'ended' ? true : null))
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
