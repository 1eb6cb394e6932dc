import { readdir } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { execFileSync } from 'node:child_process'
import type { SessionRecord } from '@shared/contract/sessions'
import type { SettingKey, SettingScope } from '@shared/model/settings'
import { goldenOnHost, goldenRequest } from '../fakes/golden-request'
import { asGolden, withoutLogin } from './support/as-golden'
import { createMatrixBench, type MatrixBench, type MatrixIssue, type Start } from './support/matrix-bench'
import {
  ambiguous,
  fallbackFor,
  noTimeLeft,
  offCases,
  otherModel,
  otherProvider,
  without,
  type MatrixCase,
} from './support/matrix-cases'
import { replayedCli, resumableNames, type ReplayedName } from './support/replayed-clis'
import { added, seenOnForge } from './support/seen-on-forge'
import { value } from './support/engine-bench'

/*
 * The matrix of named sessions, every row for every CLI: what a run remembers, what it says of it, and that nothing of it
 * reaches the forge. Rows of one CLI share an issue; none needs what another one left.
 */

let bench: MatrixBench
const issues = new Map<ReplayedName, Promise<MatrixIssue>>()
beforeAll(async () => {
  bench = await createMatrixBench()
})
afterAll(() => bench.remove())

/** One row of the matrix: the CLIs at once, each on its own project. */
function row(title: string, check: (name: ReplayedName) => Promise<void>): void {
  describe.each([title])('%s', () => {
    it.concurrent.each(resumableNames)('%s', check)
  })
}

/** The CLI's issue, which has a session to go on with. */
async function remembering(name: ReplayedName): Promise<MatrixIssue> {
  const known = issues.get(name) ?? bench.newIssue(name)
  issues.set(name, known)
  const issue = await known
  bench.play(issue, {})
  return issue
}

const last = <T>(all: readonly T[]): T => {
  const found = all.at(-1)
  if (found === undefined) throw new Error('there is none')
  return found
}
const lastSession = async (issue: MatrixIssue): Promise<SessionRecord> => last(await bench.sessions(issue))
/** The id that the next run would ask for. */
async function memoryOf(issue: MatrixIssue, name: ReplayedName): Promise<string> {
  const rows = await bench.sessions(issue)
  const found = rows.findLast(({ adapter, nativeSessionId }) => adapter === name && nativeSessionId !== null)
  return found?.nativeSessionId ?? 'none'
}
const asked = (name: ReplayedName, { spec }: Start): string | null => replayedCli(name).askedId(spec.argv)

const having = async (
  issue: MatrixIssue,
  key: SettingKey,
  scope: SettingScope,
  work: () => Promise<void>,
) => {
  try {
    await work()
  } finally {
    await bench.reset(issue, scope, key)
  }
}

/** A run of the case, of which is told what the case says. */
async function runOf(name: ReplayedName, issue: MatrixIssue, { begin, end, told }: MatrixCase) {
  const scene = { bench, issue, name }
  const { run, session } = told(name, await memoryOf(issue, name))
  const [phase = 'development'] = replayedCli(name).create().phases ?? []
  try {
    await begin(scene)
    const detail = await bench.run(issue, phase)
    expect(detail.row).toMatchObject(run)
    expect(await lastSession(issue)).toMatchObject(session)
    return detail
  } finally {
    await end(scene)
  }
}

