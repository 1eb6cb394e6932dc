import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { bash, countTurns, edit, say, work, write, type Script } from '../fakes/model-server/answers'
import { agentImageTag, testRuntime } from './support/agent-container'
import { createClaudeBench, toldTo, type ClaudeBench } from './support/claude-bench'
import { value } from './support/engine-bench'

/*
 * The real Claude Code that is ended in the middle of its work: what it remembers, and which tree it finds.
 */

let bench: ClaudeBench
beforeAll(() => agentImageTag(testRuntime(), ['claude-code']))
afterEach(() => bench.remove())

const halfDone = [
  write('/workspace/half.txt', 'half of the wrok\n'),
  edit('/workspace/half.txt', 'wrok', 'work'),
]
const finish = bash('cat half.txt && git add half.txt && git commit -qm "Add half of the work"')

/** The analysis is answered; the development changes a file and hangs; what comes after finds it and commits. */
const halfThenHang: Script = (turn) => {
  if (turn.prompt.includes('Phase: analysis')) return say('the plan')
  if (turn.number === 2) return work(halfDone, { kind: 'hang', after: 'first_words' })(turn)
  return work([finish], say('committed'))(turn)
}

const untilHalfDone = () =>
  bench.model.until(({ turn }) => turn !== null && turn.number === 2 && turn.toolResults === halfDone.length)

describe('claude-code', () => {
  it('killed before it saved anything begins fresh in the next attempt of the same run', async () => {
    bench = await createClaudeBench({ script: countTurns })
    const mailboxId = await bench.newIssue()
    const row = await bench.until(async () => {
      const page = await bench.client.call('sessions', 'timeline', { mailboxId, beforeRunId: null, limit: 1 })
      return page.ok ? (page.value.rows.at(-1) ?? null) : null
    })
    await bench.runIn(row.runId, 'running')
    // As soon as there is a container: the CLI saves within a second.
    while ((await bench.kill(row.runId)) === 0) await wait(10)
    const run = await bench.ended(row.runId)
    expect(run.row).toMatchObject({ outcome: 'succeeded', attempts: 2, badge: 'no_prior_session' })
    expect(run.attempts.map(({ outcome }) => outcome)).toEqual(['interrupted', 'succeeded'])
    expect(run.llmRetries).toBe(0)
    const [first, second] = await bench.sessions(mailboxId)
    expect(first).toMatchObject({ nativeSessionId: null, mode: 'fresh' })
    expect(second).toMatchObject({ mode: 'fresh', resumeFallback: 'no_prior_session' })
    expect(bench.model.turns().map(({ turn }) => turn.number)).toEqual([1])
  })

  it('killed in the middle of a turn goes on with its memory, in the tree that the memory believes in', async () => {
    bench = await createClaudeBench({ script: halfThenHang })
    const mailboxId = await bench.newIssue()
    await bench.latest(mailboxId)
    const runId = await bench.request(mailboxId, 'development')
    await untilHalfDone()
    await bench.kill(runId)
    const run = await bench.ended(runId)
    expect(run.row).toMatchObject({ outcome: 'succeeded', attempts: 2, badge: 'resumed', commits: 1 })
    expect(run.attempts.map(({ outcome }) => outcome)).toEqual(['interrupted', 'succeeded'])
    expect(run.llmRetries).toBe(0)
    expect(run.changedFiles.map(({ path }) => path)).toEqual(['half.txt'])
    // It remembers that it wrote the file, and finds it uncommitted.
    const [resumed, afterCommit] = bench.model.turns().slice(-2)
    expect(toldTo(resumed)).toContain('/workspace/half.txt')
    expect(resumed?.turn.number).toBe(3)
    expect(toldTo(afterCommit)).toContain('half of the work')
    const [, ...attempts] = await bench.sessions(mailboxId)
    expect(new Set(attempts.map(({ nativeSessionId }) => nativeSessionId)).size).toBe(1)
  })

  it('stopped by a person hears TERM; its work is collected and its memory kept', async () => {
    bench = await createClaudeBench({ script: halfThenHang })
    const mailboxId = await bench.newIssue()
    await bench.latest(mailboxId)
    const runId = await bench.request(mailboxId, 'development')
    await untilHalfDone()
    value(await bench.client.call('runs', 'stop', { runId }))
    const run = await bench.ended(runId)
    // It has no last line that would tell its turns.
    expect(run.row).toMatchObject({ outcome: 'stopped', resumed: true, attempts: 1, turns: 2 })
    // 143 is the CLI's own end by TERM; a KILL would be 137, and collected by another container.
    expect(run.attempts[0]?.starts).toMatchObject([{ kind: 'first', exitCode: 143 }])
    const status = JSON.parse(await readFile(join(run.folder, 'out', '1-1', 'status.json'), 'utf8'))
    expect(status).toMatchObject({ commits: 0, kept: 'written' })
    expect(existsSync(join(run.folder, 'out', '1-1', 'kept.bundle'))).toBe(true)
    expect(await readFile(join(bench.workspace(1), 'half.txt'), 'utf8')).toBe('half of the work\n')
    expect(run.row.stateBytesAfter).toBeGreaterThan(run.row.stateBytesBefore ?? 0)

    const retried = value(await bench.client.call('runs', 'retry', { runId, resumeChoice: 'auto' }))
    const second = await bench.ended(retried.runId)
    expect(second.row).toMatchObject({ outcome: 'succeeded', resumed: true, commits: 1 })
    expect(second.changedFiles.map(({ path }) => path)).toEqual(['half.txt'])
  })
})
