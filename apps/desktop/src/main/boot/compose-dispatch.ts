import { engineContract } from '@shared/contract/index'
import { createAppHandlers } from '../ipc/app-handlers'
import { createChatHandlers } from '../ipc/chat-handlers'
import { createDemoHandlers } from '../ipc/demo-handlers'
import { createDispatch } from '../ipc/dispatch'
import type { Dispatch } from '../ipc/dispatch'
import { createForgeHandlers } from '../ipc/forge-handlers'
import { createMailboxHandlers } from '../ipc/mailbox-handlers'
import { createRunHandlers } from '../ipc/run-handlers'
import { createSessionHandlers } from '../ipc/session-handlers'
import { createSettingsHandlers } from '../ipc/settings-handlers'
import { createTerminalHandlers } from '../ipc/terminal-handlers'
import { createChatAttachmentService } from '../services/chats/attachments'
import { createChatQueries } from '../services/chats/chat-queries'
import { createDoctorLineFeed } from '../services/doctor/doctor-line-feed'
import { createMailboxActions } from '../services/mailbox-actions'
import { createMailboxQueries } from '../services/queries/mailbox-queries'
import { createTranscriptQueries } from '../services/queries/transcript-queries'
import { createRunQueries } from '../services/queries/run-queries'
import { createSettingsService } from '../services/settings/settings-service'
import { createTrackerService } from '../services/tracker'
import type { Background } from './background'
import type { EngineAdapters } from './compose-adapters'
import type { EngineServices } from './compose-services'
import type { EngineOptions } from './engine-options'
import type { OwnedData } from './open-data'

/** What every entry of the contract is answered by. */
export function composeDispatch(
  options: EngineOptions,
  data: OwnedData,
  outside: EngineAdapters,
  services: EngineServices,
  background: Background,
): Dispatch {
  const { store, clock, randomness, logger, folder: dataFolder } = data
  const { adapters, local } = outside
  const { agents, changes, cleanup, demo, doctor, feed, forges, onIssueChanged, poller, queryParts } =
    services
  const { requests, runs, scheduler, status, workflow, workflowParts } = services
  const allowsDemonstration = options.allowsDemonstration === true
  const sessions = { store, timeline: queryParts.timeline }
  return createDispatch(
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
        agentFacts: services.agentFacts,
        standInFor: services.standInFor,
        setPaused: (isPaused) => {
          scheduler.setPaused(isPaused)
          status.touch()
        },
        isFirstStart: () => store.forges.listProjects().length === 0,
      }),
      chats: createChatHandlers(
        services.chats,
        createChatQueries(queryParts),
        createChatAttachmentService({ store, clock, redact: data.redact, changes }),
      ),
      demo: createDemoHandlers(demo),
      forges: createForgeHandlers(forges),
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
        finishedWorkspaces: services.finishedWorkspaces,
        personLogin: local.personLogin,
        sessions,
      }),
      runs: createRunHandlers({
        queries: createRunQueries(queryParts),
        transcripts: createTranscriptQueries({
          store,
          clock,
          timeline: queryParts.timeline,
          transcripts: outside.transcripts,
        }),
        runs,
        feed,
      }),
      sessions: createSessionHandlers({ ...sessions, byHand: services.sessions }),
      settings: createSettingsHandlers(
        createSettingsService({
          store,
          clock,
          changes,
          adapters,
          allowsDemonstration,
          onChanged: () => {
            outside.readDockerEndpoint()
            background.add(agents.checkHost())
            scheduler.kick()
            poller.projectsChanged()
          },
        }),
      ),
      terminals: createTerminalHandlers(
        services.terminals.service,
        services.terminals.hub,
        services.terminals.signIns,
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
}
