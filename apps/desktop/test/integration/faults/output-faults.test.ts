import { renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect } from 'vitest'
import { value } from '../support/engine-bench'
import { commit, done, said, controlSequences } from './agent-steps'
import { createFaultBench, expectAftermath, fault, type FaultBench, type Seen } from './fault-bench'
import type { Fault } from './fault'

let bench: FaultBench
beforeAll(async () => {
  bench = await createFaultBench()
})
afterAll(() => bench.remove())

const print = (program: string) => ({ shell: `node -e '${program}'` })

async function textsOf({ run }: Seen): Promise<readonly string[]> {
  const { events } = value(
    await bench.client.call('runs', 'events', {
      runId: run.row.runId,
      afterSeq: 0,
      beforeSeq: null,
      limit: 1000,
    }),
  )
  return events.map(({ payload }) => payload.text ?? '')
}

describe('what the agent prints', () => {
  fault('line-of-10-mb', async (row) => {
    const seen = await bench.develop(
      print(
        'process.stdout.write(JSON.stringify({ type: "text", text: "x".repeat(10_000_000) }) + String.fromCharCode(10))',
      ),
      commit,
      done,
    )
    await expectAftermath(bench, row, seen)
    for (const text of await textsOf(seen)) expect(text.length).toBeLessThanOrEqual(16_384)
    expect(seen.run.rawLogBytes).toBeGreaterThan(10_000_000)
  })

  fault('no-newline', async (row) => {
    const before = process.memoryUsage().rss
    let most = 0
    const watch = setInterval(() => (most = Math.max(most, process.memoryUsage().rss)), 20)
    const seen = await bench.develop(
      { shell: String.raw`head -c 200000000 /dev/zero | tr '\0' x; echo` },
      commit,
      done,
    )
    clearInterval(watch)
    await expectAftermath(bench, row, seen)
    expect(most - before).toBeLessThan(150_000_000)
  })

  fault('invalid-utf-8', async (row) => {
    const seen = await bench.develop(
      { shell: String.raw`printf 'stray \377\376 here\noverlong \300\257 here\ncut off \360\237\n'` },
      commit,
      done,
    )
    await expectAftermath(bench, row, seen)
  })

  fault('control-sequences', async (row) => {
    const seen = await bench.develop(...controlSequences, commit, done)
    await expectAftermath(bench, row, seen)
    for (const text of await textsOf(seen)) expect(text).not.toMatch(/[^\P{Cc}\t\n]|owned|evil/u)
  })

  fault('stream-replaced-inside', async (row) => {
    const seen = await bench.develop(
      {
        shell: `cd /alfred/out && for f in stream.out stream.err; do
          rm -f $f; echo fake > new; mv -f new $f; ln -sf /etc/passwd $f; done 2> /dev/null; true`,
      },
      said('still here'),
      commit,
      done,
    )
    await expectAftermath(bench, row, seen)
  })

  fault('stream-truncated', async (row) => {
    const { mailboxId, runId } = await bench.begin(
      said('x'.repeat(1_000)),
      // The engine has read it when the person sees it; only then it can become shorter.
      { shell: 'until [ -e /workspace/seen ]; do sleep 0.1; done; : > /alfred/out/stream.out' },
      { pauseMs: 600_000 },
    )
    await bench.until(async () => ((await bench.texts(runId, 'text')).length > 0 ? true : null))
    writeFileSync(join(await workspaceOf(runId), 'seen'), '')
    await expectAftermath(bench, row, await bench.see(mailboxId, await bench.ended(runId)))
  })

  fault('stream-replaced-outside', (row) =>
    tamperOutside(row, (file) => {
      writeFileSync(`${file}.new`, 'x'.repeat(100_000))
      renameSync(`${file}.new`, file)
    }),
  )

  fault('stream-linked-outside', (row) =>
    tamperOutside(row, (file) => {
      rmSync(file)
      symlinkSync('/etc/passwd', file)
    }),
  )
})

async function workspaceOf(runId: Parameters<FaultBench['ended']>[0]): Promise<string> {
  const { mailboxIid } = value(await bench.client.call('runs', 'get', { runId }))
  return join(bench.folder, 'workspaces', `test-${bench.projectId}-issue-${mailboxIid}`)
}

/** Lays hands on the stream file once the agent's words are stored. */
async function tamperOutside(row: Fault, tamper: (file: string) => void): Promise<void> {
  const { mailboxId, runId } = await bench.begin(said('before'), { pauseMs: 600_000 })
  await bench.until(async () => ((await bench.texts(runId, 'text')).includes('before') ? true : null))
  const { folder } = value(await bench.client.call('runs', 'get', { runId }))
  tamper(join(folder, 'out', '1-1', 'stream.out'))
  const seen = await bench.see(mailboxId, await bench.ended(runId))
  await expectAftermath(bench, row, seen)
  expect((await textsOf(seen)).join('\n')).not.toContain('root:')
}
