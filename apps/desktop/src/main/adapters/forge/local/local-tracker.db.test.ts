import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { TrackerIssue, TrackerProject } from '@shared/contract/tracker'
import type { IssueRef, Tracker } from '@main/ports/tracker'
import { done, type LocalForgeBench, openLocalForgeBench } from '../../../../../test/fakes/local-forge-bench'

let bench: LocalForgeBench
let tracker: Tracker

beforeEach(() => {
  bench = openLocalForgeBench()
  ;({ tracker } = bench)
})
afterEach(() => bench.remove())

describe('projects of the local forge', () => {
  it('begin with one commit on main and all the labels that steer Alfred', async () => {
    const project = await bench.addProject('My Project')
    expect(project).toMatchObject({
      organization: 'local',
      slug: 'my-project',
      defaultBranch: 'main',
      openIssues: 0,
      isDemo: false,
    })
    expect(project.remotePath).toBe(join(bench.test.folder, 'local-forge', 'local', 'my-project.git'))
    const { workshop } = bench
    expect(workshop.git(project.remotePath, ['log', '--format=%an <%ae> %s', 'main'])).toBe(
      'Ada Lovelace <ada@example.invalid> Initial commit',
    )
    expect(workshop.git(project.remotePath, ['show', 'main:README.md'])).toBe('# My Project')
    const labels = (await done(tracker.listLabels(project.id))).map(({ name }) => name)
    expect(labels).toEqual(expect.arrayContaining(['ai::retry', 'status::in_ci', 'type::bug']))
  })

  it('can begin with files of any depth', async () => {
    const files = { 'src/a/b.ts': 'export const b = 1\n', 'ü 😀.txt': 'x' }
    const project = await done(
      tracker.createProject({
        organization: 'local',
        name: 'Demo',
        source: { kind: 'empty', files },
        isDemo: true,
      }),
    )
    expect(project.isDemo).toBe(true)
    const listed = bench.workshop.git(project.remotePath, [
      '-c',
      'core.quotePath=false',
      'ls-tree',
      '-r',
      '--name-only',
      'main',
    ])
    expect(listed.split('\n')).toEqual(['src/a/b.ts', 'ü 😀.txt'])
  })

  it('take over all branches and tags of a repository of this computer', async () => {
    const { clone } = bench.workshop.makeForge('mine')
    bench.workshop.git(clone, ['checkout', '-q', '-b', 'trunk/next'])
    bench.workshop.commit(clone, { a: '1' })
    bench.workshop.git(clone, ['tag', 'v1'])
    const project = await done(
      tracker.createProject({ organization: 'local', name: 'Mine', source: { kind: 'import', path: clone } }),
    )
    expect(project.defaultBranch).toBe('trunk/next')
    expect(
      bench.workshop.git(project.remotePath, ['for-each-ref', '--format=%(refname)']).split('\n'),
    ).toEqual(['refs/heads/main', 'refs/heads/trunk/next', 'refs/tags/v1'])
    expect(bench.workshop.git(bench.workshop.folder, ['clone', '-q', project.remotePath, 'again'])).toBe('')
  })

  it('refuse an import that cannot be one, and leave nothing behind', async () => {
    const empty = join(bench.workshop.folder, 'empty')
    mkdirSync(empty)
    bench.workshop.git(bench.workshop.folder, ['init', '-q', 'unborn'])
    for (const path of ['relative', join(empty, 'none'), empty, join(bench.workshop.folder, 'unborn')]) {
      const refused = await tracker.createProject({
        organization: 'local',
        name: 'Bad',
        source: { kind: 'import', path },
      })
      expect(refused).toMatchObject({ ok: false, error: { type: 'invalid' } })
    }
    expect(readdirSync(join(bench.test.folder, 'local-forge'))).toEqual([])
    expect(await done(tracker.listProjects())).toEqual([])
  })

  it('have a name of their own, also when two are made at once', async () => {
    const answers = await Promise.all(
      [1, 2].map(() =>
        tracker.createProject({ organization: 'local', name: 'Twice', source: { kind: 'empty' } }),
      ),
    )
    expect(answers.map((answer) => (answer.ok ? 'made' : answer.error.type)).toSorted()).toEqual([
      'conflict',
      'made',
    ])
    expect(
      await tracker.createProject({ organization: 'local', name: 'twice!', source: { kind: 'empty' } }),
    ).toMatchObject({ error: { type: 'conflict' } })
    expect(readdirSync(join(bench.test.folder, 'local-forge'))).toEqual(['local'])
  })

  it('move a leftover folder aside instead of taking it over', async () => {
    const place = join(bench.test.folder, 'local-forge', 'local')
    mkdirSync(join(place, 'project.git'), { recursive: true })
    writeFileSync(join(place, 'project.git', 'precious'), 'x')
    await bench.addProject('Project')
    expect(readdirSync(place).toSorted()).toEqual(['project.git', 'project.removed-1000000'])
  })

  it('go with everything that was theirs, the search too', async () => {
    const project = await bench.addProject('Gone')
    const kept = await bench.addProject('Kept')
    for (const { id } of [project, kept])
      await done(
        tracker.createIssue({
          projectId: id,
          title: 'needle',
          body: '',
          labels: ['type::bug'],
          assignees: ['alfred'],
        }),
      )
    await done(tracker.deleteProject(project.id))
    expect(existsSync(project.remotePath)).toBe(false)
    const found = await done(
      tracker.listIssues({ projectId: null, query: 'needle', limit: 10, cursor: null }),
    )
    expect(found.rows.map((row) => row.projectId)).toEqual([kept.id])
    expect(
      bench.test.db
        .prepare("SELECT count(*) AS n FROM local_issue_search WHERE local_issue_search MATCH 'needle'")
        .get(),
    ).toEqual({ n: 1 })
    expect(await tracker.deleteProject(project.id)).toMatchObject({ error: { type: 'not_found' } })
  })

  it('are still there after a restart, and a repository half made is not', async () => {
    const project = await bench.addProject()
    mkdirSync(join(bench.test.folder, 'local-forge', '.new-abc'))
    const again = bench.reopen()
    expect(again.record).toEqual(bench.record)
    expect(await done(again.tracker.listProjects())).toEqual([project])
    expect(readdirSync(join(bench.test.folder, 'local-forge'))).toEqual(['local'])
  })
})

