import { sandboxLabels } from '../../core/sandbox/sandbox-spec'
import type { ContainerRuntime } from '../../ports/container-runtime'
import type { Logger } from '../../ports/logger'
import type { Store } from '../../ports/stores'

interface Parts {
  readonly store: Pick<Store, 'runs' | 'installId'>
  readonly runtime: Pick<ContainerRuntime, 'listByLabel'>
  readonly logger: Pick<Logger, 'info'>
  /** Asks whether the engine of containers answers, and lets everybody know who waits for it. */
  readonly askEngine: () => Promise<unknown>
  readonly onChange: () => void
}

export interface SleepCheck {
  /** Runs that are being looked after because the computer slept; 0: no check is under way. */
  checking(): number
  run(): Promise<void>
}

/**
 * What ran before the computer slept may have ended meanwhile. Each run finds out about itself from its container;
 * here the engine is asked at once, so that none of them waits for its next turn, and the count is there to show.
 */
export function createSleepCheck({ store, runtime, logger, askEngine, onChange }: Parts): SleepCheck {
  let checking = 0
  let underWay: Promise<void> | null = null

  const check = async (): Promise<void> => {
    checking = store.runs.listLive().filter(({ state }) => state !== 'queued').length
    onChange()
    try {
      await askEngine()
      if (checking === 0) return
      const listed = await runtime.listByLabel(sandboxLabels.install, store.installId())
      const running = listed.ok ? listed.value.filter((container) => container.running).length : 'unknown'
      logger.info('looked at the runs after sleep', { runs: checking, containersRunning: running })
    } finally {
      checking = 0
      underWay = null
      onChange()
    }
  }

  return { checking: () => checking, run: () => (underWay ??= check()) }
}
