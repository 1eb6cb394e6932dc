import { createFakeAdapter } from '@main/adapters/agents/fake/fake-adapter'
import type { FakeStep } from '@main/adapters/agents/fake/fake-agent-program'
import { findNativeBinding } from '@main/adapters/db/native-binding'
import { createEngine } from '@main/boot/compose'
import { createEngineClient } from '@main/cli/engine-client'
import type { Result } from '@shared/result'
import {
  controlSequences,
  done,
  init,
  resultWithoutPlan,
  save,
  secretInEveryShape,
} from '../../integration/faults/agent-steps'

/*
 * A program of its own: `node fault-home.mjs FOLDER RESOURCES` runs an issue for each of these rows of the table of
 * faults, with the scripted agent in real containers, and prints which issue and run are whose.
 */

const stepsOf: Readonly<Record<string, readonly FakeStep[]>> = {
  'control-sequences': [...controlSequences, done],
  'result-without-plan': [resultWithoutPlan, done],
  'secret-printed': [...secretInEveryShape, done],
}

const [, , dataFolder = '', resourcesFolder = ''] = process.argv
let steps: readonly FakeStep[] = []

function value<T, E>(made: Result<T, E>): T {
  if (!made.ok) throw new Error(JSON.stringify(made.error))
  return made.value
}

const engine = value(
  await createEngine({
    dataFolder,
    kind: 'headless',
    resourcesFolder,
    version: '0.0.0-test',
    nativeBinding: findNativeBinding(process.env, undefined),
    notifier: { show: () => undefined },
    work: 'works',
    allowsDemonstration: true,
    adapters: [createFakeAdapter({ script: () => ({ fresh: [init, save, ...steps] }) })],
  }),
)
const client = createEngineClient({
  invoke: (channel, input) => engine.dispatch.invoke(channel, input),
  subscribe: (channel, key, listener) =>
    Promise.resolve(value(engine.dispatch.subscribe(channel, key, listener))),
  close: () => engine.stop('keep'),
})

const { id: projectId } = value(
  await client.call('tracker', 'createProject', {
    organization: 'test',
    name: 'boat',
    source: { kind: 'empty' },
  }),
)
value(
  await client.call('settings', 'set', {
    scope: 'project',
    scopeId: projectId,
    key: 'AGENT_ADAPTER',
    value: 'fake',
  }),
)

const made: Record<string, { readonly iid: number; readonly runId: number }> = {}
for (const [id, own] of Object.entries(stepsOf)) {
  steps = own
  const { iid } = value(
    await client.call('tracker', 'createIssue', { projectId, title: id, body: '', assignees: ['alfred'] }),
  )
  made[id] = { iid, runId: await endedRun(iid) }
}
await engine.stop('stop')
process.stdout.write(JSON.stringify(made))

async function endedRun(iid: number): Promise<number> {
  for (;;) {
    const found = await client.call('mailboxes', 'find', { projectPath: 'test/boat', iid })
    if (found.ok && found.value !== null) {
      const { rows } = value(
        await client.call('sessions', 'timeline', {
          mailboxId: found.value.mailboxId,
          beforeRunId: null,
          limit: 1,
        }),
      )
      if (rows[0]?.state === 'ended') return rows[0].runId
    }
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}
