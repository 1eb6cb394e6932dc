import type { ChangeFeed } from '../status/change-feed'
import type { SettingReader } from '../settings/setting-values'
import type { RunRequest, RunRequestError, RunRequests } from '../workflow/ports-of-workflow'
import { isTalk } from '../../core/run/talk'
import { settingsOfPhase } from '../../core/settings/phase-settings'
import { adapterForChoice, chosenSessionId } from '../../core/session/resume-choice'
import { pushInTheWay } from '../workflow/waiting-push'
import type { AgentAdapters } from '../../ports/agent-adapter'
import type { Clock } from '../../ports/clock'
import type { Randomness } from '../../ports/randomness'
import type { Store } from '../../ports/stores'
import { runUidSchema } from '@shared/model/ids'
import type { Project, Run } from '@shared/model/records'
import type { AdapterId, Phase } from '@shared/model/words'
import { err, ok, type Result } from '@shared/result'
import { chooseAdapter, notInThisVersion, type NoAgent } from './choose-adapter'
import type { RunScheduler } from './run-scheduler'

export interface RunRequestParts {
  readonly store: Store
  readonly clock: Clock
  readonly randomness: Randomness
  readonly settings: SettingReader
  readonly adapters: AgentAdapters
  readonly changes: ChangeFeed
  readonly scheduler: Pick<RunScheduler, 'kick' | 'stopRun'>
  readonly allowsDemonstration: boolean
}

export function createRunRequests(parts: RunRequestParts): RunRequests {
  return {
    requestRun: (request) => requestRun(parts, request),
    whyNoAgent(mailboxId, phase) {
      const { projectId } = parts.store.mailboxes.get(mailboxId)
      const configured = configuredAdapter(parts, parts.store.forges.getProject(projectId), phase)
      return configured.ok ? null : configured.error
    },
    kick: () => parts.scheduler.kick(),
    stopRun: (runId, reason) => parts.scheduler.stopRun(runId, reason),
  }
}

function configuredAdapter(
  parts: RunRequestParts,
  project: Project,
  phase: Phase,
): Result<AdapterId, NoAgent> {
  const { store, settings, adapters, allowsDemonstration } = parts
  const values = settingsOfPhase(settings.of(project).values, phase)
  return chooseAdapter({
    settings: values,
    phase,
    project,
    installations: store.installations.list(),
    images: store.images.list(),
    adapters,
    allowsDemonstration,
  })
}

function requestRun(parts: RunRequestParts, request: RunRequest): Result<Run, RunRequestError> {
  const { store, clock, randomness, settings, changes } = parts
  const mailbox = store.mailboxes.get(request.mailboxId)
  const project = store.forges.getProject(mailbox.projectId)
  const values = settingsOfPhase(settings.of(project).values, request.phase)
  const inTheWay = isTalk(request.phase) ? null : pushInTheWay(store, mailbox)
  if (inTheWay !== null) return err(inTheWay)

  const chosen = chosenSessionId(request.resumeChoice)
  const { chat } = request
  const begunWith = chat ?? request.terminal
  const configured =
    begunWith === undefined
      ? configuredAdapter(parts, project, request.phase)
      : adapterOfTalk(parts, begunWith.adapter, request.phase)
  // A chosen session brings its own adapter, so none needs to be configured for it.
  if (!configured.ok && (chosen === null || begunWith !== undefined)) return configured
  const row = chosen === null ? null : store.sessions.find(chosen)
  const adapter = adapterForChoice({
    choice: request.resumeChoice,
    row,
    mailbox,
    configured: configured.ok ? configured.value : (row?.adapter ?? 'demo'),
  })
  if (!adapter.ok) return adapter
  if (parts.adapters.find(adapter.value) === null) return err(notInThisVersion(adapter.value))
  // Last, so that nobody is asked to stop a run for one that could not start anyway.
  const live = store.runs.findLive(mailbox.id)
  if (live) return err(alreadyRunning(store, live))

  const run = store.runs.add(
    {
      uid: runUidSchema.parse(randomness.uuidV7()),
      mailboxId: mailbox.id,
      phase: request.phase,
      trigger: request.trigger,
      requestedBy: request.requestedBy,
      runner: values.AGENT_RUNNER,
      adapter: adapter.value,
      provider: begunWith === undefined ? values.AGENT_PROVIDER : begunWith.provider,
      model: begunWith === undefined ? values.AGENT_MODEL : begunWith.model,
      resumeChoice: request.resumeChoice,
      ...(chat === undefined ? {} : { chatThread: chat.threadId }),
    },
    clock.now(),
  )
  if (run === null) {
    const other = store.runs.findLive(mailbox.id)
    if (other) return err(alreadyRunning(store, other))
    throw new Error(`mailbox ${mailbox.id} takes no run and has none`)
  }
  changes.publish({ type: 'run', runId: run.id, mailboxId: mailbox.id })
  changes.publish({ type: 'mailbox', mailboxId: mailbox.id, projectId: mailbox.projectId })
  return ok(run)
}

/** A talk goes on with the agent of its session, or not at all. */
function adapterOfTalk(
  { adapters }: RunRequestParts,
  id: AdapterId,
  phase: Phase,
): Result<AdapterId, NoAgent> {
  const phases = adapters.find(id)?.phases
  return phases === undefined || phases.includes(phase)
    ? ok(id)
    : err({
        type: 'no_agent',
        message: `${id} is for ${listed(phases)} only: it takes no part in a ${phase}.`,
      })
}

/** `analysis, answer and chat` */
const listed = (phases: readonly Phase[]): string => new Intl.ListFormat('en-GB').format(phases)

const alreadyRunning = (store: Store, run: Run): RunRequestError => ({
  type: 'already_running',
  runId: run.id,
  since: store.locks.find(run.mailboxId)?.since ?? run.createdAt,
  message: `Run ${run.id} of this issue has not ended yet.`,
})