describe('two runs of an issue', () => {
  row('the first begins a session under the name of the branch, the second goes on with it', async (name) => {
    const issue = await bench.newIssue(name)
    const { row: second } = await bench.run(issue, 'development')
    const [first, resumed] = await bench.sessions(issue)
    expect(first).toMatchObject({
      mode: 'fresh',
      resumed: false,
      resumeFallback: 'no_prior_session',
      sessionName: `agent/issue-${issue.iid}-add-a-slug-helper`,
    })
    expect(second).toMatchObject({ outcome: 'succeeded', badge: 'resumed' })
    expect(resumed).toMatchObject({
      mode: 'resume',
      resumed: true,
      resumeFallback: null,
      nativeSessionId: first?.nativeSessionId,
      requestedSessionId: first?.nativeSessionId,
      sessionName: first?.sessionName,
    })
    const [begun, gone] = bench.starts(issue)
    expect(begun && asked(name, begun)).toBeNull()
    expect(gone && asked(name, gone)).toBe(first?.nativeSessionId)
    const { sessionStatePath } = replayedCli(name).create()
    for (const start of [begun, gone])
      expect(start?.spec.mounts.find(({ target }) => target === sessionStatePath)).toMatchObject({
        source: bench.stateFolder(issue, name),
        readOnly: false,
      })
  })

  row(
    'with another CLI between them: it starts fresh, and the first goes on with its own id',
    async (name) => {
      const issue = await remembering(name)
      const id = await memoryOf(issue, name)
      const other = name === 'demo' ? 'fake' : 'demo'
      try {
        await bench.setting(issue, 'project', 'AGENT_ADAPTER', other)
        const between = await bench.run(issue, 'development')
        const isFirst = between.row.resumeFallback !== null
        expect(between.row).toMatchObject({ adapter: other, badge: isFirst ? 'adapter_changed' : 'resumed' })
        expect(between.row.nativeSessionId).not.toBe(id)
      } finally {
        await bench.setting(issue, 'project', 'AGENT_ADAPTER', name)
      }
      const back = await bench.run(issue, 'development')
      expect(back.row).toMatchObject({ adapter: name, badge: 'resumed', nativeSessionId: id })
    },
  )

  row(
    'with the api mode between them: it has no session, and the first goes on with its own id',
    async (name) => {
      const issue = await remembering(name)
      const id = await memoryOf(issue, name)
      await having(issue, 'AGENT_ADAPTER_ANALYSIS', 'project', () =>
        having(issue, 'AGENT_MODEL_ANALYSIS', 'project', async () => {
          await bench.setting(issue, 'project', 'AGENT_ADAPTER_ANALYSIS', 'api')
          await bench.setting(issue, 'project', 'AGENT_MODEL_ANALYSIS', 'some-model')
          await expectWithoutSessions(issue, 'api', without('adapter_cannot_resume'))
        }),
      )
      const back = await bench.run(issue, 'development')
      expect(back.row).toMatchObject({ adapter: name, badge: 'resumed', nativeSessionId: id })
    },
  )

  row('with another provider or another model are one memory all the same', async (name) => {
    const issue = await remembering(name)
    await runOf(name, issue, otherProvider)
    await runOf(name, issue, otherModel)
    expect(JSON.stringify(last(bench.starts(issue)).spec)).toContain('another-model')
  })
})

describe('a session that cannot be resumed', () => {
  for (const reason of ['refused', 'state_missing', 'unsupported_version'] as const) {
    row(
      `for ${reason} is followed by one fresh session in the same run, silent on the forge`,
      async (name) => {
        const issue = await remembering(name)
        // What such a run does on the forge when it remembers.
        await bench.run(issue, 'development')
        const before = await seenOnForge(bench, issue)
        await bench.run(issue, 'development')
        const remembered = await seenOnForge(bench, issue)

        const id = await memoryOf(issue, name)
        const startsBefore = bench.starts(issue).length
        const run = await runOf(name, issue, fallbackFor(reason))
        expect(run.failure).toBeNull()
        expect(run.attempts[0]?.starts.map(({ kind }) => kind)).toEqual(['first', 'fallback'])
        expect(run.llmRetries).toBe(0)
        // set at two looks at the clock; a second start is no reason to move it, and takes longer than that
        const beganAt = (run.deadline ?? 0) - run.timeoutMs
        expect(Math.abs(beganAt - (run.row.startedAt ?? 0))).toBeLessThan(300)
        const session = await lastSession(issue)
        expect(session.sessionName).toBe(`agent/issue-${issue.iid}-add-a-slug-helper`)
        expect(session.nativeSessionId).not.toBe(id)
        const [first, fallback, ...others] = bench.starts(issue).slice(startsBefore)
        expect(others).toEqual([])
        expect(first && asked(name, first)).toBe(id)
        expect(fallback && asked(name, fallback)).toBeNull()
        expect(fallback?.prompt).toBe(first?.prompt)

        expect(added(remembered, await seenOnForge(bench, issue))).toEqual(added(before, remembered))
      },
    )
  }

  row('with no time left for another start ends the run: timed out, and the id stays', async (name) => {
    const issue = await remembering(name)
    const id = await memoryOf(issue, name)
    const run = await runOf(name, issue, noTimeLeft)
    expect(run.attempts[0]?.starts.map(({ kind }) => kind)).toEqual(['first'])
    expect((await bench.run(issue, 'development')).row).toMatchObject({
      badge: 'resumed',
      nativeSessionId: id,
    })
  })

  row('for a reason that nobody knows keeps its outcome: not proven, and no fallback', async (name) => {
    const issue = await remembering(name)
    const id = await memoryOf(issue, name)
    const run = await runOf(name, issue, ambiguous)
    expect(run.attempts[0]?.starts.map(({ kind }) => kind)).toEqual(['first'])
    expect(await memoryOf(issue, name)).toBe(id)
  })
})

