import { setTimeout as wait } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { createRunEventStore } from '@main/adapters/db/run-event-store'
import type { RunId } from '@shared/model/ids'
import { floodLine, floodLines } from '../fakes/flood-adapter'
import type { Seam } from './support/act-watcher'
import { ensureIssues, ensureProject } from './support/crash-workload'
import { value } from './support/engine-bench'
import { openData } from './support/ledger'
import { useSeamEngines, type SeamEngine } from './support/seam-engine'

/*
 * An agent prints faster than rows could be stored, so what it prints is packed. The engine dies in the midst of that,
 * while the agent goes on; the next engine reads on.
 */

const engines = useSeamEngines('burst')

const seams: readonly { readonly words: string; readonly seam: Omit<Seam, 'runs' | 'side'> }[] = [
  { words: 'when some is packed and not stored', seam: { act: 'store.events.pack', nth: 3 } },
  { words: 'when the first of it is stored', seam: { act: 'store.events.appendPacked', nth: 1 } },
  { words: 'when more of it is stored', seam: { act: 'store.events.appendPacked', nth: 4 } },
  { words: 'while it is laid out', seam: { act: 'store.events.unpackSome', nth: 2 } },
]

describe('each line of a burst is stored once and in order', { retry: 0 }, () => {
  it.each(seams)('killed $words', async ({ seam }) => {
    const killed = await engines.start({ seam: { ...seam, side: 'after', runs: 1 } })
    await beginIssue(killed)
    expect(await killed.ended).toBe('SIGKILL')
    await finishAndCompare()
  })

  it('killed at whatever moment', async () => {
    const killed = await engines.start()
    await beginIssue(killed)
    await until(() => count('SELECT count(*) FROM packed_events') > 0)
    await killed.kill()
    await finishAndCompare()
  })
})

/** The analysis that it begins with is the run; its plan then waits for a person. */
async function beginIssue({ client }: SeamEngine): Promise<void> {
  const projectId = await ensureProject(client, true)
  value(
    await client.call('settings', 'set', {
      scope: 'project',
      scopeId: projectId,
      key: 'AGENT_ADAPTER',
      value: 'fake',
    }),
  )
  await ensureIssues(client, { projectId, issues: 1 })
}

async function finishAndCompare(): Promise<void> {
  await engines.start()
  await until(() => count("SELECT count(*) FROM runs WHERE state = 'ended'") === 1)
  expect(count("SELECT count(*) FROM runs WHERE outcome = 'succeeded'")).toBe(1)
  expect(linesStored()).toEqual({ lines: floodLines, firstWrong: null })
  await until(() => count('SELECT count(*) FROM packed_events') === 0)
  expect(linesStored()).toEqual({ lines: floodLines, firstWrong: null })
}

/** From outside, as it is in the database. */
function withData<T>(look: (db: ReturnType<typeof openData>) => T): T {
  const db = openData(engines.folder)
  try {
    return look(db)
  } finally {
    db.close()
  }
}

const count = (sql: string): number => withData((db) => Number(db.prepare(sql).pluck().get()))

/** How many there are, and the first one that is not what was printed in its place. */
const linesStored = (): { readonly lines: number; readonly firstWrong: string | null } =>
  withData((db) => {
    const lines = createRunEventStore(db)
      .list(1 as RunId, 0, floodLines * 3)
      .filter(({ kind }) => kind === 'text')
      .map(({ payload }) => (payload as { text: string }).text)
    const firstWrong = lines.find((line, number) => line !== floodLine(number))
    return { lines: lines.length, firstWrong: firstWrong ?? null }
  })

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await wait(100)
}
