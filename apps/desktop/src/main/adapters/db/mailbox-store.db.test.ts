import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { MailboxId, ProjectId, RunUid } from '@shared/model/ids'
import type { MailboxListRequest, MailboxPatch, Store } from '@main/ports/stores'
import type { MailboxFilter } from '@shared/model/words'
import { openTestStore, type TestStore } from '../../../../test/fakes/open-test-store'
import { createSystemRandomness } from '../system/system-randomness'

let test: TestStore
let store: Store
let project: ProjectId
let otherProject: ProjectId

beforeEach(() => {
  test = openTestStore()
  store = test.store
  const forge = store.forges.addForge(
    { kind: 'local', name: 'here', baseUrl: 'local:', caFile: null, accountId: '1', accountLogin: 'alfred' },
    0,
  )
  const { id: organizationId } = store.forges.addOrganization(forge.id, 'harbour', 0)
  const add = (slug: string): ProjectId =>
    store.forges.addProject(
      { organizationId, slug, defaultBranch: 'main', isDemo: false, isWatched: true },
      0,
    ).id
  project = add('pier')
  otherProject = add('quay')
})
afterEach(() => {
  test.remove()
})

function add(iid: number, updatedAt: number, patch: MailboxPatch = {}, projectId = project): MailboxId {
  const { id } = store.mailboxes.ensure({ projectId, kind: 'issue', iid, title: `Issue ${iid}` }, 1)
  store.mailboxes.update(id, { ciFixCount: 0, ...patch }, updatedAt)
  return id
}

function startRun(mailboxId: MailboxId): void {
  const uid = createSystemRandomness().uuidV7() as RunUid
  store.runs.add(
    {
      uid,
      mailboxId,
      phase: 'analysis',
      trigger: 'assigned',
      requestedBy: null,
      runner: 'container',
      adapter: 'demo',
      provider: null,
      model: null,
      resumeChoice: 'auto',
    },
    5,
  )
}

const list = (request: Partial<MailboxListRequest> = {}): readonly number[] =>
  store.mailboxes
    .list({ filter: 'all-open', projectId: null, text: null, limit: 50, before: null, ...request })
    .map(({ iid }) => iid)

describe('a mailbox', () => {
  it('is added once', () => {
    const wanted = { projectId: project, kind: 'issue', iid: 3, title: 'First title' } as const
    const first = store.mailboxes.ensure(wanted, 5)
    expect(first).toMatchObject({
      iid: 3,
      title: 'First title',
      isOpen: true,
      status: null,
      ciFixCount: 0,
      createdAt: 5,
      updatedAt: 5,
    })
    expect(store.mailboxes.ensure({ ...wanted, title: 'Second title' }, 9)).toEqual(first)
    expect(store.mailboxes.ensure({ ...wanted, kind: 'merge_request' }, 9).id).not.toBe(first.id)
    expect(store.mailboxes.find(project, 'issue', 3)).toEqual(first)
    expect(store.mailboxes.find(project, 'issue', 4)).toBeNull()
  })

  it('changes only in what a patch names', () => {
    const id = add(1, 5, { status: 'in_ci', branchName: 'agent/issue-1-a' })
    store.mailboxes.update(id, { status: null, isOpen: false, needsYou: 'blocked', changeIid: 9 }, 8)
    expect(store.mailboxes.get(id)).toMatchObject({
      status: null,
      isOpen: false,
      needsYou: 'blocked',
      changeIid: 9,
      branchName: 'agent/issue-1-a',
      updatedAt: 8,
    })
  })

  it('keeps its place in the list when it is only looked at', () => {
    const id = add(1, 5)
    store.mailboxes.update(id, { seenAt: 99 }, 99)
    expect(store.mailboxes.get(id)).toMatchObject({ seenAt: 99, updatedAt: 5 })
  })

  it('must exist to be read or changed', () => {
    expect(() => store.mailboxes.get(99 as MailboxId)).toThrow('no mailbox with id 99')
    expect(() => store.mailboxes.update(99 as MailboxId, { title: 'x' }, 1)).toThrow('no row 99')
  })
})

