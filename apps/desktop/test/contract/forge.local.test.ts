import { assertPresent } from '@shared/assert'
import { done, openLocalForgeBench } from '../fakes/local-forge-bench'
import { describeForgeContract, type ForgeHarness } from './forge.contract'

describeForgeContract('local', async (): Promise<ForgeHarness> => {
  const bench = openLocalForgeBench()
  const { tracker, workshop } = bench
  const created = await bench.addProject('Contract')
  const project = bench.test.store.forges.getProject(created.id)
  const you = assertPresent(
    (await done(tracker.listPeople())).find((one) => one.isYou),
    'opening the forge made the person',
  )
  const ref = (iid: number): { projectId: typeof project.id; iid: number } => ({ projectId: project.id, iid })

  return {
    forge: bench.forge,
    project,
    advance: bench.clock.advance,
    remoteSha: (url, branch) =>
      workshop.git(workshop.folder, ['ls-remote', url, `refs/heads/${branch}`]).split('\t')[0] || null,
    close: async () => bench.remove(),
    person: {
      id: you.id,
      createIssue: async ({ title, body = '', labels = [] }) =>
        (await done(tracker.createIssue({ projectId: project.id, title, body, labels, assignees: [] }))).iid,
      editIssue: async (iid, edit) =>
        void (await done(tracker.editIssue(ref(iid), { ...edit, expectedUpdatedAt: null }))),
      comment: async (iid, body) => (await done(tracker.comment(ref(iid), body))).id,
      editComment: async (iid, id, body) => void (await done(tracker.editComment(ref(iid), id, body, null))),
      closeChange: async (iid) => void (await done(tracker.closeChange(ref(iid)))),
      deleteBranch: async (name) => {
        const { url } = await done(bench.forge.remote(project))
        workshop.git(url, ['update-ref', '-d', `refs/heads/${name}`])
      },
      addLabel: (iid, label) => done(tracker.addLabel(ref(iid), label)),
      removeLabel: (iid, label) => done(tracker.removeLabel(ref(iid), label)),
      assignAlfred: (iid, isAssigned) =>
        done(isAssigned ? tracker.assign(ref(iid), 'alfred') : tracker.unassign(ref(iid), 'alfred')),
      setOpen: (iid, isOpen) => done(tracker.setOpen(ref(iid), isOpen)),
      merge: async (iid) =>
        void (await done(
          tracker.mergeChange(ref(iid), { expectedHeadSha: null, deleteSourceBranch: false }),
        )),
      push: async (branch, files, from) => bench.push(created, branch, files, from),
    },
  }
})
