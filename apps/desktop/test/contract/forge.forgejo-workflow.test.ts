import { afterEach, describe, expect, it } from 'vitest'
import type { RunUid } from '@shared/model/ids'
import type { Mailbox, Project } from '@shared/model/records'
import { assertPresent } from '@shared/assert'
import { err, ok } from '@shared/result'
import { createSystemRandomness } from '@main/adapters/system/system-randomness'
import type { RunResult } from '@main/core/result/parse-result'
import type { Logger } from '@main/ports/logger'
import { createSettingReader } from '@main/services/settings/setting-values'
import { createChangeFeed } from '@main/services/status/change-feed'
import { createOutboxSender } from '@main/services/workflow/outbox-sender'
import { createPoller } from '@main/services/workflow/poller'
import { createWorkflowService } from '@main/services/workflow/workflow-service'
import { benchRepository, type ForgejoBench, openForgejoBench } from '../fakes/forgejo-bench'
import { openTestStore } from '../fakes/open-test-store'
import { emptyResult } from '../fakes/workflow-bench'

/*
 * The workflow of an issue on the three fake servers, from the first poll to the merge: poller, decisions and outbox
 * are the engine's own, the database is real, only the runs are played.
 */

type Life = Awaited<ReturnType<typeof openLife>>
let life: Life | null = null
afterEach(async () => {
  expect(life?.errors).toEqual([])
  await life?.close()
  life = null
})

async function openLife(kind: 'gitea' | 'gitea-1.26-dev' | 'forgejo', clockOffMs = 0) {
  const bench = await openForgejoBench({ kind, clockOffMs })
  const opened = openTestStore()
  const { store } = opened
  const { clock } = bench
  const project = addProject(bench, store.forges)
  const randomness = createSystemRandomness()
  const errors: string[] = []
  const logger: Logger = {
    info: () => undefined,
    warn: () => undefined,
    error: (message, fields) => void errors.push(`${message} ${JSON.stringify(fields)}`),
    with: () => logger,
  }
  const mailbox = (): Mailbox =>
    assertPresent(store.mailboxes.find(project.id, 'issue', 1), 'the issue was taken up')
  const parts: Parameters<typeof createPoller>[0] = {
    store,
    clock,
    logger,
    randomness,
    redact: (text) => text,
    settings: createSettingReader(store),
    changes: createChangeFeed(clock),
    forgeOf: () => bench.forge,
    ownerIdsOf: () => [],
    runs: {
      whyNoAgent: () => null,
      kick: () => undefined,
      stopRun: () => undefined,
      requestRun: (wanted) => {
        const run = store.runs.add(
          {
            ...wanted,
            uid: randomness.uuidV7() as RunUid,
            runner: 'container',
            adapter: 'demo',
            provider: null,
            model: null,
          },
          clock.now(),
        )
        return ok(assertPresent(run, 'no other run is live'))
      },
    },
    pusher: {
      pushRun: async () => {
        const branch = assertPresent(mailbox().branchName, 'the run named it')
        const files = { 'work.txt': `${clock.now()}\n` }
        const headSha = await bench.server.seed.commit(benchRepository, branch, files, { by: 'alfred-bot' })
        return ok({ headSha, commits: 1 })
      },
      takeBack: () => Promise.resolve(ok(null)),
      describePush: () => Promise.resolve(err({ type: 'refused', message: 'nobody asks here' })),
    },
  }
  const sender = createOutboxSender(parts, () => undefined)
  const service = createWorkflowService(parts, () => undefined)
  const poller = createPoller(parts, service)
  const settle = async (rounds = 3): Promise<void> => {
    const { signal } = new AbortController()
    for (let round = 0; round < rounds; round++) {
      clock.advance(1_000)
      await poller.pollProject(project, signal)
      clock.advance(1_000)
      await sender.sendDue(signal)
    }
  }
  return {
    bench,
    errors,
    mailbox,
    settle,
    liveRun: () => store.runs.findLive(mailbox().id),
    endRun: async (result: Partial<RunResult>, commits = 0): Promise<void> => {
      const run = assertPresent(store.runs.findLive(mailbox().id), 'the workflow asked for it')
      store.mailboxes.update(run.mailboxId, { branchName: 'agent/issue-1-x' }, clock.now())
      const prompt = await service.buildPrompt(run)
      if (!prompt.ok) throw new Error(prompt.error.message)
      store.transaction(() => {
        store.runs.update(run.id, { state: 'ended', outcome: 'succeeded', endedAt: clock.now() })
        service.onRunEnded({
          runId: run.id,
          result: { ...emptyResult, ...result },
          commits,
          issueSha256: prompt.value.issueSha256,
        })
      })
      service.afterRunEnded(run.id)
      await settle()
    },
    close: async () => {
      opened.remove()
      await bench.server.close()
    },
  }
}

