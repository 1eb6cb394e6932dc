import { _electron } from '@playwright/test'
import { mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openTestStore } from '../fakes/open-test-store'
import { seedStore } from '../fakes/seed-store'
import { againstRival, median, type BenchRow } from './figures'

const rounds = 5

/**
 * From the start of the process to a timeline that can be used, with 100k runs and 1M events in the database,
 * against the heading of a hello-world app on the same runtime. Both are driven alike and take turns.
 */
export async function benchColdStart(app: string): Promise<BenchRow> {
  const folder = mkdtempSync(join(tmpdir(), 'alfred-bench-'))
  try {
    const home = join(folder, 'home')
    seedHome(home)
    const start = (target: string, ready: string) => timeToElement({ target, ready, folder, home })
    const ours: number[] = []
    const rival: number[] = []
    for (let round = 0; round <= rounds; round += 1) {
      const hello = await start(join(app, 'test/bench/hello-world'), 'h1')
      const alfred = await start(app, '[data-test=session-row]')
      // the first round warms the disk cache
      if (round > 0) rival.push(hello)
      if (round > 0) ours.push(alfred)
    }
    return againstRival('cold start, 100k runs and 1M events', median(ours), median(rival), 'ms', 1.5)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function seedHome(home: string): void {
  mkdirSync(home, { mode: 0o700 })
  const seeded = openTestStore()
  seedStore(seeded.store, { mailboxes: 2_000, runs: 100_000, attempts: 1, events: 1_000_000 })
  seeded.db.pragma('wal_checkpoint(TRUNCATE)')
  seeded.db.close()
  renameSync(seeded.file, join(home, 'alfred.db'))
  rmSync(seeded.folder, { recursive: true, force: true })
}

interface Start {
  readonly target: string
  /** The element that tells that the app can be used. */
  readonly ready: string
  readonly folder: string
  readonly home: string
}

async function timeToElement({ target, ready, folder, home }: Start): Promise<number> {
  const inherited = Object.entries(process.env).filter(
    (entry): entry is [string, string] => entry[1] !== undefined,
  )
  const begin = performance.now()
  const app = await _electron.launch({
    args: [target, `--user-data-dir=${join(folder, 'profile')}`],
    // no engine is asked for: a start must not wait for Docker
    env: {
      ...Object.fromEntries(inherited),
      ALFRED_HOME: home,
      DOCKER_HOST: `unix://${join(folder, 'no-docker.sock')}`,
    },
  })
  const page = await app.firstWindow()
  await page.locator(ready).first().waitFor({ state: 'visible', timeout: 60_000 })
  const taken = performance.now() - begin
  await app.evaluate(({ app: self }) => self.exit(0)).catch(() => undefined)
  await app.close().catch(() => undefined)
  return taken
}
