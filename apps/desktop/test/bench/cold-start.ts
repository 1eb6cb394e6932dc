import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { alfred, helloWorld, seedHome, startApp, type AppStart } from './driven-app'
import { againstRival, median, type BenchRow } from './figures'

const rounds = 9
/** Two starts before that live as long as one looks at a window: then both have kept what they keep for the next. */
const startsBefore = 2
const lookMs = 8_000

/**
 * From the start of the process to a timeline that can be used, with 100k runs and 1M events in the database,
 * against the heading of a hello-world app on the same runtime. Both were used before, are driven alike and take turns.
 */
export async function benchColdStart(app: string): Promise<BenchRow> {
  const folder = mkdtempSync(join(tmpdir(), 'alfred-bench-'))
  try {
    const home = join(folder, 'home')
    seedHome(home, { mailboxes: 2_000, runs: 100_000, attempts: 1, events: 1_000_000 })
    // no engine is asked for: a start must not wait for Docker
    const env = { DOCKER_HOST: `unix://${join(folder, 'no-docker.sock')}` }
    const ours: number[] = []
    const rival: number[] = []
    for (let start = 0; start < startsBefore; start += 1) {
      await timeToReady({ ...helloWorld(app), home, env }, lookMs)
      await timeToReady({ ...alfred(app), home, env }, lookMs)
    }
    for (let round = 0; round < rounds; round += 1) {
      rival.push(await timeToReady({ ...helloWorld(app), home, env }))
      ours.push(await timeToReady({ ...alfred(app), home, env }))
    }
    return againstRival('cold start, 100k runs and 1M events', median(ours), median(rival), 'ms', 1.5)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function timeToReady(start: AppStart, lookMs = 0): Promise<number> {
  const begin = performance.now()
  const app = await startApp(start)
  const taken = performance.now() - begin
  await wait(lookMs)
  await app.close()
  return taken
}
