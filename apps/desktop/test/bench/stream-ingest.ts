import { execFile } from 'node:child_process'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import Docker from 'dockerode'
import { createRunEventStore } from '@main/adapters/db/run-event-store'
import type { RunEventStore } from '@main/ports/stores'
import type { RunId } from '@shared/model/ids'
import type { RunEventKind } from '@shared/model/words'
import { createEngineBench, removeFolder, type EngineBench } from '../integration/support/engine-bench'
import { openEngineDatabase } from '../integration/support/engine-database'
import { createTwin } from './container-twin'
import { againstRival, alone, median, type BenchRow } from './figures'
import { startGauges, type GaugeReading } from './process-gauges'
import { inspectRunContainer, untilContainersGone } from './run-containers'
import { createProducerAdapter, type Production } from './stream-producer'

/*
 * A run whose agent prints, from the start of its container to the end of the run, when all of it is parsed and stored.
 * The rival starts the same container, reads its stream file and throws away what it reads.
 */

const rounds = 3
const streamBytes = 200_000_000
const longLine = 10_000_000

/** What a line of the agent is stored as, but for its first and its last one. */
const printedKinds: ReadonlySet<RunEventKind> = new Set(['text', 'tool', 'tool_result', 'output'])
const pageSize = 1_000

const run = promisify(execFile)

export const benchPacedIngest = (): Promise<readonly BenchRow[]> =>
  benchIngest('stream ingest of 200 MB, paced at 40 MB/s', 40_000_000, 1.35)

export const benchUnpacedIngest = (): Promise<readonly BenchRow[]> =>
  benchIngest('stream ingest of 200 MB, unpaced', null, 3)

async function benchIngest(
  name: string,
  bytesPerSecond: number | null,
  budget: number,
): Promise<readonly BenchRow[]> {
  const production = { lines: 'events', bytes: streamBytes, bytesPerSecond } as const
  return withProducer(production, async (bench) => {
    const taken: Round[] = []
    for (let round = 0; round < rounds; round += 1) taken.push(await oneRound(bench, true))
    checkAllIsStored(bench, taken)
    const of = (figure: (round: Round) => number): number => median(taken.map(figure))
    return [
      againstRival(
        name,
        of(({ ours }) => ours),
        of(({ rival }) => rival ?? Number.NaN),
        'ms',
        budget,
      ),
      alone(
        `${name}: event-loop delay, p99`,
        of(({ gauges }) => gauges.delayP99Ms),
        'ms',
        20,
      ),
      alone(
        `${name}: memory that goes on growing`,
        of(({ gauges }) => gauges.memoryGrowthMb),
        'MB',
        50,
      ),
    ]
  })
}

/** Nobody who prints without a line feed fills the memory or holds up the window. */
export function benchLongLines(): Promise<readonly BenchRow[]> {
  const production = { lines: [longLine, streamBytes], bytes: 0, bytesPerSecond: null }
  const name = 'ingest of a 10 MB line and of 200 MB without a newline'
  return withProducer(production, async (bench) => {
    const round = await oneRound(bench, false)
    checkAllIsStored(bench, [round])
    const { gauges } = round
    return [
      alone(`${name}: longest event-loop delay`, gauges.longestDelayMs, 'ms', 200),
      alone(`${name}: memory added`, gauges.memoryAddedMb, 'MB', 150),
    ]
  })
}

async function withProducer<T>(
  production: Production,
  measure: (bench: EngineBench) => Promise<T>,
): Promise<T> {
  const bench = await createEngineBench({ adapter: 'fake', adapters: [createProducerAdapter(production)] })
  try {
    return await measure(bench)
  } finally {
    await bench.remove()
  }
}

interface Round {
  readonly runId: RunId
  readonly ours: number
  readonly rival: number | null
  readonly gauges: GaugeReading
}

/** The analysis that a new issue begins with is the run. */
async function oneRound(bench: EngineBench, hasRival: boolean): Promise<Round> {
  const mailboxId = await bench.newIssue()
  const { runId } = await bench.until(async () => (await bench.sessions(mailboxId))[0] ?? null)
  const original = await inspectRunContainer(bench, runId)
  const gauges = startGauges()
  const detail = await bench.ended(runId)
  const ours = Date.now() - Date.parse(original.State.StartedAt)
  const reading = gauges.read()
  if (detail.row.outcome !== 'succeeded') throw new Error(`the run ended ${detail.row.outcome}`)
  // what follows a run (its log is redacted) is not to slow down the rival
  await untilContainersGone(bench, runId)
  await pause(1_000)
  const rival = hasRival ? await followAndThrowAway(bench, original, detail.mailboxIid) : null
  return { runId, ours, rival, gauges: reading }
}

/** Who loses lines is not to measure as faster. Once all is measured: reading them again takes memory. */
function checkAllIsStored(bench: EngineBench, taken: readonly Round[]): void {
  const db = openEngineDatabase(bench.folder, { readonly: true })
  try {
    for (const { runId } of taken) checkRun(createRunEventStore(db), runId)
  } finally {
    db.close()
  }
}

function checkRun(events: RunEventStore, runId: RunId): void {
  let stored = 0
  let told = ''
  for (let page = events.list(runId, 0, pageSize); page.length > 0;) {
    stored += page.filter(({ kind }) => printedKinds.has(kind)).length
    const result = page.findLast(({ kind }) => kind === 'result')
    if (result !== undefined) told = (result.payload as { text: string }).text
    page = events.list(runId, page.at(-1)?.seq ?? 0, pageSize)
  }
  if (told !== `${stored} lines were printed.`) throw new Error(`${told} ${stored} of them are stored.`)
}

async function followAndThrowAway(
  bench: EngineBench,
  original: Docker.ContainerInspectInfo,
  iid: number,
): Promise<number> {
  const folder = join(bench.folder, 'bench', `rival-${iid}`)
  const repository = join(bench.folder, 'repositories', `test-${bench.projectId}-issue-${iid}.git`)
  const twin = await createTwin(original, { folder, repository, state: null })
  await run('docker', ['create', ...twin.words(twin.argv)])
  await run('docker', ['start', twin.name])
  const container = new Docker().getContainer(twin.name)
  const ending = new AbortController()
  const ended = container.wait().then(() => ending.abort())
  const bytes = await readToEnd(join(folder, 'out', 'stream.out'), ending.signal)
  const taken = Date.now() - Date.parse((await container.inspect()).State.StartedAt)
  await ended
  if (bytes < streamBytes) throw new Error(`the rival read ${bytes} bytes`)
  await container.remove()
  await removeFolder(folder)
  return taken
}

async function readToEnd(path: string, ended: AbortSignal): Promise<number> {
  const file = await open(path)
  const buffer = Buffer.allocUnsafe(1_000_000)
  try {
    for (let read = 0; ;) {
      const isLast = ended.aborted
      const { bytesRead } = await file.read(buffer, 0, buffer.length)
      read += bytesRead
      if (bytesRead > 0) continue
      if (isLast) return read
      await pause(10)
    }
  } finally {
    await file.close()
  }
}
