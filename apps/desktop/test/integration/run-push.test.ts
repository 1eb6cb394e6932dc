import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createGit } from '@main/adapters/git/create-git'
import type { MailboxRepository } from '@main/ports/git'
import { createRunPusher } from '@main/services/runs/push-run'
import type { RunPusher } from '@main/services/workflow/ports-of-workflow'
import type { Run } from '@shared/model/records'
import { ok } from '@shared/result'
import { createWorkshop, type Workshop } from './git-workshop'

const branch = 'agent/issue-1-x'
const { signal } = new AbortController()

describe('a push', () => {
  let workshop: Workshop
  let forge: ReturnType<Workshop['makeForge']>
  let repository: MailboxRepository
  let pusher: RunPusher

  beforeEach(async () => {
    workshop = createWorkshop()
    forge = workshop.makeForge()
    const git = createGit({ scratchFolder: join(workshop.folder, 'scratch') })
    const opened = await git.openMailboxRepository(join(workshop.folder, 'mailbox.git'))
    if (!opened.ok) throw new Error(opened.error.message)
    repository = opened.value
    const place = {
      repository,
      remote: { url: forge.bare, credential: null },
      branch,
      baseBranch: 'main',
      iid: 1,
      needsPerson: ['.github/**'],
    }
    pusher = createRunPusher({ openRepository: () => Promise.resolve(ok(place)) })
    await repository.fetch(place.remote, signal)
  })
  afterEach(() => workshop.remove())

  /** Commits as a run brought them into the app's repository. */
  function run(files: Readonly<Record<string, string>>): Run {
    const baseSha = workshop.git(forge.clone, ['rev-parse', 'HEAD'])
    const headSha = workshop.commit(forge.clone, files)
    workshop.git(forge.clone, ['push', '-q', repository.path, `${headSha}:refs/alfred/runs/${headSha}`])
    return { baseSha, headSha } as Run
  }
  const push = (of: Run, approvedSha: string | null = null, isGoneKnown = false) =>
    pusher.pushRun(of, { approvedSha, isGoneKnown, signal })
  const onForge = (): string =>
    workshop.git(forge.bare, ['for-each-ref', '--format=%(objectname)', `refs/heads/${branch}`])
  const waits = { ok: false, error: { type: 'needs_person', paths: ['.github/ci.yml'] } }

  it('takes what touches nothing that needs a person', async () => {
    const first = run({ 'a.js': '1' })
    expect(await push(first)).toEqual(ok({ headSha: first.headSha, commits: 1 }))
    expect(onForge()).toBe(first.headSha)
    expect(await push(first)).toEqual(ok({ headSha: first.headSha, commits: 0 }))
  })

  it('waits for commits of an earlier run that a later one stands on', async () => {
    run({ '.github/ci.yml': 'x' })
    const later = run({ 'a.js': '1' })
    expect(await push(later)).toMatchObject(waits)
    expect(onForge()).toBe('')
  })

  it('waits for a file that a later commit takes out again', async () => {
    run({ '.github/ci.yml': 'x' })
    workshop.git(forge.clone, ['rm', '-q', '.github/ci.yml'])
    expect(await push(run({ 'a.js': '1' }))).toMatchObject(waits)
  })

  it('waits for the old name of a file that was moved away', async () => {
    run({ '.github/ci.yml': 'one\ntwo\nthree\n' })
    workshop.git(forge.clone, ['push', '-q', 'origin', `HEAD:${branch}`])
    workshop.git(forge.clone, ['mv', '.github/ci.yml', 'ci.yml'])
    expect(await push(run({}))).toMatchObject(waits)
  })

  it('waits for a message that would close another issue, and for none that closes its own', async () => {
    const says = (message: string): Run => {
      const { baseSha } = run({ 'b.js': message })
      workshop.git(forge.clone, ['commit', '-q', '--amend', '-m', message])
      const headSha = workshop.git(forge.clone, ['rev-parse', 'HEAD'])
      workshop.git(forge.clone, [
        'push',
        '-q',
        '-f',
        repository.path,
        `${headSha}:refs/alfred/runs/${headSha}`,
      ])
      return { baseSha, headSha } as Run
    }
    expect(await push(says('Make b\n\nCloses #1'))).toMatchObject({ ok: true })
    const evil = says('Make more\n\nFixes: #77')
    const paths = [`commit ${evil.headSha?.slice(0, 8)} says "Fixes: #77"`]
    expect(await push(evil)).toMatchObject({ error: { type: 'needs_person', paths } })
    expect(await pusher.describePush(evil, { maxDiffBytes: 1_000 })).toMatchObject({ value: { paths } })
    expect(onForge()).not.toBe(evil.headSha)
    expect(await push(evil, evil.headSha)).toMatchObject({ ok: true })
  })

  it('takes exactly the head that a person agreed to, and then only asks about what is new', async () => {
    const first = run({ '.github/ci.yml': 'x' })
    const second = run({ 'a.js': '1' })
    expect(await push(second, first.headSha)).toMatchObject(waits)
    expect(await push(first, first.headSha)).toEqual(ok({ headSha: first.headSha, commits: 1 }))
    expect(await push(second)).toEqual(ok({ headSha: second.headSha, commits: 1 }))
    expect(await push(run({ '.github/ci.yml': 'y' }), first.headSha)).toMatchObject(waits)
  })

  it('of a run without commits takes what it began with', async () => {
    const first = run({ 'a.js': '1' })
    expect(await push({ ...first, baseSha: first.headSha, headSha: null })).toEqual(
      ok({ headSha: first.headSha, commits: 1 }),
    )
  })

  it('is told before it is done: all that it would publish', async () => {
    run({ '.github/ci.yml': 'x' })
    const later = run({ 'a.js': '1' })
    const told = await pusher.describePush(later, { maxDiffBytes: 10_000 })
    expect(told).toMatchObject({
      ok: true,
      value: { headSha: later.headSha, branch, commits: 2, paths: ['.github/ci.yml'], cut: false },
    })
    expect(told.ok && told.value.patch).toContain('a.js')
  })

  it('leaves what a person pushed meanwhile', async () => {
    const mine = run({ 'a.js': '1' })
    workshop.git(forge.clone, ['reset', '-q', '--hard', forge.base])
    workshop.commit(forge.clone, { 'b.js': '2' })
    workshop.git(forge.clone, ['push', '-q', 'origin', `HEAD:${branch}`])
    expect(await push(mine)).toMatchObject({ error: { type: 'moved' } })
  })

  describe('to a branch that was there when the run began', () => {
    const begin = () => repository.fetch({ url: forge.bare, credential: null }, signal)
    let published: Run
    beforeEach(async () => {
      published = run({ 'a.js': '1' })
      await push(published)
      await begin()
    })

    it('pauses where the branch was deleted meanwhile, until a person knows', async () => {
      const mine = run({ 'b.js': '2' })
      workshop.git(forge.bare, ['branch', '-D', branch])
      const gone = {
        error: { type: 'gone', message: expect.stringContaining('renamed or deleted') as string },
      }
      expect(await push(mine)).toMatchObject(gone)
      // Asked again, as after a crash.
      expect(await push(mine)).toMatchObject(gone)
      expect(onForge()).toBe('')
      expect(await push(mine, null, true)).toMatchObject({ ok: true })
      expect(onForge()).toBe(mine.headSha)
    })

    it('pauses where the branch was set back meanwhile: what was taken out stays out', async () => {
      const mine = run({ 'b.js': '2' })
      workshop.git(forge.bare, ['branch', '-f', branch, forge.base])
      expect(await push(mine)).toMatchObject({ error: { type: 'moved' } })
      expect(onForge()).toBe(forge.base)
    })

    it('that was deleted before it began is made again', async () => {
      workshop.git(forge.bare, ['branch', '-D', branch])
      await begin()
      const mine = run({ 'b.js': '2' })
      expect(await push(mine)).toMatchObject({ ok: true })
      expect(onForge()).toBe(mine.headSha)
    })
  })

  it('says that the branch with which the work began is gone', async () => {
    const mine = run({ 'a.js': '1' })
    workshop.git(forge.bare, ['branch', '-m', 'main', 'trunk'])
    expect(await push(mine)).toMatchObject({
      error: { type: 'refused', message: expect.stringContaining('no branch main') as string },
    })
  })

  describe('that was merged', () => {
    const remove = (headSha: string) => pusher.deleteBranch({} as Run, { name: branch, headSha, signal })
    let merged: Run
    beforeEach(async () => {
      merged = run({ 'a.js': '1' })
      await push(merged)
      await repository.setOwnBranch(branch, merged.headSha ?? '', null)
    })

    it('has its branch deleted, and once more is no harm', async () => {
      expect(await remove(merged.headSha ?? '')).toEqual(ok(true))
      expect(onForge()).toBe('')
      expect(await repository.ownBranch(branch)).toEqual(ok(null))
      expect(await remove(merged.headSha ?? '')).toEqual(ok(true))
    })

    it('keeps a branch to which somebody else pushed', async () => {
      const theirs = workshop.commit(forge.clone, { 'b.js': '2' })
      workshop.git(forge.clone, ['push', '-q', 'origin', `HEAD:${branch}`])
      expect(await remove(merged.headSha ?? '')).toEqual(ok(false))
      expect(onForge()).toBe(theirs)
      expect(await repository.ownBranch(branch)).toEqual(ok(merged.headSha))
    })
  })

  describe('that is not done', () => {
    const refs = (): readonly string[] =>
      workshop
        .git(repository.path, ['for-each-ref', '--format=%(refname)', 'refs/alfred', 'refs/heads'])
        .split('\n')
        .filter((ref) => ref !== '')
    const withBranch = async (of: Run): Promise<Run> => {
      const own = await repository.ownBranch(branch)
      await repository.setOwnBranch(branch, of.headSha ?? '', own.ok ? own.value : null)
      return { ...of, uid: 'run-1' } as Run
    }
    const own = async () => {
      const found = await repository.ownBranch(branch)
      return found.ok ? found.value : found.error
    }

    it('leaves its commits at a ref of their own, and the branch where the forge has it', async () => {
      const published = run({ 'a.js': '1' })
      await push(published)
      await repository.fetch({ url: forge.bare, credential: null }, signal)
      const mine = await withBranch(run({ '.github/ci.yml': 'x' }))
      const ref = 'refs/alfred/left-out/run-1'
      const kept = ok({ repository: repository.path, ref })
      expect(await pusher.takeBack(mine, { keep: true })).toEqual(kept)
      expect(await own()).toBe(published.headSha)
      expect(workshop.git(repository.path, ['rev-parse', ref])).toBe(mine.headSha)
      // As after a crash in between.
      expect(await pusher.takeBack(mine, { keep: true })).toEqual(kept)
      expect(await repository.workHere([])).toMatchObject({ value: { commits: 1 } })
    })

    it('leaves no branch where the forge has none', async () => {
      const mine = await withBranch(run({ '.github/ci.yml': 'x' }))
      await pusher.takeBack(mine, { keep: true })
      expect(await own()).toBeNull()
    })

    it('leaves nothing behind when it is discarded, not even what led to it', async () => {
      const published = run({ 'a.js': '1' })
      await push(published)
      await repository.fetch({ url: forge.bare, credential: null }, signal)
      run({ 'b.js': '1' })
      const mine = await withBranch(run({ '.github/ci.yml': 'x' }))
      expect(await pusher.takeBack(mine, { keep: false })).toEqual(ok(null))
      expect(await own()).toBe(published.headSha)
      expect(refs()).toEqual([`refs/alfred/runs/${published.headSha}`, `refs/heads/${branch}`])
      expect(await pusher.takeBack(mine, { keep: false })).toEqual(ok(null))
      expect(await repository.workHere([])).toMatchObject({ value: { commits: 0 } })
    })

    it('leaves a branch alone that does not hold its commits', async () => {
      const other = run({ 'a.js': '1' })
      const mine = { ...run({ '.github/ci.yml': 'x' }), uid: 'run-1' as Run['uid'] }
      await repository.setOwnBranch(branch, other.headSha ?? '', null)
      await pusher.takeBack(mine, { keep: true })
      expect(await own()).toBe(other.headSha)
    })
  })
})
