import { describe, expect, it } from 'vitest'
import type { ProjectId } from '@shared/model/ids'
import type { Result } from '@shared/result'
import { benchRepository, type ForgejoBench, openForgejoBench } from '../fakes/forgejo-bench'

/*
 * A repository that is renamed, moved, taken over by name, archived, closed to Alfred or deleted while Alfred works there.
 */

describe.each(['gitea', 'gitea-1.26-dev', 'forgejo'] as const)('on a %s', (kind) => {
  const withBench = async (test: (bench: ForgejoBench, iid: number) => Promise<void>): Promise<void> => {
    const bench = await openForgejoBench({ kind })
    try {
      const { number } = bench.server.seed.issue(benchRepository, { title: 'x', by: 'dev' })
      value(await bench.forge.listChangedIssues(bench.project, null))
      await test(bench, number)
    } finally {
      await bench.server.close()
    }
  }
  const asked = ({ server }: ForgejoBench): readonly string[] =>
    server.requests.map(({ method, address }) => `${method} ${address.split('?')[0] ?? ''}`)

  it('[30] a renamed repository is found by its id, and what was asked for is done there', () =>
    withBench(async (bench, iid) => {
      const { forge, project, server } = bench
      server.seed.rename(benchRepository, 'store')
      value(await forge.addComment(project, iid, 'arrives once'))
      expect(bench.path).toBe('acme/store')
      // A redirected write is not sent on: the new address was asked for, and only then.
      const { id } = server.seed.find('acme/store')
      expect(asked(bench).slice(-3)).toEqual([
        `POST /api/v1/repos/${benchRepository}/issues/${iid}/comments`,
        `GET /api/v1/repositories/${id}`,
        `POST /api/v1/repos/acme/store/issues/${iid}/comments`,
      ])
      const { issue, comments } = value(await forge.readIssue(project, iid, null))
      expect(comments.map(({ body }) => body)).toEqual(['arrives once'])
      expect(issue.url).toBe(`${server.url}/acme/store/issues/${iid}`)
      expect(value(await forge.remote(project)).url).toBe(`${server.url}/acme/store.git`)
    }))

  it('a repository with another owner is found by its id, and its poll goes on', () =>
    withBench(async (bench) => {
      const { forge, project, server } = bench
      const { cursor } = value(await forge.listChangedIssues(project, null))
      server.seed.organization('other', { 'alfred-bot': 'write' })
      server.seed.find(benchRepository).owner = server.seed.person('other')
      server.seed.issue('other/Shop.js', { title: 'there', by: 'dev' })
      const page = value(await forge.listChangedIssues(project, cursor))
      expect(page.issues.map(({ title }) => title)).toContain('there')
      expect(bench.path).toBe('other/Shop.js')
    }))

  it('another repository that took the old name is not pushed to, and is left within ten minutes', () =>
    withBench(async (bench) => {
      const { forge, project, server, clock } = bench
      server.seed.rename(benchRepository, 'store')
      await server.seed.repository(benchRepository)
      server.seed.issue(benchRepository, { title: 'of somebody else', by: 'dev' })
      expect(value(await forge.remote(project)).url).toBe(`${server.url}/acme/store.git`)
      bench.path = benchRepository
      clock.advance(11 * 60_000)
      const page = value(await forge.listChangedIssues(project, null))
      expect(page.issues.map(({ title }) => title)).toEqual(['x'])
    }))

  it("another repository that took a deleted one's name is neither written to nor given to git", () =>
    withBench(async ({ forge, project, server, clock }, iid) => {
      const own = server.seed.find(benchRepository)
      own.isDeleted = true
      await server.seed.repository(benchRepository)
      const { number } = server.seed.issue(benchRepository, { title: 'of somebody else', by: 'dev' })
      expect(number).toBe(iid)
      server.seed.label(benchRepository, 'ai::retry')
      await server.seed.commit(benchRepository, 'theirs', { 'theirs.txt': 'x\n' }, { by: 'dev' })
      const change = { title: 'x', body: '', sourceBranch: 'theirs', targetBranch: 'main', closesIid: iid }
      clock.advance(6_000)
      const before = server.requests.length
      const answers = [
        await forge.addComment(project, iid, 'x'),
        await forge.setStatus(project, iid, 'in_ci'),
        await forge.removeLabel(project, iid, 'ai::retry'),
        await forge.editDescription(project, iid, '', 'x'),
        await forge.openChange(project, change),
        await forge.closeChange(project, iid),
        await forge.remote(project),
      ]
      for (const answer of answers)
        expect(answer).toMatchObject({
          error: { type: 'not_found', message: expect.stringContaining('is not on the forge any more') },
        })
      const address = `/repositories/${own.id}`
      expect(server.requests.slice(before).every((one) => one.address.endsWith(address))).toBe(true)
    }))

  it('writes that follow each other share a look, and none is made without one', () =>
    withBench(async (bench, iid) => {
      const { forge, project, server, clock } = bench
      clock.advance(6_000)
      const before = server.requests.length
      value(await forge.addComment(project, iid, 'x'))
      value(await forge.addComment(project, iid, 'y'))
      const look = `GET /api/v1/repositories/${server.seed.find(benchRepository).id}`
      const post = `POST /api/v1/repos/${benchRepository}/issues/${iid}/comments`
      expect(asked(bench).slice(before)).toEqual([look, post, post])
    }))

  it.each([
    ['is archived', 'is archived on the forge, so nothing can be written there'],
    ['may only be read', 'alfred-bot may only read'],
    ['has no issues any more', 'has its issues switched off on the forge'],
    ['is deleted', 'is not on the forge any more, or hidden from alfred-bot'],
  ])('a repository that %s is told in words, by a write and by the poll', (what, words) =>
    withBench(async ({ forge, project, server, clock }, iid) => {
      const repository = server.seed.find(benchRepository)
      if (what === 'is archived') repository.archivedAt = server.state.now()
      if (what === 'may only be read')
        repository.owner.members.set(server.seed.person('alfred-bot').id, 'read')
      if (what === 'has no issues any more') repository.hasIssues = false
      if (what === 'is deleted') repository.isDeleted = true
      const refused =
        what === 'may only be read'
          ? await forge.setStatus(project, iid, 'in_ci')
          : await forge.addComment(project, iid, 'x')
      const told = { error: { retryable: false, message: expect.stringContaining(words) } }
      expect(refused).toMatchObject(told)
      clock.advance(11 * 60_000)
      expect(await forge.listChangedIssues(project, null)).toMatchObject(told)
    }),
  )

  it('[11] an account that was blocked is told so', () =>
    withBench(async ({ forge, project, server }, iid) => {
      server.seed.find(benchRepository).owner.blocked.add(server.seed.person('alfred-bot').id)
      expect(await forge.addComment(project, iid, 'x')).toMatchObject({
        error: { type: 'forbidden', message: expect.stringContaining('has blocked alfred-bot on the forge') },
      })
    }))

  it('an issue that is not there is told as that, also in an archive', () =>
    withBench(async ({ forge, project, server }) => {
      server.seed.find(benchRepository).archivedAt = server.state.now()
      expect(await forge.readIssue(project, 999, null)).toMatchObject({ error: { type: 'not_found' } })
    }))

  it('is asked for its projects at the start, and then for a few at a time', async () => {
    const bench = await openForgejoBench({ kind })
    try {
      const { server, forge, clock } = bench
      const { id } = server.seed.find(benchRepository)
      const projects = Array.from({ length: 20 }, (_, n) => ({ ...bench.project, id: (n + 1) as ProjectId }))
      const looks = async (): Promise<number> => {
        const before = asked(bench).filter((line) => line === `GET /api/v1/repositories/${id}`).length
        for (const project of projects) value(await forge.listChangedIssues(project, null))
        return asked(bench).filter((line) => line === `GET /api/v1/repositories/${id}`).length - before
      }
      expect(await looks()).toBe(20)
      const rounds: number[] = []
      for (let round = 0; round < 20; round += 1) {
        clock.advance(31_000)
        rounds.push(await looks())
      }
      expect(Math.max(...rounds)).toBeLessThanOrEqual(2)
      expect(rounds.reduce((sum, one) => sum + one, 0)).toBe(20)
    } finally {
      await bench.server.close()
    }
  })

  it('a repository that can be reached again is worked on again', () =>
    withBench(async ({ forge, project, server, clock }) => {
      const repository = server.seed.find(benchRepository)
      repository.archivedAt = server.state.now()
      clock.advance(11 * 60_000)
      expect(await forge.listChangedIssues(project, null)).toMatchObject({ error: { type: 'forbidden' } })
      repository.archivedAt = null
      value(await forge.listChangedIssues(project, null))
    }))
})

function value<T>(result: Result<T, { readonly message: string }>): T {
  if (!result.ok) throw new Error(result.error.message)
  return result.value
}
