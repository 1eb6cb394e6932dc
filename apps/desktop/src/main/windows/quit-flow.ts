import type { QuitAnswer } from '@shared/contract/shell-bridge'

/*
 * Quitting ends Alfred, not the containers, unless the person says so. Every way to quit by hand comes through here.
 */

export interface QuitFlowParts {
  /** Runs that a quit would leave behind: preparing, running or stopping. */
  countLive(): Promise<number>
  /** Shows the window with the question. */
  ask(): void
  /** Stops all runs and comes back when none is live, or when it takes too long. */
  stopAll(): Promise<void>
  quitNow(): void
}

export interface QuitFlow {
  request(): Promise<void>
  answer(answer: QuitAnswer): Promise<void>
}

export function createQuitFlow(parts: QuitFlowParts): QuitFlow {
  let isAsking = false
  let isStopping = false
  return {
    async request() {
      if (isStopping) return
      if (!isAsking && (await parts.countLive()) === 0) {
        parts.quitNow()
        return
      }
      isAsking = true
      parts.ask()
    },
    async answer(answer) {
      if (!isAsking || isStopping) return
      isAsking = false
      if (answer === 'cancel') return
      if (answer === 'stop') {
        isStopping = true
        await parts.stopAll()
      }
      parts.quitNow()
    },
  }
}
