import { once } from 'node:events'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createDemoAdapter } from '@main/adapters/agents/demo/demo-adapter'
import { findNativeBinding } from '@main/adapters/db/native-binding'
import { createEngine, type Engine } from '@main/boot/compose'
import type { EngineClient } from '@main/cli/engine-client'
import type { RunId } from '@shared/model/ids'
import { resourcesFolder } from './support/agent-container'
import { buildAlfred, runAlfred, startAlfred, type AlfredProcess } from './support/alfred-process'
import { ensureProject } from './support/crash-workload'
import { clientOf, containersOfRun, createWatch, removeFolder, value } from './support/engine-bench'

/*
 * `alfred watch` works on an issue when the app is opened: the run goes on under the window, and `alfred` talks to it.
 */

let program: string
let folder: string
let headless: AlfredProcess
let window: Engine | null = null

beforeAll(async () => {
  program = await buildAlfred()
})
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'alfred-hand-over-'))
  headless = await startAlfred(program, folder)
})
afterEach(async () => {
  await headless.kill()
  await window?.stop('stop')
  window = null
  await removeFolder(folder)
})

const eventsOf = async (client: EngineClient, runId: RunId) =>
  value(await client.call('runs', 'events', { runId, afterSeq: 0, beforeSeq: null, limit: 1000 })).events

async function hangingRun(client: EngineClient): Promise<RunId> {
  const projectId = await ensureProject(client, false)
  const issue = { projectId, title: 'Add a slug helper', body: 'DEMO_FAULT=hang', assignees: ['alfred'] }
  value(await client.call('tracker', 'createIssue', issue))
  return createWatch(client).until(async () => {
    const found = value(await client.call('mailboxes', 'find', { projectPath: 'test/boat', iid: 1 }))
    if (found === null) return null
    const { mailboxId } = found
    const page = value(await client.call('sessions', 'timeline', { mailboxId, beforeRunId: null, limit: 1 }))
    const runId = page.rows[0]?.runId
    if (runId === undefined) return null
    return (await eventsOf(client, runId)).some(({ kind }) => kind === 'text') ? runId : null
  })
}

describe('a headless owner whose run is live', { retry: 0 }, () => {
  it('hands it over to the window, where alfred finds it', async () => {
    const runId = await hangingRun(headless.client)
    const before = await eventsOf(headless.client, runId)
    const [container] = await containersOfRun(headless.client, runId)
    const ended = once(headless.child, 'exit')
    window = value(
      await createEngine({
        dataFolder: folder,
        kind: 'desktop',
        resourcesFolder,
        version: '0.0.0-test',
        notifier: { show: () => undefined },
        work: 'works',
        nativeBinding: findNativeBinding(process.env, undefined),
        allowsDemonstration: true,
        adapters: [createDemoAdapter()],
        checkOutput: true,
      }),
    )
    expect(await ended).toEqual([0, null])
    const client = clientOf(window)
    expect(value(await client.call('runs', 'get', { runId })).row).toMatchObject({
      state: 'running',
      attempts: 1,
    })
    expect((await containersOfRun(client, runId)).map(({ id, running }) => [id, running])).toEqual([
      [container?.id, true],
    ])
    const events = await eventsOf(client, runId)
    expect(events.slice(0, before.length)).toEqual(before)
    expect(events.slice(before.length).map(({ kind }) => kind)).toEqual(['notice'])

    const stopped = await runAlfred(program, folder, ['stop', String(runId)])
    expect(stopped).toMatchObject({ code: 0, stdout: `Run ${runId} has ended: stopped.\n` })
    await createWatch(client).until(async () =>
      (await containersOfRun(client, runId)).length === 0 ? true : null,
    )
    expect((await eventsOf(client, runId)).filter(({ kind }) => kind === 'session')).toHaveLength(1)
  })
})
