import { mkdtempSync } from 'node:fs'
import { join } from 'node:path'
import { assertPresent } from '@shared/assert'
import type { Result } from '@shared/result'
import { createGit } from '@main/adapters/git/create-git'
import { openLocalForge } from '@main/adapters/forge/local/open-local-forge'
import { createWorkshop } from '../integration/git-workshop'
import { createSettableClock } from '../fakes/settable-clock'
import { openTestStore } from '../fakes/open-test-store'
import { describeForgeContract, type ForgeHarness } from './forge.contract'

describeForgeContract('local', async (): Promise<ForgeHarness> => {
  const { db, store, folder, remove } = openTestStore()
  const clock = createSettableClock(1_000_000)
  const workshop = createWorkshop()
  const local = openLocalForge({
    db,
    forges: store.forges,
    clock,
    runGit: createGit({ scratchFolder: join(folder, 'git') }).runGit,
    dataFolder: folder,
    person: { userName: 'ada', fullName: 'Ada', email: null },
  })
  const { tracker } = local
  const created = await done(tracker.createProject({ organization: 'local', name: 'Contract', source: { kind: 'empty' } }))
  const project = store.forges.getProject(created.id)
  const you = assertPresent((await done(tracker.listPeople())).find((one) => one.isYou), 'opening the forge made the person')
  const ref = (iid: number): { projectId: typeof project.id; iid: number } => ({ projectId: project.id, iid })

  return {
    forge: local.forge,
    project,
    advance: clock.advance,
    remoteSha: (url, branch) => workshop.git(workshop.folder, ['ls-remote', url, `refs/heads/${branch}`]).split('\t')[0] || null,
    close: async () => {
      workshop.remove()
      remove()
    },
    person: {
      id: you.id,
      createIssue: async ({ title, body = '', labels = [] }) => (await done(tracker.createIssue({ projectId: project.id, title, body, labels, assignees: [] }))).iid,
      editIssue: async (iid, edit) => void (await done(tracker.editIssue(ref(iid), { ...edit, expectedUpdatedAt: null }))),
      comment: async (iid, body) => void (await done(tracker.comment(ref(iid), body))),
      addLabel: (iid, label) => done(tracker.addLabel(ref(iid), label)),
      removeLabel: (iid, label) => done(tracker.removeLabel(ref(iid), label)),
      assignAlfred: (iid, isAssigned) => done(isAssigned ? tracker.assign(ref(iid), 'alfred') : tracker.unassign(ref(iid), 'alfred')),
      setOpen: (iid, isOpen) => done(tracker.setOpen(ref(iid), isOpen)),
      merge: async (iid) => void (await done(tracker.mergeChange(ref(iid), { expectedHeadSha: null, deleteSourceBranch: false }))),
      push: async (branch, files, from = 'main') => {
        const clone = mkdtempSync(join(workshop.folder, 'clone-'))
        workshop.git(workshop.folder, ['clone', '-q', '-b', from, created.remotePath, clone])
        const sha = workshop.commit(clone, files)
        workshop.git(clone, ['push', '-q', 'origin', `HEAD:refs/heads/${branch}`])
        return sha
      },
    },
  }
})

async function done<T>(answer: Promise<Result<T, unknown>>): Promise<T> {
  const result = await answer
  if (!result.ok) throw new Error(JSON.stringify(result.error))
  return result.value
}
