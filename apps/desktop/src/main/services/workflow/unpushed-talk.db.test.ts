import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { assertPresent } from '@shared/assert'
import type { Run } from '@shared/model/records'
import { err, ok } from '@shared/result'
import { done } from '../../../../test/fakes/local-forge-bench'
import { openWorkflowBench, type WorkflowBench } from '../../../../test/fakes/workflow-bench'

let bench: WorkflowBench
beforeEach(async () => {
  bench = await openWorkflowBench()
  await bench.takeUp()
})
afterEach(() => {
  expect(bench.errors).toEqual([])
  bench.remove()
})

const ref = () => ({ projectId: bench.project.id, iid: 1 })
const id = () => bench.mailbox().id
const live = (): Run | null => bench.test.store.runs.findLive(id())
const pushes = (): readonly string[] =>
  bench.test.store.outbox
    .listByMailbox(id())
    .filter(({ kind }) => kind === 'push')
    .map(({ state }) => state)
const label = async (name: 'ai::validate_plan' | 'ai::retry') => {
  await done(bench.tracker.addLabel(ref(), name))
  await bench.settle()
}
const planned = () => bench.endRun({ result: { plan: 'Make an index.' } })
/** A turn of a chat that ends with this commit. */
const turn = async (headSha: string): Promise<Run> => {
  bench.requestRun('chat')
  return bench.endRun({ commits: 1, headSha })
}
const approve = (headSha: string) => bench.workflow.service.approvePush(id(), headSha, 'ada')
const discard = (headSha: string) => bench.workflow.service.discardPush(id(), headSha, 'ada')
const leaveOut = (headSha: string) => bench.workflow.service.goOnWithout(id(), headSha, 'ada')
const refuse = (type: 'refused' | 'gone' = 'refused') => {
  bench.pusher.pushRun = () => Promise.resolve(err({ type, message: 'HTTP 403' }))
}

describe('a phase run that waits for the commits of a chat', () => {
  /** The plan is validated while the commits of the first turn wait; then there is a second turn. */
  const validatedBetweenTurns = async () => {
    await planned()
    await turn('c1')
    await label('ai::validate_plan')
    expect(live()).toBeNull()
    await turn('c2')
    expect(live()).toBeNull()
  }
  const development = { phase: 'development', trigger: 'plan_validated', requestedBy: 'ada' }

  test('begins after the push, though another turn has committed since', async () => {
    await validatedBetweenTurns()
    approve('c2')
    await bench.settle()
    expect(live()).toMatchObject(development)
  })

  test('begins after a discard, and after going on without them', async () => {
    await validatedBetweenTurns()
    expect(await discard('c2')).toMatchObject({ ok: true })
    const run = assertPresent(live(), 'it begins')
    expect(run).toMatchObject(development)
    await bench.endRun({ outcome: 'failed', failure: { type: 'agent_failed', message: 'x' } })
    // What waited has begun: it does not begin once more.
    await turn('c3')
    expect(await leaveOut('c3')).toMatchObject({ value: { nextRunId: null } })
  })

  test('is not lost with a push that the forge refuses after another turn has committed', async () => {
    await planned()
    await turn('c1')
    await label('ai::validate_plan')
    refuse()
    approve('c1')
    await turn('c2')
    expect(pushes()).toEqual(['dropped', 'dropped', 'dropped'])
    expect(await leaveOut('c2')).toMatchObject({ ok: true })
    expect(live()).toMatchObject(development)
  })

  test('does not begin on an issue that was closed meanwhile, nor once it is open again', async () => {
    await validatedBetweenTurns()
    await done(bench.tracker.setOpen(ref(), false))
    await bench.settle()
    expect(await discard('c2')).toMatchObject({ ok: true })
    expect(live()).toBeNull()
    await done(bench.tracker.setOpen(ref(), true))
    await bench.settle()
    await turn('c3')
    await discard('c3')
    expect(live()).toBeNull()
  })

  test('begins with the memory that a person chose for it', async () => {
    await planned()
    const { id: runId } = await turn('c1')
    bench.test.store.runs.setSuccessor(runId, {
      phase: 'analysis',
      trigger: 'retry',
      requestedBy: 'ada',
      resumeChoice: 'fresh',
    })
    await discard('c1')
    expect(live()).toMatchObject({ phase: 'analysis', trigger: 'retry', resumeChoice: 'fresh' })
  })

  test('does not begin on an issue that is done, though the commits are pushed', async () => {
    await validatedBetweenTurns()
    bench.test.store.mailboxes.update(id(), { status: 'done' }, bench.clock.now())
    approve('c2')
    await bench.workflow.sender.sendDue(new AbortController().signal)
    expect(pushes().at(-1)).toBe('sent')
    expect(live()).toBeNull()
  })

  test('waits for a push that is under way, and begins with its end', async () => {
    await planned()
    await turn('c1')
    approve('c1')
    expect(pushes()).toEqual(['dropped', 'waiting'])
    let asks = 0
    const { pushRun } = bench.pusher
    bench.pusher.pushRun = async (run, options) => {
      asks += 1
      if (asks === 1) return err({ type: 'unreachable', message: 'away' })
      return pushRun(run, options)
    }
    await bench.workflow.sender.sendDue(new AbortController().signal)
    expect(asks).toBe(1)
    // Before the push is tried again.
    await done(bench.tracker.addLabel(ref(), 'ai::validate_plan'))
    await bench.workflow.service.consider(bench.project.id, 1)
    expect(bench.mailbox().status).toBe('in_development')
    expect(live()).toBeNull()
    await bench.settle()
    expect(pushes().at(-1)).toBe('sent')
    expect(live()).toMatchObject(development)
  })
})

