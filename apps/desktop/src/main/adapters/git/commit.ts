import { mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { ok, type Result } from '@shared/result'
import type { GitError } from '@main/ports/git'
import { gitText } from './git-errors'
import type { RunGit } from './run-git'

/*
 * Commits made without a working tree: nothing of a repository's content ever lands on the disk as a file.
 */

export interface CommitAuthor {
  readonly name: string
  readonly email: string
}

export interface NewCommit {
  readonly tree: string
  readonly parents: readonly string[]
  readonly message: string
  readonly author: CommitAuthor
}

/** Makes a commit and returns its sha; no ref is moved. */
export async function commitTree(
  run: RunGit,
  gitDir: string,
  commit: NewCommit,
): Promise<Result<string, GitError>> {
  const { name, email } = commit.author
  return gitText(run, {
    gitDir,
    args: [
      'commit-tree',
      '--no-gpg-sign',
      ...commit.parents.flatMap((parent) => ['-p', parent]),
      '-F',
      '-',
      commit.tree,
    ],
    stdin: commit.message,
    env: {
      GIT_AUTHOR_NAME: name,
      GIT_AUTHOR_EMAIL: email,
      GIT_COMMITTER_NAME: name,
      GIT_COMMITTER_EMAIL: email,
    },
  })
}

/** Makes a tree of text files (path to text) and returns its sha. */
export async function writeTree(
  run: RunGit,
  gitDir: string,
  files: Readonly<Record<string, string>>,
): Promise<Result<string, GitError>> {
  const entries: string[] = []
  for (const [path, text] of Object.entries(files)) {
    const blob = await gitText(run, { gitDir, args: ['hash-object', '-w', '--stdin'], stdin: text })
    if (!blob.ok) return blob
    entries.push(`100644 ${blob.value}\t${path}\0`)
  }
  const folder = await mkdtemp(join(gitDir, 'index-'))
  try {
    const env = { GIT_INDEX_FILE: join(folder, 'index') }
    const indexed = await gitText(run, {
      gitDir,
      args: ['update-index', '-z', '--index-info'],
      stdin: entries.join(''),
      env,
    })
    return indexed.ok ? await gitText(run, { gitDir, args: ['write-tree'], env }) : indexed
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Lets `HEAD` of a bare repository name the branch that clones start on. */
export async function setHead(run: RunGit, gitDir: string, branch: string): Promise<Result<void, GitError>> {
  const set = await gitText(run, { gitDir, args: ['symbolic-ref', 'HEAD', `refs/heads/${branch}`] })
  return set.ok ? ok(undefined) : set
}
