import { afterEach, beforeEach, expect, it } from 'vitest'
import type { RunFailure } from '@shared/contract/runs'
import type { MailboxId, RunId } from '@shared/model/ids'
import type { Phase } from '@shared/model/words'
import { createFakeContainerRuntime } from '../../../../test/fakes/fake-container-runtime'
import { createKeptLogger } from '../../../../test/fakes/kept-logger'
import { openTestStore, type TestStore } from '../../../../test/fakes/open-test-store'
import { seedMailbox, seedRun } from '../../../../test/fakes/seed-mailbox'
import { createSettableClock } from '../../../../test/fakes/settable-clock'
import { reconcile } from './reconcile'
import { createRunEventFeed } from './run-event-feed'
import type { RunParts } from './run-parts'
import { takenOver } from './start-successor'

let opened: TestStore
let mailboxId: MailboxId

beforeEach(() => {
  opened = openTestStore()
  mailboxId = seedMailbox(opened.store)
})
afterEach(() => opened.remove())

/** A live run with another one noted to follow it, as the engine finds it that comes after a crash. */
function liveRun(phase: Phase): RunId {
  const { store } = opened
  const { id } = seedRun(store, mailboxId, { phase })
  store.runs.addAttempt(id, 20)
  store.runs.update(id, { state: 'running' })
  const next = { trigger: 'person', requestedBy: 'ada', resumeChoice: 'auto' } as const
  store.runs.setSuccessor(id, { phase: 'development', ...next })
  return id
}

async function startAgain() {
  const { store } = opened
  const adopted: RunId[] = []
  const stopped: { runId: RunId; reason: RunFailure }[] = []
  const runtime = createFakeContainerRuntime()
  const clock = createSettableClock(1_000)
  const feed = createRunEventFeed()
  const parts = {
    store,
    clock,
    feed,
    logger: createKeptLogger(),
    engineUid: 'this one',
    runtimeOf: () => runtime,
    onEngineSeen: () => undefined,
  } as unknown as RunParts
  const scheduler = {
    adopt: (runId: RunId) => void adopted.push(runId),
    drives: (runId: RunId) => adopted.includes(runId),
    kick: () => undefined,
    stopRun: (runId: RunId, reason: RunFailure) => void stopped.push({ runId, reason }),
  }
  await reconcile(parts, scheduler, new AbortController().signal)
  return { adopted, stopped }
}

it('goes on with a take-over that a person had asked for', async () => {
  const runId = liveRun('analysis')
  expect(await startAgain()).toEqual({ adopted: [runId], stopped: [{ runId, reason: takenOver }] })
})

it('stops no turn of a chat for the run that waits for its end', async () => {
  const runId = liveRun('chat')
  expect(await startAgain()).toEqual({ adopted: [runId], stopped: [] })
  expect(opened.store.runs.successorOf(runId)).toMatchObject({ phase: 'development' })
})

it('goes on with the stop of a chat that a person had asked for', async () => {
  const runId = liveRun('chat')
  const { runs } = opened.store
  const behind = runs.successorOf(runId) ?? undefined
  const asked = { phase: 'terminal', trigger: 'person', requestedBy: 'ada', resumeChoice: 'auto' } as const
  const terminal = { adapter: 'demo', provider: null, model: null } as const
  runs.setSuccessor(runId, { ...asked, terminal, behind })
  expect(await startAgain()).toEqual({ adopted: [runId], stopped: [{ runId, reason: takenOver }] })
})
