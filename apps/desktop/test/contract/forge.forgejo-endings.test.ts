import { afterEach, describe, expect, it } from 'vitest'
import { benchRepository } from '../fakes/forgejo-bench'
import {
  commentsOf,
  type ForgejoLife,
  issueOf,
  labelsOf,
  openForgejoLife,
  toChange,
} from '../fakes/forgejo-life'

/*
 * What becomes of an open change: its checks, its reviews, its conflicts, and how it ends. Git is real, over HTTP.
 */

let life: ForgejoLife | null = null
afterEach(async () => {
  expect(life?.errors).toEqual([])
  await life?.close()
  life = null
})

type Kind = 'gitea' | 'gitea-1.26-dev' | 'forgejo'

/** Up to a change that is in review: its first check is green. */
async function inReview(kind: Kind): Promise<ForgejoLife> {
  const one = (life = await openForgejoLife(kind))
  await toChange(one)
  await check(one, 'ci', 'success')
  await one.settle()
  expect(one.mailbox()).toMatchObject({ status: 'in_review', needsYou: null })
  return one
}

async function check(one: ForgejoLife, context: string, state: string): Promise<void> {
  const pull = (await one.bench.ask('GET', '/pulls/2')) as { head: { sha: string } }
  await one.bench.ask('POST', `/statuses/${pull.head.sha}`, { context, state })
}

const posts = (one: ForgejoLife, kind: string) =>
  one.store.outbox.listByMailbox(one.mailbox().id).filter((post) => post.kind === kind)

describe('a change that is merged', () => {
  it.each([
    ['gitea', 'merge'],
    ['gitea', 'squash'],
    ['forgejo', 'squash'],
  ] as const)('on a %s by %s is done, and its branch goes', async (kind, how) => {
    const one = await inReview(kind)
    const branch = one.mailbox().branchName ?? ''
    await one.bench.ask('POST', '/pulls/2/merge', { Do: how })
    await one.settle()
    expect(one.mailbox()).toMatchObject({ status: 'done', isOpen: false, needsYou: null })
    expect(labelsOf(one)).toEqual(['status::done'])
    expect(await one.onForge(branch)).toBeNull()
    const repository = await one.git.repository()
    expect(await repository.ownBranch(branch)).toEqual({ ok: true, value: null })
    expect(posts(one, 'delete_branch')).toMatchObject([{ state: 'sent', target: `branch ${branch}` }])
    await one.settle()
    expect(posts(one, 'delete_branch')).toHaveLength(1)
  })

  it('keeps the branch to which somebody else pushed meanwhile', async () => {
    const one = await inReview('gitea')
    const branch = one.mailbox().branchName ?? ''
    await one.bench.ask('POST', '/pulls/2/merge', { Do: 'squash' })
    const by = { by: 'dev', from: branch }
    const theirs = await one.bench.server.seed.commit(benchRepository, branch, { 'later.txt': 'x\n' }, by)
    await one.settle()
    expect(one.mailbox()).toMatchObject({ status: 'done' })
    expect(await one.onForge(branch)).toBe(theirs)
    expect(posts(one, 'delete_branch')).toMatchObject([{ state: 'sent', remoteId: null }])
  })

  it('keeps the branch from which somebody opened another change, which would be closed with it', async () => {
    const one = await inReview('forgejo')
    const branch = one.mailbox().branchName ?? ''
    await one.bench.server.seed.commit(
      benchRepository,
      'release',
      { 'old.txt': 'x\n' },
      { by: 'dev', from: 'main' },
    )
    await one.bench.ask('POST', '/pulls', { head: branch, base: 'release', title: 'Backport' })
    await one.bench.ask('POST', '/pulls/2/merge', { Do: 'merge' })
    await one.settle()
    expect(one.mailbox()).toMatchObject({ status: 'done' })
    expect(await one.onForge(branch)).not.toBeNull()
    expect(posts(one, 'delete_branch')).toMatchObject([{ state: 'sent', remoteId: null }])
  })

  it('is done as well where the forge has deleted the branch by itself', async () => {
    const one = await inReview('forgejo')
    await one.bench.ask('POST', '/pulls/2/merge', { Do: 'squash', delete_branch_after_merge: true })
    await one.settle()
    expect(one.mailbox()).toMatchObject({ status: 'done' })
    expect(posts(one, 'delete_branch')).toMatchObject([{ state: 'sent' }])
  })

  it('is begun anew from what was merged, when its issue is opened again', async () => {
    const one = await inReview('gitea')
    await one.bench.ask('POST', '/pulls/2/merge', { Do: 'squash' })
    await one.settle()
    await one.bench.ask('PATCH', '/issues/1', { state: 'open' })
    await one.command('ai::retry')
    expect(one.liveRun()).toMatchObject({ phase: 'development' })
    // The head of a squash is no ancestor of what it became.
    expect((await one.beginRun()).baseSha).toBe(await one.onForge('main'))
    await one.endRun({ summary: 'More.' }, 1)
    expect(one.mailbox()).toMatchObject({ changeIid: 3, needsYou: null })
  })
})

