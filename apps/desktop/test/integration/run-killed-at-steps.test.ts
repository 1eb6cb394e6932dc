import { describe, expect, it } from 'vitest'
import type { Seam } from './support/act-watcher'
import { ensureIssues, ensureProject, untilSettled } from './support/crash-workload'
import { findFaults, leftInQuarantine, readIssues, readNotices, type IssueLedger } from './support/ledger'
import { useSeamEngines } from './support/seam-engine'
import { quietActs, seams, type NamedSeam } from './support/seams'

/*
 * SIGKILL at every step of an issue's way to its review: after it the work is what it would have been without.
 */

const engines = useSeamEngines('step')
let undisturbed: readonly IssueLedger[]
const acts = new Set<string>()

describe('an issue on its way to review', { retry: 0 }, () => {
  it('gets there with every act that a seam is for', async () => {
    const engine = await engines.start({ onAct: (act) => acts.add(act) })
    const projectId = await ensureProject(engine.client, false)
    await ensureIssues(engine.client, { projectId, issues: 1 })
    await untilSettled(engines.folder, 1)
    await engine.leave()
    undisturbed = readIssues(engines.folder)
    expect(undisturbed).toMatchObject([
      { status: 'in_review', comments: ['acknowledgement', 'plan', 'change_opened'], commits: 1 },
    ])
    expect(await findFaults(engines.folder)).toEqual([])
    const known = new Set([...quietActs, ...seams.map(({ seam }) => seam.act)])
    const acting = [...acts].map((act) => act.replace(/^(before|after) /, ''))
    expect(acting.filter((act) => !known.has(act))).toEqual([])
  })

  it.each(seams)('gets there once, killed $words', async (step) => {
    await workUntilKilled(step)
    const again = await engines.start()
    const projectId = await ensureProject(again.client, false)
    await ensureIssues(again.client, { projectId, issues: 1 })
    await untilSettled(engines.folder, 1)
    await again.leave()
    expect(readIssues(engines.folder)).toEqual(undisturbed)
    expect(await findFaults(engines.folder)).toEqual([])
    expect(leftInQuarantine(engines.folder)).toEqual([])
    const isTold = readNotices(engines.folder).some((text) => text.includes('Alfred was started again'))
    if (step.isLive !== null) expect(isTold).toBe(step.isLive)
  })
})

async function workUntilKilled({ seam, pace }: NamedSeam): Promise<void> {
  const killed = await engines.tryToStart({ seam, pace })
  if (killed === null) return
  try {
    const projectId = await ensureProject(killed.client, false)
    await ensureIssues(killed.client, { projectId, issues: 1 })
  } catch (error) {
    // It died before it could answer.
    if ((await killed.ended) !== 'SIGKILL') throw error
  }
  const signal = await Promise.race([killed.ended, neverReached(seam)])
  expect(signal).toBe('SIGKILL')
}

async function neverReached(seam: Seam): Promise<never> {
  await untilSettled(engines.folder, 1)
  throw new Error(`the issue is in review, and this never came: ${JSON.stringify(seam)}`)
}
