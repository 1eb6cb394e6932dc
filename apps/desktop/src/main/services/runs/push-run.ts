import { err, ok, type Result } from '@shared/result'
import type { Run } from '@shared/model/records'
import { protectedPaths } from '../../core/push/protected-paths'
import type { ForgeError, GitRemote } from '../../ports/forge'
import type { GitError, MailboxRepository } from '../../ports/git'
import type { PushError, RunPusher } from '../workflow/ports-of-workflow'

/** Where the commits of a run are and go to. */
export interface PushPlace {
  readonly repository: MailboxRepository
  readonly remote: GitRemote
  readonly branch: string
  /** Globs of PUSH_NEEDS_PERSON. */
  readonly needsPerson: readonly string[]
}

export interface PushParts {
  openRepository(run: Run): Promise<Result<PushPlace, GitError | ForgeError>>
}

/** Pushes exactly the commits of one run to the issue's branch; a push that was done already is done. */
export function createRunPusher(parts: PushParts): RunPusher {
  return {
    async pushRun(run, { isApproved, signal }) {
      const { baseSha, headSha } = run
      if (baseSha === null || headSha === null)
        return err({ type: 'refused', message: 'This run has no commits.' })
      const opened = await parts.openRepository(run)
      if (!opened.ok) return err(toPushError(opened.error))
      const { repository, remote, branch, needsPerson } = opened.value

      if (!isApproved) {
        const waiting = await pathsThatWait(repository, baseSha, headSha, needsPerson)
        if (!waiting.ok) return err(toPushError(waiting.error))
        if (waiting.value.length > 0) return err(needsPersonError(waiting.value))
      }
      const commits = await repository.commitCount(baseSha, headSha)
      if (!commits.ok) return err(toPushError(commits.error))

      const fetched = await repository.fetch(remote, signal)
      if (!fetched.ok) return err(toPushError(fetched.error))
      const there = await repository.remoteBranch(branch)
      if (!there.ok) return err(toPushError(there.error))
      const done = ok({ headSha, commits: commits.value })
      if (there.value === headSha) return done
      if (there.value !== null) {
        const foreign = await repository.commitCount(headSha, there.value)
        if (!foreign.ok) return err(toPushError(foreign.error))
        if (foreign.value > 0)
          return err({
            type: 'moved',
            message: `${branch} has ${foreign.value} commits that this run does not know.`,
          })
      }
      const pushed = await repository.push(remote, branch, headSha, there.value, signal)
      return pushed.ok ? done : err(toPushError(pushed.error))
    },
  }
}

async function pathsThatWait(
  repository: MailboxRepository,
  baseSha: string,
  headSha: string,
  globs: readonly string[],
): Promise<Result<readonly string[], GitError>> {
  const files = await repository.changedFiles(baseSha, headSha)
  return files.ok ? ok(protectedPaths(files.value, globs)) : files
}

const needsPersonError = (paths: readonly string[]): PushError => ({
  type: 'needs_person',
  paths,
  message: `The commits touch ${paths.length === 1 ? paths[0] : `${paths.length} files`} that a push would run with the project's secrets.`,
})

function toPushError(error: GitError | ForgeError): PushError {
  if ('retryable' in error) {
    const retryAfter = error.retryAfterMs === undefined ? {} : { retryAfterMs: error.retryAfterMs }
    return error.retryable
      ? { type: 'unreachable', message: error.message, ...retryAfter }
      : { type: 'refused', message: error.message }
  }
  if (error.type === 'moved') return { type: 'moved', message: error.message }
  return error.type === 'remote_unreachable'
    ? { type: 'unreachable', message: error.message }
    : { type: 'refused', message: error.message }
}
