import { join } from 'node:path'
import { assertNever } from '@shared/assert'
import { engineContract } from '@shared/contract/index'
import type { Mailbox, Project } from '@shared/model/records'
import { createAgentAdapters } from '../adapters/agents/agent-adapters'
import { createDemoAdapter, demoEnvironment } from '../adapters/agents/demo/demo-adapter'
import { findEndpoint } from '../adapters/container/docker/endpoint'
import { createDockerRuntime } from '../adapters/container/docker/docker-runtime'
import { createAgentImageRecipe } from '../adapters/container/image/agent-image-recipe'
import { createSandboxFiles } from '../adapters/container/sandbox-files'
import { createStreamFiles } from '../adapters/container/stream-file'
import { createTimelineReader } from '../adapters/db/timeline-reader'
import { createDataRemover } from '../adapters/disk/data-remover'
import { createDisk } from '../adapters/disk/disk'
import { openLocalForge, type LocalForge } from '../adapters/forge/local/open-local-forge'
import { createGit } from '../adapters/git/create-git'
import { createHostRuntime } from '../adapters/host-runner/host-runtime'
import { ensureHostTools } from '../adapters/host-runner/host-tools'
import { createRunFolders } from '../adapters/run-folder/run-folders'
import { createRunLogs } from '../adapters/run-folder/run-logs'
import { createSessionStates } from '../adapters/session-state/session-states'
import { sandboxLabels } from '../core/sandbox/sandbox-spec'
import { createAppHandlers } from '../ipc/app-handlers'
import { createDemoHandlers } from '../ipc/demo-handlers'
import { createDispatch, type Dispatch } from '../ipc/dispatch'
import { createMailboxHandlers } from '../ipc/mailbox-handlers'
import { createRunHandlers } from '../ipc/run-handlers'
import { createSessionHandlers } from '../ipc/session-handlers'
import { createSettingsHandlers } from '../ipc/settings-handlers'
import { createAgentDetection } from '../services/agent-detection'
import { createAgentsService } from '../services/agents/agents-service'
import { createCleanupService } from '../services/cleanup/cleanup-service'
import { startDemoDirector } from '../services/demo/demo-director'
import { createDemoService } from '../services/demo/demo-service'
import { createDoctorLineFeed } from '../services/doctor/doctor-line-feed'
import { createDoctorService } from '../services/doctor/doctor-service'
import { createImageBuilder } from '../services/image-builder'
import { createMailboxActions } from '../services/mailbox-actions'
import { createNotificationService } from '../services/notifications/notification-service'
import { startNotificationWatch } from '../services/notifications/notification-watch'
import { createMailboxQueries } from '../services/queries/mailbox-queries'
import type { QueryParts } from '../services/queries/query-parts'
import { createRunQueries } from '../services/queries/run-queries'
import { createSleepCheck } from '../services/runs/check-after-sleep'
import { hasAgentForProjects } from '../services/runs/choose-adapter'
import { createDataPaths } from '../services/runs/data-paths'
import { openForPush } from '../services/runs/open-for-push'
import { removeProjectData } from '../services/runs/project-data'
import { createRunPusher } from '../services/runs/push-run'
import { publishRun } from '../services/runs/publish-run'
import { createRunActivities } from '../services/runs/run-activities'
import { createRunEventFeed } from '../services/runs/run-event-feed'
import { createRunFiles } from '../services/runs/run-files'
import type { RunParts } from '../services/runs/run-parts'
import { createRunRequests } from '../services/runs/run-requests'
import { createRunScheduler } from '../services/runs/run-scheduler'
import { createRunService } from '../services/runs/run-service'
import { reconcile } from '../services/runs/reconcile'
import { createSettingReader } from '../services/settings/setting-values'
import { createSettingsService } from '../services/settings/settings-service'
import { createChangeFeed } from '../services/status/change-feed'
import { createEngineWatch } from '../services/status/engine-watch'
import { createStatusService } from '../services/status/status-service'
import { createTrackerService } from '../services/tracker'
import { createOutboxSender } from '../services/workflow/outbox-sender'
import { createPoller } from '../services/workflow/poller'
import { createWorkflowService } from '../services/workflow/workflow-service'
import type { WorkflowParts } from '../services/workflow/workflow-parts'
import type { EngineOptions } from './engine-options'
import type { OwnedData } from './open-data'
import { appUserOfProcess, personOfComputer } from './surroundings'

/** How long a call that is under way may hold up the end. */
const closePatienceMs = 5_000
/** How long a command waits at its end for what its run has to tell the forge. */
const sendPatienceMs = 60_000