describe('people of the local forge', () => {
  it('are Alfred and the person of this computer, and whoever is added', async () => {
    await done(tracker.addPerson({ login: 'grace', name: 'Grace' }))
    const people = await done(tracker.listPeople())
    expect(people.map(({ login, isYou, isAlfred }) => [login, isYou, isAlfred])).toEqual([
      ['ada', true, false],
      ['grace', false, false],
      ['alfred', false, true],
    ])
    expect(await tracker.addPerson({ login: 'GRACE', name: 'x' })).toMatchObject({
      error: { type: 'conflict' },
    })
    expect(await tracker.addPerson({ login: 'alfred', name: 'x' })).toMatchObject({
      error: { type: 'conflict' },
    })
  })

  it('never take a person for Alfred, whatever the system calls them', async () => {
    const as = bench.reopen('alfred')
    expect(as.personLogin).toBe('alfred-me')
    const me = (await done(as.tracker.listPeople())).find((one) => one.isYou)
    expect(me?.isAlfred).toBe(false)
  })
})

describe('issues of the local forge', () => {
  let project: TrackerProject

  beforeEach(async () => {
    project = await bench.addProject()
  })

  const add = async (
    title: string,
    more: {
      readonly body?: string
      readonly labels?: readonly string[]
      readonly assignees?: readonly string[]
    } = {},
  ): Promise<TrackerIssue> => {
    bench.clock.advance(1_000)
    return done(
      tracker.createIssue({ projectId: project.id, title, body: '', labels: [], assignees: [], ...more }),
    )
  }
  const ref = (iid: number): IssueRef => ({ projectId: project.id, iid })
  const find = async (query: string): Promise<readonly number[]> =>
    (await done(tracker.listIssues({ projectId: project.id, query, limit: 100, cursor: null }))).rows.map(
      (row) => row.iid,
    )

  it('count up from 1 in each project', async () => {
    const other = await bench.addProject('Other')
    expect([(await add('a')).iid, (await add('b')).iid]).toEqual([1, 2])
    expect(
      (
        await done(
          tracker.createIssue({ projectId: other.id, title: 'c', body: '', labels: [], assignees: [] }),
        )
      ).iid,
    ).toBe(1)
  })

  it("are the person's, with labels and assignees from the start", async () => {
    const issue = await add('x', { labels: ['type::bug'], assignees: ['alfred', 'ADA'] })
    expect(issue.author).toMatchObject({ login: 'ada', isYou: true })
    expect(issue.assignees.map(({ login }) => login)).toEqual(['alfred', 'ada'])
    expect(issue.labelEvents).toMatchObject([{ label: 'type::bug', action: 'added', by: { login: 'ada' } }])
  })

  it('refuse labels and people that are not there, and then nothing is made', async () => {
    expect(
      await tracker.createIssue({
        projectId: project.id,
        title: 'x',
        body: '',
        labels: ['tpye::bug'],
        assignees: [],
      }),
    ).toMatchObject({ error: { type: 'not_found', what: 'label tpye::bug' } })
    expect(
      await tracker.createIssue({
        projectId: project.id,
        title: 'x',
        body: '',
        labels: [],
        assignees: ['nobody'],
      }),
    ).toMatchObject({ error: { type: 'not_found', what: 'person nobody' } })
    expect(await find('')).toEqual([])
    const { iid } = await add('y')
    expect(await tracker.addLabel(ref(iid), 'nope')).toMatchObject({ error: { type: 'not_found' } })
    expect(await tracker.assign(ref(99), 'ada')).toMatchObject({
      error: { type: 'not_found', what: 'issue 99' },
    })
  })

  it('take an edit only while nobody else changed the text', async () => {
    const issue = await add('x', { body: 'one' })
    await done(tracker.comment(ref(issue.iid), 'a comment does not spoil an edit'))
    const edited = await done(
      tracker.editIssue(ref(issue.iid), { body: 'two', expectedUpdatedAt: issue.updatedAt }),
    )
    expect(edited).toMatchObject({ title: 'x', body: 'two' })
    const late = await tracker.editIssue(ref(issue.iid), {
      body: 'three',
      expectedUpdatedAt: issue.updatedAt,
    })
    expect(late).toMatchObject({ error: { type: 'conflict' } })
    expect(
      await done(tracker.editIssue(ref(issue.iid), { title: 'y', expectedUpdatedAt: edited.updatedAt })),
    ).toMatchObject({ title: 'y', body: 'two' })
  })

  it('notice two edits within the same millisecond', async () => {
    const issue = await add('x')
    await done(tracker.editIssue(ref(issue.iid), { body: 'first', expectedUpdatedAt: issue.updatedAt }))
    expect(
      await tracker.editIssue(ref(issue.iid), { body: 'second', expectedUpdatedAt: issue.updatedAt }),
    ).toMatchObject({ error: { type: 'conflict' } })
  })

  it('have comments that can be edited, each of its own issue', async () => {
    const one = await add('one')
    const two = await add('two')
    const comment = await done(tracker.comment(ref(one.iid), 'tpyo'))
    const edited = await done(tracker.editComment(ref(one.iid), comment.id, 'typo', comment.updatedAt))
    expect(edited).toMatchObject({ body: 'typo', createdAt: comment.createdAt })
    expect(await tracker.editComment(ref(one.iid), comment.id, 'lost', comment.updatedAt)).toMatchObject({
      error: { type: 'conflict' },
    })
    expect(await tracker.editComment(ref(two.iid), comment.id, 'x', null)).toMatchObject({
      error: { type: 'not_found' },
    })
    expect(await tracker.comment(ref(one.iid), ' \n')).toMatchObject({ error: { type: 'invalid' } })
  })

  it('have one status and one type, and any number of commands', async () => {
    const { iid } = await add('x', { labels: ['type::task'] })
    for (const label of ['status::in_ci', 'type::bug', 'status::done', 'ai::retry', 'ai::validate_plan'])
      await done(tracker.addLabel(ref(iid), label))
    const issue = await done(tracker.getIssue(ref(iid)))
    expect(issue.labels.map(({ name }) => name)).toEqual([
      'ai::retry',
      'ai::validate_plan',
      'status::done',
      'type::bug',
    ])
    expect(issue.labelEvents.map(({ label, action }) => `${action} ${label}`)).toEqual([
      'added type::task',
      'added status::in_ci',
      'removed type::task',
      'added type::bug',
      'removed status::in_ci',
      'added status::done',
      'added ai::retry',
      'added ai::validate_plan',
    ])
  })

  it('do not move for a change that is none', async () => {
    const { iid } = await add('x', { labels: ['type::bug'], assignees: ['ada'] })
    const before = await done(tracker.getIssue(ref(iid)))
    bench.clock.advance(1_000)
    await done(tracker.addLabel(ref(iid), 'type::bug'))
    await done(tracker.removeLabel(ref(iid), 'ai::retry'))
    await done(tracker.assign(ref(iid), 'ada'))
    await done(tracker.unassign(ref(iid), 'alfred'))
    await done(tracker.setOpen(ref(iid), true))
    await done(tracker.editIssue(ref(iid), { title: 'x', expectedUpdatedAt: null }))
    expect(await done(tracker.getIssue(ref(iid)))).toEqual(before)
  })

  it('are found by beginnings of words in title, description and comments, whatever the accents', async () => {
    const one = await add('Café menu', { body: 'prices' })
    const two = await add('Other')
    await done(tracker.comment(ref(two.iid), 'the zebra crossing'))
    expect(await find('cafe')).toEqual([one.iid])
    expect(await find('pri men')).toEqual([one.iid])
    expect(await find('zeb')).toEqual([two.iid])
    expect(await find('"zebra crossing"')).toEqual([two.iid])
    expect(await find('"crossing zebra"')).toEqual([])
    await done(tracker.editIssue(ref(one.iid), { title: 'Tea', expectedUpdatedAt: null }))
    expect(await find('cafe')).toEqual([])
  })

  it('are found by number, state, labels, assignee and author', async () => {
    const one = await add('one', { labels: ['type::bug'], assignees: ['alfred'] })
    const two = await add('two', { labels: ['type::bug', 'ai::retry'], assignees: ['ada'] })
    const three = await add('three 2')
    await done(tracker.setOpen(ref(one.iid), false))
    expect(await find('is:open')).toEqual([three.iid, two.iid])
    expect(await find('is:closed label:type::bug')).toEqual([one.iid])
    expect(await find('labels:type::bug,ai::retry')).toEqual([two.iid])
    expect(await find('assignee:alfred')).toEqual([one.iid])
    expect(await find('assignee:me')).toEqual([two.iid])
    expect(await find('assignee:none')).toEqual([three.iid])
    expect(await find('assignee:nobody')).toEqual([])
    expect(await find('author:me two')).toEqual([two.iid])
    expect(await find('#2')).toEqual([two.iid])
    expect(await find('2')).toEqual([three.iid, two.iid])
  })

  it.each([
    '"',
    "'; DROP TABLE local_issues; --",
    'a" OR "b',
    'title:x',
    'NEAR(a b)',
    '*',
    '^a',
    'a AND',
    '( ',
    '-',
    '\0',
    'x'.repeat(5_000),
  ])('take %j as something to look for', async (text) => {
    await add('plain')
    expect((await tracker.listIssues({ projectId: null, query: text, limit: 10, cursor: null })).ok).toBe(
      true,
    )
  })

  it('come in pages, the newest change first, each once', async () => {
    for (let n = 0; n < 5; n++) await add(`issue ${n}`)
    const page = async (
      cursor: string | null,
    ): Promise<{ iids: readonly number[]; cursor: string | null; total: number }> => {
      const {
        rows,
        cursor: next,
        total,
      } = await done(tracker.listIssues({ projectId: null, query: 'issue', limit: 2, cursor }))
      return { iids: rows.map((row) => row.iid), cursor: next, total }
    }
    const first = await page(null)
    const second = await page(first.cursor)
    const third = await page(second.cursor)
    expect([first.iids, second.iids, third.iids]).toEqual([[5, 4], [3, 2], [1]])
    expect([first.total, third.cursor]).toEqual([5, null])
  })
})

