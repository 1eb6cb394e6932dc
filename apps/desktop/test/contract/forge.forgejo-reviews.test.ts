import { expect, it } from 'vitest'
import type { Forge } from '@main/ports/forge'
import { benchRepository, openForgejoBench } from '../fakes/forgejo-bench'

/*
 * What people say at an open change is read with its issue.
 */

const verdictsOf = (read: Awaited<ReturnType<Forge['readIssue']>>): readonly string[] =>
  read.ok ? read.value.comments.flatMap(({ id, verdict }) => (verdict ? [`${id} ${verdict}`] : [])) : []

const branch = 'agent/issue-1-fix'

it.each(['gitea', 'gitea-1.26-dev', 'forgejo'] as const)(
  'reviews on a %s are comments of the issue',
  async (kind) => {
    const { server, forge, project, clock, ask } = await openForgejoBench({ kind })
    try {
      server.seed.user('other')
      server.seed.person('acme').members.set(server.seed.person('other').id, 'write')
      server.seed.issue(benchRepository, { title: 'x', by: 'dev' })
      await server.seed.commit(benchRepository, branch, { 'a.txt': '1\n2\n3\n' }, { by: 'dev' })
      const opened = await forge.openChange(project, {
        title: 'Fix',
        body: 'x',
        sourceBranch: branch,
        targetBranch: 'main',
        closesIid: 1,
      })
      expect(opened.ok).toBe(true)
      const soon = async (path: string, body: unknown): Promise<void> => {
        clock.advance(1_000)
        await ask('POST', path, body)
      }
      await soon('/issues/1/comments', { body: 'at the issue' })
      await soon('/issues/2/comments', { body: 'at the change' })
      await soon('/pulls/2/reviews', {
        event: 'REQUEST_CHANGES',
        body: 'Two things.',
        comments: [{ path: 'a.txt', body: 'why?', new_position: 2 }],
      })
      await soon('/issues/1/comments', { body: 'later' })
      const lines = [
        ['dev', 'a.txt, line 2:\n\nwhy?'],
        ['dev', 'later'],
      ]
      const read = await forge.readIssue(project, 1, branch)
      expect(read.ok && read.value.comments.map(({ body, author }) => [author.login, body])).toEqual([
        ['dev', 'at the issue'],
        ['dev', 'at the change'],
        ['dev', 'Changes are requested.\n\nTwo things.'],
        ...lines,
      ])
      expect(verdictsOf(read)).toEqual(['review-1 changes_requested'])
      const ids = read.ok ? read.value.comments.map(({ id }) => id) : []
      expect(new Set(ids).size).toBe(5)

      // The approval takes the request back, but not the words; asking somebody else says nothing.
      await soon('/pulls/2/reviews', { event: 'APPROVED', body: '' })
      await soon('/pulls/2/requested_reviewers', { reviewers: ['other'] })
      const approved = await forge.readIssue(project, 1, branch)
      expect(approved.ok && approved.value.comments.map(({ body, author }) => [author.login, body])).toEqual([
        ['dev', 'at the issue'],
        ['dev', 'at the change'],
        ['dev', 'Two things.'],
        ...lines,
        ['dev', 'Approved.'],
      ])
      expect(verdictsOf(approved)).toEqual(['review-2 approved'])

      await ask('PATCH', '/pulls/2', { state: 'closed' })
      const after = await forge.readIssue(project, 1, branch)
      expect(after.ok && after.value.comments.map(({ body }) => body)).toEqual(['at the issue', 'later'])
    } finally {
      await server.close()
    }
  },
)
