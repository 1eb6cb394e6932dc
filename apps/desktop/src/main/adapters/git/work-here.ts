import { ok, type Result } from '@shared/result'
import type { GitError, WorkHere } from '@main/ports/git'
import { gitText } from './git-errors'
import { listRefs } from './refs'
import type { RunGit } from './run-git'

/** So many are looked into; what is asked is whether there is work, not a list of all of it. */
const mostKept = 20
const mostFiles = 200

/** What this repository has that neither the forge (as last fetched) nor a push that was done has. */
export async function findWorkHere(
  run: RunGit,
  gitDir: string,
  pushedShas: readonly string[],
): Promise<Result<WorkHere, GitError>> {
  const own = await listRefs(run, gitDir, 'refs/heads')
  if (!own.ok) return own
  const ofRuns = await listRefs(run, gitDir, 'refs/alfred/runs')
  if (!ofRuns.ok) return ofRuns
  const leftOut = await listRefs(run, gitDir, 'refs/alfred/left-out')
  if (!leftOut.ok) return leftOut
  const there = await listRefs(run, gitDir, 'refs/remotes/origin')
  if (!there.ok) return there
  const heads = [...own.value.values(), ...ofRuns.value.values(), ...leftOut.value.values()]
  const commits = await countUnpushed(run, gitDir, heads, [...there.value.values(), ...pushedShas])
  if (!commits.ok) return commits

  const kept = await listRefs(run, gitDir, 'refs/alfred/kept')
  if (!kept.ok) return kept
  const files = new Set<string>()
  for (const sha of [...kept.value.values()].slice(0, mostKept)) {
    const changed = await gitText(run, {
      gitDir,
      args: ['diff-tree', '-r', '--no-commit-id', '--name-only', '--no-renames', '-z', sha, '--'],
      maxOutputBytes: 4_000_000,
    })
    if (!changed.ok) return changed
    for (const path of changed.value.split('\0'))
      if (path.trim() !== '' && files.size < mostFiles) files.add(path)
  }
  return ok({ commits: commits.value, keptFiles: [...files].toSorted() })
}

async function countUnpushed(
  run: RunGit,
  gitDir: string,
  heads: readonly string[],
  published: readonly string[],
): Promise<Result<number, GitError>> {
  if (heads.length === 0) return ok(0)
  const counted = await gitText(run, {
    gitDir,
    // What was pushed may be gone from a repository that was made anew.
    args: ['rev-list', '--count', '--ignore-missing', '--stdin'],
    stdin: [...heads, ...published.map((sha) => `^${sha}`), ''].join('\n'),
  })
  return counted.ok ? ok(Number(counted.value.trim())) : counted
}
