import { createSystemRandomness } from '@main/adapters/system/system-randomness'
import type { RunResult } from '@main/core/result/parse-result'
import { isTalk } from '@main/core/run/talk'
import type { Forge } from '@main/ports/forge'
import type { RunPusher, RunRequests } from '@main/services/workflow/ports-of-workflow'
import { createSettingReader } from '@main/services/settings/setting-values'
import { createChangeFeed } from '@main/services/status/change-feed'
import { createOutboxSender, type OutboxSender } from '@main/services/workflow/outbox-sender'
import { createPoller, type OnPolled, type Poller } from '@main/services/workflow/poller'
import { pushInTheWay } from '@main/services/workflow/waiting-push'
import { createWorkflowService, type WorkflowService } from '@main/services/workflow/workflow-service'
import type { RunFailure } from '@shared/contract/runs'
import type { TrackerIssue, TrackerProject } from '@shared/contract/tracker'
import type { RunUid } from '@shared/model/ids'
import type { Mailbox, Run } from '@shared/model/records'
import type { Outcome, Phase } from '@shared/model/words'
import { err, ok } from '@shared/result'
import { done, openLocalForgeBench, type LocalForgeBench } from './local-forge-bench'
import type { Logger } from '@main/ports/logger'

/** Poller, decisions and sender, wired to each other as in the engine. */
interface Workflow {
  readonly service: WorkflowService
  readonly sender: { -readonly [K in keyof OutboxSender]: OutboxSender[K] }
  readonly poller: Poller
  /** Polls and sends until the signal aborts. */
  run(signal: AbortSignal): Promise<void>
}

type Parts = Parameters<typeof createPoller>[0]

function createWorkflow(parts: Parts): Workflow {
  const sender = createOutboxSender(parts, (projectId, iid) => poller.poke(projectId, iid))
  const service = createWorkflowService(parts, () => sender.wake())
  const poller = createPoller(parts, service)
  return {
    service,
    sender,
    poller,
    run: async (signal) => {
      await Promise.all([poller.run(signal), sender.run(signal)])
    },
  }
}

export interface WorkflowBench extends LocalForgeBench {
  readonly project: TrackerProject
  readonly workflow: Workflow
  /** What was logged as an error. */
  readonly errors: readonly string[]
  /** What was told of each poll that has ended. */
  readonly polls: readonly Parameters<OnPolled>[]
  readonly stopped: readonly { readonly run: Run; readonly reason: RunFailure }[]
  /** The forge as the workflow sees it; a test may replace methods. */
  readonly asked: { -readonly [K in keyof Forge]: Forge[K] }
  /** What the pusher answers; a test may replace it. */
  readonly pusher: { pushRun: RunPusher['pushRun']; takeBack: RunPusher['takeBack'] }
  /** The same on the same data, as after a restart. */
  restart(): Workflow
  /** An issue of the person, assigned to Alfred, and polled. */
  takeUp(issue?: {
    readonly title?: string
    readonly body?: string
    readonly labels?: readonly string[]
  }): Promise<Mailbox>
  /** Polls once and sends all posts, until nothing follows any more; time goes on by a second each. */
  settle(): Promise<void>
  mailbox(iid?: number): Mailbox
  issue(iid?: number): Promise<TrackerIssue>
  /** First lines of the comments on the issue. */
  comments(iid?: number): Promise<readonly string[]>
  liveRun(iid?: number): Run
  /** From now on no agent could work on anything, for this reason; null: one could again. */
  setNoAgent(reason: string | null): void
  /** As a person asks for a run. */
  requestRun(phase: Phase, iid?: number): void
  /** Ends the live run as the run services do. */
  endRun(
    how?: {
      readonly outcome?: Outcome
      readonly failure?: RunFailure
      readonly result?: Partial<RunResult>
      readonly commits?: number
      /** Where it began, and its last commit. */
      readonly baseSha?: string
      readonly headSha?: string
    },
    iid?: number,
  ): Promise<Run>
  /** Commits a file on the issue's branch of the forge, as a push of a run does. */
  pushBranch(iid?: number): string
}

/** A run that did what it was for, and said nothing. */
export const emptyResult: RunResult = {
  source: 'file',
  outcome: 'done',
  functionalAnalysis: null,
  plan: null,
  questions: [],
  answer: null,
  summary: null,
}

