import { assertNever } from '@shared/assert'
import type { Mailbox } from '@shared/model/records'
import type { AdapterId } from '@shared/model/words'
import { findEndpoint } from '../adapters/container/docker/endpoint'
import type { LocalForge } from '../adapters/forge/local/open-local-forge'
import { runUidSchema } from '@shared/model/ids'
import { sandboxLabels } from '../core/sandbox/sandbox-spec'
import { sandboxUser } from '../core/sandbox/sandbox-user'
import { createAgentDetection } from '../services/agent-detection'
import { createAgentCredentials, credentialScopeOf } from '../services/agents/agent-credentials'
import { createAgentFacts } from '../services/agents/agent-facts'
import { createAgentsService } from '../services/agents/agents-service'
import { imageWith } from '../services/agents/image-with'
import { createLoginProbe } from '../services/agents/login-probe'
import { standInFor } from '../services/agents/stand-in'
import { createChatService } from '../services/chats/chat-service'
import { createCleanupService } from '../services/cleanup/cleanup-service'
import { createFinishedWorkspaces } from '../services/cleanup/finished-workspaces'
import { createDemoService } from '../services/demo/demo-service'
import { createImageBuilder } from '../services/image-builder'
import { createNotificationService } from '../services/notifications/notification-service'
import { startNotificationWatch } from '../services/notifications/notification-watch'
import type { QueryParts } from '../services/queries/query-parts'
import { queueWait } from '../services/queries/queue-wait'
import { startSuccessor } from '../services/runs/start-successor'
import { createSleepCheck } from '../services/runs/check-after-sleep'
import { gitWithRoom } from '../services/runs/git-with-room'
import { openForPush } from '../services/runs/open-for-push'
import { removeProjectData } from '../services/runs/project-data'
import { publishRun } from '../services/runs/publish-run'
import { createRunPusher } from '../services/runs/push-run'
import { createRunActivities } from '../services/runs/run-activities'
import { lookAgainForLogin } from '../services/runs/look-again-for-login'
import { createRunEventFeed } from '../services/runs/run-event-feed'
import type { RunParts } from '../services/runs/run-parts'
import { keepRecordOfTurn } from '../services/runs/run-record'
import { createRunRequests } from '../services/runs/run-requests'
import { createRunScheduler } from '../services/runs/run-scheduler'
import { createRunService } from '../services/runs/run-service'
import { createSessionService } from '../services/sessions/session-service'
import { createChangeFeed } from '../services/status/change-feed'
import { createEngineWatch, type EngineState } from '../services/status/engine-watch'
import { createForgeWatch } from '../services/status/forge-watch'
import { createStorageWatch } from '../services/status/storage-watch'
import { createStatusService } from '../services/status/status-service'
import { createTerminalHub } from '../services/terminals/terminal-hub'
import { createSignInService } from '../services/terminals/sign-in-service'
import { createTerminalService } from '../services/terminals/terminal-service'
import { createOutboxSender } from '../services/workflow/outbox-sender'
import { createPoller } from '../services/workflow/poller'
import type { WorkflowParts } from '../services/workflow/workflow-parts'
import { createWorkflowService } from '../services/workflow/workflow-service'
import type { Background } from './background'
import type { EngineAdapters } from './compose-adapters'
import { composeDoctor } from './compose-doctor'
import { composeForges } from './compose-forges'
import type { EngineOptions } from './engine-options'
import type { OwnedData } from './open-data'

/** Of the disk that the data lies on, so that the system and other programs go on. */
const keptFreeBytes = 2_000_000_000

/** The services, wired to each other, before anybody can reach them. */
export type EngineServices = Awaited<ReturnType<typeof composeServices>>

