import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { viewBranches } from '@main/adapters/forge/local/branch-view'
import { createGit } from '@main/adapters/git/create-git'
import { mergeTrees, mergingNeedsNewerGit } from '@main/adapters/git/merge'
import type { RunGit } from '@main/adapters/git/run-git'
import { createWorkshop, type Workshop } from './git-workshop'

describe('merging without a working tree', () => {
  let workshop: Workshop
  let bare: string
  let clone: string
  let base: string
  let run: RunGit

  beforeEach(() => {
    workshop = createWorkshop()
    ;({ bare, clone, base } = workshop.makeForge())
    run = createGit({ scratchFolder: join(workshop.folder, 'scratch') }).runGit
  })
  afterEach(() => workshop.remove())

  /** A commit on top of `from`, pushed to a branch of its own. */
  function side(name: string, files: Readonly<Record<string, string>>, from = base): string {
    workshop.git(clone, ['checkout', '-q', '-B', name, from])
    const sha = workshop.commit(clone, files)
    workshop.git(clone, ['push', '-q', '-f', 'origin', name])
    return sha
  }

  it('joins what two sides changed in different places, renames too', async () => {
    const start = side('start', { 'old.txt': 'a\nb\nc\nd\ne\nf\ng\nh\n' })
    workshop.git(clone, ['mv', 'old.txt', 'new.txt'])
    const renamed = workshop.commit(clone, {})
    workshop.git(clone, ['push', '-q', '-f', 'origin', 'HEAD:refs/heads/renamed'])
    const edited = side('edited', { 'old.txt': 'a\nb\nc\nd\ne\nf\ng\nH\n' }, start)
    const merged = await mergeTrees(run, bare, renamed, edited)
    if (!merged.ok || merged.value.kind !== 'clean') throw new Error('not clean')
    expect(workshop.git(bare, ['show', `${merged.value.tree}:new.txt`])).toContain('H')
  })

  it('names the paths that conflict, whatever characters they have', async () => {
    const one = side('one', { 'ü\t😀': '1', same: '1' })
    const two = side('two', { 'ü\t😀': '2', same: '1' })
    expect(await mergeTrees(run, bare, one, two)).toEqual({
      ok: true,
      value: { kind: 'conflicts', paths: ['ü\t😀'] },
    })
  })

  it('fails for commits that are not there', async () => {
    expect(await mergeTrees(run, bare, base, 'ab'.repeat(20))).toMatchObject({ ok: false })
  })

  it('says that histories without a common commit conflict', async () => {
    workshop.git(clone, ['checkout', '-q', '--orphan', 'other'])
    const other = workshop.commit(clone, { z: '1' })
    workshop.git(clone, ['push', '-q', 'origin', 'other'])
    expect(await viewBranches(run, bare, other, base)).toMatchObject({
      value: { baseSha: null, hasConflicts: 1 },
    })
  })

  it('with a git that is too old says so, and all but merging goes on', async () => {
    const program = join(workshop.folder, 'old-git')
    writeFileSync(
      program,
      '#!/bin/sh\ncase "$*" in *merge-tree*) echo "usage: git merge-tree <base-tree> <branch1> <branch2>" >&2; exit 129;; esac\nexec git "$@"\n',
    )
    chmodSync(program, 0o755)
    const old = createGit({ scratchFolder: join(workshop.folder, 'scratch'), program }).runGit
    const [one, two] = [side('one', { a: '1' }), side('two', { b: '1' })]
    expect(await mergeTrees(old, bare, one, two)).toEqual({ ok: false, error: mergingNeedsNewerGit })
    expect(await viewBranches(old, bare, one, two)).toMatchObject({
      value: { baseSha: base, hasConflicts: 0 },
    })
  })
})