describe('a change that is closed without being merged', () => {
  it.each(['gitea', 'forgejo'] as const)(
    'on a %s is done, with a word and with its branch left, and goes on with a retry',
    async (kind) => {
      const one = await inReview(kind)
      const branch = one.mailbox().branchName ?? ''
      const head = await one.onForge()
      await one.bench.ask('PATCH', '/pulls/2', { state: 'closed' })
      await one.settle()
      expect(one.mailbox()).toMatchObject({ status: 'done', needsYou: null, isOpen: true })
      expect(labelsOf(one)).toEqual(['status::done'])
      expect(one.mailbox().closedAt).not.toBeNull()
      expect(await one.onForge(branch)).toBe(head)
      const told = () => commentsOf(one).filter((body) => body.includes('closed without being merged'))
      expect(told()).toHaveLength(1)
      await one.settle()
      expect(told()).toHaveLength(1)

      await one.bench.ask('PATCH', '/pulls/2', { state: 'open' })
      await one.settle()
      expect(one.mailbox()).toMatchObject({ status: 'in_review', closedAt: null })
      await one.bench.ask('PATCH', '/pulls/2', { state: 'closed' })
      await one.settle()
      expect(one.mailbox()).toMatchObject({ status: 'done' })
      expect(told()).toHaveLength(2)

      await one.command('ai::retry')
      expect(one.liveRun()).toMatchObject({ phase: 'development' })
      await one.settle()
      expect(one.stopped).toEqual([])
      await one.endRun({ summary: 'Another way.' }, 1)
      expect(one.mailbox()).toMatchObject({ changeIid: 3, status: 'in_development', needsYou: null })
    },
  )

  it('while a run works on it pauses that, and nothing is pushed', async () => {
    const one = await inReview('forgejo')
    one.requestRun('development')
    await one.settle()
    await one.beginRun()
    const head = await one.onForge()
    await one.bench.ask('PATCH', '/pulls/2', { state: 'closed' })
    await one.settle()
    const reason = {
      type: 'forge_changed',
      message: 'Its change was closed without being merged.',
    } as const
    expect(one.stopped.at(-1)).toMatchObject({ reason })
    await one.endRun({}, 1, { failure: reason })
    expect(one.mailbox()).toMatchObject({ status: 'done' })
    expect(await one.onForge()).toBe(head)
    expect(one.liveRun()).toBeNull()
  })
})

describe('an open change', () => {
  it.each(['gitea', 'forgejo'] as const)(
    'on a %s is red for the one check of 35 that is, wherever its page is, and green once that is',
    async (kind) => {
      const one = (life = await openForgejoLife(kind))
      await toChange(one)
      for (let n = 0; n < 35; n++) await check(one, `ci/${n}`, n === 3 ? 'failure' : 'success')
      await one.settle()
      expect(labelsOf(one)).toEqual(['status::in_ci'])
      expect(one.mailbox()).toMatchObject({ status: 'in_ci', needsYou: 'not_built' })
      await check(one, 'ci/3', 'success')
      await one.settle()
      expect(labelsOf(one)).toEqual(['status::in_review'])
      expect(one.mailbox()).toMatchObject({ status: 'in_review', needsYou: null })
      // In review too: red is told, and green again lets go.
      await check(one, 'ci/9', 'error')
      await one.settle()
      expect(one.mailbox()).toMatchObject({ status: 'in_review', needsYou: 'not_built' })
      await check(one, 'ci/9', 'success')
      await one.settle()
      expect(one.mailbox()).toMatchObject({ status: 'in_review', needsYou: null })
    },
  )

  it.each(['gitea', 'gitea-1.26-dev', 'forgejo'] as const)(
    'on a %s conflicts once its target moves, although nothing says that it changed',
    async (kind) => {
      const one = await inReview(kind)
      const before = issueOf(one).updatedAt
      const change = () =>
        one.bench.server.seed.find(benchRepository).issues.find(({ number }) => number === 2)
      const changed = change()?.updatedAt
      const files = { 'work.txt': 'theirs\n' }
      await one.bench.server.seed.commit(benchRepository, 'main', files, { by: 'dev' })
      await one.settle()
      expect([issueOf(one).updatedAt, change()?.updatedAt]).toEqual([before, changed])
      expect(one.mailbox()).toMatchObject({ status: 'in_review', needsYou: 'not_built' })
    },
  )
})

describe('reviews', () => {
  const review = (one: ForgejoLife, event: string, body: string) =>
    one.bench.ask('POST', '/pulls/2/reviews', { event, body })

  it('that ask for changes need a person, until the same person approves', async () => {
    const one = await inReview('forgejo')
    await review(one, 'REQUEST_CHANGES', 'Rename it.')
    await one.settle()
    expect(one.mailbox()).toMatchObject({ status: 'in_review', needsYou: 'not_built' })
    await review(one, 'APPROVED', 'Looks good now.')
    await one.settle()
    expect(one.mailbox()).toMatchObject({ status: 'in_review', needsYou: null })
    await one.bench.ask('POST', '/issues/2/comments', { body: 'One more thing.' })
    await one.settle()
    expect(one.mailbox()).toMatchObject({ status: 'in_review', needsYou: 'not_built' })
  })

  it('that approve need nobody, with or without words', async () => {
    const one = await inReview('gitea')
    await review(one, 'APPROVED', 'Nice.')
    await review(one, 'APPROVED', '')
    await one.settle()
    expect(one.mailbox()).toMatchObject({ status: 'in_review', needsYou: null })
  })
})
