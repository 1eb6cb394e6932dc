import type { ForgeId, ProjectId } from '@shared/model/ids'
import type { Project } from '@shared/model/records'
import { err, type Result } from '@shared/result'
import type { ForgeError } from '../../ports/forge'
import type { Randomness } from '../../ports/randomness'
import { healthFor } from '../status/forge-watch'
import { createProjectPolls } from './poll-project'
import type { WorkflowParts } from './workflow-parts'
import type { WorkflowService } from './workflow-service'

/*
 * Asks every watched project for changed issues, each at its own pace, and hands them to the workflow. The cursor
 * moves only past what was dealt with, so that nothing is lost over an error or a restart.
 */

export interface Poller {
  /** Runs until the signal aborts. */
  run(signal: AbortSignal): Promise<void>
  /** Asks one project now; errors delay its next poll. */
  pollProject(project: Project, signal: AbortSignal): Promise<void>
  /** Deals with one issue now, or (null) with the whole project: the local forge tells what changed. */
  poke(projectId: ProjectId, iid: number | null): void
  /** Resolves once every issue that was poked so far has been dealt with. */
  pokesDone(): Promise<void>
  /** Projects were added, removed, or (un)watched: looks at once. */
  projectsChanged(): void
  /** A person mended something, or does not want to wait: asks the forge's projects at once. */
  pollNow(forgeId: ForgeId): void
  /** Epoch ms of the next poll of any project, or of those of one forge; null when none is watched. */
  nextPollAt(forgeId?: ForgeId): number | null
}

const MAX_BACKOFF_MS = 5 * 60_000
const JITTER = 0.1
const AT_ONCE = 4
/** Share of the interval within which a project goes along with another one of its forge. */
const TOGETHER = 0.25
/** The others of a forge that did not answer come so long after the one that asks it again. */
const AFTER_THE_FIRST_MS = 2_000

/**
 * Hears of each poll as it ends; `nextAt`: epoch ms of the project's next one, or of its forge's where that is kept from
 * being asked; `isOwn`: the forge answers others, so that a failure is the project's alone.
 */
export type OnPolled = (
  project: Project,
  outcome: Result<void, ForgeError>,
  nextAt: number,
  isOwn: boolean,
) => void

interface Pace {
  nextAt: number
  failures: number
  /** When it was asked last; 0: not yet. */
  askedAt: number
  /** The answers of its forge when it first was not reached; null: it was reached, or not asked yet. */
  answersBefore: number | null
}

/** What polls of one forge came to: how many were answered, and how many in a row kept all its projects waiting. */
interface Tally {
  answers: number
  failures: number
}

