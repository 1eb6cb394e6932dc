import type { appContract, StandIn } from '@shared/contract/app'
import { ok } from '@shared/result'
import type { AdapterId } from '@shared/model/words'
import type { Clock } from '../ports/clock'
import type { NotificationStore } from '../ports/stores'
import type { AgentFacts } from '../services/agents/agent-facts'
import type { AgentsService } from '../services/agents/agents-service'
import { doctorReport, type DoctorService } from '../services/doctor/doctor-service'
import type { DoctorLineFeed } from '../services/doctor/doctor-line-feed'
import type { ChangeFeed } from '../services/status/change-feed'
import type { StatusService } from '../services/status/status-service'
import type { HandlersOf } from './dispatch'

export interface AppInfo {
  readonly version: string
  readonly dataFolder: string
  readonly ownerKind: 'desktop' | 'headless'
  readonly personLogin: string
}

export interface AppHandlerParts {
  readonly info: AppInfo
  readonly clock: Clock
  readonly notifications: NotificationStore
  readonly status: StatusService
  readonly changes: ChangeFeed
  readonly doctor: DoctorService
  readonly doctorLines: DoctorLineFeed
  readonly agents: AgentsService
  readonly agentFacts: AgentFacts
  readonly standInFor: (adapter: AdapterId) => Promise<StandIn | null>
  readonly setPaused: (isPaused: boolean) => void
  /** Whether nobody has made a project here yet. */
  readonly isFirstStart: () => boolean
}

export function createAppHandlers(parts: AppHandlerParts): HandlersOf<typeof appContract> {
  const { info, clock, notifications, status, changes, doctor, doctorLines, agents } = parts
  return {
    info: () => ok({ ...info, platform: process.platform, isFirstStart: parts.isFirstStart() }),
    status: () => ok(status.current()),
    statusChanges: (_key, emit) => status.subscribe(emit),
    changes: (_key, emit) => changes.subscribe((events) => emit({ events: [...events] })),
    setPaused: ({ isPaused }) => {
      parts.setPaused(isPaused)
      return ok(null)
    },
    notifications: ({ limit }) =>
      ok(
        notifications
          .list(limit)
          .map(({ id, kind, title, body, mailboxId, runId, setting, createdAt, readAt }) => ({
            id,
            kind,
            title,
            body,
            mailboxId,
            runId,
            setting,
            createdAt,
            isRead: readAt !== null,
          })),
      ),
    markNotificationsRead: () => {
      notifications.markAllRead(clock.now())
      changes.publish({ type: 'notifications' })
      return ok(null)
    },
    openedNotification: ({ id }) => {
      notifications.markClicked(id, clock.now())
      changes.publish({ type: 'notifications' })
      return ok(null)
    },
    doctor: async () => {
      const lines = await doctor.examine((line) => doctorLines.publish(line))
      return ok({ lines, report: doctorReport(lines, info.version) })
    },
    doctorLines: (_key, emit) => doctorLines.subscribe(emit),
    agents: async () => ok(await agents.list()),
    agentImages: async () => ok(await parts.agentFacts.images()),
    agentHistory: async ({ adapter }) => ok(await parts.agentFacts.history(adapter)),
    standIn: async ({ adapter }) => ok(await parts.standInFor(adapter)),
    checkAgents: () => agents.check(),
    checkInstallation: (place) => agents.checkOne(place),
    probeLogin: ({ adapter, imageDigest }) => agents.probeLogin(adapter, imageDigest),
    buildImage: ({ base }) => agents.build(base ?? null),
    cancelImageBuild: () => {
      agents.cancelBuild()
      return ok(null)
    },
  }
}
