import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { createClaudeCodeAdapter } from '@main/adapters/agents/claude-code/claude-code-adapter'
import { createCodexAdapter } from '@main/adapters/agents/codex/codex-adapter'
import { createCopilotAdapter } from '@main/adapters/agents/copilot/copilot-adapter'
import { createGrokBuildAdapter } from '@main/adapters/agents/grok-build/grok-build-adapter'
import { createOpencodeAdapter } from '@main/adapters/agents/opencode/opencode-adapter'
import { createSystemClock } from '@main/adapters/system/system-clock'
import { createRedact } from '@main/core/redact/redact'
import { startProof } from '@main/core/session/prove-resume'
import type { AgentAdapter } from '@main/ports/agent-adapter'
import type { StreamFile } from '@main/ports/stream-files'
import { createRunEventFeed } from '@main/services/runs/run-event-feed'
import { createStartRecorder } from '@main/services/runs/start-recorder'
import type { ImageCli } from '@shared/model/words'
import { openTestStore, type TestStore } from '../fakes/open-test-store'
import { seedMailbox, seedRun, seedSession } from '../fakes/seed-mailbox'
import type { Bench } from './benches'
import { alone, type BenchRow } from './figures'
import { heldMb } from './held-memory'
import { inOwnProcess } from './own-process'
import { startGauges } from './process-gauges'

/*
 * What the format of each agent CLI costs: a stream of 100 MB, made of what the real one was recorded to print in runs
 * that went well, goes through the product's recorder into a real store, as it does while a run lives. Each in a process of
 * its own.
 */

const streamBytes = 100_000_000
/** As much as the follower reads at once. */
const chunkBytes = 262_144
const lineFeed = 0x0a
const secrets = ['a-secret-that-is-nowhere-in-the-stream']

const clis: Readonly<Record<ImageCli, () => AgentAdapter>> = {
  'claude-code': createClaudeCodeAdapter,
  codex: createCodexAdapter,
  opencode: createOpencodeAdapter,
  copilot: createCopilotAdapter,
  'grok-build': createGrokBuildAdapter,
}

export const agentEventBenches: readonly Bench[] = Object.entries(clis).map(([cli, create]) =>
  inOwnProcess({
    topic: `events-${cli}`,
    measure: (app) => benchEvents(create(), join(app, 'test/fixtures', cli)),
  }),
)

async function benchEvents(adapter: AgentAdapter, recordings: string): Promise<readonly BenchRow[]> {
  const recorded = recordedStream(recordings)
  const opened = openTestStore()
  try {
    const gauges = startGauges()
    const { busyMs, bytes, grownMb } = await record(opened, adapter, chunksOf(recorded))
    const { memoryAddedMb } = gauges.read()
    const laidOutMs = await layOut(opened)
    const lines = recorded.reduce((count, byte) => count + (byte === lineFeed ? 1 : 0), 0)
    const told = (bytes / recorded.length) * lines
    const name = `100 MB of ${adapter.id}, parsed and stored`
    return [
      alone(`${name}: per event that it tells`, ((busyMs + laidOutMs) / told) * 1000, 'µs', 150),
      // Of which most is garbage of the engine's; to keep what was told would take several times the stream.
      alone(`${name}: memory added`, memoryAddedMb, 'MB', 300),
      // Far less than a tenth of what came, while it is still recorded: nothing of the stream stays.
      alone(`${name}: memory that goes on growing`, grownMb, 'MB', 5),
    ]
  } finally {
    opened.remove()
  }
}

/**
 * Milliseconds without the pauses between chunks, in which a window would have its turn; and by how much what is held
 * grew between the first tenth of the stream and its end.
 */
async function record(
  { store }: TestStore,
  adapter: AgentAdapter,
  chunks: Iterable<Buffer>,
): Promise<{ busyMs: number; bytes: number; grownMb: number }> {
  const run = seedRun(store, seedMailbox(store), { adapter: adapter.id })
  const session = seedSession(store, run, { mode: 'fresh' })
  const recorder = createStartRecorder({
    store,
    clock: createSystemClock(),
    redact: createRedact(() => secrets),
    feed: createRunEventFeed(),
    runId: run.id,
    startId: store.runs.addStart(session.attemptId, 'first', 1).id,
    startNumber: 1,
    sessionId: session.id,
    adapter,
    proof: startProof({
      asked: null,
      isOwn: false,
      isOff: false,
      isByGrowth: false,
      pattern: adapter.sessionIdPattern,
    }),
    storedUpTo: { stdout: 0, stderr: 0 },
    onProofFailed: () => undefined,
    onSessionTold: () => undefined,
  })
  const file = { device: '1', inode: '2' } as StreamFile
  let busyMs = 0
  const timed = async (work: () => Promise<void>): Promise<void> => {
    const begin = performance.now()
    await work()
    busyMs += performance.now() - begin
  }
  let offset = 0
  let heldEarlyMb: number | null = null
  for (const bytes of chunks) {
    offset += bytes.length
    const positionAfter = { device: '1', inode: '2', offset }
    await timed(() =>
      recorder.take('stdout', file, { type: 'chunk', bytes, positionAfter, isFollowed: true }),
    )
    await nextTurn()
    if (offset > streamBytes / 10) heldEarlyMb ??= heldMb()
  }
  const grownMb = heldMb() - (heldEarlyMb ?? 0)
  await timed(() => recorder.end())
  return { busyMs, bytes: offset, grownMb }
}

/** What a burst was packed as is laid out once it is over; in milliseconds. */
async function layOut({ store }: TestStore): Promise<number> {
  let busyMs = 0
  for (let hasMore = true; hasMore; await nextTurn()) {
    const begin = performance.now()
    hasMore = store.events.unpackSome()
    busyMs += performance.now() - begin
  }
  return busyMs
}

/** Each as often as its stream must be repeated; nothing of that size is ever held. */
function* chunksOf(recorded: Buffer): Iterable<Buffer> {
  const several = Buffer.concat(
    Array.from({ length: Math.ceil((chunkBytes * 2) / recorded.length) }, () => recorded),
  )
  for (let made = 0; made < streamBytes; made += several.length)
    for (let at = 0; at < several.length; at += chunkBytes) yield several.subarray(at, at + chunkBytes)
}

/** The streams of all recorded runs that ended well, one behind the other. */
function recordedStream(folder: string): Buffer {
  const cases = JSON.parse(readFileSync(join(folder, 'cases.json'), 'utf8')) as Readonly<
    Record<string, { readonly exitCode: number | null }>
  >
  const names = Object.keys(cases).filter((name) => cases[name]?.exitCode === 0)
  return Buffer.concat(names.map((name) => readFileSync(join(folder, `${name}.stream.jsonl`))))
}
