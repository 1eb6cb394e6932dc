import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { BundledScript } from '../fakes/bundle-script'
import { actAsPerson, untilSettled } from './support/crash-workload'
import { removeFolder } from './support/engine-bench'
import { drawKills, killTogether, type Kill } from './support/killer'
import { findFaults, leftInQuarantine, readIssues, type IssueLedger } from './support/ledger'
import { buildSeamEngine, discard, startSeamEngine, type SeamEngine } from './support/seam-engine'

/*
 * SIGKILL at random moments, several for each workload: what comes of it is what comes of it without. `npm run torture`
 * kills more often; with the seed that a run prints it does so at the same moments.
 */

const issues = 3
const killsPerWorkload = 10
const kills = Number(process.env['ALFRED_TORTURE_KILLS'] ?? 50)
const seed = Number(process.env['ALFRED_TORTURE_SEED'] ?? Date.now() % 1_000_000)
const workloads = drawKills(seed, kills, killsPerWorkload)

let script: BundledScript
let undisturbed: readonly IssueLedger[]
let folder: string
let engine: SeamEngine | null = null

beforeAll(async () => {
  process.stdout.write(`${kills} kills, seed ${seed}\n`)
  script = await buildSeamEngine()
  folder = await newFolder()
  await finish(0)
  undisturbed = readIssues(folder)
  await removeFolder(folder)
  expect(undisturbed.map(({ status, comments }) => [status, comments])).toEqual(
    Array.from({ length: issues }, () => [
      'in_review',
      ['acknowledgement', 'plan', 'plan_validated', 'change_opened'],
    ]),
  )
})
afterAll(() => script.remove())
afterEach(async ({ task }) => {
  // What failed is looked at.
  if (task.result?.state === 'pass') return discard(engine, folder)
  await engine?.kill()
  process.stdout.write(`seed ${seed}: ${folder}\n`)
})

describe('issues whose engine dies again and again', { retry: 0 }, () => {
  it.each(workloads)(
    `get to their review once: workload $number of seed ${seed}`,
    { timeout: 600_000 },
    async ({ kills: planned }) => {
      folder = await newFolder()
      for (const kill of planned) await dieOnce(kill)
      await finish(planned.at(-1)?.pace ?? 0)
      expect(readIssues(folder)).toEqual(undisturbed)
      expect(await findFaults(folder)).toEqual([])
      expect(leftInQuarantine(folder)).toEqual([])
    },
  )
})

const newFolder = (): Promise<string> => mkdtemp(join(tmpdir(), 'alfred-torture-'))

async function dieOnce({ afterMs, from, pace, takesGitAlong }: Kill): Promise<void> {
  const started = await startSeamEngine(script, folder, {
    pace,
    ...(from === 'start' ? { killAfterMs: afterMs } : {}),
  })
  engine = started
  if (started === null) return
  const leaving = new AbortController()
  const acting = actAsPerson(started.client, { folder, issues }, leaving.signal)
  if (from === 'ready') await wait(afterMs)
  leaving.abort()
  await killTogether(started, takesGitAlong)
  await acting
  expect(await started.ended).toBe('SIGKILL')
}

/** Lets an engine work until there is nothing left to do. */
async function finish(pace: number): Promise<void> {
  engine = await startSeamEngine(script, folder, { pace })
  if (engine === null) throw new Error('the engine did not start')
  const leaving = new AbortController()
  const acting = actAsPerson(engine.client, { folder, issues }, leaving.signal)
  await Promise.race([untilSettled(folder, issues), acting])
  leaving.abort()
  await acting
  await engine.leave()
}
