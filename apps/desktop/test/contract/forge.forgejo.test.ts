import { benchRepository, openForgejoBench } from '../fakes/forgejo-bench'
import { describeForgeContract, type ForgeHarness } from './forge.contract'

for (const kind of ['gitea', 'gitea-1.26-dev', 'forgejo'] as const) {
  describeForgeContract(kind, async (): Promise<ForgeHarness> => {
    const { server, forge, project, clock, ask, labelId, remoteSha } = await openForgejoBench({ kind })
    return {
      forge,
      project,
      remoteSha,
      advance: clock.advance,
      close: () => server.close(),
      person: {
        id: String(server.seed.person('dev').id),
        createIssue: async ({ title, body = '', labels = [] }) => {
          const issue = await ask('POST', '/issues', { title, body, labels: labels.map(labelId) })
          return (issue as { readonly number: number }).number
        },
        editIssue: async (iid, edit) => void (await ask('PATCH', `/issues/${iid}`, edit)),
        comment: async (iid, body) => {
          const comment = await ask('POST', `/issues/${iid}/comments`, { body })
          return String((comment as { readonly id: number }).id)
        },
        editComment: async (_iid, id, body) => void (await ask('PATCH', `/issues/comments/${id}`, { body })),
        closeChange: async (iid) => void (await ask('PATCH', `/pulls/${iid}`, { state: 'closed' })),
        deleteBranch: async (name) => void (await ask('DELETE', `/branches/${name}`)),
        addLabel: async (iid, label) =>
          void (await ask('POST', `/issues/${iid}/labels`, { labels: [labelId(label)] })),
        removeLabel: async (iid, label) =>
          void (await ask('DELETE', `/issues/${iid}/labels/${labelId(label)}`)),
        assignAlfred: async (iid, isAssigned) =>
          void (await ask('PATCH', `/issues/${iid}`, { assignees: isAssigned ? ['alfred-bot'] : [] })),
        setOpen: async (iid, isOpen) =>
          void (await ask('PATCH', `/issues/${iid}`, { state: isOpen ? 'open' : 'closed' })),
        merge: async (iid) => void (await ask('POST', `/pulls/${iid}/merge`, { Do: 'merge' })),
        push: (branch, files, from) =>
          server.seed.commit(benchRepository, branch, files, {
            by: 'dev',
            ...(from !== undefined && { from }),
          }),
      },
    }
  })
}