describe('commits of a chat that wait', () => {
  /** The push of a development waits in the outbox while a chat commits on top of it. */
  const onTopOfWaitingPush = async () => {
    bench.pusher.pushRun = () => Promise.resolve(err({ type: 'unreachable', message: 'away' }))
    await planned()
    await label('ai::validate_plan')
    await bench.endRun({ commits: 1, headSha: 'a1' })
    await turn('c1')
    expect(pushes()).toEqual(['waiting', 'dropped'])
    expect(bench.mailbox().needsYou).toBe('unpushed_work')
  }
  const patiently = async () => {
    bench.clock.advance(600_000)
    await bench.settle()
  }

  test('are asked about, whatever else is asked meanwhile, which is asked after that', async () => {
    await onTopOfWaitingPush()
    refuse()
    await patiently()
    expect(pushes()).toEqual(['failed', 'dropped'])
    expect(bench.mailbox()).toMatchObject({ status: 'blocked', needsYou: 'unpushed_work' })
    await label('ai::retry')
    expect(pushes()).toEqual(['failed', 'dropped'])
    expect(await discard('c1')).toMatchObject({ ok: true })
    expect(bench.mailbox()).toMatchObject({ status: 'blocked', needsYou: 'blocked' })
  })

  test('are asked about before the paths of the push below them, and that is asked then', async () => {
    await onTopOfWaitingPush()
    await turn('c2')
    bench.pusher.pushRun = () =>
      Promise.resolve(err({ type: 'needs_person', paths: ['.github/x.yml'], message: 'it touches CI' }))
    await patiently()
    expect(pushes()).toEqual(['dropped', 'dropped', 'dropped'])
    expect(bench.mailbox().needsYou).toBe('unpushed_work')
    expect(await discard('c2')).toMatchObject({ ok: true })
    expect(bench.mailbox().needsYou).toBe('push_needs_person')
    expect(approve('a1')).not.toBeNull()
  })

  test('stay offered where the forge refuses them after another push was asked for', async () => {
    await planned()
    await label('ai::validate_plan')
    refuse()
    await bench.endRun({ commits: 1, headSha: 'a1' })
    expect(bench.mailbox()).toMatchObject({ status: 'blocked', needsYou: 'blocked' })
    await turn('c1')
    approve('c1')
    // Before their push is sent.
    await done(bench.tracker.addLabel(ref(), 'ai::retry'))
    await bench.workflow.service.consider(bench.project.id, 1)
    expect(pushes()).toEqual(['failed', 'dropped', 'waiting', 'waiting'])
    await bench.settle()
    expect(pushes()).toEqual(['failed', 'dropped', 'dropped', 'failed'])
    expect(bench.mailbox().needsYou).toBe('unpushed_work')
    expect(await discard('c1')).toMatchObject({ ok: true })
  })

  test('are left alone while those below them are on their way, which may then be agreed to together', async () => {
    await planned()
    await turn('c1')
    bench.pusher.pushRun = () => Promise.resolve(err({ type: 'unreachable', message: 'away' }))
    approve('c1')
    await turn('c2')
    for (const answer of [leaveOut, discard])
      expect(await answer('c2')).toMatchObject({
        error: { type: 'refused', message: expect.stringContaining('on their way') as string },
      })
    approve('c2')
    expect(bench.mailbox().needsYou).toBe('validate_plan')
    // The forge refuses the first of the two, and is away then.
    bench.pusher.pushRun = ({ headSha }) =>
      Promise.resolve(
        headSha === 'c1'
          ? err({ type: 'refused', message: 'HTTP 403' })
          : err({ type: 'unreachable', message: 'away' }),
      )
    await patiently()
    expect(pushes()).toEqual(['dropped', 'dropped', 'dropped', 'waiting'])
    expect(bench.mailbox().needsYou).toBe('validate_plan')
    refuse()
    await patiently()
    expect(pushes().at(-1)).toBe('dropped')
    expect(bench.mailbox().needsYou).toBe('unpushed_work')
    expect(await discard('c2')).toMatchObject({ ok: true })
  })

  test('are not decided about under a turn that began while they were taken off the branch', async () => {
    await planned()
    await turn('c1')
    bench.pusher.takeBack = (run, { keep }) => {
      if (live() === null) bench.requestRun('chat')
      return Promise.resolve(ok(keep ? { repository: '/mailbox.git', ref: `refs/${run.uid}` } : null))
    }
    for (const answer of [leaveOut, discard]) {
      expect(await answer('c1')).toMatchObject({
        error: { type: 'refused', message: expect.stringContaining(`Run ${bench.liveRun().id}`) as string },
      })
      await bench.endRun()
    }
    expect(pushes()).toEqual(['dropped'])
    expect(bench.mailbox().needsYou).toBe('unpushed_work')
  })

  test('get the change that the failed run did not open, once a run finds nothing to add', async () => {
    await planned()
    await label('ai::validate_plan')
    await bench.endRun({ outcome: 'failed', failure: { type: 'agent_failed', message: 'x' } })
    await turn('c1')
    bench.pushBranch()
    bench.pusher.pushRun = () => Promise.resolve(ok({ headSha: 'c1', commits: 1 }))
    approve('c1')
    await bench.settle()
    expect(bench.mailbox().changeIid).toBeNull()
    await label('ai::retry')
    await bench.endRun({ baseSha: 'c1', result: { outcome: 'nothing' } })
    expect(bench.mailbox()).toMatchObject({ status: 'in_review', changeIid: 1 })
    // Merged as it is, it is nothing that is still to be published.
    await done(bench.tracker.mergeChange(ref(), { expectedHeadSha: null, deleteSourceBranch: false }))
    await bench.settle()
    const before = pushes().length
    bench.requestRun('development')
    await bench.endRun({ baseSha: 'c1', result: { outcome: 'nothing', summary: 'It is there.' } })
    expect(pushes()).toHaveLength(before)
  })
})