describe('an id is stored', () => {
  row('when the run fails', async (name) => {
    const issue = await remembering(name)
    bench.play(issue, { fresh: replayedCli(name).failed })
    const run = await bench.run(issue, 'development', 'fresh')
    expect(run.row.outcome).toBe('failed')
    expect(run.row.nativeSessionId).toMatch(replayedCli(name).create().sessionIdPattern)
  })

  row('when the time is over while the agent works', async (name) => {
    const issue = await remembering(name)
    await having(issue, 'RUN_TIMEOUT', 'project', async () => {
      await bench.setting(issue, 'project', 'RUN_TIMEOUT', 10_000)
      bench.play(issue, { hangs: 'told' })
      const run = await bench.run(issue, 'development', 'fresh')
      expect(run.row.outcome).toBe('timed_out')
      expect(run.row.nativeSessionId).toMatch(replayedCli(name).create().sessionIdPattern)
    })
    bench.play(issue, {})
    const { nativeSessionId } = (await bench.run(issue, 'development')).row
    expect(nativeSessionId).toBe((await bench.sessions(issue)).at(-2)?.nativeSessionId)
  })
})

describe('where sessions do not apply', () => {
  for (const [title, how] of Object.entries(offCases)) {
    row(`for ${title}: request, mounts and row are as without them`, async (name) => {
      await expectWithoutSessions(await remembering(name), name, how)
    })
  }

  row('for a merge request: request, mounts and row are as without them', async (name) => {
    const issue = await remembering(name)
    const mergeRequest = { ...issue, mailboxId: bench.addMergeRequest(issue) }
    await expectWithoutSessions(mergeRequest, name, without('merge_request'))
  })
})

describe('the api mode', () => {
  it('has no session: request, mounts and row are as without them, whatever else is set', async () => {
    const issue = await bench.newIssue('api')
    const hasNone = without('adapter_cannot_resume')
    expect(await lastSession(issue)).toMatchObject(hasNone.told('api', null).session)
    await expectWithoutSessions(issue, 'api', hasNone)
    for (const title of ['switched off for the organization', 'switched off for the project'] as const)
      await expectWithoutSessions(issue, 'api', { ...offCases[title], told: hasNone.told })
    await expectWithoutSessions(issue, 'api', offCases['the host runner'])
    const mergeRequest = { ...issue, mailboxId: bench.addMergeRequest(issue) }
    await expectWithoutSessions(mergeRequest, 'api', without('merge_request'))
  })
})

async function expectWithoutSessions(issue: MatrixIssue, name: ReplayedName, how: MatrixCase): Promise<void> {
  const { row: run } = await runOf(name, issue, how)
  const start = last(bench.starts(issue))
  expect(start.runner).toBe(run.sessionOffReason === 'host_runner' ? 'host' : 'container')
  const golden = start.runner === 'host' ? goldenOnHost(name) : goldenRequest(name)
  expect(withoutLogin(asGolden(start, golden), start)).toEqual(withoutLogin(golden, start))
}

