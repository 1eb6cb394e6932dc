import type { RunFailure } from '@shared/contract/runs'
import type { RunId, RunUid } from '@shared/model/ids'
import type { Mailbox, Project, Run } from '@shared/model/records'
import type { Outcome, Phase } from '@shared/model/words'
import { assertPresent } from '@shared/assert'
import { ok } from '@shared/result'
import { createSystemRandomness } from '@main/adapters/system/system-randomness'
import type { RunResult } from '@main/core/result/parse-result'
import type { Logger } from '@main/ports/logger'
import { createRunPusher } from '@main/services/runs/push-run'
import { createSettingReader } from '@main/services/settings/setting-values'
import { createChangeFeed } from '@main/services/status/change-feed'
import { createOutboxSender } from '@main/services/workflow/outbox-sender'
import { createPoller } from '@main/services/workflow/poller'
import { createWorkflowService } from '@main/services/workflow/workflow-service'
import { benchRepository, type ForgejoBench, openForgejoBench } from './forgejo-bench'
import { createLifeGit } from './life-git'
import { openTestStore } from './open-test-store'
import { emptyResult } from './workflow-bench'

/*
 * The life of one issue on a fake server: poller, decisions and outbox are the engine's own, the database is real, only
 * the runs are played.
 */

type Files = Readonly<Record<string, string>>

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
  const stopped: { readonly runId: RunId; readonly reason: RunFailure }[] = []
  let generation = 0
  let death = createDeath()
  /** A port whose answers nobody gets any more who asked before the engine died. */
  const outlived = <P extends object>(port: P): P =>
    new Proxy(port, {
      get(target, key) {
        const call: unknown = Reflect.get(target, key)
        if (typeof call !== 'function') return call
        return async (...given: unknown[]): Promise<unknown> => {
          const asked = generation
          const answer: unknown = await call.apply(target, given)
          return asked === generation ? answer : new Promise(() => undefined)
        }
      },
    })
  const mailbox = (): Mailbox =>
    assertPresent(store.mailboxes.find(project.id, 'issue', 1), 'the issue was taken up')
  const git = createLifeGit({
    folder: opened.folder,
    forge: bench.forge,
    project,
    mailbox,
    needsPerson: ['.gitea/**'],
    store,
  })
  const parts: Parameters<typeof createPoller>[0] = {
    store,
    clock,
    logger,
    randomness,
    redact: (text) => text,
    settings: createSettingReader(store),
    changes: createChangeFeed(clock),
    forgeOf: () => outlived(bench.forge),
    ownerIdsOf: () => [],
    runs: {
      whyNoAgent: () => null,
      kick: () => undefined,
      stopRun: (runId, reason) => stopped.push({ runId, reason }),
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
    pusher: outlived(createRunPusher({ openRepository: git.openRepository })),
  }
  const start = () => {
    const service = createWorkflowService(parts, () => undefined)
    const sender = createOutboxSender(parts, () => undefined)
    return { service, sender, poller: createPoller(parts, service) }
  }
  let engine = start()
  const settle = async (rounds = 3): Promise<void> => {
    const { signal } = new AbortController()
    for (let round = 0; round < rounds && !death.isOver(); round++) {
      clock.advance(1_000)
      await Promise.race([engine.poller.pollProject(project, signal), death.promise])
      if (death.isOver()) return
      clock.advance(1_000)
      await Promise.race([engine.sender.sendDue(signal), death.promise])
    }
  }
  /** As the engine does before a run starts: the branch gets its name, and is fetched. */
  const beginRun = async (): Promise<Run> => {
    const run = assertPresent(store.runs.findLive(mailbox().id), 'the workflow asked for it')
    if (run.baseSha !== null) return run
    const branch = mailbox().branchName ?? 'agent/issue-1-x'
    store.mailboxes.update(run.mailboxId, { branchName: branch }, clock.now())
    store.runs.update(run.id, { baseSha: await git.begin(branch) })
    return store.runs.get(run.id)
  }
  return {
    bench,
    errors,
    stopped,
    store,
    project,
    mailbox,
    settle,
    /** One poll at this very moment. */
    poll: async (): Promise<void> => engine.poller.pollProject(project, new AbortController().signal),
    beginRun,
    git,
    /** From now on nothing that was begun goes on, as if the process had ended. */
    die: () => {
      generation += 1
      death.resolve()
    },
    isDead: () => death.isOver(),
    /** The next engine on the same data. */
    revive: () => {
      death = createDeath()
      engine = start()
    },
    service: () => engine.service,
    /** As a person asks for a run in the window. */
    requestRun: (phase: Phase): void => {
      const wanted = { phase, trigger: 'person', requestedBy: 'ada', resumeChoice: 'auto' } as const
      parts.runs.requestRun({ ...wanted, mailboxId: mailbox().id })
    },
    /** The label is set by the person; then the engine looks. */
    command: async (label: string): Promise<void> => {
      await bench.ask('POST', '/issues/1/labels', { labels: [bench.labelId(label)] })
      await settle()
    },
    onForge: async (branch = mailbox().branchName ?? ''): Promise<string | null> =>
      bench.remoteSha(`${bench.server.url}/${benchRepository}.git`, branch),
    liveRun: () => store.runs.findLive(mailbox().id),
    lastRun: () => assertPresent(store.runs.latest(mailbox().id), 'the workflow asked for it'),
    /** What the live run is told. */
    prompt: async (): Promise<string> => {
      const run = assertPresent(store.runs.findLive(mailbox().id), 'the workflow asked for it')
      const prompt = await engine.service.buildPrompt(run)
      if (!prompt.ok) throw new Error(prompt.error.message)
      return prompt.value.text
    },
    endRun: async (
      result: Partial<RunResult>,
      commits = 0,
      { failure = null, files }: { readonly failure?: RunFailure | null; readonly files?: Files } = {},
    ): Promise<void> => {
      const run = await beginRun()
      const prompt = await engine.service.buildPrompt(run)
      if (!prompt.ok) throw new Error(prompt.error.message)
      const work = {
        branch: mailbox().branchName ?? '',
        base: run.baseSha ?? '',
        files: files ?? { 'work.txt': `${clock.now()}\n` },
      }
      const headSha = commits === 0 ? null : await git.commit(run, work)
      store.transaction(() => {
        store.runs.update(run.id, {
          state: 'ended',
          outcome: failure === null ? 'succeeded' : outcomeOf(failure),
          error: failure === null ? null : JSON.stringify(failure),
          endedAt: clock.now(),
          headSha,
        })
        engine.service.onRunEnded({
          runId: run.id,
          result: failure === null ? { ...emptyResult, ...result } : null,
          commits,
          issueSha256: prompt.value.issueSha256,
        })
      })
      engine.service.afterRunEnded(run.id)
      await settle()
    },
    close: async () => {
      git.remove()
      opened.remove()
      await bench.server.close()
    },
  }
}

/** Alfred stops a run whose issue changed; whatever else goes wrong fails. */
const outcomeOf = ({ type }: RunFailure): Outcome => (type === 'forge_changed' ? 'stopped' : 'failed')

function createDeath() {
  let isOver = false
  let resolve = (): void => undefined
  const promise = new Promise<void>((settle) => {
    resolve = settle
  })
  return {
    promise,
    isOver: () => isOver,
    resolve: () => {
      isOver = true
      resolve()
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
