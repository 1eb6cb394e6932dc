import { existsSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createGit } from '@main/adapters/git/create-git'
import type { Git, MailboxRepository } from '@main/ports/git'
import { assertPresent } from '@shared/assert'
import { createWorkshop, type Workshop } from './git-workshop'

const never = new AbortController().signal

describe('the app-owned repository of a mailbox', () => {
  let workshop: Workshop
  let git: Git
  let repository: MailboxRepository
  let forge: ReturnType<Workshop['makeForge']>

  beforeEach(async () => {
    workshop = createWorkshop()
    git = createGit({ scratchFolder: join(workshop.folder, 'scratch') })
    forge = workshop.makeForge()
    repository = await open('mailbox.git')
  })
  afterEach(() => workshop.remove())

  async function open(name: string): Promise<MailboxRepository> {
    const opened = await git.openMailboxRepository(join(workshop.folder, name))
    if (!opened.ok) throw new Error(opened.error.message)
    return opened.value
  }

  const remote = (): { url: string; credential: null } => ({ url: forge.bare, credential: null })

  it('is made bare, without hooks and templates, and opens again as it is', async () => {
    expect(existsSync(join(repository.path, 'hooks'))).toBe(false)
    expect(workshop.git(repository.path, ['config', 'gc.auto'])).toBe('0')
    expect(workshop.git(repository.path, ['config', 'core.hooksPath'])).toBe('/dev/null')
    await repository.fetch(remote(), never)
    expect((await (await open('mailbox.git')).remoteBranch('main')).ok).toBe(true)
  })

  it('can be read by the other user inside a container, whatever the umask', async () => {
    const before = process.umask(0o077)
    try {
      const { path, ...readable } = await open('private.git')
      await readable.fetch(remote(), never)
      await readable.setOwnBranch('agent/issue-1', forge.base, null)
      const entries = readdirSync(path, { recursive: true, withFileTypes: true })
      for (const entry of [{ parentPath: path, name: '.' }, ...entries]) {
        const { mode } = statSync(join(entry.parentPath, entry.name))
        expect([entry.name, mode & 0o005]).toEqual([entry.name, mode & 0o100 ? 0o005 : 0o004])
      }
    } finally {
      process.umask(before)
    }
  })

  it('completes a repository whose making was cut short', async () => {
    const folder = join(workshop.folder, 'half.git')
    workshop.git(workshop.folder, ['init', '-q', '--bare', folder])
    const half = await open('half.git')
    expect(workshop.git(half.path, ['config', 'gc.auto'])).toBe('0')
  })

  it('fetches the branches of the remote and forgets those that are gone', async () => {
    workshop.git(forge.clone, ['push', '-q', 'origin', 'main:topic'])
    expect(await repository.fetch(remote(), never)).toEqual({ ok: true, value: undefined })
    expect(await repository.remoteBranch('main')).toEqual({ ok: true, value: forge.base })
    expect(await repository.remoteBranch('topic')).toEqual({ ok: true, value: forge.base })
    workshop.git(forge.clone, ['push', '-q', 'origin', ':topic'])
    await repository.fetch(remote(), never)
    expect(await repository.remoteBranch('topic')).toEqual({ ok: true, value: null })
  })

  it('moves its own branch only from where it was expected', async () => {
    await repository.fetch(remote(), never)
    const next = workshop.commit(forge.clone, { a: '1' })
    workshop.git(forge.clone, ['push', '-q', 'origin', 'main'])
    await repository.fetch(remote(), never)
    expect(await repository.ownBranch('agent/issue-1')).toEqual({ ok: true, value: null })
    expect((await repository.setOwnBranch('agent/issue-1', forge.base, null)).ok).toBe(true)
    expect(await repository.setOwnBranch('agent/issue-1', next, null)).toMatchObject({
      error: { type: 'moved' },
    })
    expect(await repository.setOwnBranch('agent/issue-1', next, next)).toMatchObject({
      error: { type: 'moved' },
    })
    expect((await repository.setOwnBranch('agent/issue-1', next, forge.base)).ok).toBe(true)
    expect(await repository.ownBranch('agent/issue-1')).toEqual({ ok: true, value: next })
    expect((await repository.deleteOwnBranch('agent/issue-1')).ok).toBe(true)
    expect((await repository.deleteOwnBranch('agent/issue-1')).ok).toBe(true)
    expect(await repository.ownBranch('agent/issue-1')).toEqual({ ok: true, value: null })
  })

  it('refuses branch names that mean something else to git', async () => {
    for (const name of ['-d', 'a..b', '../x', 'a b', '']) {
      expect(await repository.setOwnBranch(name, forge.base, null)).toMatchObject({
        error: { type: 'unexpected' },
      })
      expect(await repository.ownBranch(name)).toMatchObject({ ok: false })
    }
  })

  it('pushes one branch when the remote still is where it was expected', async () => {
    await repository.fetch(remote(), never)
    const next = workshop.commit(forge.clone, { a: '1' })
    workshop.git(forge.clone, ['push', '-q', 'origin', 'HEAD:refs/heads/source'])
    await repository.fetch(remote(), never)
    expect(await repository.push(remote(), 'agent/issue-1', next, null, never)).toEqual({
      ok: true,
      value: undefined,
    })
    expect(workshop.git(forge.bare, ['rev-parse', 'agent/issue-1'])).toBe(next)
    // Without a fetch, so that it is seen when somebody deletes it.
    expect(await repository.remoteBranch('agent/issue-1')).toEqual({ ok: true, value: next })
  })

  it('takes a repeat of a push that has arrived as done', async () => {
    await repository.fetch(remote(), never)
    await repository.push(remote(), 'agent/issue-1', forge.base, null, never)
    expect(await repository.push(remote(), 'agent/issue-1', forge.base, null, never)).toEqual({
      ok: true,
      value: undefined,
    })
  })

  it('says that the branch has moved when somebody pushed meanwhile', async () => {
    await repository.fetch(remote(), never)
    const theirs = workshop.commit(forge.clone, { b: '2' })
    workshop.git(forge.clone, ['push', '-q', 'origin', 'HEAD:refs/heads/agent/issue-1'])
    const first = await repository.push(remote(), 'agent/issue-1', forge.base, null, never)
    expect(first).toMatchObject({ error: { type: 'moved' } })
    const second = await repository.push(remote(), 'agent/issue-1', forge.base, forge.base, never)
    expect(second).toMatchObject({ error: { type: 'moved' } })
    expect(workshop.git(forge.bare, ['rev-parse', 'agent/issue-1'])).toBe(theirs)
  })

  it('tells a refusing hook of the remote in its own words', async () => {
    await repository.fetch(remote(), never)
    workshop.git(forge.bare, ['config', 'receive.denyDeletes', 'true'])
    const hook = join(forge.bare, 'hooks', 'pre-receive')
    writeFileSync(hook, '#!/bin/sh\necho "no pushes on Sundays" >&2\nexit 1\n', { mode: 0o755 })
    const pushed = await repository.push(remote(), 'topic', forge.base, null, never)
    expect(pushed).toMatchObject({ error: { type: 'remote_refused' } })
    expect(pushed.ok ? '' : pushed.error.message).toContain('no pushes on Sundays')
  })

  it('says that there is no such repository', async () => {
    const gone = { url: join(workshop.folder, 'gone.git'), credential: null }
    expect(await repository.fetch(gone, never)).toMatchObject({ error: { type: 'not_found' } })
    expect(await repository.fetch({ url: 'not a url', credential: null }, never)).toMatchObject({
      error: { type: 'not_found' },
    })
  })

  it('says that the remote cannot be reached, and never repeats the password', async () => {
    const closed = {
      url: 'http://127.0.0.1:1/a/b.git',
      credential: { username: 'bot', password: 'hunter2-secret' },
    }
    const fetched = await repository.fetch(closed, never)
    expect(fetched).toMatchObject({ error: { type: 'remote_unreachable' } })
    expect(JSON.stringify(fetched)).not.toContain('hunter2')
  })

  it('uses no transport that could run a program', async () => {
    const marker = join(workshop.folder, 'ran')
    const fetched = await repository.fetch({ url: `ext::sh -c "touch ${marker}"`, credential: null }, never)
    expect(fetched.ok).toBe(false)
    expect((await repository.fetch({ url: 'ssh://git@127.0.0.1/x', credential: null }, never)).ok).toBe(false)
    expect(existsSync(marker)).toBe(false)
  })

  it('ends git when the signal aborts', async () => {
    const abort = new AbortController()
    abort.abort()
    expect(await repository.fetch(remote(), abort.signal)).toMatchObject({
      error: { message: 'Git was stopped.' },
    })
  })

  it('lists changed files with renames, binaries, and names that are hard to read', async () => {
    workshop.commit(forge.clone, {
      'old name.txt': 'one\ntwo\nthree\nfour\n',
      'gone.txt': 'x\n',
      'bin.dat': 'a\0b',
    })
    const base = workshop.git(forge.clone, ['rev-parse', 'HEAD'])
    workshop.git(forge.clone, ['mv', 'old name.txt', 'new\tname.txt'])
    workshop.git(forge.clone, ['rm', '-q', 'gone.txt'])
    const head = workshop.commit(forge.clone, {
      'README.md': 'hello\nagain\n',
      'bin.dat': 'a\0c',
      'ü/😀.txt': '1\n',
    })
    workshop.git(forge.clone, ['push', '-q', 'origin', 'main'])
    await repository.fetch(remote(), never)
    const files = await repository.changedFiles(base, head)
    expect(files.ok && files.value).toEqual([
      { path: 'README.md', oldPath: null, status: 'modified', added: 1, deleted: 0 },
      { path: 'bin.dat', oldPath: null, status: 'modified', added: null, deleted: null },
      { path: 'gone.txt', oldPath: null, status: 'deleted', added: 0, deleted: 1 },
      { path: 'new\tname.txt', oldPath: 'old name.txt', status: 'renamed', added: 0, deleted: 0 },
      { path: 'ü/😀.txt', oldPath: null, status: 'added', added: 1, deleted: 0 },
    ])
    expect(await repository.commitCount(base, head)).toEqual({ ok: true, value: 1 })
  })

  it('cuts a long diff at the end of a line and says so', async () => {
    const head = workshop.commit(forge.clone, { long: 'line\n'.repeat(10_000) })
    workshop.git(forge.clone, ['push', '-q', 'origin', 'main'])
    await repository.fetch(remote(), never)
    const cut = await repository.diff(forge.base, head, 1_000)
    const patch = assertPresent(cut.ok ? cut.value.patch : null, 'the diff was read')
    expect(cut.ok && cut.value.cut).toBe(true)
    expect(patch.endsWith('+line\n')).toBe(true)
    expect(patch.length).toBeLessThanOrEqual(1_000)
    expect(await repository.diff(forge.base, head, 1_000_000)).toMatchObject({ value: { cut: false } })
  })

  it('runs nothing that the tree names when it shows a diff', async () => {
    const marker = join(workshop.folder, 'ran')
    const head = workshop.commit(forge.clone, {
      '.gitattributes': '* diff=evil filter=evil\n*.txt -diff\n',
      'a.txt': 'shown\n',
    })
    workshop.git(forge.clone, ['push', '-q', 'origin', 'main'])
    await repository.fetch(remote(), never)
    const diff = await repository.diff(forge.base, head, 100_000)
    expect(diff.ok && diff.value.patch).toContain('+shown')
    expect(existsSync(marker)).toBe(false)
  })

  it('takes only full shas where commits are meant', async () => {
    expect((await repository.diff('--output=/tmp/x', 'HEAD', 10)).ok).toBe(false)
    expect((await repository.changedFiles('main', forge.base)).ok).toBe(false)
    expect((await repository.push(remote(), 'x', 'HEAD', null, never)).ok).toBe(false)
  })

  it('says the version of git, and that git is missing', async () => {
    const version = await git.version()
    expect(version.ok && version.value).toMatch(/^\d+\.\d+/)
    const none = createGit({ scratchFolder: join(workshop.folder, 'scratch'), program: '/nowhere/git' })
    expect(await none.version()).toMatchObject({ error: { type: 'git_missing' } })
  })

  it('leaves nothing in its empty home', async () => {
    await repository.fetch(remote(), never)
    expect(readdirSync(join(workshop.folder, 'scratch', 'home'))).toEqual([])
  })
})