/** The services, wired to each other, before anybody can reach them. */
export interface Composition {
  readonly dispatch: Dispatch
  readonly wake: () => void
  readonly close: (containers: 'keep' | 'stop', sendUntil?: AbortSignal) => Promise<void>
}

export async function compose(options: EngineOptions, data: OwnedData): Promise<Composition> {
  const { store, clock, randomness, logger, redact, db } = data
  const dataFolder = data.folder
  const allowsDemonstration = options.allowsDemonstration === true
  const closing = new AbortController()
  /** What works beside the calls; waited for before the database is closed. */
  const background = new Set<Promise<unknown>>()
  const settings = createSettingReader(store)
  const changes = createChangeFeed(clock)
  const feed = createRunEventFeed()
  const disk = createDisk()
  const git = createGit({ scratchFolder: join(dataFolder, 'git') })
  const paths = createDataPaths(dataFolder)
  const adapters = createAgentAdapters(
    options.adapters ?? [createDemoAdapter({ environment: demoEnvironment(process.env) })],
  )
  const states = createSessionStates(disk)
  const sandboxFiles = createSandboxFiles({ resourcesFolder: options.resourcesFolder, dataFolder })
  const folders = createRunFolders()
  const files = createRunFiles({
    folders,
    logs: createRunLogs(),
    streams: createStreamFiles(clock),
    sandboxFiles,
    paths,
    redact,
  })
  const appUser = appUserOfProcess()
  // Kept here, since it is asked for with every call, the last ones after the database was closed.
  let dockerEndpoint = settings.app().DOCKER_ENDPOINT
  const docker = createDockerRuntime({
    endpointSetting: () => dockerEndpoint,
    clock,
    labels: { [sandboxLabels.install]: store.installId() },
  })
  const host = createHostRuntime({
    clock,
    folder: join(dataFolder, 'host-runner'),
    toolsFolder: await ensureHostTools(join(dataFolder, 'host-tools'), options.resourcesFolder),
  })
  const local = openLocalForge({
    db,
    forges: store.forges,
    clock,
    runGit: git.runGit,
    dataFolder,
    person: personOfComputer(),
  })
  const forgeOf = (project: Project) => {
    const { kind } = store.forges.getForge(project.forgeId)
    // The other kinds come with an issue of their own; until then nothing can make a project of them.
    if (kind !== 'local') throw new Error(`there is no adapter for ${kind} yet`)
    return local.forge
  }

  let touchStatus = (): void => undefined
  const engineWatch = createEngineWatch({
    runtime: docker,
    clock,
    findEndpoint: () => findEndpoint(dockerEndpoint),
    onChange: (state) => {
      scheduler.setEngineReachable(!isAway(state.state))
      // Whether the image is there is known only now.
      if (state.state === 'reachable' && !closing.signal.aborted) background.add(agents.findImage())
      touchStatus()
    },
  })
  const recipe = createAgentImageRecipe(options.resourcesFolder)
  const agents = createAgentsService({
    store,
    adapters,
    changes,
    runtime: docker,
    builder: createImageBuilder({
      runtime: docker,
      recipe,
      images: store.images,
      clock,
      logger,
      agents: ['demo'],
    }),
    detection: createAgentDetection({ installations: store.installations, clock }),
    base: () => settings.app().AGENT_IMAGE,
    onStatus: () => touchStatus(),
  })

  const notifications = createNotificationService({
    store: store.notifications,
    notifier: options.notifier,
    clock,
    changes,
  })
  const notificationWatch = startNotificationWatch({ store, settings, changes, notifications })

  const runParts: RunParts = {
    store,
    clock,
    randomness,
    logger,
    redact,
    settings,
    changes,
    feed,
    activities: createRunActivities((runId) => publishRun({ store, changes }, runId)),
    adapters,
    paths,
    files,
    folders,
    sandboxFiles,
    states,
    disk,
    git,
    forgeOf,
    runtimeOf: (runner) => (runner === 'host' ? host : docker),
    images: agents,
    appUser,
    dataFolder,
    prompts: { buildPrompt: (run) => workflow.buildPrompt(run) },
    listener: {
      onRunEnded: (finished) => workflow.onRunEnded(finished),
      afterRunEnded: (runId) => workflow.afterRunEnded(runId),
    },
    onSettled: (run) => notificationWatch.runSettled(run),
    onEngineSeen: (answer) => engineWatch.seen(answer),
  }
  const scheduler = createRunScheduler(runParts)
  const requests = createRunRequests({
    store,
    clock,
    randomness,
    settings,
    adapters,
    changes,
    scheduler,
    allowsDemonstration,
  })
  const workflowParts: WorkflowParts = {
    store,
    clock,
    logger,
    redact,
    settings,
    changes,
    forgeOf,
    runs: requests,
    pusher: createRunPusher({ openRepository: (run) => openForPush(runParts, run) }),
    ownerIdsOf: await ownersOf(local),
  }
  const sender = createOutboxSender(workflowParts, (projectId, iid) => poller.poke(projectId, iid))
  const workflow = createWorkflowService(workflowParts, () => sender.wake())
  const poller = createPoller({ ...workflowParts, randomness }, workflow)
  const onIssueChanged = (mailbox: Mailbox): void => poller.poke(mailbox.projectId, mailbox.iid)

  const sleepCheck = createSleepCheck({
    store,
    runtime: docker,
    logger,
    askEngine: () => engineWatch.askNow(),
    onChange: () => touchStatus(),
  })
  let freeDiskBytes: number | null = null
  const status = createStatusService({
    store,
    clock,
    changes,
    version: options.version,
    isPaused: () => scheduler.isPaused(),
    engine: () => engineWatch.current(),
    image: () => agents.imageStatus(),
    nextPollAt: () => poller.nextPollAt(),
    checking: () => sleepCheck.checking(),
    freeDiskBytes: () => freeDiskBytes,
  })
  touchStatus = () => status.touch()

  const queryParts: QueryParts = {
    store,
    timeline: createTimelineReader(db),
    settings,
    clock,
    git,
    adapters,
    forgeOf,
    paths,
    files,
    activities: runParts.activities,
    allowsDemonstration,
    waiting: () => (scheduler.isPaused() ? 'paused' : isAway(engineWatch.current().state) ? 'docker' : null),
    nextPollAt: () => poller.nextPollAt(),
  }
  const runs = createRunService({ store, requests, clock, personLogin: local.personLogin })
  const doctor = createDoctorService({
    runtime: docker,
    git,
    disk,
    sandboxFiles,
    randomness,
    installId: store.installId(),
    dataFolder,
    appUser,
    secretStorage: () =>
      Promise.resolve(
        options.keyring === undefined
          ? {
              state: 'none',
              detail: 'no system keyring here; tokens are read from ALFRED_TOKEN_… in the environment',
            }
          : { state: 'keyring', detail: 'the system keyring' },
      ),
    findImage: () => agents.findImage(),
    installations: (image) => agents.installationsIn(image),
    hasAgentForProjects: hasAgentForProjects(adapters),
    forges: () =>
      store.forges
        .listForges()
        .map((forge) => ({ name: forge.name, kind: forge.kind, check: () => checkForge(local) })),
  })
  const demo = createDemoService({
    store,
    clock,
    tracker: local.tracker,
    changes,
    askEngine: () => engineWatch.askNow(),
    removeData: (project) => removeProjectData(runParts, project),
    onProjectChanged: (projectId) => {
      poller.projectsChanged()
      poller.poke(projectId, null)
    },
  })
  const cleanup = createCleanupService({
    store,
    clock,
    logger,
    settings,
    paths,
    changes,
    git,
    remover: createDataRemover(dataFolder),
    notifications,
  })
  const dispatch = createDispatch(
    engineContract,
    {
      app: createAppHandlers({
        info: {
          version: options.version,
          dataFolder,
          ownerKind: options.kind,
          personLogin: local.personLogin,
        },
        clock,
        notifications: store.notifications,
        status,
        changes,
        doctor,
        doctorLines: createDoctorLineFeed(),
        agents,
        setPaused: (isPaused) => {
          scheduler.setPaused(isPaused)
          status.touch()
        },
        isFirstStart: () => store.forges.listProjects().length === 0,
      }),
      demo: createDemoHandlers(demo),
      mailboxes: createMailboxHandlers({
        queries: createMailboxQueries(queryParts),
        actions: createMailboxActions({
          store,
          clock,
          tracker: local.tracker,
          runs,
          requests,
          pusher: workflowParts.pusher,
          workflow,
          personLogin: local.personLogin,
          changes,
          onIssueChanged,
        }),
        cleanup,
        personLogin: local.personLogin,
      }),
      runs: createRunHandlers({ queries: createRunQueries(queryParts), runs, feed }),
      sessions: createSessionHandlers({ store, timeline: queryParts.timeline }),
      settings: createSettingsHandlers(
        createSettingsService({
          store,
          clock,
          changes,
          adapters,
          allowsDemonstration,
          onChanged: () => {
            dockerEndpoint = settings.app().DOCKER_ENDPOINT
            scheduler.kick()
            poller.projectsChanged()
          },
        }),
      ),
      tracker: createTrackerService({
        tracker: local.tracker,
        onChanged: (projectId, iid) => {
          changes.publish(iid === null ? { type: 'projects' } : { type: 'issue', projectId, iid })
          poller.poke(projectId, iid)
        },
        onProjectsChanged: () => {
          changes.publish({ type: 'projects' })
          poller.projectsChanged()
        },
      }),
    },
    { logger, newIncidentId: () => randomness.uuidV7(), checkOutput: options.checkOutput === true },
  )

  const wake = (): void => {
    if (options.work === 'answers') return
    background.add(sleepCheck.run())
    scheduler.kick()
  }
  let stopDirector = (): void => undefined
  const beginWork = (): void => {
    if (closing.signal.aborted) return
    const isReconciled = reconcile(runParts, scheduler, closing.signal).catch((defect: unknown) =>
      logger.error(`the reconcile failed: ${String(defect)}`),
    )
    scheduler.start()
    engineWatch.start()
    stopDirector = startDemoDirector({
      store,
      clock,
      logger,
      tracker: local.tracker,
      adapters,
      states,
      paths,
      changes,
      onIssueChanged,
    })
    const tasks = [
      isReconciled,
      poller.run(closing.signal),
      sender.run(closing.signal),
      cleanup.run(closing.signal),
      watchDisk(),
    ]
    for (const task of tasks) background.add(task)
  }
  if (options.work === 'works') {
    // a live run's agent works on: it is looked after at once
    const isLive = store.runs.listLive().some(({ state }) => state !== 'queued')
    if (options.workAfter === undefined || isLive) beginWork()
    else void options.workAfter.then(beginWork)
  }

  async function watchDisk(): Promise<void> {
    while (!closing.signal.aborted) {
      freeDiskBytes = await disk.freeBytes(dataFolder)
      touchStatus()
      await clock.sleep(30_000, closing.signal)
    }
  }

  /** Sends what is due, and what follows from that, until nothing does. */
  async function sendRest(until: AbortSignal): Promise<void> {
    const isOver = new AbortController()
    const given = AbortSignal.any([until, isOver.signal])
    const sending = async (): Promise<void> => {
      // What was sent already may still be followed up: the first look is never too many.
      do {
        await sender.sendDue(given)
        await poller.pokesDone()
      } while (!given.aborted && store.outbox.listDue(clock.now(), 1).length > 0)
    }
    await atMost(sendPatienceMs, sending(), until)
    isOver.abort()
  }

  /** Waits for the work until the time is over or the signal aborts; no timer is left that keeps the process. */
  async function atMost(ms: number, work: Promise<unknown>, until?: AbortSignal): Promise<void> {
    const isDone = new AbortController()
    const ends = until === undefined ? [isDone.signal] : [isDone.signal, until]
    await Promise.race([work, clock.sleep(ms, AbortSignal.any(ends))])
    isDone.abort()
  }

  return {
    dispatch,
    wake,
    async close(containers, sendUntil) {
      stopDirector()
      await scheduler.close(containers)
      if (sendUntil !== undefined && options.work === 'works') await sendRest(sendUntil)
      closing.abort()
      engineWatch.close()
      notificationWatch.close()
      notifications.close()
      // An engine of containers that hangs must not keep the app from closing.
      await atMost(closePatienceMs, Promise.allSettled([...background, poller.pokesDone()]))
      status.close()
      changes.close()
    },
  }
}

const isAway = (state: 'unknown' | 'reachable' | 'unreachable' | 'not_permitted'): boolean => {
  switch (state) {
    case 'unknown':
    case 'reachable':
      return false
    case 'unreachable':
    case 'not_permitted':
      return true
    default:
      return assertNever(state, 'state of the engine of containers')
  }
}

/** On the local forge the person of this computer owns every project. */
async function ownersOf(local: LocalForge): Promise<() => readonly string[]> {
  const people = await local.tracker.listPeople()
  const ids = people.ok ? people.value.filter(({ isYou }) => isYou).map(({ id }) => id) : []
  return () => ids
}

async function checkForge(local: LocalForge): Promise<string | null> {
  const account = await local.forge.account()
  return account.ok ? null : account.error.message
}
