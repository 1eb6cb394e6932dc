import type { QuitAnswer } from '@shared/contract/shell-bridge'

/*
 * Quitting ends Alfred, not the containers, unless the person says so. Every way to quit by hand comes through here.
 */

export interface QuitFlowParts {
  /** Runs that a quit would leave behind: preparing, running or stopping. */
  countLive(): Promise<number>
  /** Shows the window with the question. */
  ask(): void
  /** Quits; `stop` first stops what is live. */
  quitNow(containers: 'keep' | 'stop'): void
}

export interface QuitFlow {
  request(): Promise<void>
  answer(answer: QuitAnswer): void
}

export function createQuitFlow(parts: QuitFlowParts): QuitFlow {
  let isAsking = false
  return {
    async request() {
      if (!isAsking && (await parts.countLive()) === 0) {
        parts.quitNow('keep')
        return
      }
      isAsking = true
      parts.ask()
    },
    answer(answer) {
      if (!isAsking) return
      isAsking = false
      if (answer !== 'cancel') parts.quitNow(answer === 'stop' ? 'stop' : 'keep')
    },
  }
}
