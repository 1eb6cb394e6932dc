import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { tmpdir } from 'node:os'
import { afterEach, describe, expect, it } from 'vitest'
import { createForgejoTransport } from '@main/adapters/forge/forgejo/transport'
import { createGit } from '@main/adapters/git/create-git'
import { ok } from '@shared/result'
import { mkdtempSync, rmSync } from 'node:fs'
import { parseMarker } from '@main/core/workflow/markers'
import { benchRepository } from '../fakes/forgejo-bench'
import type { Fault } from '../fakes/forge-server/faults'
import { commentsOf, type ForgejoLife, labelsOf, openForgejoLife, takeUp } from '../fakes/forgejo-life'

/*
 * An issue whose forge, or what lies between, fails in each of its ways: nothing is lost, nothing is done by halves, and
 * once the forge is well again the issue goes its way. 500 after the write and a clock that is off stand in
 * forge.forgejo-workflow.test.ts.
 */

let life: ForgejoLife
afterEach(() => life.close())

/** Longer than any wait between two tries. */
const wait = async (rounds = 3): Promise<void> => {
  for (let round = 0; round < rounds; round += 1) {
    life.bench.clock.advance(400_000)
    await life.settle(2)
  }
}

/** From the plan to the change, with everything there once. */
async function finish(): Promise<void> {
  const { bench } = life
  await life.endRun({ plan: 'Make an index.', functionalAnalysis: 'Under a second.' })
  await wait()
  expect(labelsOf(life)).toEqual(['status::waiting_validation'])
  await bench.ask('POST', '/issues/1/labels', { labels: [bench.labelId('ai::validate_plan')] })
  await wait()
  await life.endRun({ summary: 'Made an index.' }, 1)
  await wait()
  expect(life.mailbox().changeIid).toBe(pulls()[0]?.number)
  expect(labelsOf(life).filter((name) => name.startsWith('status::'))).toHaveLength(1)
  expect(pulls()).toHaveLength(1)
}

const pulls = () => life.bench.server.seed.find(benchRepository).issues.filter(({ pull }) => pull !== null)
const keys = (): readonly string[] => commentsOf(life).flatMap((body) => parseMarker(body)?.key ?? [])

const faults: readonly (readonly [name: string, fault: Fault])[] = [
  ['is down', { kind: 'down' }],
  ['is slower than is waited for', { kind: 'slow', ms: 0 }],
  ['answers with HTML and 502', { kind: 'html', status: 502 }],
  ['answers with HTML and 200', { kind: 'html', status: 200 }],
  ['answers half a page', { kind: 'half' }],
  ['wants fewer requests, and says for how long', { kind: 'too_many', retryAfterSeconds: 7 }],
  ['wants fewer requests', { kind: 'too_many' }],
]

describe.each(faults)('a forge that %s', (_, fault) => {
  let met = 0
  /** What is slow is done, but nobody waits for its answer any more. */
  const onMet = (): void => {
    met += 1
    if (fault.kind === 'slow') life.bench.outlast()
  }

  it('for a while loses nothing of what happened meanwhile', async () => {
    life = await openForgejoLife('gitea')
    const { server } = life.bench
    await takeUp(life)
    const before = [labelsOf(life), life.mailbox().status]
    met = 0
    server.faults.add({ fault, onMet })
    const meanwhile = server.seed.issue(benchRepository, { title: 'x', by: 'dev', assignees: ['alfred-bot'] })
    await life.settle(2)
    expect(met).toBeGreaterThan(0)
    // Nothing was decided from what was not whole.
    expect([labelsOf(life), life.mailbox().status]).toEqual(before)
    expect(meanwhile.labels).toEqual([])
    server.faults.clear()
    await wait()
    await finish()
    expect(new Set(keys()).size).toBe(keys().length)
    expect(meanwhile.labels.map(({ name }) => name)).toEqual(['status::functional_analysis'])
  })

  it('at the first request of each round has everything done once', async () => {
    life = await openForgejoLife('forgejo')
    const { server } = life.bench
    server.seed.issue(benchRepository, { title: 'Slow search', by: 'dev', assignees: ['alfred-bot'] })
    const settle = life.settle
    Object.assign(life, {
      settle: async (rounds = 3) => {
        for (let round = 0; round < rounds; round += 1) {
          server.faults.add({ fault, times: 1, onMet })
          await settle(1)
          server.faults.clear()
        }
        await settle(1)
      },
    })
    await wait()
    await finish()
    expect(new Set(keys()).size).toBe(keys().length)
  })
})

