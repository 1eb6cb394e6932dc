import type { RunFailure } from '@shared/contract/runs'
import type { Run } from '@shared/model/records'
import type { Phase } from '@shared/model/words'
import { phaseWords } from '@shared/phase-words'
import type { Clock } from '../../ports/clock'
import type { Store } from '../../ports/stores'
import type { RunRequests } from '../workflow/ports-of-workflow'
import { waitsForTalk } from '../workflow/unpushed-talk'
import type { RunEventFeed } from './run-event-feed'

/** Why a run ends that another one follows. */
export const takenOver: RunFailure = {
  type: 'stopped',
  message: 'A person stopped the run to start another one.',
}

interface Parts {
  readonly store: Store
  readonly clock: Clock
  readonly feed: RunEventFeed
  readonly requests: Pick<RunRequests, 'requestRun'>
}

/**
 * Inside the step that ends a run: queues the one that a person asked for instead of it. In one step, so that an
 * engine which dies after the stop has lost nothing, and nobody else gets in between.
 */
export function startSuccessor(parts: Parts, run: Run): void {
  const { store, clock, feed, requests } = parts
  const successor = store.runs.successorOf(run.id)
  if (successor === null) return
  const { terminal, behind, ...waiting } = successor
  if (terminal !== undefined) {
    const opened = requests.requestRun({ mailboxId: run.mailboxId, ...waiting, terminal })
    store.runs.setSuccessor(run.id, opened.ok ? null : (behind ?? null))
    if (opened.ok) store.runs.setSuccessor(opened.value.id, behind ?? null)
    // The person is told why; what waited before does not wait for a terminal that does not open.
    else startSuccessor(parts, run)
    return
  }
  store.runs.setSuccessor(run.id, null)
  const requested = store.mailboxes.get(run.mailboxId).isOpen
    ? requests.requestRun({ mailboxId: run.mailboxId, ...waiting })
    : { ok: false as const, error: { message: 'The issue is closed.' } }
  const say = (text: string): void =>
    feed.publish(
      run.id,
      store.events.append(run.id, [{ at: clock.now(), kind: 'warning', payload: { text } }]),
    )
  // It may also begin once a person has decided what becomes of the commits that wait.
  if (
    requested.ok ||
    ('type' in requested.error &&
      waitsForTalk(store, { mailboxId: run.mailboxId, ...waiting }, requested.error))
  ) {
    if (behind !== undefined && behind.phase !== waiting.phase) say(givesWay(behind.phase))
    return
  }
  say(`The run that was to follow did not start: ${requested.error.message}`)
  if (behind === undefined) return
  store.runs.setSuccessor(run.id, behind)
  startSuccessor(parts, run)
}

const givesWay = (phase: Phase): string =>
  `The run that waited for this one (${phaseWords[phase]}) does not start: a person started another one instead.`