function addProject(
  bench: ForgejoBench,
  forges: ReturnType<typeof openTestStore>['store']['forges'],
): Project {
  const forge = forges.addForge(
    {
      kind: 'gitea',
      name: 'forge',
      baseUrl: bench.server.url,
      caFile: null,
      accountId: String(bench.server.seed.person('alfred-bot').id),
      accountLogin: 'alfred-bot',
    },
    1,
  )
  const organization = forges.addOrganization(forge.id, 'acme', 1)
  return forges.addProject(
    {
      organizationId: organization.id,
      slug: 'shop-js',
      defaultBranch: 'main',
      isDemo: false,
      isWatched: true,
    },
    1,
  )
}

const issueOf = ({ bench }: Life) =>
  assertPresent(
    bench.server.seed.find(benchRepository).issues.find(({ number }) => number === 1),
    'the test opened it',
  )
const labelsOf = (one: Life): string[] =>
  issueOf(one)
    .labels.map(({ name }) => name)
    .toSorted()
const commentsOf = (one: Life): string[] =>
  issueOf(one)
    .entries.filter(({ type }) => type === 'comment')
    .map(({ body }) => body)

async function takeUp(one: Life): Promise<void> {
  await one.bench.ask('POST', '/issues', {
    title: 'Slow search',
    body: 'It is slow.\r\n',
    assignees: ['alfred-bot'],
  })
  await one.settle()
}

async function toChange(one: Life): Promise<void> {
  await takeUp(one)
  await one.endRun({ plan: 'Make an index.', functionalAnalysis: 'Under a second.' })
  await one.bench.ask('POST', '/issues/1/labels', { labels: [one.bench.labelId('ai::validate_plan')] })
  await one.settle()
  await one.endRun({ summary: 'Made an index. Closes #77.' }, 1)
}

