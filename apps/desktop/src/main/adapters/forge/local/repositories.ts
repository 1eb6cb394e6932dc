import { mkdir, mkdtemp, rm, stat } from 'node:fs/promises'
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { dirname, isAbsolute, join } from 'node:path'
import type { TrackerError } from '@shared/contract/tracker'
import { err, ok, type Result } from '@shared/result'
import type { GitError } from '@main/ports/git'
import type { NewProject } from '@main/ports/tracker'
import { openBareRepository } from '../../git/bare-repository'
import { type CommitAuthor, commitTree, setHead, writeTree } from '../../git/commit'
import { fetchRefs } from '../../git/fetch'
import { gitText } from '../../git/git-errors'
import { listRefs, updateRef } from '../../git/refs'
import type { RunGit } from '../../git/run-git'
import { removeStaleLocks } from '../../git/stale-locks'
import { gitFailed, invalid } from './local-context'

/*
 * The bare repositories that are the remotes of the local forge. A new one is made beside its place and moved
 * there when the project is stored, so that a cut-off start leaves nothing that looks like a project.
 */

/** No organization's slug begins like this. */
const unfinished = '.new-'

export interface NewRepository {
  /** Where it is until `putRepository` moves it. */
  readonly folder: string
  readonly defaultBranch: string
}

export async function makeRepository(
  run: RunGit,
  request: {
    readonly rootFolder: string
    readonly name: string
    readonly source: NewProject['source']
    readonly author: CommitAuthor
    readonly signal?: AbortSignal | undefined
  },
): Promise<Result<NewRepository, TrackerError>> {
  await mkdir(request.rootFolder, { recursive: true, mode: 0o700 })
  const folder = await mkdtemp(join(request.rootFolder, unfinished))
  const made = await fill(run, folder, request)
  if (made.ok) return ok({ folder, defaultBranch: made.value })
  await rm(folder, { recursive: true, force: true })
  return made
}

/** Moves a new repository to its place. Synchronous, to be one step with storing the project. */
export function putRepository(repository: NewRepository, place: string, at: number): void {
  mkdirSync(dirname(place), { recursive: true, mode: 0o700 })
  // Left by a removal that was cut off: nothing refers to it any more, but it is not ours to throw away.
  if (existsSync(place)) renameSync(place, place.replace(/\.git$/, `.removed-${at}`))
  renameSync(repository.folder, place)
}

/** What a killed `makeRepository` or git left; only at start, when nobody of ours works in them. */
export function removeUnfinished(rootFolder: string): void {
  if (!existsSync(rootFolder)) return
  for (const name of readdirSync(rootFolder)) {
    const folder = join(rootFolder, name)
    if (name.startsWith(unfinished)) rmSync(folder, { recursive: true, force: true })
    else for (const repository of readdirSync(folder)) removeStaleLocks(join(folder, repository))
  }
}

export async function discardRepository(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true, maxRetries: 3 })
}

async function fill(
  run: RunGit,
  folder: string,
  request: {
    readonly name: string
    readonly source: NewProject['source']
    readonly author: CommitAuthor
    readonly signal?: AbortSignal | undefined
  },
): Promise<Result<string, TrackerError>> {
  const opened = await openBareRepository(run, folder)
  if (!opened.ok) return err(gitFailed(opened.error))
  const { source } = request
  if (source.kind === 'import') return importFrom(run, folder, source.path, request.signal)
  const files = source.files ?? { 'README.md': `# ${request.name}\n` }
  const committed = await firstCommit(run, folder, files, request.author)
  return committed.ok ? ok('main') : err(gitFailed(committed.error))
}

async function firstCommit(
  run: RunGit,
  folder: string,
  files: Readonly<Record<string, string>>,
  author: CommitAuthor,
): Promise<Result<void, GitError>> {
  const tree = await writeTree(run, folder, files)
  if (!tree.ok) return tree
  const sha = await commitTree(run, folder, {
    tree: tree.value,
    parents: [],
    message: 'Initial commit\n',
    author,
  })
  if (!sha.ok) return sha
  const placed = await updateRef(run, folder, 'refs/heads/main', sha.value, null)
  return placed.ok ? setHead(run, folder, 'main') : placed
}

async function importFrom(
  run: RunGit,
  folder: string,
  path: string,
  signal: AbortSignal | undefined,
): Promise<Result<string, TrackerError>> {
  if (!isAbsolute(path)) return err(invalid('Name the repository by its full path.'))
  const found = await stat(path).catch(() => null)
  if (found === null || !found.isDirectory()) return err(invalid(`There is no folder ${path}.`))
  const fetched = await fetchRefs(run, {
    gitDir: folder,
    remote: { url: path, credential: null },
    refspecs: ['+refs/heads/*:refs/heads/*', '+refs/tags/*:refs/tags/*'],
    ...(signal && { signal }),
  })
  if (!fetched.ok)
    return err(
      fetched.error.type === 'not_found'
        ? invalid(`${path} is no git repository.`)
        : gitFailed(fetched.error),
    )
  const branches = await listRefs(run, folder, 'refs/heads')
  if (!branches.ok) return err(gitFailed(branches.error))
  const names = [...branches.value.keys()].map((ref) => ref.slice('refs/heads/'.length))
  const chosen = await chooseDefaultBranch(run, folder, path, names)
  if (chosen === null) return err(invalid(`${path} has no branch with a commit.`))
  const set = await setHead(run, folder, chosen)
  return set.ok ? ok(chosen) : err(gitFailed(set.error))
}

/** The branch that is checked out there, else `main` or `master`, else the first. */
async function chooseDefaultBranch(
  run: RunGit,
  folder: string,
  path: string,
  names: readonly string[],
): Promise<string | null> {
  const told = await gitText(run, {
    gitDir: folder,
    args: ['ls-remote', '--symref', '--', path, 'HEAD'],
    config: [['protocol.file.allow', 'always']],
  })
  const current = told.ok ? /^ref: refs\/heads\/(\S+)\tHEAD$/m.exec(told.value)?.[1] : undefined
  return (
    [current, 'main', 'master', names[0]].find((name) => name !== undefined && names.includes(name)) ?? null
  )
}
