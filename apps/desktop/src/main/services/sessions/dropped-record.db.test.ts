import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { createSessionBench, type SessionBench } from '../../../../test/fakes/session-bench'
import { seedEndedRun } from '../../../../test/fakes/seed-mailbox'

let bench: SessionBench
beforeEach(async () => {
  bench = await createSessionBench()
})
afterEach(() => bench.remove())

it('a memory that is dropped is so in the folder of its run too, from which a lost database is read back in', async () => {
  const nativeSessionId = '5d6e7f80-1111-4111-8111-111111111111'
  const { id, runId } = seedEndedRun(bench.store, bench.mailboxId, { nativeSessionId })
  const folder = join(bench.folder, 'runs', bench.store.runs.get(runId).uid)
  const dropped = async (): Promise<unknown> =>
    (JSON.parse(await readFile(join(folder, 'run.json'), 'utf8')) as { dropped: unknown }).dropped
  expect(await bench.byHand.drop(id)).toMatchObject({ ok: true })
  const droppedAt = bench.store.sessions.droppedAt(bench.mailboxId, 'demo', nativeSessionId)
  expect(await dropped()).toEqual([{ adapter: 'demo', nativeSessionId, droppedAt }])
  // Also where somebody had removed the folder.
  await rm(folder, { recursive: true })
  expect(await bench.byHand.drop(id)).toMatchObject({ ok: true })
  expect(await dropped()).toHaveLength(1)
})