/** The workflow on the local forge, a real database and real repositories; only the runs are played. */
export async function openWorkflowBench(): Promise<WorkflowBench> {
  const bench = openLocalForgeBench()
  const { store } = bench.test
  const { clock } = bench
  const project = await bench.addProject()
  const randomness = createSystemRandomness()
  const settings = createSettingReader(store)
  const asked = { ...bench.forge }
  const errors: string[] = []
  const polls: Parameters<OnPolled>[] = []
  const logger: Logger = {
    info: () => undefined,
    warn: () => undefined,
    error: (message, fields) => void errors.push(`${message} ${JSON.stringify(fields)}`),
    with: () => logger,
  }
  const stopped: { run: Run; reason: RunFailure }[] = []
  const person = (await done(bench.tracker.listPeople())).find(({ isYou }) => isYou)

  let noAgent: { readonly type: 'no_agent'; readonly message: string } | null = null
  const runs: RunRequests = {
    whyNoAgent: () => noAgent,
    requestRun: ({ mailboxId, phase, trigger, requestedBy, resumeChoice }) => {
      const inTheWay = isTalk(phase) ? null : pushInTheWay(store, store.mailboxes.get(mailboxId))
      if (inTheWay !== null) return err(inTheWay)
      if (noAgent !== null) return { ok: false, error: noAgent }
      const uid = randomness.uuidV7() as RunUid
      const run = store.runs.add(
        {
          uid,
          mailboxId,
          phase,
          trigger,
          requestedBy,
          resumeChoice,
          runner: 'container',
          adapter: 'demo',
          provider: null,
          model: null,
        },
        clock.now(),
      )
      if (run !== null) return ok(run)
      const runId = store.runs.findLive(mailboxId)?.id ?? (0 as Run['id'])
      return {
        ok: false,
        error: { type: 'already_running', runId, since: 0, message: 'a run works already' },
      }
    },
    kick: () => undefined,
    stopRun: (runId, reason) => stopped.push({ run: store.runs.get(runId), reason }),
  }

  const pushBranch = (iid = 1): string =>
    bench.push(project, mailbox(iid).branchName ?? '', { 'work.txt': `work ${clock.now()}` })
  const pusher: { pushRun: RunPusher['pushRun']; takeBack: RunPusher['takeBack'] } = {
    takeBack: (run, { keep }) =>
      Promise.resolve(
        ok(keep ? { repository: '/mailbox.git', ref: `refs/alfred/left-out/${run.uid}` } : null),
      ),
    pushRun: async (run) => ok({ headSha: pushBranch(store.mailboxes.get(run.mailboxId).iid), commits: 1 }),
  }

  const parts: Parts = {
    store,
    clock,
    logger,
    redact: (text) => text.replaceAll('hunter2', '[redacted]'),
    settings,
    changes: createChangeFeed(clock),
    forgeOf: () => asked,
    runs,
    pusher: {
      pushRun: (run, options) => pusher.pushRun(run, options),
      takeBack: (run, options) => pusher.takeBack(run, options),
      deleteBranch: () => Promise.resolve(err({ type: 'refused', message: 'nobody asks here' })),
      describePush: () => Promise.resolve(err({ type: 'refused', message: 'nobody asks here' })),
    },
    ownerIdsOf: () => (person === undefined ? [] : [person.id]),
    randomness,
    onPolled: (...poll) => void polls.push(poll),
  }
  const workflow = createWorkflow(parts)
  const ref = (iid: number) => ({ projectId: project.id, iid })

  const mailbox = (iid = 1): Mailbox => {
    const found = store.mailboxes.find(project.id, 'issue', iid)
    if (found === null) throw new Error(`no mailbox for issue ${iid}`)
    return found
  }
  const liveRun = (iid = 1): Run => {
    const run = store.runs.findLive(mailbox(iid).id)
    if (run === null) throw new Error(`issue ${iid} has no live run`)
    return run
  }
  const settleWith = async (engine: Workflow): Promise<void> => {
    const { signal } = new AbortController()
    for (let round = 0; round < 4; round += 1) {
      clock.advance(1_000)
      await engine.poller.pollProject(store.forges.getProject(project.id), signal)
      clock.advance(1_000)
      await engine.sender.sendDue(signal)
    }
  }

  return {
    ...bench,
    project,
    workflow,
    errors,
    polls,
    stopped,
    asked,
    pusher,
    restart: () => createWorkflow(parts),
    takeUp: async ({ title = 'Slow search', body = 'It is slow.', labels = [] } = {}) => {
      const issue = await done(
        bench.tracker.createIssue({
          projectId: project.id,
          title,
          body,
          labels: [...labels],
          assignees: ['alfred'],
        }),
      )
      await settleWith(workflow)
      return mailbox(issue.iid)
    },
    settle: () => settleWith(workflow),
    mailbox,
    issue: (iid = 1) => done(bench.tracker.getIssue(ref(iid))),
    comments: async (iid = 1) =>
      (await done(bench.tracker.getIssue(ref(iid)))).commentList.map(({ body }) => body.split('\n')[0] ?? ''),
    liveRun,
    setNoAgent: (reason) => {
      noAgent = reason === null ? null : { type: 'no_agent', message: reason }
    },
    requestRun: (phase, iid = 1) => {
      const mailboxId = mailbox(iid).id
      runs.requestRun({ mailboxId, phase, trigger: 'person', requestedBy: 'ada', resumeChoice: 'auto' })
    },
    endRun: async (
      { outcome = 'succeeded', failure, result = {}, commits = 0, baseSha, headSha } = {},
      iid = 1,
    ) => {
      const run = liveRun(iid)
      store.mailboxes.update(
        run.mailboxId,
        { branchName: mailbox(iid).branchName ?? `agent/issue-${iid}-x` },
        clock.now(),
      )
      const prompt = await done(workflow.service.buildPrompt(run))
      store.transaction(() => {
        store.runs.update(run.id, {
          state: 'ended',
          outcome,
          error: failure === undefined ? null : JSON.stringify(failure),
          endedAt: clock.now(),
          ...(baseSha !== undefined && { baseSha }),
          ...(headSha !== undefined && { headSha }),
        })
        workflow.service.onRunEnded({
          runId: run.id,
          result: outcome === 'succeeded' ? { ...emptyResult, ...result } : null,
          commits,
          issueSha256: prompt.issueSha256,
        })
      })
      workflow.service.afterRunEnded(run.id)
      await settleWith(workflow)
      return store.runs.get(run.id)
    },
    pushBranch,
  }
}