describe('changes of the local forge', () => {
  let project: TrackerProject
  let issue: TrackerIssue

  beforeEach(async () => {
    project = await bench.addProject()
    issue = await done(
      tracker.createIssue({
        projectId: project.id,
        title: 'Add a',
        body: '',
        labels: [],
        assignees: ['alfred'],
      }),
    )
  })

  const open = async (
    files: Readonly<Record<string, string>>,
    branch = 'agent/issue-1-add-a',
  ): Promise<{ iid: number; head: string }> => {
    const head = bench.push(project, branch, files)
    const record = bench.test.store.forges.getProject(project.id)
    const change = await done(
      bench.forge.openChange(record, {
        title: 'Add a',
        body: 'Closes #1',
        sourceBranch: branch,
        targetBranch: 'main',
        closesIid: issue.iid,
      }),
    )
    return { iid: change.iid, head }
  }
  const ref = (iid: number): IssueRef => ({ projectId: project.id, iid })
  const merge = (iid: number, expectedHeadSha: string | null = null): ReturnType<Tracker['mergeChange']> =>
    tracker.mergeChange(ref(iid), { expectedHeadSha, deleteSourceBranch: false })
  const show = (format: string): string =>
    bench.workshop.git(project.remotePath, ['log', '-1', `--format=${format}`, 'main'])

  it('show their files, their diff and the issue that they close', async () => {
    const { iid, head } = await open({ 'a.txt': 'one\n' })
    const change = await done(tracker.getChange(ref(iid), 100_000))
    expect(change).toMatchObject({
      headSha: head,
      commits: 1,
      closesIid: 1,
      patchIsCut: false,
      problem: null,
      author: { isAlfred: true },
    })
    expect(change.files).toEqual([{ path: 'a.txt', oldPath: null, status: 'added', added: 1, deleted: 0 }])
    expect(change.patch).toContain('+one')
    expect((await done(tracker.getIssue(ref(issue.iid)))).changes.map((one) => one.iid)).toEqual([iid])
    expect(await done(tracker.getChange(ref(iid), 20))).toMatchObject({ patchIsCut: true })
  })

  it("are merged with a commit of the person's, and close the issue", async () => {
    const { iid, head } = await open({ 'a.txt': 'one\n' })
    bench.push(project, 'main', { 'b.txt': 'meanwhile\n' })
    const merged = await done(merge(iid, head))
    expect(merged).toMatchObject({ state: 'merged', mergedSha: show('%H') })
    expect(show('%an <%ae>')).toBe('Ada Lovelace <ada@example.invalid>')
    expect(show('%B')).toBe('Merge change !1: Add a\n\nCloses #1')
    expect(bench.workshop.git(project.remotePath, ['ls-tree', '--name-only', 'main']).split('\n')).toEqual([
      'README.md',
      'a.txt',
      'b.txt',
    ])
    expect((await done(tracker.getIssue(ref(issue.iid)))).isOpen).toBe(false)
    expect(bench.workshop.git(project.remotePath, ['fsck', '--strict'])).not.toContain('error')
  })

  it('show their diff after they are merged, also when the branch is gone', async () => {
    const { iid } = await open({ 'a.txt': 'one\n' })
    await done(tracker.mergeChange(ref(iid), { expectedHeadSha: null, deleteSourceBranch: true }))
    expect(bench.workshop.git(project.remotePath, ['branch', '--list', 'agent/*'])).toBe('')
    const change = await done(tracker.getChange(ref(iid), 100_000))
    expect(change).toMatchObject({ state: 'merged', problem: null, commits: 1 })
    expect(change.patch).toContain('+one')
  })

  it('are merged once, however often it is asked', async () => {
    const { iid } = await open({ 'a.txt': 'one\n' })
    const [one, two] = await Promise.all([merge(iid), merge(iid)])
    const after = await done(merge(iid))
    expect(after.state).toBe('merged')
    expect([one, two].filter((answer) => answer.ok).length).toBeGreaterThan(0)
    expect(bench.workshop.git(project.remotePath, ['rev-list', '--count', '--merges', 'main'])).toBe('1')
  })

  it('are not merged over conflicts, and nothing moves', async () => {
    const { iid } = await open({ 'README.md': 'ours\n' })
    const main = bench.push(project, 'main', { 'README.md': 'theirs\n' })
    expect(await merge(iid)).toMatchObject({ error: { type: 'merge_conflicts', paths: ['README.md'] } })
    expect(show('%H')).toBe(main)
    expect((await done(tracker.getIssue(ref(issue.iid)))).isOpen).toBe(true)
    expect((await done(tracker.listChanges(project.id, 'open', 10)))[0]).toMatchObject({ hasConflicts: true })
  })

  it('are not merged when somebody pushed after the person looked', async () => {
    const { iid, head } = await open({ 'a.txt': 'one\n' })
    bench.push(project, 'agent/issue-1-add-a', { 'evil.txt': 'x\n' }, 'agent/issue-1-add-a')
    expect(await merge(iid, head)).toMatchObject({ error: { type: 'conflict' } })
  })

  it('count as merged when a person merged them with plain git', async () => {
    const { iid, head } = await open({ 'a.txt': 'one\n' })
    const clone = join(bench.workshop.folder, 'by-hand')
    bench.workshop.git(bench.workshop.folder, ['clone', '-q', project.remotePath, clone])
    bench.workshop.git(clone, ['merge', '-q', '--no-ff', '-m', 'by hand', 'origin/agent/issue-1-add-a'])
    bench.workshop.git(clone, ['push', '-q', 'origin', 'main', ':agent/issue-1-add-a'])
    const change = await done(tracker.getChange(ref(iid), 100_000))
    expect(change).toMatchObject({ state: 'merged', mergedSha: show('%H'), headSha: head })
    expect(change.patch).toContain('+one')
    expect((await done(tracker.getIssue(ref(issue.iid)))).isOpen).toBe(false)
  })

  it('stay open when the branch is thrown away, and say what is missing', async () => {
    const { iid } = await open({ 'a.txt': 'one\n' })
    bench.workshop.git(project.remotePath, ['update-ref', '-d', 'refs/heads/agent/issue-1-add-a'])
    expect(await done(tracker.getChange(ref(iid), 100_000))).toMatchObject({
      state: 'open',
      headSha: null,
      patch: null,
      problem: 'The branch agent/issue-1-add-a is gone.',
    })
    expect(await merge(iid)).toMatchObject({ error: { type: 'invalid' } })
  })

  it('are not opened for a branch without news, or for an issue that is not there', async () => {
    const record = bench.test.store.forges.getProject(project.id)
    bench.workshop.git(project.remotePath, ['branch', 'same', 'main'])
    const change = { title: 'x', body: '', sourceBranch: 'same', targetBranch: 'main', closesIid: 1 }
    expect(await bench.forge.openChange(record, change)).toMatchObject({ error: { type: 'invalid' } })
    expect(await bench.forge.openChange(record, { ...change, closesIid: 9 })).toMatchObject({
      error: { type: 'not_found' },
    })
    expect(await bench.forge.openChange(record, { ...change, sourceBranch: 'main' })).toMatchObject({
      error: { type: 'invalid' },
    })
  })

  it('are opened by the person too, from a branch that is pushed', async () => {
    const head = bench.push(project, 'mine', { 'a.txt': 'one\n' })
    const opened = await done(tracker.openChange(ref(issue.iid), { branch: 'mine', title: null }))
    expect(opened).toMatchObject({
      title: issue.title,
      sourceBranch: 'mine',
      targetBranch: 'main',
      closesIid: issue.iid,
      headSha: head,
      author: { isYou: true, isAlfred: false },
    })
    await done(merge(opened.iid))
    expect((await done(tracker.getIssue(ref(issue.iid)))).isOpen).toBe(false)
  })

  it('are not opened twice for a branch, nor for one that is not pushed', async () => {
    const { iid } = await open({ 'a.txt': 'one\n' })
    const branch = 'agent/issue-1-add-a'
    expect(await tracker.openChange(ref(issue.iid), { branch, title: 'Mine' })).toEqual({
      ok: false,
      error: { type: 'conflict', message: `The branch ${branch} has an open change already: !${iid}.` },
    })
    expect(await tracker.openChange(ref(issue.iid), { branch: 'nowhere', title: null })).toEqual({
      ok: false,
      error: { type: 'not_found', what: 'branch nowhere' },
    })
    expect(await tracker.openChange(ref(9), { branch: 'nowhere', title: null })).toMatchObject({
      error: { type: 'not_found', what: 'issue 9' },
    })
  })

  it('can be closed without merging, and then not merged', async () => {
    const { iid } = await open({ 'a.txt': 'one\n' })
    expect(await done(tracker.closeChange(ref(iid)))).toMatchObject({ state: 'closed' })
    expect(await merge(iid)).toMatchObject({ error: { type: 'invalid' } })
    expect((await done(tracker.getIssue(ref(issue.iid)))).isOpen).toBe(true)
    expect((await open({ 'c.txt': '2\n' }, 'agent/issue-1-add-a-2')).iid).toBe(2)
  })

  it('are read from what was last known when the repository cannot be read', async () => {
    const { iid } = await open({ 'a.txt': 'one\n' })
    bench.workshop.git('/', ['--git-dir', project.remotePath, 'config', 'core.repositoryformatversion', '99'])
    expect((await done(tracker.getIssue(ref(issue.iid)))).changes).toHaveLength(1)
    expect((await done(tracker.getChange(ref(iid), 1_000))).problem).toContain('Git')
    expect(
      await bench.forge.listChangedIssues(bench.test.store.forges.getProject(project.id), null),
    ).toMatchObject({ ok: false, error: { retryable: true } })
  })
})
