import { stackOf } from '@shared/defect'
import type { RunFailure } from '@shared/contract/runs'
import type { RunId } from '@shared/model/ids'
import type { Run } from '@shared/model/records'
import { aside } from '../aside'
import { hasDayBudget, waitsForBudget } from './budgets'
import { followUpRun } from './follow-up-run'
import { publishRun } from './publish-run'
import { startRunActor, type RunActor } from './run-actor'
import type { RunParts } from './run-parts'
import { settleRun } from './settle-run'
import { outcomeOfStop } from './start-scene'
import { takeStep } from './run-step'

/*
 * Who works when: at most MAX_RUNS runs at once, one per mailbox, the oldest first, none while paused. A person's
 * terminal is opened beside them.
 */

export interface RunScheduler {
  /** Begins to take runs out of the queue; call after the reconcile. */
  start(): void
  /** Looks at the queue soon. */
  kick(): void
  /** Goes on with a run that was live when the engine last ended. */
  adopt(runId: RunId): void
  /** Whether somebody in this engine drives the run, or ends what it left. */
  drives(runId: RunId): boolean
  stopRun(runId: RunId, reason: RunFailure): void
  setPaused(isPaused: boolean): void
  isPaused(): boolean
  /** Whether containers can be started; what runs on this computer itself does not wait for it. */
  setEngineReachable(isReachable: boolean): void
  /** Takes up nothing new; live runs are left to their containers, or stopped first. */
  close(containers: 'keep' | 'stop'): Promise<void>
}

/** The longest wait for the next due run; a change kicks earlier. */
const maxSleepMs = 60_000
/** How long the end of Alfred waits for runs to stop: TERM, KILL, and the collecting of what they made. */
const stopPatienceMs = 90_000
/** The same, while the engine of containers does not answer. */
const awayPatienceMs = 5_000
/** Due runs that are looked through for those that need no engine of containers. */
const mostLookedAt = 1_000

export function createRunScheduler(parts: RunParts): RunScheduler {
  const { store, clock, logger, settings } = parts
  const actors = new Map<RunId, RunActor>()
  const detach = new AbortController()
  let wake = new AbortController()
  let isStarted = false
  let isClosing = false
  let paused = false
  let engineIsReachable = true

  const followUps = new Set<Promise<void>>()

  const kick = (): void => wake.abort()

  /** No actor does it for a run that waited; the database must stay open as long. */
  const followUp = (runId: RunId): void => {
    const following = followUpRun(parts, runId, detach.signal)
      .catch((defect: unknown) => logger.error(`a run was left: ${stackOf(defect)}`, { run: runId }))
      .finally(() => followUps.delete(following))
    followUps.add(following)
  }

  const adopt = (runId: RunId): void => {
    const actor = startRunActor(parts, runId, detach.signal)
    actors.set(runId, actor)
    const forget = (): void => {
      actors.delete(runId)
      kick()
    }
    aside(logger, 'forgetting a run', actor.done.then(forget))
  }

  /** Lock and first step are one: a run that got its lock has begun. */
  const begin = (run: Run): void => {
    const now = clock.now()
    const hasBegun = store.transaction(() => {
      if (!store.locks.take(run.mailboxId, run.id, now)) return false
      const step = takeStep(store, run.id, { type: 'begin', now }, now)
      if (step.ok && step.value.events.length > 0) return true
      store.locks.release(run.mailboxId, run.id)
      return false
    })
    if (!hasBegun) return
    publishRun(parts, run.id)
    adopt(run.id)
  }

  const takeUp = (): void => {
    if (isClosing || !parts.storage.hasRoom()) return
    for (const run of store.runs.listLive()) if (isTerminal(run) && run.state === 'queued') begin(run)
    if (paused) return
    const working = [...actors.keys()].filter((runId) => !isTerminal(store.runs.get(runId)))
    const slots = settings.app().MAX_RUNS - working.length
    if (slots <= 0) return
    for (const run of listDue(slots)) begin(run)
  }

  /**
   * While the engine of containers is away, runs on this computer itself do not wait behind the others; nor does any
   * behind one whose budget of the day is used.
   */
  const listDue = (slots: number): readonly Run[] => {
    const hasBudget = hasDayBudget(store)
    if (engineIsReachable && !hasBudget) return store.runs.listDue(clock.now(), slots)
    const due = store.runs.listDue(clock.now(), mostLookedAt)
    return due
      .filter((run) => engineIsReachable || run.runner === 'host')
      .filter((run) => !hasBudget || !waitsForBudget(parts, run))
      .slice(0, slots)
  }

  const sleepMs = (): number => {
    const now = clock.now()
    const next = store.runs
      .listLive()
      .flatMap((run) =>
        run.state === 'queued' && run.nextAttemptAt !== null ? [run.nextAttemptAt - now] : [],
      )
    return Math.max(50, Math.min(maxSleepMs, ...next.filter((ms) => ms > 0)))
  }

  const work = async (): Promise<void> => {
    while (!isClosing) {
      wake = new AbortController()
      try {
        takeUp()
        await clock.sleep(sleepMs(), AbortSignal.any([wake.signal, detach.signal]))
      } catch (defect) {
        logger.error(`the queue could not be read: ${stackOf(defect)}`)
        await clock.sleep(1_000, detach.signal)
      }
    }
  }

  /** A stop that is not over by then stands in the rows: the next engine carries it out. */
  const atMost = async (ms: number, stopping: Iterable<RunActor>): Promise<void> => {
    const isOver = new AbortController()
    const all = Promise.allSettled([...stopping].map((actor) => actor.done))
    await Promise.race([all, clock.sleep(ms, isOver.signal)])
    isOver.abort()
  }

  return {
    start() {
      if (isStarted) return
      isStarted = true
      aside(logger, 'the work on the queue', work())
    },
    kick,
    adopt,
    drives: (runId) => actors.has(runId),
    stopRun(runId, reason) {
      const actor = actors.get(runId)
      if (actor) actor.stop(reason)
      else if (endQueued(parts, runId, reason)) followUp(runId)
      kick()
    },
    setPaused(isPaused) {
      paused = isPaused
      kick()
    },
    isPaused: () => paused,
    setEngineReachable(isReachable) {
      if (isReachable && !engineIsReachable) kick()
      engineIsReachable = isReachable
    },
    async close(containers) {
      isClosing = true
      kick()
      if (containers === 'stop') {
        for (const actor of actors.values()) actor.stop({ type: 'stopped', message: 'Alfred was quit.' })
        await atMost(engineIsReachable ? stopPatienceMs : awayPatienceMs, actors.values())
      }
      detach.abort()
      await Promise.allSettled([...[...actors.values()].map((actor) => actor.done), ...followUps])
      parts.terminals.close()
    },
  }
}

/** A person sits in front of it: it waits for no slot, takes none, and is opened while new runs are paused. */
const isTerminal = ({ phase }: Run): boolean => phase === 'terminal'

/** A run that waits in the queue ends at once; false when there was nothing to end. */
function endQueued(parts: RunParts, runId: RunId, reason: RunFailure): boolean {
  const { store, clock } = parts
  const ending = { outcome: outcomeOfStop(reason), failure: reason }
  const step = takeStep(store, runId, { type: 'stop', ending }, clock.now(), (events) => {
    if (events.some((event) => event.type === 'run_ended')) settleRun(parts, runId, { harvest: null }, null)
  })
  if (!step.ok || step.value.events.length === 0) return false
  publishRun(parts, runId)
  return true
}
