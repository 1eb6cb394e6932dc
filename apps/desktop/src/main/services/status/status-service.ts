import type { EngineBanner, EngineStatus } from '@shared/contract/app'
import type { QueueWait } from '@shared/contract/waits'
import { mailboxReference } from '@shared/format/references'
import type { Run } from '@shared/model/records'
import type { Clock } from '../../ports/clock'
import type { Logger } from '../../ports/logger'
import { storageFailureOf } from '../../ports/storage-failure'
import { startOfDay } from '../start-of-day'
import type { Store } from '../../ports/stores'
import { aside } from '../aside'
import type { WorkspaceTotal } from '../cleanup/finished-workspaces'
import type { ForgeId } from '@shared/model/ids'
import type { ForgeWatch } from './forge-watch'
import type { ChangeFeed } from './change-feed'
import type { StorageWatch } from './storage-watch'
import { askEveryMs, type EngineState } from './engine-watch'
import { waitingBanners } from './waiting-banners'

export type ImageStatus = EngineStatus['image']

interface Parts {
  readonly store: Store
  readonly clock: Clock
  readonly logger: Pick<Logger, 'error'>
  readonly changes: ChangeFeed
  readonly version: string
  readonly isPaused: () => boolean
  readonly engine: () => EngineState
  readonly image: () => ImageStatus
  /** DAY_BUDGET_USD of the app. */
  readonly dayBudgetUsd: () => number | null
  readonly nextPollAt: (forgeId: ForgeId) => number | null
  readonly forgeWatch: Pick<ForgeWatch, 'healthOf' | 'banners'>
  /** Why notifications are not shown just now. */
  readonly silence: () => EngineStatus['silence']
  /** Runs that are being looked after because the computer slept. */
  readonly checking: () => number
  readonly storage: Pick<StorageWatch, 'freeBytes' | 'trouble' | 'isFull'>
  /** What finished issues still take on the disk; null: nobody has counted. */
  readonly finishedWorkspaces: () => WorkspaceTotal | null
  /** Why a queued run does not start yet. */
  readonly waitOf: (run: Run) => QueueWait
}

export interface StatusService {
  current(): EngineStatus
  subscribe(listener: (status: EngineStatus) => void): () => void
  /** Something changed that is in no row: Docker, the image, the pause. */
  touch(): void
  close(): void
}

/** Status is told at most this often, however much happens. */
const pauseMs = 200

export function createStatusService(parts: Parts): StatusService {
  const { clock, changes } = parts
  const listeners = new Set<(status: EngineStatus) => void>()
  const closing = new AbortController()
  let isDue = false
  let last = ''

  let lastRead: EngineStatus | null = null
  /** A database that cannot be read must not keep anybody from being told that it cannot. */
  const read = (): EngineStatus => {
    try {
      lastRead = statusOf(parts)
      return lastRead
    } catch (error) {
      if (lastRead === null || storageFailureOf(error) === null) throw error
      return { ...lastRead, banners: bannersOf(parts, lastRead.running) }
    }
  }
  const tellLater = async (): Promise<void> => {
    await clock.sleep(pauseMs, closing.signal)
    isDue = false
    if (closing.signal.aborted || listeners.size === 0) return
    const status = read()
    const text = JSON.stringify(status)
    if (text === last) return
    last = text
    for (const listener of listeners) listener(status)
  }
  const touch = (): void => {
    if (isDue || closing.signal.aborted) return
    isDue = true
    aside(parts.logger, 'telling the status', tellLater())
  }
  const unsubscribe = changes.subscribe(touch)

  return {
    current: read,
    subscribe(listener) {
      listeners.add(listener)
      listener(read())
      return () => void listeners.delete(listener)
    },
    touch,
    close() {
      unsubscribe()
      closing.abort()
      listeners.clear()
    },
  }
}

function statusOf(parts: Parts): EngineStatus {
  const { store, clock } = parts
  const { running, queued } = store.runs.countLive()
  const cost = store.sessions.costSince(startOfDay(clock.now()))
  return {
    running,
    queued,
    checking: parts.checking(),
    silence: parts.silence(),
    needsYou: store.mailboxes.counts(null)['needs-you'],
    isPaused: parts.isPaused(),
    docker: dockerOf(parts.engine()),
    image: parts.image(),
    forges: store.forges.listForges().map(({ id, name }) => ({
      name,
      state: parts.forgeWatch.healthOf(id),
      nextPollAt: parts.nextPollAt(id),
    })),
    outboxWaiting: store.outbox.countWaiting(),
    costTodayUsd: cost.knownUsd,
    costTodayUnknown: cost.unknown,
    dayBudgetUsd: parts.dayBudgetUsd(),
    databaseBytes: store.sizeBytes(),
    version: parts.version,
    banners: bannersOf(parts, running),
    unreadNotifications: store.notifications.list(200).filter((row) => row.readAt === null).length,
    runs: store.runs.listLive().map((run) => statusOfRun(parts, run)),
  }
}

function statusOfRun({ store, waitOf }: Parts, run: Run): EngineStatus['runs'][number] {
  const { kind, iid, title, projectId } = store.mailboxes.get(run.mailboxId)
  const forge = store.forges.getForge(store.forges.getProject(projectId).forgeId)
  return {
    runId: run.id,
    mailboxId: run.mailboxId,
    reference: mailboxReference(kind, iid, forge.kind),
    phase: run.phase,
    state: run.state,
    title,
    wait: run.state === 'queued' ? waitOf(run) : null,
  }
}

function dockerOf(engine: EngineState): EngineStatus['docker'] {
  const info = engine.state === 'reachable' ? engine.info : null
  const tried = 'endpoint' in engine ? engine.endpoint : null
  return {
    state: engine.state,
    endpoint: info?.endpoint ?? tried,
    source: info?.source ?? null,
    version: info?.version ?? null,
    rootless: info?.rootless ?? false,
  }
}

/** The worst first. */
function bannersOf(parts: Parts, running: number): EngineBanner[] {
  const banners: EngineBanner[] = []
  const engine = parts.engine()
  banners.push(...storageBanners(parts))
  if (engine.state !== 'unknown' && engine.state !== 'reachable') {
    banners.push({
      code: `docker_${engine.state}`,
      severity: 'bad',
      facts: {
        message: engine.message,
        since: engine.since,
        runs: running,
        endpoint: engine.endpoint,
        interval: askEveryMs.away,
      },
    })
  }
  const image = parts.image()
  // An image that was never asked for is no problem yet: the first run makes it.
  if (image.state === 'missing' && image.detail !== null)
    banners.push({ code: 'image_missing', severity: 'bad', facts: { message: image.detail } })
  banners.push(...parts.forgeWatch.banners())
  banners.push(...waitingBanners(parts.store.runs.listLive()))
  return banners
}

function storageBanners({ storage, finishedWorkspaces }: Parts): readonly EngineBanner[] {
  const met = storage.trouble()
  if (met !== null && met.type !== 'disk_full')
    return [{ code: met.type, severity: 'bad', facts: { since: met.since } }]
  if (!storage.isFull()) return []
  const finished = finishedWorkspaces()
  const facts = {
    freeBytes: storage.freeBytes(),
    workspaces: finished?.count ?? null,
    workspaceBytes: finished?.bytes ?? null,
  }
  return [{ code: 'disk_full', severity: 'bad', facts }]
}
