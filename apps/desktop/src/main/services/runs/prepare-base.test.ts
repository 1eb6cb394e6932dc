import { describe, expect, it } from 'vitest'
import { ok } from '@shared/result'
import type { MailboxRepository } from '../../ports/git'
import { resolveBase } from './prepare-base'

/** A history in one line: each sha knows how many commits it is ahead of the others. */
function repository(
  refs: { own?: string; there?: string; base?: string },
  ahead: Readonly<Record<string, number>> = {},
) {
  const moved: string[] = []
  const asked = {
    ownBranch: () => Promise.resolve(ok(refs.own ?? null)),
    remoteBranch: (branch: string) =>
      Promise.resolve(ok((branch === 'main' ? refs.base : refs.there) ?? null)),
    commitCount: (from: string, to: string) => Promise.resolve(ok(ahead[`${from}..${to}`] ?? 0)),
    setOwnBranch: (_branch: string, sha: string, expected: string | null) => {
      moved.push(`${expected} -> ${sha}`)
      return Promise.resolve(ok(undefined))
    },
    deleteOwnBranch: () => {
      moved.push('deleted')
      return Promise.resolve(ok(undefined))
    },
  }
  return { repository: asked as unknown as MailboxRepository, moved }
}

const resolve = (made: ReturnType<typeof repository>) =>
  resolveBase(made.repository, 'agent/issue-1-x', 'main')

describe('where a run begins', () => {
  it('is the base branch while there is no branch of the issue', async () =>
    expect(await resolve(repository({ base: 'b' }))).toEqual(ok({ baseSha: 'b', branchExists: false })))

  it('is nowhere in a repository without its base branch', async () =>
    expect(await resolve(repository({}))).toMatchObject({
      error: { type: 'no_base', message: expect.stringContaining('main') },
    }))

  it("is the forge's branch where only the forge has it", async () =>
    expect(await resolve(repository({ base: 'b', there: 't' }))).toEqual(
      ok({ baseSha: 't', branchExists: true }),
    ))

  it('is our own branch while that is not pushed yet', async () => {
    expect(await resolve(repository({ base: 'b', own: 'o' }, { 'b..o': 2 }))).toEqual(
      ok({ baseSha: 'o', branchExists: true }),
    )
    expect(await resolve(repository({ base: 'b', own: 'o', there: 't' }))).toEqual(
      ok({ baseSha: 'o', branchExists: true }),
    )
  })

  it('follows the forge where a person pushed, and moves our branch there', async () => {
    const made = repository({ base: 'b', own: 'o', there: 't' }, { 'o..t': 1 })
    expect(await resolve(made)).toEqual(ok({ baseSha: 't', branchExists: true }))
    expect(made.moved).toEqual(['o -> t'])
  })

  it('forgets our branch once it was merged and deleted on the forge', async () => {
    const made = repository({ base: 'b', own: 'o' })
    expect(await resolve(made)).toEqual(ok({ baseSha: 'b', branchExists: false }))
    expect(made.moved).toEqual(['deleted'])
  })
})