describe('the list', () => {
  it('is latest first and comes in pages without a gap, also where times are equal', () => {
    for (let iid = 1; iid <= 7; iid += 1) add(iid, iid < 3 ? 10 : 20)
    const pages: number[][] = []
    let before: MailboxListRequest['before'] = null
    for (let page = 0; page < 4; page += 1) {
      const rows = store.mailboxes.list({ filter: 'all-open', projectId: null, text: null, limit: 3, before })
      pages.push(rows.map(({ iid }) => iid))
      const last = rows.at(-1)
      before = last === undefined ? before : { updatedAt: last.updatedAt, id: last.id }
    }
    expect(pages).toEqual([[7, 6, 5], [4, 3, 2], [1], []])
  })

  it('has each filter of the sidebar, with the same count beside it', () => {
    add(1, 1)
    add(2, 2, { status: 'in_ci' })
    add(3, 3, { status: 'in_review' })
    add(4, 4, { status: 'blocked', needsYou: 'blocked' })
    add(5, 5, { status: 'waiting_validation', needsYou: 'validate_plan' })
    add(6, 6, { status: 'done' })
    // Closed by hand, whatever its status said.
    add(7, 7, { status: 'in_ci', isOpen: false, needsYou: 'validate_plan' })
    startRun(add(8, 8))
    startRun(add(9, 9, { status: 'in_ci' }, otherProject))
    const expected: Record<MailboxFilter, number[]> = {
      'all-open': [9, 8, 6, 5, 4, 3, 2, 1],
      'needs-you': [5, 4],
      running: [9, 8],
      'in-ci': [9, 2],
      'in-review': [3],
      blocked: [4],
      done: [7, 6],
    }
    const counts = store.mailboxes.counts(null)
    const countsOfProject = store.mailboxes.counts(project)
    for (const [filter, iids] of Object.entries(expected) as [MailboxFilter, number[]][]) {
      expect([filter, list({ filter })]).toEqual([filter, iids])
      expect([filter, counts[filter]]).toEqual([filter, iids.length])
      const here = iids.filter((iid) => iid !== 9)
      expect([filter, list({ filter, projectId: project })]).toEqual([filter, here])
      expect([filter, countsOfProject[filter]]).toEqual([filter, here.length])
    }
    expect(store.mailboxes.countsByProject()).toEqual(
      new Map([
        [project, 7],
        [otherProject, 1],
      ]),
    )
  })

  it('finds by a part of the title or by number', () => {
    add(1, 1, { title: 'Add a parser' })
    add(12, 2, { title: '100% of the_parsers' })
    expect(list({ text: 'PARSER' })).toEqual([12, 1])
    expect(list({ text: '#12' })).toEqual([12])
    expect(list({ text: '1' })).toEqual([12, 1])
    expect(list({ text: '0%' })).toEqual([12])
    expect(list({ text: 'a_p' })).toEqual([])
    expect(list({ text: 'e_p' })).toEqual([12])
  })

  it('of open mailboxes for the workflow leaves out projects that are not watched', () => {
    add(1, 1)
    add(2, 2, { isOpen: false })
    expect(store.mailboxes.listOpen(project).map(({ iid }) => iid)).toEqual([1])
    store.forges.setWatched(project, false)
    expect(store.mailboxes.listOpen(project)).toEqual([])
  })
})

describe('the end of a mailbox', () => {
  const closedAt = (id: MailboxId) => store.mailboxes.get(id).closedAt

  it('is when it was closed or merged, and forgotten when it is opened again', () => {
    const id = add(1, 1)
    expect(closedAt(id)).toBeNull()
    store.mailboxes.update(id, { status: 'done' }, 10)
    store.mailboxes.update(id, { isOpen: false }, 20)
    store.mailboxes.update(id, { title: 'Another' }, 30)
    expect(closedAt(id)).toBe(10)
    store.mailboxes.update(id, { cleanupHeldAt: 35 }, 35)
    store.mailboxes.update(id, { isOpen: true }, 40)
    expect(store.mailboxes.get(id)).toMatchObject({ closedAt: null, cleanupHeldAt: null })
    store.mailboxes.update(id, { isOpen: false }, 50)
    expect(closedAt(id)).toBe(50)
  })

  it('brings it to the cleanup, the longest closed first, until it was cleaned', () => {
    const ids = [3, 1, 2].map((iid) => add(iid, 10 * iid, { isOpen: false }))
    add(4, 5)
    add(5, 90, { isOpen: false })
    const page = (after: number | null) => {
      const last = after === null ? null : store.mailboxes.get(ids[after]!)
      return store.mailboxes
        .listToClean({
          projectId: project,
          closedBefore: 40,
          limit: 2,
          after: last === null ? null : { closedAt: last.closedAt ?? 0, id: last.id },
        })
        .map(({ iid }) => iid)
    }
    expect(page(null)).toEqual([1, 2])
    expect(page(2)).toEqual([3])
    store.mailboxes.update(ids[1]!, { memoryRemovedAt: 41 }, 41)
    expect(page(null)).toEqual([2, 3])
    store.mailboxes.update(ids[1]!, { isOpen: true }, 42)
    store.mailboxes.update(ids[1]!, { isOpen: false }, 43)
    expect(
      store.mailboxes
        .listToClean({ projectId: project, closedBefore: 43, limit: 9, after: null })
        .map(({ iid }) => iid),
    ).toEqual([2, 3, 1])
  })

  it('is no news: a cleanup leaves it where it is in the list', () => {
    const id = add(1, 10)
    store.mailboxes.update(id, { memoryRemovedAt: 99 }, 99)
    expect(store.mailboxes.get(id).updatedAt).toBe(10)
  })
})

describe('a project that is removed', () => {
  it('takes everything of its mailboxes with it', () => {
    const id = add(1, 1)
    startRun(id)
    const run = store.runs.findLive(id)
    if (run === null) throw new Error('no run')
    store.events.append(run.id, [{ at: 1, kind: 'text', payload: {} }])
    store.outbox.add({
      key: 'k',
      kind: 'comment',
      mailboxId: id,
      runId: run.id,
      target: 'issue 1',
      payload: {},
      at: 1,
    })
    store.locks.take(id, run.id, 1)
    store.notifications.add(
      { kind: 'needs-you', title: 't', body: 'b', mailboxId: id, runId: run.id, setting: null },
      1,
    )
    store.forges.removeProject(project)
    const left = ['mailboxes', 'runs', 'run_events', 'outbox', 'session_locks', 'notifications'].map(
      (table) => test.db.prepare(`SELECT count(*) FROM ${table}`).pluck().get(),
    )
    expect(left).toEqual([0, 0, 0, 0, 0, 0])
    expect(store.forges.listProjects().map(({ id: left_ }) => left_)).toEqual([otherProject])
  })
})