describe.each(['gitea', 'gitea-1.26-dev', 'forgejo'] as const)('an issue on a %s', (kind) => {
  it('goes from the first poll to the merge', async () => {
    const one = (life = await openLife(kind))
    await takeUp(one)
    expect(one.liveRun()).toMatchObject({ phase: 'analysis', trigger: 'assigned' })
    expect(labelsOf(one)).toEqual(['status::functional_analysis'])

    await one.endRun({ plan: 'Make an index.', functionalAnalysis: 'Under a second.' })
    expect(labelsOf(one)).toEqual(['status::waiting_validation'])
    expect(issueOf(one).body).toMatch(/^It is slow\.\r\n[^]*Under a second\./)
    expect(commentsOf(one).filter((body) => body.startsWith('## Plan'))).toHaveLength(1)

    await one.bench.ask('POST', '/issues/1/labels', { labels: [one.bench.labelId('ai::validate_plan')] })
    await one.settle()
    expect(one.liveRun()).toMatchObject({
      phase: 'development',
      trigger: 'plan_validated',
      requestedBy: 'dev',
    })
    expect(labelsOf(one)).toEqual(['status::in_development'])

    await one.endRun({ summary: 'Made an index.' }, 1)
    expect(one.mailbox().changeIid).toBe(2)
    const pull = (await one.bench.ask('GET', '/pulls/2')) as { body: string; head: { sha: string } }
    expect(pull.body).toMatch(/\n\nCloses #1$/)

    await one.bench.ask('POST', `/statuses/${pull.head.sha}`, { context: 'ci', state: 'pending' })
    await one.settle()
    expect(labelsOf(one)).toEqual(['status::in_ci'])
    await one.bench.ask('POST', `/statuses/${pull.head.sha}`, { context: 'ci', state: 'success' })
    await one.settle()
    expect(labelsOf(one)).toEqual(['status::in_review'])

    await one.bench.ask('POST', '/pulls/2/merge', { Do: 'squash' })
    await one.settle()
    expect(one.mailbox()).toMatchObject({ status: 'done', isOpen: false })
    expect(labelsOf(one)).toEqual(['status::done'])
    expect(issueOf(one).isOpen).toBe(false)
  })
})

describe.each(['gitea', 'forgejo'] as const)('an issue on a %s that is not well', (kind) => {
  it('posts nothing twice when each write happens and is answered with 500', async () => {
    const one = (life = await openLife(kind))
    for (const [method, path] of [
      ['POST', /comments$/],
      ['POST', /labels$/],
      ['DELETE', /labels/],
      ['PATCH', /issues\/1$/],
      ['POST', /pulls$/],
    ] as const) {
      one.bench.server.faults.add({ fault: { kind: 'done_but_500' }, method, path, times: 2 })
    }
    one.bench.server.seed.issue(benchRepository, {
      title: 'Slow search',
      by: 'dev',
      assignees: ['alfred-bot'],
    })
    const calm = async (): Promise<void> => {
      for (let n = 0; n < 4; n++) {
        one.bench.clock.advance(120_000)
        await one.settle(2)
      }
    }
    await calm()
    await one.endRun({ plan: 'Make an index.', functionalAnalysis: 'Under a second.' })
    await calm()
    expect(labelsOf(one)).toEqual(['status::waiting_validation'])
    // The person is not told the truth either, and does not ask again.
    const label = one.bench.labelId('ai::validate_plan')
    await one.bench.ask('POST', '/issues/1/labels', { labels: [label] }).catch(() => undefined)
    await calm()
    await one.endRun({ summary: 'Made an index.' }, 1)
    await calm()
    const markers = commentsOf(one).map((body) => /<!-- agent:key=(\S+?):/.exec(body)?.[1])
    expect(markers.length).toBeGreaterThan(2)
    expect(new Set(markers).size).toBe(markers.length)
    const pulls = one.bench.server.seed.find(benchRepository).issues.filter(({ pull }) => pull !== null)
    expect(pulls).toHaveLength(1)
  })
})

describe('an issue on an older gitea', () => {
  it('keeps its status when a person changes it, and sees a commit that is red', async () => {
    const one = (life = await openLife('gitea-1.26-dev'))
    await toChange(one)
    await one.bench.ask('POST', '/issues/1/labels', { labels: [one.bench.labelId('status::done')] })
    await one.settle()
    expect(labelsOf(one).filter((name) => name.startsWith('status::'))).toHaveLength(1)
    const pull = (await one.bench.ask('GET', '/pulls/2')) as { head: { sha: string } }
    await one.bench.ask('POST', `/statuses/${pull.head.sha}`, { context: 'ci', state: 'failure' })
    await one.settle()
    expect(one.mailbox()).toMatchObject({ status: 'in_ci', needsYou: expect.any(String) })
  })
})

it.each([-300_000, 300_000])(
  'an issue on a forge whose clock is %d ms off goes its way',
  async (clockOffMs) => {
    const one = (life = await openLife('gitea', clockOffMs))
    await toChange(one)
    expect(one.mailbox()).toMatchObject({ changeIid: 2, status: 'in_development' })
    const pull = (await one.bench.ask('GET', '/pulls/2')) as { head: { sha: string } }
    await one.bench.ask('POST', `/statuses/${pull.head.sha}`, { context: 'ci', state: 'success' })
    await one.settle()
    await one.bench.ask('POST', '/pulls/2/merge', { Do: 'merge' })
    await one.settle()
    expect(one.mailbox()).toMatchObject({ status: 'done', isOpen: false })
  },
)