describe('the memory of an issue', () => {
  row('is left alone while sessions are off, and goes with the cleanup', async (name) => {
    const issue = await bench.newIssue(name)
    const folder = bench.stateFolder(issue, name)
    expect(await readdir(folder)).not.toEqual([])
    const cleanUp = { mailboxId: issue.mailboxId, force: true }
    await having(issue, 'AGENT_SESSION_RESUME', 'project', async () => {
      await bench.setting(issue, 'project', 'AGENT_SESSION_RESUME', false)
      expect(value(await bench.client.call('mailboxes', 'cleanUp', cleanUp))).toEqual({
        memoryRemoved: false,
      })
      expect(await readdir(folder)).not.toEqual([])
    })
    expect(value(await bench.client.call('mailboxes', 'cleanUp', cleanUp))).toEqual({ memoryRemoved: true })
    await expect(readdir(folder)).rejects.toThrow('ENOENT')
    const id = await memoryOf(issue, name)
    expect((await bench.run(issue, 'development')).row).toMatchObject({
      badge: 'state_missing',
      mode: 'fresh',
    })
    expect(await lastSession(issue)).toMatchObject({ requestedSessionId: id, resumed: false })
  })

  row('keeps its name when the title changes', async (name) => {
    const issue = await bench.newIssue(name, 'Light the lamps')
    const ref = { projectId: issue.projectId, iid: issue.iid }
    value(await bench.client.call('tracker', 'editIssue', { ...ref, title: 'Put the lamps out' }))
    const run = await bench.run(issue, 'development')
    expect(run.row).toMatchObject({
      badge: 'resumed',
      sessionName: `agent/issue-${issue.iid}-light-the-lamps`,
    })
  })

  row(
    'goes on when its branch is deleted and has another name: one session under two names',
    async (name) => {
      const issue = await bench.newIssue(name, 'Light the lamps')
      const id = await memoryOf(issue, name)
      bench.play(issue, { commits: true })
      expect((await bench.run(issue, 'development')).row).toMatchObject({ badge: 'resumed', commits: 1 })
      const ref = { projectId: issue.projectId, iid: issue.iid }
      const change = await bench.until(async () => {
        const { changes } = value(await bench.client.call('tracker', 'getIssue', ref))
        return changes[0] ?? null
      })
      value(await bench.client.call('tracker', 'editIssue', { ...ref, title: 'Put the lamps out' }))
      value(
        await bench.client.call('tracker', 'closeChange', { projectId: issue.projectId, iid: change.iid }),
      )
      const project = value(await bench.client.call('tracker', 'listProjects', {})).find(
        (candidate) => candidate.id === issue.projectId,
      )
      execFileSync('git', [
        '-C',
        project?.remotePath ?? '',
        'update-ref',
        '-d',
        `refs/heads/${change.sourceBranch}`,
      ])
      // Earlier than this the forge may not know its own branch yet.
      bench.leap(61_000)
      value(await bench.client.call('tracker', 'comment', { ...ref, body: 'The branch is gone.' }))
      await bench.until(async () => {
        const { branchName } = value(
          await bench.client.call('mailboxes', 'get', { mailboxId: issue.mailboxId }),
        )
        return branchName === null ? true : null
      })
      bench.play(issue, {})
      expect((await bench.run(issue, 'development')).row).toMatchObject({
        badge: 'resumed',
        nativeSessionId: id,
        sessionName: `agent/issue-${issue.iid}-put-the-lamps-out`,
      })
    },
  )
})

describe('the prompt of a phase', () => {
  row('is the same to the byte, fresh, resumed and fallen back', async (name) => {
    const issue = await remembering(name)
    const stopped = async (choice: 'auto' | 'fresh'): Promise<Start> => {
      bench.play(issue, { hangs: 'told' })
      const runId = await bench.request(issue, 'development', choice)
      await bench.until(async () =>
        (await bench.sessions(issue)).some(
          (session) => session.runId === runId && session.firstEventAt !== null,
        )
          ? true
          : null,
      )
      value(await bench.client.call('runs', 'stop', { runId }))
      await bench.ended(runId)
      return last(bench.starts(issue))
    }
    const resumed = await stopped('auto')
    const fresh = await stopped('fresh')
    expect([asked(name, resumed) === null, asked(name, fresh) === null]).toEqual([false, true])
    bench.play(issue, { resumed: replayedCli(name).fallbacks.state_missing })
    await bench.run(issue, 'development')
    const [first, fallback] = bench.starts(issue).slice(-2)
    expect(fallback && asked(name, fallback)).toBeNull()
    expect(new Set([resumed, fresh, first, fallback].map((start) => start?.prompt)).size).toBe(1)
    expect(resumed.prompt).toContain('Please.')
  })
})