export async function composeServices(
  options: EngineOptions,
  data: OwnedData,
  outside: EngineAdapters,
  background: Background,
) {
  const { store, clock, randomness, logger, redact, folder: dataFolder } = data
  const { adapters, appUser, disk, docker, files, folders, forgeOf, git, host } = outside
  const { local, paths, sandboxFiles, settings, states } = outside
  const allowsDemonstration = options.allowsDemonstration === true
  const changes = createChangeFeed(clock, (defect) =>
    logger.error(`a change was not heard: ${String(defect)}`),
  )
  const feed = createRunEventFeed()

  let touchStatus = (): void => undefined
  let kickScheduler = (): void => undefined
  const diskReserveBytes = options.diskReserveBytes ?? keptFreeBytes
  const storage = createStorageWatch({
    disk,
    clock,
    folder: dataFolder,
    reserveBytes: diskReserveBytes,
    tryWrite: () => store.tryWrite(),
    onChange: () => {
      if (storage.isFull() && !background.closing.aborted) background.add(finishedWorkspaces.count())
      touchStatus()
      kickScheduler()
    },
  })
  const finishedWorkspaces = createFinishedWorkspaces({
    store,
    clock,
    logger,
    paths,
    changes,
    disk,
    git,
    remover: outside.remover,
    onCounted: () => touchStatus(),
    closing: background.closing,
  })
  data.onStorageFailure((failure) => storage.met(failure))
  const dailyBackups = {
    backups: outside.backups,
    clock,
    logger,
    storage,
    reserveBytes: diskReserveBytes,
    databaseBytes: () => store.sizeBytes(),
  }
  const engineWatch = createEngineWatch({
    runtime: docker,
    clock,
    logger,
    findEndpoint: () => findEndpoint(outside.dockerEndpoint()),
    onChange: (state) => {
      scheduler.setEngineReachable(!isAway(state.state))
      notificationWatch.engineSeen(isAway(state.state))
      // Whether the image is there is known only now.
      if (state.state === 'reachable' && !background.closing.aborted) background.add(agents.findImage())
      touchStatus()
    },
  })
  const credentials = createAgentCredentials({
    secrets: data.secrets,
    files: outside.loginFiles,
    sandboxFiles,
    paths,
    clock,
    user: sandboxUser(appUser, { rootless: false }),
  })
  const builder = createImageBuilder({
    runtime: docker,
    recipe: outside.recipe,
    images: store.images,
    clock,
    logger,
    agents: ['demo'],
    clis: () => settings.app().AGENT_IMAGE_CLIS,
  })
  const agents = createAgentsService({
    store,
    clock,
    adapters,
    changes,
    runtime: docker,
    host,
    usesHost: () =>
      store.forges.listProjects().some((project) => settings.of(project).values.AGENT_RUNNER === 'host'),
    builder,
    detection: createAgentDetection({
      installations: store.installations,
      clock,
      loginOf: (adapter) => {
        const app = settings.app()
        const run = { provider: app.AGENT_PROVIDER, runner: 'container' } as const
        return credentials.login(adapter, credentialScopeOf({ settings: app, run }))
      },
    }),
    credentials,
    probe: createLoginProbe({
      runtime: docker,
      clock,
      newUid: () => runUidSchema.parse(randomness.uuidV7()),
      appUser,
      labels: {
        [sandboxLabels.install]: store.installId(),
        [sandboxLabels.engine]: outside.engineUid,
      },
      sandboxFiles,
      credentials,
      files: outside.probeFiles,
      folder: outside.probeFolder,
      remover: outside.remover,
      settings: () => settings.app(),
      logger,
    }),
    allowsDemonstration,
    base: () => settings.app().AGENT_IMAGE,
    onStatus: () => touchStatus(),
  })

  const notifications = createNotificationService({
    store: store.notifications,
    notifier: options.notifier,
    // nobody sits in front of a headless engine, and no bell tells of it
    desktop:
      options.kind === 'desktop' ? outside.desktop : { showsNotifications: () => Promise.resolve(true) },
    rules: () => settings.app(),
    clock,
    logger,
    changes,
  })
  const notificationWatch = startNotificationWatch({
    store,
    timeline: outside.timeline,
    clock,
    logger,
    settings,
    changes,
    notifications,
  })

  const hub = createTerminalHub({ clock, randomness, logger })
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
    storage,
    diskReserveBytes,
    git: gitWithRoom(git),
    forgeOf,
    runtimeOf: (runner) => (runner === 'host' ? host : docker),
    // A run leaves at once when the engine closes; what it had asked for writes what it finds.
    images: {
      ensure: (...wanted) => background.keep(agents.ensure(...wanted)),
      installation: (...asked) => background.keep(agents.installation(...asked)),
    },
    terminals: hub,
    credentials,
    appUser,
    dataFolder,
    engineUid: outside.engineUid,
    prompts: {
      buildPrompt: (run) => workflow.buildPrompt(run),
      readIssue: (run) => workflow.readIssue(run),
    },
    listener: {
      onRunEnded: (finished) => workflow.onRunEnded(finished),
      afterRunEnded: (runId) => workflow.afterRunEnded(runId),
    },
    startSuccessor: (run) => startSuccessor({ store, clock, feed, requests }, run),
    onSettled: (run) => notificationWatch.runSettled(run),
    onEngineSeen: (answer) => engineWatch.seen(answer),
  }
  const scheduler = createRunScheduler(runParts)
  kickScheduler = () => scheduler.kick()
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
  const poller = createPoller(
    { ...workflowParts, randomness, onPolled: (...poll) => forgeWatch.polled(...poll) },
    workflow,
  )
  const onIssueChanged = (mailbox: Mailbox): void => poller.poke(mailbox.projectId, mailbox.iid)

  const sleepCheck = createSleepCheck({
    store,
    runtime: docker,
    logger,
    askEngine: () => engineWatch.askNow(),
    onChange: () => touchStatus(),
  })
  const forgeWatch = createForgeWatch({ store, clock, onChange: () => touchStatus() })
  const waiting = (): ReturnType<QueryParts['waiting']> => {
    if (scheduler.isPaused()) return 'paused'
    if (!storage.hasRoom()) return 'disk'
    return isAway(engineWatch.current().state) ? 'docker' : null
  }
  const status = createStatusService({
    store,
    clock,
    logger,
    changes,
    version: options.version,
    isPaused: () => scheduler.isPaused(),
    engine: () => engineWatch.current(),
    image: () => agents.imageStatus(),
    dayBudgetUsd: () => settings.app().DAY_BUDGET_USD,
    nextPollAt: (forgeId) => poller.nextPollAt(forgeId),
    forgeWatch,
    silence: () => notifications.silence(),
    checking: () => sleepCheck.checking(),
    storage,
    finishedWorkspaces: () => finishedWorkspaces.total(),
    waitOf: (run) => queueWait({ store, settings, clock, waiting }, run),
  })
  touchStatus = () => status.touch()

  const queryParts: QueryParts = {
    store,
    timeline: outside.timeline,
    settings,
    clock,
    git,
    adapters,
    forgeOf,
    paths,
    files,
    activities: runParts.activities,
    allowsDemonstration,
    waiting,
    nextPollAt: () => poller.nextPollAt(),
  }
  const runs = createRunService({ store, requests, clock, personLogin: local.personLogin })
  const chats = createChatService({
    store,
    requests,
    clock,
    redact,
    changes,
    personLogin: local.personLogin,
    keepRecord: (runId) => keepRecordOfTurn({ store, clock, paths, folders, logger }, runId),
  })
  const terminals = createTerminalService({
    store,
    requests,
    settings,
    adapters,
    credentials,
    states,
    paths,
    clock,
    hub,
    programs: outside.programs,
    personLogin: local.personLogin,
  })
  const signIns = createSignInService({
    adapters,
    settings: () => settings.app(),
    imageWith: (adapter) => imageWith({ agents, store }, adapter),
    runtime: docker,
    hub,
    programs: outside.programs,
    credentials,
    sandboxFiles,
    appUser,
    labels: {
      [sandboxLabels.install]: store.installId(),
      [sandboxLabels.engine]: outside.engineUid,
    },
    randomness,
    clock,
    logger,
    onLooked: (adapter, loginState) => {
      changes.publish({ type: 'agents' })
      if (loginState !== 'found') return
      lookAgainForLogin(store, clock, adapter)
      scheduler.kick()
    },
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
  const forges = composeForges(data, outside, {
    changes,
    removeData: (project) => removeProjectData(runParts, project),
    onProjectsChanged: () => poller.projectsChanged(),
    pollNow: (forgeId) => poller.pollNow(forgeId),
  })
  const sessions = createSessionService({
    ...runParts,
    handMade: outside.handMade,
    user: sandboxUser(appUser, { rootless: false }),
    personLogin: local.personLogin,
    allowsDemonstration,
  })
  const doctor = composeDoctor(options, data, outside, agents, forges)
  const cleanup = createCleanupService({
    store,
    clock,
    logger,
    settings,
    paths,
    changes,
    git,
    remover: outside.remover,
    notifications,
  })

  return {
    agents,
    agentFacts: createAgentFacts({
      store,
      settings,
      builder,
      past: outside.past,
      disk: outside.disk,
      paths,
      forgetGoneImages: () => agents.forgetGoneImages(),
    }),
    changes,
    chats,
    cleanup,
    demo,
    doctor,
    engineWatch,
    feed,
    finishedWorkspaces,
    forges,
    notifications,
    notificationWatch,
    onIssueChanged,
    poller,
    queryParts,
    requests,
    runParts,
    runs,
    scheduler,
    sender,
    sessions,
    sleepCheck,
    standInFor: (adapter: AdapterId) =>
      standInFor({ store, adapters, settings, credentials, allowsDemonstration }, adapter),
    status,
    storage,
    terminals: { hub, service: terminals, signIns },
    dailyBackups,
    workflow,
    workflowParts,
  }
}

const isAway = (state: EngineState['state']): boolean => {
  switch (state) {
    case 'unknown':
    case 'reachable':
      return false
    case 'unreachable':
    case 'not_permitted':
    case 'too_old':
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
