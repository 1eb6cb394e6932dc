import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { trackerContract, type TrackerProject } from '@shared/contract/tracker'
import { done, type LocalForgeBench, openLocalForgeBench } from '../../../test/fakes/local-forge-bench'
import { createTrackerService, type TrackerService } from './tracker'

describe('the tracker service', () => {
  let bench: LocalForgeBench
  let service: TrackerService
  let project: TrackerProject
  let told: string[]

  beforeEach(async () => {
    bench = openLocalForgeBench()
    told = []
    service = createTrackerService({
      tracker: bench.tracker,
      onChanged: (projectId, iid) => told.push(`${projectId} #${iid}`),
      onProjectsChanged: () => told.push('projects'),
    })
    const input = trackerContract.createProject.input.parse({ name: 'Work', source: { kind: 'empty' } })
    project = await done(service.createProject(input))
  })
  afterEach(() => bench.remove())

  const createIssue = async (title: string): Promise<number> =>
    (
      await done(
        service.createIssue(trackerContract.createIssue.input.parse({ projectId: project.id, title })),
      )
    ).iid

  it('answers every entry of its contract in the shape that the contract promises', async () => {
    const ref = { projectId: project.id, iid: await createIssue('x') }
    const comment = await done(service.comment({ ...ref, body: 'hello' }))
    bench.push(project, 'topic', { a: '1' })
    bench.push(project, 'second', { b: '1' })
    const record = bench.test.store.forges.getProject(project.id)
    await done(
      bench.forge.openChange(record, {
        title: 't',
        body: 'b',
        sourceBranch: 'topic',
        targetBranch: 'main',
        closesIid: ref.iid,
      }),
    )
    const inputs: { readonly [K in keyof TrackerService]?: object } = {
      listProjects: {},
      listPeople: {},
      addPerson: { login: 'grace', name: 'Grace' },
      listLabels: { projectId: project.id },
      addLabelToProject: { projectId: project.id, name: 'area::parser' },
      listIssues: { projectId: null, query: 'is:open' },
      getIssue: ref,
      editIssue: { ...ref, title: 'y' },
      editComment: { ...ref, commentId: comment.id, body: 'hello!' },
      addLabel: { ...ref, label: 'area::parser' },
      removeLabel: { ...ref, label: 'area::parser' },
      assign: { ...ref, login: 'grace' },
      unassign: { ...ref, login: 'grace' },
      close: ref,
      reopen: ref,
      listChanges: { projectId: project.id },
      getChange: { projectId: project.id, iid: 1 },
      mergeChange: { projectId: project.id, iid: 1 },
      openChange: { ...ref, branch: 'second' },
    }
    for (const [name, input] of Object.entries(inputs)) {
      const entry = trackerContract[name as keyof TrackerService]
      // Each name has its own input; the contract itself checks it here.
      const handler = service[name as keyof TrackerService] as (
        checked: unknown,
      ) => Promise<{ readonly ok: boolean; readonly value?: unknown }>
      const answer = await handler(entry.input.parse(input))
      expect([name, answer.ok]).toEqual([name, true])
      expect([name, entry.output.safeParse(answer.value).error]).toEqual([name, undefined])
    }
  })

  it('tells of every change, and of nothing else', async () => {
    const iid = await createIssue('x')
    const ref = { projectId: project.id, iid }
    await service.listIssues({ projectId: null, query: '', limit: 10, cursor: null })
    await service.getIssue(ref)
    await service.addLabel({ ...ref, label: 'ai::retry' })
    await service.addLabel({ ...ref, label: 'no such label' })
    await service.close(ref)
    await service.addPerson({ login: 'grace', name: 'Grace' })
    await service.addPerson({ login: 'grace', name: 'Another' })
    await service.deleteProject({ projectId: project.id })
    expect(told).toEqual([
      'projects',
      `${project.id} #${iid}`,
      `${project.id} #${iid}`,
      `${project.id} #${iid}`,
      'projects',
      'projects',
    ])
  })

  it('tells of the issue that a person opens a change for', async () => {
    const iid = await createIssue('x')
    bench.push(project, 'topic', { a: '1' })
    told = []
    await done(service.openChange({ projectId: project.id, iid, branch: 'topic', title: null }))
    await service.openChange({ projectId: project.id, iid, branch: 'nowhere', title: null })
    expect(told).toEqual([`${project.id} #${iid}`])
  })

  it('tells of the issue that a merged change closes', async () => {
    const iid = await createIssue('x')
    bench.push(project, 'topic', { a: '1' })
    const record = bench.test.store.forges.getProject(project.id)
    const change = await done(
      bench.forge.openChange(record, {
        title: 't',
        body: '',
        sourceBranch: 'topic',
        targetBranch: 'main',
        closesIid: iid,
      }),
    )
    told = []
    await done(
      service.mergeChange({
        projectId: project.id,
        iid: change.iid,
        expectedHeadSha: null,
        deleteSourceBranch: false,
      }),
    )
    expect(told).toEqual([`${project.id} #${iid}`])
  })

  it('says what is not there', async () => {
    expect(await service.getIssue({ projectId: project.id, iid: 9 })).toEqual({
      ok: false,
      error: { type: 'not_found', what: 'issue 9' },
    })
    expect(await service.getChange({ projectId: project.id, iid: 9, maxDiffBytes: 1 })).toMatchObject({
      error: { type: 'not_found' },
    })
  })

  it('acts as the person, never as Alfred', async () => {
    const iid = await createIssue('x')
    const comment = await done(service.comment({ projectId: project.id, iid, body: 'hi' }))
    await service.addLabel({ projectId: project.id, iid, label: 'ai::validate_plan' })
    const issue = await done(service.getIssue({ projectId: project.id, iid }))
    expect([issue.author.isYou, comment.author.isYou, issue.labelEvents[0]?.by.isYou]).toEqual([
      true,
      true,
      true,
    ])
  })
})

describe('the contract of the tracker', () => {
  it.each([
    [{ title: '' }],
    [{ title: '   ' }],
    [{ title: 'a\nb' }],
    [{ title: 'x'.repeat(256) }],
    [{ title: 'x', labels: ['a,b'] }],
    [{ title: 'x', assignees: ['-flag'] }],
  ])('refuses an issue like %j', (issue) => {
    expect(trackerContract.createIssue.input.safeParse({ projectId: 1, ...issue }).success).toBe(false)
  })

  it.each([['../x'], ['A'], ['.new-x'], ['']])('refuses the organization %j', (organization) => {
    expect(
      trackerContract.createProject.input.safeParse({ organization, name: 'x', source: { kind: 'empty' } })
        .success,
    ).toBe(false)
  })
})
