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
import { benchRepository, type ForgejoBench, openForgejoBench } from './forgejo-bench'
import { openTestStore } from './open-test-store'
import { emptyResult } from './workflow-bench'

/*
 * The life of one issue on a fake server: poller, decisions and outbox are the engine's own, the database is real, only
 * the runs are played.
 */

export type ForgejoLife = Awaited<ReturnType<typeof openForgejoLife>>

export async function openForgejoLife(kind: 'gitea' | 'gitea-1.26-dev' | 'forgejo', clockOffMs = 0) {
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

export const issueOf = ({ bench }: ForgejoLife) =>
  assertPresent(
    bench.server.seed.find(benchRepository).issues.find(({ number }) => number === 1),
    'the test opened it',
  )
export const labelsOf = (one: ForgejoLife): string[] =>
  issueOf(one)
    .labels.map(({ name }) => name)
    .toSorted()
export const commentsOf = (one: ForgejoLife): string[] =>
  issueOf(one)
    .entries.filter(({ type }) => type === 'comment')
    .map(({ body }) => body)

export async function takeUp(one: ForgejoLife): Promise<void> {
  await one.bench.ask('POST', '/issues', {
    title: 'Slow search',
    body: 'It is slow.\r\n',
    assignees: ['alfred-bot'],
  })
  await one.settle()
}

export async function toChange(one: ForgejoLife): Promise<void> {
  await takeUp(one)
  await one.endRun({ plan: 'Make an index.', functionalAnalysis: 'Under a second.' })
  await one.bench.ask('POST', '/issues/1/labels', { labels: [one.bench.labelId('ai::validate_plan')] })
  await one.settle()
  await one.endRun({ summary: 'Made an index. Closes #77.' }, 1)
}
