import { afterAll, beforeAll, describe, expect } from 'vitest'
import { trackerProblem } from '@renderer/features/tracker/tracker-problem'
import { value } from '../support/engine-bench'
import { openEngineDatabase } from '../support/engine-database'
import { commit, done, init, save } from './agent-steps'
import {
  createFaultBench,
  expectAftermath,
  expectNothingBegun,
  expectWords,
  fault,
  type FaultBench,
} from './fault-bench'

let bench: FaultBench
beforeAll(async () => {
  bench = await createFaultBench()
})
afterAll(() => bench.remove())

const longTitle = 'A title that does not end, '.repeat(400).slice(0, 10_000)

const newIssue = (title: string) =>
  bench.client.call('tracker', 'createIssue', { projectId: bench.projectId, title, body: '', assignees: [] })

describe('the issue itself', () => {
  fault('title-too-long', async (row) => {
    const made = await newIssue(longTitle)
    expectWords(row, [made.ok ? '' : trackerProblem(made.error)])
    const { rows } = value(
      await bench.client.call('tracker', 'listIssues', {
        projectId: bench.projectId,
        query: '',
        limit: 10,
        cursor: null,
      }),
    )
    expect(rows).toEqual([])
    expectNothingBegun(bench.folder, [])
  })

  fault('title-10000', async (row) => {
    bench.script([init, save, done], [init, save, commit, done])
    const { iid } = value(await newIssue('A short title'))
    setTitle(iid, longTitle)
    value(await bench.client.call('tracker', 'assign', { projectId: bench.projectId, iid, login: 'alfred' }))
    const { mailboxId } = await bench.until(async () =>
      value(await bench.client.call('mailboxes', 'find', { projectPath: 'test/boat', iid })),
    )
    await bench.latest(mailboxId)
    const run = await bench.run(mailboxId, 'development')
    const seen = await bench.see(mailboxId, run)
    await expectAftermath(bench, row, { ...seen, screen: [run.mailboxTitle] })
    expect(run.mailboxTitle).toBe(longTitle)
    expect(run.branchName).toMatch(/^agent\/issue-\d+-a-title-that-does-not-end-[a-z-]{1,20}$/)
    const change = await bench.until(async () => {
      const detail = value(await bench.client.call('mailboxes', 'get', { mailboxId }))
      return detail.status === 'in_review' ? detail : null
    })
    expect(change.title).toBe(longTitle)
    const issue = value(await bench.client.call('tracker', 'getIssue', { projectId: bench.projectId, iid }))
    expect(issue.changes.map(({ title }) => title.length)).toEqual([240])
  })
})

function setTitle(iid: number, title: string): void {
  const db = openEngineDatabase(bench.folder)
  try {
    db.prepare('UPDATE local_issues SET title = ? WHERE iid = ?').run(title, iid)
  } finally {
    db.close()
  }
}