export function createPoller(
  parts: WorkflowParts & { readonly randomness: Randomness; readonly onPolled?: OnPolled },
  workflow: WorkflowService,
): Poller {
  const { store, clock, logger, settings } = parts
  const paces = new Map<ProjectId, Pace>()
  const tallies = new Map<ForgeId, Tally>()
  let waker = new AbortController()
  let running: AbortSignal | null = null
  const pokes = new Set<Promise<void>>()
  const polls = createProjectPolls(parts, workflow)

  const watched = (): readonly Project[] => store.forges.listProjects().filter(({ isWatched }) => isWatched)
  const paceOf = (id: ProjectId): Pace => {
    const pace = paces.get(id) ?? { nextAt: 0, failures: 0, askedAt: 0, answersBefore: null }
    paces.set(id, pace)
    return pace
  }
  const tallyOf = (id: ForgeId): Tally => {
    const tally = tallies.get(id) ?? { answers: 0, failures: 0 }
    tallies.set(id, tally)
    return tally
  }

  /** Between 0.9 and 1.1 times as long, so that projects do not all ask at once. */
  const jittered = (ms: number): number => {
    const fraction = Number.parseInt(parts.randomness.uuidV4().slice(0, 8), 16) / 0xffffffff
    return Math.round(ms * (1 - JITTER + 2 * JITTER * fraction))
  }

  /** With another project of its forge, where that is about then: one look answers what they ask together. */
  const together = (project: Project, at: number, interval: number): number =>
    watched()
      .filter(({ id, forgeId }) => forgeId === project.forgeId && id !== project.id)
      .map(({ id }) => paceOf(id).nextAt)
      .find((other) => Math.abs(other - at) <= interval * TOGETHER) ?? at

  /**
   * What keeps one project of a forge from being asked keeps all: one asks again, the others come after it. That one is
   * whoever waits longest, so that a project that always fails does not stand before the others. Returns when it asks.
   */
  const passTurn = (project: Project, until: number): number => {
    const own = watched().filter(({ forgeId }) => forgeId === project.forgeId)
    const held = own
      .filter(({ id }) => id !== project.id)
      .map(({ id }) => paceOf(id))
      .filter(({ nextAt }) => nextAt <= until + AFTER_THE_FIRST_MS)
    const first = held.toSorted((one, other) => one.askedAt - other.askedAt)[0]
    if (first === undefined) return until
    first.nextAt = Math.max(first.nextAt, until)
    for (const pace of own.map(({ id }) => paceOf(id))) {
      if (pace !== first) pace.nextAt = Math.max(pace.nextAt, first.nextAt + AFTER_THE_FIRST_MS)
    }
    return first.nextAt
  }

  /** Whether the forge answered another project since this one was not reached first: then it is not away. */
  const isItsOwn = (pace: Pace, tally: Tally, { type }: ForgeError): boolean => {
    if (type !== 'unreachable') return false
    pace.answersBefore ??= tally.answers
    return tally.answers > pace.answersBefore
  }

  const tell = (
    project: Project,
    outcome: Result<void, ForgeError>,
    nextAt: number,
    isOwn: boolean,
  ): void => {
    const wait = nextAt - clock.monotonic()
    parts.onPolled?.(project, outcome, Math.round(clock.now() + Math.max(0, wait)), isOwn)
  }

  const pollProject = async (project: Project, signal: AbortSignal): Promise<void> => {
    const pace = paceOf(project.id)
    const tally = tallyOf(project.forgeId)
    const interval = settings.of(project).values.POLL_INTERVAL
    const failuresBefore = tally.failures
    pace.askedAt = clock.monotonic()
    // Until it has answered, so that nobody else polls it.
    pace.nextAt = Number.MAX_SAFE_INTEGER
    const polled = await polls.poll(project, signal).catch((error: unknown) => {
      logger.error('a poll failed unexpectedly', { project: project.slug, error: String(error) })
      return err<ForgeError>({ type: 'unexpected', message: String(error), retryable: true })
    })
    if (polled.ok) {
      tally.answers += 1
      tally.failures = 0
      pace.failures = 0
      pace.answersBefore = null
      pace.nextAt = together(project, clock.monotonic() + jittered(interval), interval)
      tell(project, polled, pace.nextAt, false)
      return
    }
    pace.failures += 1
    const isReached = healthFor(polled.error) === 'ok'
    if (isReached) {
      pace.answersBefore = null
      tally.failures = 0
    }
    const isOwn = isReached || isItsOwn(pace, tally, polled.error)
    // Whoever asks for all goes on where the one before it was; those that asked together failed once.
    if (!isOwn) tally.failures = Math.min(tally.failures, failuresBefore) + 1
    const failures = isOwn ? pace.failures : Math.max(pace.failures, tally.failures)
    const backoff = Math.min(interval * 2 ** Math.min(failures - 1, 10), MAX_BACKOFF_MS)
    pace.nextAt = clock.monotonic() + Math.max(polled.error.retryAfterMs ?? 0, jittered(backoff))
    tell(project, polled, isOwn ? pace.nextAt : passTurn(project, pace.nextAt), isOwn)
  }

  const pokeIssue = async (projectId: ProjectId, iid: number): Promise<void> => {
    try {
      const considered = await workflow.consider(projectId, iid)
      if (!considered.ok) paceOf(projectId).nextAt = 0
    } catch (error) {
      logger.error('an issue could not be dealt with', { projectId, iid, error: String(error) })
    }
  }

  return {
    pollProject,
    async run(signal) {
      running = signal
      while (!signal.aborted) {
        waker = new AbortController()
        const now = clock.monotonic()
        const due = watched()
          .filter((project) => paceOf(project.id).nextAt <= now)
          .slice(0, AT_ONCE)
        await Promise.all(due.map((project) => pollProject(project, signal)))
        const next = nextOf(watched().map((project) => paceOf(project.id).nextAt))
        const wait = next === null ? 60_000 : Math.min(60_000, Math.max(0, next - clock.monotonic()))
        if (wait > 0) await clock.sleep(wait, AbortSignal.any([signal, waker.signal]))
      }
      running = null
    },
    poke(projectId, iid) {
      if (running?.aborted === true) return
      if (iid !== null) {
        const poke = pokeIssue(projectId, iid).finally(() => pokes.delete(poke))
        pokes.add(poke)
        return
      }
      paceOf(projectId).nextAt = 0
      waker.abort()
    },
    async pokesDone() {
      await Promise.all(pokes)
    },
    projectsChanged() {
      const ids = new Set(watched().map(({ id }) => id))
      for (const id of paces.keys()) if (!ids.has(id)) paces.delete(id)
      waker.abort()
    },
    pollNow(forgeId) {
      for (const { id } of watched().filter((project) => project.forgeId === forgeId)) {
        const pace = paceOf(id)
        // Who is being asked already is left to that.
        if (pace.nextAt < Number.MAX_SAFE_INTEGER) Object.assign(pace, { nextAt: 0, failures: 0 })
      }
      tallyOf(forgeId).failures = 0
      waker.abort()
    },
    nextPollAt(forgeId) {
      const asked = watched().filter((project) => forgeId === undefined || project.forgeId === forgeId)
      const next = nextOf(asked.map((project) => paceOf(project.id).nextAt))
      return next === null ? null : Math.round(clock.now() + Math.max(0, next - clock.monotonic()))
    },
  }
}

const nextOf = (times: readonly number[]): number | null => {
  const known = times.filter((time) => time < Number.MAX_SAFE_INTEGER)
  return known.length === 0 ? null : Math.min(...known)
}
