import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createGit } from '@main/adapters/git/create-git'
import { removeUnfinished } from '@main/adapters/forge/local/repositories'
import type { MailboxRepository } from '@main/ports/git'
import { createWorkshop, type Workshop } from './git-workshop'

/*
 * Git processes that were killed while they wrote leave locks, and git itself never takes them away.
 */

const never = new AbortController().signal
const branch = 'agent/issue-1-add-a-slug-helper'

let workshop: Workshop
let forge: ReturnType<Workshop['makeForge']>
beforeEach(() => {
  workshop = createWorkshop()
  forge = workshop.makeForge()
})
afterEach(() => workshop.remove())

async function open(): Promise<MailboxRepository> {
  const git = createGit({ scratchFolder: join(workshop.folder, 'scratch') })
  const opened = await git.openMailboxRepository(join(workshop.folder, 'mailbox.git'))
  if (!opened.ok) throw new Error(opened.error.message)
  return opened.value
}
const lock = (gitDir: string, name: string): void => {
  mkdirSync(dirname(join(gitDir, name)), { recursive: true })
  writeFileSync(join(gitDir, `${name}.lock`), '')
}

describe('locks of a git that was killed', () => {
  it('keep nobody from working on in the repository of a mailbox', async () => {
    const remote = { url: forge.bare, credential: null }
    const before = await open()
    await before.fetch(remote, never)
    lock(before.path, `refs/heads/${branch}`)
    lock(before.path, 'refs/remotes/origin/main')
    lock(before.path, 'packed-refs')
    lock(before.path, 'config')
    expect(await before.setOwnBranch(branch, forge.base, null)).toMatchObject({ ok: false })
    workshop.commit(forge.clone, { 'a.txt': 'news\n' })
    workshop.git(forge.clone, ['push', '-q', 'origin', 'main'])

    const after = await open()
    expect(await after.fetch(remote, never)).toEqual({ ok: true, value: undefined })
    expect(await after.setOwnBranch(branch, forge.base, null)).toEqual({ ok: true, value: undefined })
  })

  it('are taken from the repositories of the local forge when it is opened', async () => {
    const root = join(workshop.folder, 'local-forge')
    const place = join(root, 'test', 'boat.git')
    mkdirSync(dirname(place), { recursive: true })
    workshop.git(workshop.folder, ['clone', '-q', '--bare', forge.bare, place])
    lock(place, `refs/heads/${branch}`)
    lock(join(root, '.new-abc'), 'HEAD')
    removeUnfinished(root)
    expect(existsSync(join(root, '.new-abc'))).toBe(false)
    const repository = await open()
    await repository.fetch({ url: forge.bare, credential: null }, never)
    expect(await repository.push({ url: place, credential: null }, branch, forge.base, null, never)).toEqual({
      ok: true,
      value: undefined,
    })
  })
})
