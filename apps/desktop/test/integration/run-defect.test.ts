import { afterEach, describe, expect, it } from 'vitest'
import type { AroundPort } from '@main/boot/engine-options'
import { containersOfRun, createEngineBench, type EngineBench } from './support/engine-bench'
import { openData } from './support/ledger'

/*
 * Something in Alfred itself is broken. The run ends in words, and its mailbox is given to nobody before its container
 * has ended.
 */

let bench: EngineBench | null = null
afterEach(async () => {
  await bench?.remove()
  bench = null
})

/** Storing what the agent prints throws; `onRelease` is called when a lock is given back. */
function breakRecorder(onRelease: () => void): AroundPort {
  return (name, port) => {
    if (name !== 'store') return port
    return new Proxy(port, {
      get(store, table) {
        const methods: unknown = Reflect.get(store, table)
        if (typeof methods !== 'object' || methods === null) return methods
        return new Proxy(methods, {
          get(target, method) {
            if (method === 'setStreamPosition') {
              return () => {
                throw new Error('planted by the test')
              }
            }
            if (table === 'locks' && method === 'release') onRelease()
            return Reflect.get(target, method)
          },
        })
      },
    })
  }
}

describe('a defect while a run works', () => {
  it('ends the run in words, and the lock goes once its container has ended', async () => {
    const releases: Promise<readonly boolean[]>[] = []
    let look: () => Promise<readonly boolean[]> = () => Promise.resolve([])
    bench = await createEngineBench({ aroundPort: breakRecorder(() => void releases.push(look())) })
    const { client } = bench
    const mailboxId = await bench.newIssue('DEMO_FAULT=hang')
    const runId = await bench.until(async () => {
      const page = await client.call('sessions', 'timeline', { mailboxId, beforeRunId: null, limit: 1 })
      return page.ok ? (page.value.rows[0]?.runId ?? null) : null
    })
    look = async () => (await containersOfRun(client, runId)).map(({ running }) => running)
    const run = await bench.ended(runId)
    expect(run.row.outcome).toBe('failed')
    expect(run.failure).toMatchObject({ type: 'unexpected', message: 'planted by the test' })
    expect((await Promise.all(releases)).flat()).not.toContain(true)
    expect(releases.length).toBeGreaterThan(0)
    const db = openData(bench.folder)
    expect(db.prepare('SELECT count(*) FROM session_locks').pluck().get()).toBe(0)
    db.close()
  })
})
