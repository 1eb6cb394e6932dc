import { err, ok, type Result } from '@shared/result'
import type { GitRemote } from '@main/ports/forge'
import type { GitError } from '@main/ports/git'
import type { GitConfigEntry } from './git-environment'
import { gitOutput } from './git-errors'
import { remoteAccess } from './remote-access'
import type { RunGit } from './run-git'

/** One fetch must move a whole repository; the caller's signal ends it earlier. */
const fetchTimeoutMs = 60 * 60_000

const quietly = [
  '--quiet',
  '--no-tags',
  '--no-write-fetch-head',
  '--no-recurse-submodules',
  '--no-auto-maintenance',
]

export interface FetchRequest {
  readonly gitDir: string
  readonly remote: GitRemote
  readonly refspecs: readonly string[]
  readonly prune?: boolean
  readonly config?: readonly GitConfigEntry[]
  readonly signal?: AbortSignal
}

export async function fetchRefs(run: RunGit, request: FetchRequest): Promise<Result<void, GitError>> {
  const access = remoteAccess(request.remote)
  if (!access.ok) return err(access.error)
  const { url, config, env, secrets } = access.value
  const fetched = await gitOutput(
    run,
    {
      gitDir: request.gitDir,
      args: ['fetch', ...quietly, ...(request.prune ? ['--prune'] : []), '--', url, ...request.refspecs],
      config: [...config, ...(request.config ?? [])],
      env,
      timeoutMs: fetchTimeoutMs,
      ...(request.signal && { signal: request.signal }),
    },
    secrets,
  )
  return fetched.ok ? ok(undefined) : fetched
}
