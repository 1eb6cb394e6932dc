import { stackOf } from '@shared/defect'
import { startDemoDirector } from '../services/demo/demo-director'
import { aside } from '../services/aside'
import { createClockWatch } from '../services/clock-watch'
import { runEventUnpacker } from '../services/event-unpacker'
import { runDailyAgentChecks } from '../services/agents/daily-agent-check'
import { tellLoginEnds } from '../services/notifications/login-ends'
import { runSearchIndexer } from '../services/search-indexer'
import { runDailyBackups } from '../services/status/daily-backup'
import { reconcile } from '../services/runs/reconcile'
import type { Background } from './background'
import type { EngineAdapters } from './compose-adapters'
import type { EngineServices } from './compose-services'
import type { EngineOptions } from './engine-options'
import type { OwnedData } from './open-data'

/** How long a call that is under way may hold up the end. */
const closePatienceMs = 5_000
/** How long a command waits at its end for what its run has to tell the forge. */
const sendPatienceMs = 60_000

/** What the engine does by itself, from its start to its end. */
export interface EngineWork {
  /** Begins, if this engine works at all. */
  start(): void
  /** The computer slept, or the engine of containers came back. */
  wake(): void
  /** Ends everything; with `sendUntil` what is due to the forges is sent before, until it aborts. */
  close(containers: 'keep' | 'stop', sendUntil?: AbortSignal): Promise<void>
}

export function createEngineWork(
  options: EngineOptions,
  data: OwnedData,
  outside: EngineAdapters,
  services: EngineServices,
  background: Background,
): EngineWork {
  const { store, clock, logger } = data
  const { agents, changes, cleanup, engineWatch, notifications, notificationWatch } = services
  const { onIssueChanged, poller, runParts, scheduler, sender, sleepCheck, status, storage, dailyBackups } =
    services
  const { closing } = background
  let stopDirector = (): void => undefined

  function begin(): void {
    if (closing.aborted) return
    const isReconciled = reconcile(runParts, scheduler, closing).catch((defect: unknown) =>
      logger.error(`the reconcile failed: ${stackOf(defect)}`),
    )
    scheduler.start()
    notifications.begin()
    notificationWatch.catchUp()
    engineWatch.start()
    stopDirector = startDemoDirector({
      store,
      clock,
      keep: (look) => background.add(look),
      tracker: outside.local.tracker,
      adapters: outside.adapters,
      states: outside.states,
      paths: outside.paths,
      changes,
      onIssueChanged,
    })
    const tasks = [
      isReconciled,
      poller.run(closing),
      sender.run(closing),
      cleanup.run(closing),
      createClockWatch({ store, clock, logger, onJump: wake }).run(closing),
      storage.run(closing),
      runDailyBackups(dailyBackups, closing),
      agents.checkHost(),
      runDailyAgentChecks(
        {
          agents,
          clock,
          logger,
          tellLogins: (rows) => tellLoginEnds({ store: store.notifications, clock, notifications }, rows),
        },
        closing,
      ),
      runEventUnpacker({ events: store.events, clock, logger }, closing),
      runSearchIndexer({ transcripts: outside.transcripts, clock, logger }, closing),
    ]
    for (const task of tasks) background.add(task)
  }

  function wake(): void {
    if (options.work === 'answers' || closing.aborted) return
    background.add(sleepCheck.run())
    scheduler.kick()
    sender.wake()
  }

  /** Sends what is due, and what follows from that, until nothing does. */
  async function sendRest(until: AbortSignal): Promise<void> {
    const noteDefect = (defect: unknown): void =>
      logger.error(`what is due could not be sent: ${stackOf(defect)}`)
    const isOver = new AbortController()
    const given = AbortSignal.any([until, isOver.signal])
    const sending = async (): Promise<void> => {
      // What was sent already may still be followed up: the first look is never too many.
      do {
        await sender.sendDue(given)
        await poller.pokesDone()
      } while (!given.aborted && store.outbox.listDue(clock.now(), 1).length > 0)
    }
    await atMost(sendPatienceMs, sending().catch(noteDefect), until)
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
    start() {
      if (options.work === 'answers') return
      // a live run's agent works on: it is looked after at once
      const isLive = store.runs.listLive().some(({ state }) => state !== 'queued')
      if (options.workAfter === undefined || isLive) begin()
      else aside(logger, 'beginning the work', options.workAfter.then(begin))
    },
    wake,
    async close(containers, sendUntil) {
      stopDirector()
      // Nobody is left who could look at them.
      await atMost(closePatienceMs, services.terminals.signIns.close())
      await scheduler.close(containers)
      if (sendUntil !== undefined && options.work === 'works') await sendRest(sendUntil)
      background.close()
      agents.cancelBuild()
      engineWatch.close()
      notificationWatch.close()
      notifications.close()
      // An engine of containers that hangs must not keep the app from closing.
      await atMost(closePatienceMs, Promise.all([background.done(), poller.pokesDone()]))
      status.close()
      changes.close()
    },
  }
}