it('[429] is left alone for as long as the forge says', async () => {
  life = await openForgejoLife('gitea')
  await takeUp(life)
  const { bench, store, mailbox } = life
  const fault = { kind: 'too_many', retryAfterSeconds: 600 } as const
  bench.server.faults.add({ fault, method: 'POST', path: /^\/api\// })
  await life.endRun({ plan: 'x', functionalAnalysis: 'y' })
  const waiting = store.outbox.listByMailbox(mailbox().id).find(({ state }) => state === 'waiting')
  expect(waiting?.nextAttemptAt).toBeGreaterThanOrEqual(bench.clock.now() + 500_000)
})

describe('a request that a proxy delivers twice', () => {
  it.each(['gitea', 'forgejo'] as const)(
    'opens one change on a %s, sets one status, and a comment that is there twice is not written again',
    async (kind) => {
      life = await openForgejoLife(kind)
      const { server } = life.bench
      for (const method of ['POST', 'PATCH', 'DELETE']) {
        server.faults.add({ fault: { kind: 'twice' }, method, path: /^\/api/ })
      }
      server.seed.issue(benchRepository, { title: 'Slow search', by: 'dev', assignees: ['alfred-bot'] })
      await wait()
      await finish()
      const counts = new Map<string, number>()
      for (const key of keys()) counts.set(key, (counts.get(key) ?? 0) + 1)
      // Two of each is what the proxy did; Alfred adds none.
      expect([...counts.values()].every((count) => count === 2)).toBe(true)
      expect(life.errors).toEqual([])
    },
  )
})

describe('a write that takes longer than is waited for', () => {
  it('may have happened, which is said', async () => {
    life = await openForgejoLife('gitea')
    const { server, token, ask } = life.bench
    const transport = createForgejoTransport({
      baseUrl: server.url,
      access: () => Promise.resolve(ok({ token, caPem: null })),
      now: Date.now,
      timeoutMs: 100,
    })
    await ask('POST', '/issues', { title: 'x' })
    server.faults.add({ fault: { kind: 'slow', ms: 400 }, times: 2 })
    const path = `/repos/${benchRepository}/issues/1`
    expect(await transport.post(`${path}/comments`, { body: 'late' })).toMatchObject({
      error: { type: 'unreachable', retryable: true, maybeApplied: true },
    })
    expect(await transport.get(path)).toMatchObject({
      error: { type: 'unreachable', retryable: true, maybeApplied: false },
    })
    await expect.poll(() => commentsOf(life)).toEqual(['late'])
  })
})

describe('[scene 32] a server that is stopped', () => {
  it('is not reachable, for the API and for git, in words', async () => {
    life = await openForgejoLife('gitea')
    const { forge, project, server, token } = life.bench
    const remote = await forge.remote(project)
    if (!remote.ok) throw new Error(remote.error.message)
    await server.stop()
    expect(await forge.readIssue(project, 1, null)).toMatchObject({
      error: { type: 'unreachable', retryable: true, message: expect.stringContaining('ECONNREFUSED') },
    })
    const folder = mkdtempSync(join(tmpdir(), 'alfred-stopped-'))
    try {
      const git = createGit({ scratchFolder: join(folder, 'scratch') })
      const opened = await git.openMailboxRepository(join(folder, 'mailbox.git'))
      if (!opened.ok) throw new Error(opened.error.message)
      const fetched = await opened.value.fetch(remote.value, new AbortController().signal)
      expect(fetched).toMatchObject({ error: { type: 'remote_unreachable' } })
      expect(JSON.stringify(fetched)).not.toContain(token)
      // As it was described: git's own exit code and words.
      const own = spawnSync('git', ['ls-remote', remote.value.url], { encoding: 'utf8' })
      expect(own.status).toBe(128)
      expect(own.stderr).toMatch(/Failed to connect to .* port \d+.*|Couldn't connect to server/)
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  })

  it('in the middle of an answer may have done what was asked: it is looked for before it is done again', async () => {
    life = await openForgejoLife('gitea')
    const { server } = life.bench
    server.faults.add({ fault: { kind: 'half' }, method: 'POST', path: /comments$/, times: 1 })
    await takeUp(life)
    await wait()
    expect(commentsOf(life)).toHaveLength(1)
  })
})
