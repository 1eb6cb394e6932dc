import { describe, expect, it } from 'vitest'
import type { Seam } from './support/act-watcher'
import { ensureIssues, ensureProject, untilSettled } from './support/crash-workload'
import { findFaults, readIssues, readNotices, type IssueLedger } from './support/ledger'
import { useSeamEngines, type SeamEngine } from './support/seam-engine'

/*
 * An agent that works in another session than the one asked for is stopped, and a fresh one starts. The engine dies
 * in between.
 */

const body = 'DEMO_FAULT=other_id'
const abandoned = 'The agent works in another session than the one asked for, so it is stopped.'

const engines = useSeamEngines('abandoned')
let undisturbed: readonly IssueLedger[]

const development = 2
const steps: readonly { readonly words: string; readonly seam: Omit<Seam, 'runs'> }[] = [
  { words: 'when it was seen', seam: { side: 'after', act: 'store.events.append', nth: 1 } },
  { words: 'before it is stopped', seam: { side: 'before', act: 'docker.stop', nth: 1 } },
  { words: 'when it is stopped', seam: { side: 'after', act: 'docker.stop', nth: 1 } },
  { words: 'when the fresh start is stored', seam: { side: 'after', act: 'store.runs.addStart', nth: 2 } },
  { words: 'when the fresh start runs', seam: { side: 'after', act: 'docker.start', nth: 2 } },
]

describe('a start that is given up', { retry: 0 }, () => {
  it('is followed by a fresh one', async () => {
    await workToTheEnd()
    undisturbed = readWork()
    expect(undisturbed[0]?.runs[1]).toMatchObject({
      outcome: 'succeeded',
      starts: ['first', 'fallback'],
      sessions: ['resume, state_missing, memory 1, ended'],
    })
    expect(readNotices(engines.folder).filter((text) => text === abandoned)).toHaveLength(1)
    expect(await findFaults(engines.folder)).toEqual([])
  })

  it.each(steps)('is followed by one fresh one, killed $words', async ({ seam }) => {
    const killed = await engines.start({ seam: { ...seam, runs: development } })
    await beginIssue(killed)
    expect(await killed.ended).toBe('SIGKILL')
    await workToTheEnd()
    expect(readWork()).toEqual(undisturbed)
    expect(readNotices(engines.folder).filter((text) => text === abandoned)).toHaveLength(1)
    expect(await findFaults(engines.folder)).toEqual([])
  })
})

/** How far the agent that is given up comes until it is stopped is nobody's promise; its lines are checked one by one. */
const readWork = (): readonly IssueLedger[] =>
  readIssues(engines.folder).map((issue) => ({
    ...issue,
    runs: issue.runs.map((run) => ({ ...run, transcript: [] })),
  }))

async function beginIssue({ client }: SeamEngine): Promise<void> {
  const projectId = await ensureProject(client, false)
  await ensureIssues(client, { projectId, issues: 1, body })
}

async function workToTheEnd(): Promise<void> {
  const engine = await engines.start()
  await beginIssue(engine)
  await untilSettled(engines.folder, 1)
  await engine.leave()
}
