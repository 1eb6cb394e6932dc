import { execFileSync } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join, relative } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createGit } from '@main/adapters/git/create-git'
import type { GitError, MailboxRepository } from '@main/ports/git'
import type { Result } from '@shared/result'
import { createWorkshop, type Workshop } from './git-workshop'

/*
 * The agent writes the bundle, so every test here is the agent trying something. Each must end in `bundle_refused`
 * with a reason, and the app's repository must be byte for byte what it was.
 */

const never = new AbortController().signal
const branch = 'agent/issue-1-fix'
const runUid = '018f0000-0000-7000-8000-000000000001'

describe("taking commits out of the agent's bundle", () => {
  let workshop: Workshop
  let repository: MailboxRepository
  let work: string
  let base: string

  beforeEach(async () => {
    workshop = createWorkshop()
    const forge = workshop.makeForge()
    work = forge.clone
    base = forge.base
    const opened = await createGit({ scratchFolder: join(workshop.folder, 'scratch') }).openMailboxRepository(
      join(workshop.folder, 'mailbox.git'),
    )
    if (!opened.ok) throw new Error(opened.error.message)
    repository = opened.value
    await repository.fetch({ url: forge.bare, credential: null }, never)
    workshop.git(work, ['checkout', '-q', '-b', branch])
  })
  afterEach(() => {
    const quarantine = join(workshop.folder, 'scratch', 'quarantine')
    expect(existsSync(quarantine) ? readdirSync(quarantine) : []).toEqual([])
    workshop.remove()
  })

  const bundleFile = (): string => join(workshop.folder, 'commits.bundle')

  function bundle(...revisions: readonly string[]): string {
    workshop.git(work, ['bundle', 'create', '-q', bundleFile(), ...revisions])
    return bundleFile()
  }

  const accept = (bundlePath: string, maxBytes = 10_000_000): ReturnType<MailboxRepository['acceptBundle']> =>
    repository.acceptBundle({ bundlePath, branch, baseSha: base, runUid, maxBytes, signal: never })

  /** A commit with a tree that git itself would never write. */
  function commitTree(
    entries: readonly { readonly mode: string; readonly name: string; readonly sha: string }[],
    parent = base,
  ): string {
    const tree = Buffer.concat(
      entries.map(({ mode, name, sha }) =>
        Buffer.concat([Buffer.from(`${mode} ${name}\0`), Buffer.from(sha, 'hex')]),
      ),
    )
    const treeSha = workshop.git(work, ['hash-object', '-t', 'tree', '-w', '--literally', '--stdin'], tree)
    const commit = workshop.git(work, ['commit-tree', treeSha, '-p', parent, '-m', 'harmful'])
    workshop.git(work, ['update-ref', `refs/heads/${branch}`, commit])
    return commit
  }

  const blob = (text: string): string => workshop.git(work, ['hash-object', '-w', '--stdin'], text)

  /** Every file of the repository with its bytes: "unchanged" is meant literally. */
  function everything(): ReadonlyMap<string, string> {
    const files = readdirSync(repository.path, { recursive: true, withFileTypes: true }).filter((entry) =>
      entry.isFile(),
    )
    return new Map(
      files.map((entry) => {
        const path = join(entry.parentPath, entry.name)
        return [relative(repository.path, path), readFileSync(path).toString('base64')]
      }),
    )
  }

  async function expectRefused(
    attempt: () => Promise<Result<unknown, GitError>>,
    reason: RegExp,
  ): Promise<void> {
    const before = everything()
    const result = await attempt()
    expect(result).toMatchObject({ ok: false, error: { type: 'bundle_refused' } })
    expect(result.ok ? '' : result.error.message).toMatch(reason)
    expect(everything()).toEqual(before)
  }

  it('takes honest commits under a ref of the run and leaves the branch alone', async () => {
    workshop.commit(work, { 'a.txt': '1\n' })
    const head = workshop.commit(work, { 'b.txt': '2\n' })
    expect(await accept(bundle(branch, `^${base}`))).toEqual({
      ok: true,
      value: { headSha: head, commits: 2 },
    })
    expect(workshop.git(repository.path, ['rev-parse', `refs/alfred/runs/${runUid}`])).toBe(head)
    expect(await repository.ownBranch(branch)).toEqual({ ok: true, value: null })
    expect(workshop.git(repository.path, ['fsck', '--strict'])).not.toContain('error')
  })

  it('takes the same bundle twice, and a later attempt of the same run', async () => {
    workshop.commit(work, { 'a.txt': '1\n' })
    const first = bundle(branch, `^${base}`)
    await accept(first)
    expect((await accept(first)).ok).toBe(true)
    const head = workshop.commit(work, { 'a.txt': '2\n' })
    expect(await accept(bundle(branch, `^${base}`))).toEqual({
      ok: true,
      value: { headSha: head, commits: 2 },
    })
  })

  it('takes an absolute symbolic link as the data that it is', async () => {
    symlinkSync('/etc/passwd', join(work, 'link'))
    workshop.commit(work, {})
    expect((await accept(bundle(branch, `^${base}`))).ok).toBe(true)
  })

  it.each([['.git'], ['.GIT'], ['git~1'], ['.g\u200cit']])(
    'refuses a tree with an entry %s',
    async (name) => {
      const inner = workshop.git(work, ['rev-parse', 'HEAD^{tree}'])
      commitTree([{ mode: '40000', name, sha: inner }])
      await expectRefused(() => accept(bundle(branch, `^${base}`)), /harmful or broken object.*dotgit/is)
    },
  )

  it.each([['..'], ['.'], ['a/b']])('refuses a tree with an entry named "%s"', async (name) => {
    commitTree([{ mode: '100644', name, sha: blob('x') }])
    await expectRefused(() => accept(bundle(branch, `^${base}`)), /harmful or broken object|cannot unpack/i)
  })

  it('refuses a harmful object behind an honest head', async () => {
    const inner = workshop.git(work, ['rev-parse', 'HEAD^{tree}'])
    const harmful = commitTree([{ mode: '40000', name: '.git', sha: inner }])
    const clean = workshop.git(work, ['commit-tree', inner, '-p', harmful, '-m', 'clean again'])
    workshop.git(work, ['update-ref', `refs/heads/${branch}`, clean])
    await expectRefused(() => accept(bundle(branch, `^${base}`)), /harmful or broken object/i)
  })

  it.each([['-u./payload'], ['ext::sh -c evil'], ['--upload-pack=evil']])(
    'refuses a submodule whose address is %s',
    async (url) => {
      const modules = blob(`[submodule "x"]\n\tpath = x\n\turl = ${url}\n`)
      commitTree([
        { mode: '100644', name: '.gitmodules', sha: modules },
        { mode: '160000', name: 'x', sha: base },
      ])
      const attempt = (): Promise<Result<unknown, GitError>> => accept(bundle(branch, `^${base}`))
      // `ext::` in a submodule is stopped by the transport rules of git, not by fsck: as data it is harmless.
      if (url.startsWith('ext')) expect((await attempt()).ok).toBe(true)
      else await expectRefused(attempt, /gitmodules/i)
    },
  )

  it('refuses a .gitmodules that is a symbolic link, and a submodule name that climbs out', async () => {
    commitTree([{ mode: '120000', name: '.gitmodules', sha: blob('/etc/passwd') }])
    await expectRefused(() => accept(bundle(branch, `^${base}`)), /gitmodules/i)
    commitTree([
      {
        mode: '100644',
        name: '.gitmodules',
        sha: blob('[submodule "../../x"]\n\tpath = x\n\turl = https://example.invalid/x\n'),
      },
    ])
    await expectRefused(() => accept(bundle(branch, `^${base}`)), /gitmodules/i)
  })

  it('refuses a commit that git would not have written', async () => {
    const tree = workshop.git(work, ['rev-parse', 'HEAD^{tree}'])
    const raw = `tree ${tree}\nparent ${base}\nauthor nobody\ncommitter nobody\n\nx\n`
    const commit = workshop.git(work, ['hash-object', '-t', 'commit', '-w', '--literally', '--stdin'], raw)
    workshop.git(work, ['update-ref', `refs/heads/${branch}`, commit])
    await expectRefused(() => accept(bundle(branch, `^${base}`)), /harmful or broken object/i)
  })

  it("refuses another issue's branch, also beside the right one", async () => {
    workshop.commit(work, { a: '1' })
    workshop.git(work, ['branch', 'agent/issue-2-other'])
    await expectRefused(
      () => accept(bundle('agent/issue-2-other', `^${base}`)),
      /something other than the branch agent\/issue-1-fix/,
    )
    await expectRefused(
      () => accept(bundle(branch, 'agent/issue-2-other', `^${base}`)),
      /something other than the branch/,
    )
  })

  it('refuses main, a tag, HEAD and refs of its own making', async () => {
    const head = workshop.commit(work, { a: '1' })
    workshop.git(work, ['tag', 'v1'])
    workshop.git(work, ['branch', '-f', 'main', head])
    workshop.git(work, ['update-ref', 'refs/alfred/runs/mine', head])
    for (const ref of ['main', 'v1', 'HEAD', 'refs/alfred/runs/mine']) {
      await expectRefused(() => accept(bundle(ref, `^${base}`)), /something other than the branch/)
    }
  })

  it('refuses thousands of refs without reading them all', async () => {
    const head = workshop.commit(work, { a: '1' })
    const updates = Array.from({ length: 5_000 }, (_, n) => `create refs/heads/many/${n} ${head}\n`).join('')
    workshop.git(work, ['update-ref', '--stdin'], updates)
    await expectRefused(() => accept(bundle('--branches', `^${base}`)), /something other than the branch/)
  })

  it('refuses a history that does not go on from the base', async () => {
    workshop.git(work, ['checkout', '-q', '--orphan', 'elsewhere'])
    workshop.commit(work, { z: '1' })
    workshop.git(work, ['branch', '-f', branch])
    await expectRefused(() => accept(bundle(branch)), /do not go on from the commit that the run began with/)
  })

  it('refuses commits that need others which the app does not have', async () => {
    const hidden = workshop.commit(work, { hidden: '1' })
    workshop.commit(work, { a: '1' })
    await expectRefused(() => accept(bundle(branch, `^${hidden}`)), /cannot unpack it/)
  })

  it('refuses a branch that points at something that is no commit', async () => {
    const file = join(workshop.folder, 'tagged.bundle')
    workshop.git(work, ['tag', '-a', '-m', 'x', 'annotated', 'HEAD'])
    const tag = workshop.git(work, ['rev-parse', 'annotated'])
    const honest = readFileSync(bundle('annotated'))
    writeFileSync(
      file,
      Buffer.from(
        honest.toString('latin1').replace(`${tag} refs/tags/annotated`, `${tag} refs/heads/${branch}`),
        'latin1',
      ),
    )
    await expectRefused(() => accept(file), /cannot unpack it|not the commit/)
  })

  it('refuses a head that the objects do not hold', async () => {
    const file = join(workshop.folder, 'lying.bundle')
    const head = workshop.commit(work, { a: '1' })
    const honest = readFileSync(bundle(branch, `^${base}`)).toString('latin1')
    writeFileSync(file, Buffer.from(honest.replace(head, 'ab'.repeat(20)), 'latin1'))
    await expectRefused(() => accept(file), /cannot unpack it/)
  })

  it('refuses a truncated bundle, wherever it ends', async () => {
    workshop.commit(work, { a: 'some text\n'.repeat(1_000) })
    const whole = readFileSync(bundle(branch, `^${base}`))
    for (const length of [0, 1, 20, 60, 150, Math.floor(whole.length / 2), whole.length - 1]) {
      const file = join(workshop.folder, 'cut.bundle')
      writeFileSync(file, whole.subarray(0, length))
      await expectRefused(() => accept(file), /cannot read|no branch|cannot unpack|something other/)
    }
  })

  it('refuses garbage, an endless line, and a changed byte', async () => {
    workshop.commit(work, { a: 'some text\n'.repeat(1_000) })
    const file = join(workshop.folder, 'garbage.bundle')
    writeFileSync(file, Buffer.alloc(100_000, 0x41))
    await expectRefused(() => accept(file), /cannot read/)
    writeFileSync(file, `# v2 git bundle\n${'a'.repeat(3_000_000)}`)
    await expectRefused(() => accept(file), /cannot read|no branch|something other/)
    const whole = readFileSync(bundle(branch, `^${base}`))
    whole[whole.length - 30] = (whole[whole.length - 30] ?? 0) ^ 0xff
    writeFileSync(file, whole)
    await expectRefused(() => accept(file), /cannot unpack it/)
  })

  it('refuses what is too large, missing, a link, a folder, or a pipe', async () => {
    workshop.commit(work, { a: '1' })
    const real = bundle(branch, `^${base}`)
    await expectRefused(() => accept(real, statSync(real).size - 1), /bytes are allowed|are allowed/)
    await expectRefused(() => accept(join(workshop.folder, 'nothing')), /not there/)
    symlinkSync(real, join(workshop.folder, 'link.bundle'))
    await expectRefused(() => accept(join(workshop.folder, 'link.bundle')), /not a regular file/)
    mkdirSync(join(workshop.folder, 'folder.bundle'))
    await expectRefused(() => accept(join(workshop.folder, 'folder.bundle')), /not a regular file/)
    execFileSync('mkfifo', [join(workshop.folder, 'pipe.bundle')])
    await expectRefused(() => accept(join(workshop.folder, 'pipe.bundle')), /not a regular file/)
  })

  it('does not care about the configuration of the repository that the bundle came from', async () => {
    workshop.git(work, ['config', 'core.fsmonitor', `touch ${join(workshop.folder, 'ran')}`])
    workshop.git(work, ['config', 'remote.origin.url', 'ext::sh -c evil'])
    workshop.git(work, ['config', 'core.fsmonitor', 'false'])
    workshop.commit(work, { a: '1' })
    expect((await accept(bundle(branch, `^${base}`))).ok).toBe(true)
    expect(readdirSync(workshop.folder)).not.toContain('ran')
  })

  it('refuses the same harmful bundle again: nothing of the first try is left to be believed', async () => {
    const inner = workshop.git(work, ['rev-parse', 'HEAD^{tree}'])
    commitTree([{ mode: '40000', name: '.git', sha: inner }])
    const file = bundle(branch, `^${base}`)
    await expectRefused(() => accept(file), /harmful/)
    await expectRefused(() => accept(file), /harmful/)
  })

  it('keeps uncommitted work under the run, with the same checks', async () => {
    const head = workshop.commit(work, { unfinished: 'x' })
    workshop.git(work, ['update-ref', 'refs/alfred/kept', head])
    const keep = (bundlePath: string): ReturnType<MailboxRepository['keepBundle']> =>
      repository.keepBundle({ bundlePath, baseSha: base, runUid, maxBytes: 10_000_000, signal: never })
    expect(await keep(bundle('refs/alfred/kept', `^${base}`))).toEqual({ ok: true, value: head })
    expect(workshop.git(repository.path, ['rev-parse', `refs/alfred/kept/${runUid}`])).toBe(head)

    workshop.git(work, ['branch', 'second', head])
    await expectRefused(
      () => keep(bundle('second', 'refs/alfred/kept', `^${base}`)),
      /something other than one branch/,
    )
    commitTree([{ mode: '40000', name: '.git', sha: workshop.git(work, ['rev-parse', `${base}^{tree}`]) }])
    await expectRefused(() => keep(bundle(branch, `^${base}`)), /harmful/)
  })
})
