import { join } from 'node:path'
import { createGit } from '@main/adapters/git/create-git'
import type { Forge, GitRemote } from '@main/ports/forge'
import type { MailboxRepository } from '@main/ports/git'
import type { Store } from '@main/ports/stores'
import { followDefaultBranch } from '@main/services/runs/follow-default-branch'
import { resolveBase } from '@main/services/runs/prepare-base'
import type { PushParts } from '@main/services/runs/push-run'
import type { Mailbox, Project, Run } from '@shared/model/records'
import { ok } from '@shared/result'
import { createWorkshop } from '../integration/git-workshop'
import { done } from './local-forge-bench'

/*
 * The git side of runs that are played: the mailbox's own repository, fetched when a run begins, with commits in it as a
 * run brings them, and pushed over HTTP.
 */

export interface LifeGit {
  readonly repository: () => Promise<MailboxRepository>
  readonly openRepository: PushParts['openRepository']
  /** As a run that begins: fetches, and returns the commit that it begins with. */
  readonly begin: (branch: string) => Promise<string>
  /** Commits these files at the root, on top of `base`, and moves the branch there; returns the commit. */
  readonly commit: (
    run: Pick<Run, 'uid'>,
    change: {
      readonly branch: string
      readonly base: string
      readonly files: Readonly<Record<string, string>>
    },
  ) => Promise<string>
  readonly remove: () => void
}

export function createLifeGit(parts: {
  readonly folder: string
  readonly forge: Forge
  readonly project: Project
  readonly mailbox: () => Mailbox
  readonly needsPerson: readonly string[]
  readonly store: Store
}): LifeGit {
  const { folder, forge, project } = parts
  const workshop = createWorkshop()
  const git = createGit({ scratchFolder: join(folder, 'git') })
  const remote = (): Promise<GitRemote> => done(forge.remote(project))
  const repository = (): Promise<MailboxRepository> =>
    done(git.openMailboxRepository(join(folder, 'mailbox.git')))
  return {
    repository,
    openRepository: async () => {
      const at = { repository: await repository(), remote: await remote() }
      const mailbox = parts.mailbox()
      return ok({
        ...at,
        branch: mailbox.branchName ?? '',
        baseBranch: mailbox.baseBranch ?? project.defaultBranch,
        followBase: (signal) => followDefaultBranch(parts, { mailbox, project }, { ...at, signal }),
        iid: mailbox.iid,
        needsPerson: parts.needsPerson,
      })
    },
    async begin(branch) {
      const opened = await repository()
      const at = { repository: opened, remote: await remote(), signal: new AbortController().signal }
      await done(opened.fetch(at.remote, at.signal))
      const base = await done(followDefaultBranch(parts, { mailbox: parts.mailbox(), project }, at))
      return (await done(resolveBase(opened, branch, base))).baseSha
    },
    async commit({ uid }, { branch, base, files }) {
      const opened = await repository()
      const plumb = (args: readonly string[], input?: string): string =>
        workshop.git(opened.path, args, input)
      const kept = plumb(['ls-tree', base]).split('\n')
      const names = Object.keys(files).map((path) => path.split('/')[0])
      const lines = kept.filter((line) => line !== '' && !names.includes(line.split('\t')[1] ?? ''))
      for (const [path, text] of Object.entries(files)) {
        const above = path.split('/')
        let line = `100644 blob ${plumb(['hash-object', '-w', '--stdin'], text)}\t${above.pop()}`
        // A folder holds nothing but this file.
        for (let name = above.pop(); name !== undefined; name = above.pop()) {
          line = `040000 tree ${plumb(['mktree'], `${line}\n`)}\t${name}`
        }
        lines.push(line)
      }
      const tree = plumb(['mktree'], `${lines.join('\n')}\n`)
      const sha = plumb(['commit-tree', tree, '-p', base, '-m', 'work'])
      plumb(['update-ref', `refs/alfred/runs/${uid}`, sha])
      await done(opened.setOwnBranch(branch, sha, await done(opened.ownBranch(branch))))
      return sha
    },
    remove: () => workshop.remove(),
  }
}
