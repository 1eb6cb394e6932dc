import type { RunFailure } from '@shared/contract/runs'
import type { Outcome } from '@shared/model/words'

/*
 * One row of the table of faults: what goes wrong, how the test really brings it about, what the person reads, and what
 * is left. Its test holds the engine against each of these.
 */

export interface Fault {
  readonly id: string
  /** What goes wrong. */
  readonly fault: string
  /** How it is really produced. */
  readonly produced: string
  /** On the screen, word for word; `…` stands for what differs from run to run. */
  readonly words: readonly string[]
  readonly after: Aftermath
  /** Also shown in the real window, by a test in test/e2e/faults.spec.ts. */
  readonly inWindow?: true
}

/** What is in the database and the repositories afterwards. */
export interface Aftermath {
  /** How the run has ended; `waits`: it is in the queue; `none`: there is no run. */
  readonly run: Outcome | 'waits' | 'none'
  readonly failure?: RunFailure['type']
  /** Commits that were taken in. Of a run that did not succeed they lie under the run alone, and none is pushed. */
  readonly commits?: number
  /** What else holds, in words. */
  readonly also?: string
}

export interface FaultGroup {
  readonly title: string
  readonly faults: readonly Fault[]
}
