import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import Docker from 'dockerode'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { createClaudeBench, type ClaudeBench } from './support/claude-bench'
import { value } from './support/engine-bench'

/*
 * A person asks whether the login of an agent is good: the real Claude Code asks the model's server, with the login
 * that its runs would get.
 */

let bench: ClaudeBench
beforeEach(async () => {
  bench = await createClaudeBench()
  // a probe is asked of the app, not of one project
  const setting = { scope: 'app', scopeId: 0, key: 'AGENT_BASE_URL', value: bench.model.url } as const
  value(await bench.client.call('settings', 'set', setting))
})
afterEach(() => bench.remove())

async function probe() {
  const rows = value(await bench.client.call('app', 'checkAgents', {}))
  const row = rows.find(({ adapter, version }) => adapter === 'claude-code' && version !== null)
  return value(
    await bench.client.call('app', 'probeLogin', {
      adapter: 'claude-code',
      imageDigest: row?.imageDigest ?? '',
    }),
  )
}

/** What a probe could leave. */
async function leftovers(): Promise<readonly unknown[]> {
  const containers = await new Docker().listContainers({
    all: true,
    filters: { label: ['dev.alfred.purpose=login'] },
  })
  return [...containers, ...readdirSync(join(bench.folder, 'login-probes'))]
}

it('a good login is answered once, with what it cost, and leaves nothing', async () => {
  expect(await probe()).toMatchObject({ outcome: 'answered', message: null })
  const asked = bench.model
    .turns()
    .filter(({ turn }) => turn.prompt.includes('single word OK') && turn.tools.length > 0)
  expect(asked).toHaveLength(1)
  const kept = value(await bench.client.call('app', 'agents', {})).find(
    ({ loginProof }) => loginProof !== null,
  )
  expect(kept).toMatchObject({
    adapter: 'claude-code',
    loginProof: { outcome: 'answered', costUsd: expect.any(Number), askedAt: expect.any(Number) },
  })
  expect(await leftovers()).toEqual([])
})

it('a login that the provider refuses is told as that, in its words', async () => {
  bench.model.play(() => ({ kind: 'status', status: 401 }))
  const answer = await probe()
  expect(answer).toMatchObject({ outcome: 'refused' })
  expect(answer.message).toMatch(/Not logged in/)
  expect(await leftovers()).toEqual([])
})

it('a provider that fails leaves it open whether the login is good', async () => {
  bench.model.play(() => ({ kind: 'status', status: 500 }))
  const answer = await probe()
  expect(answer).toMatchObject({ outcome: 'failed', message: expect.stringMatching(/500/) })
  expect(await leftovers()).toEqual([])
})

it('an agent that is in no image is not asked', async () => {
  expect(
    await bench.client.call('app', 'probeLogin', { adapter: 'claude-code', imageDigest: 'sha256:0' }),
  ).toMatchObject({ ok: false, error: { type: 'not_found' } })
})
