import { err, ok, type Result } from '@shared/result'
import { isValidBranchName } from '@main/core/forge/branch-name'
import type { GitError, MailboxRepository } from '@main/ports/git'
import { takeBundle, type BundleRequest } from './bundle'
import { listChangedFiles, listCommitMessages, listTouchedPaths, readDiff } from './diff'
import { fetchRefs } from './fetch'
import { gitError } from './git-errors'
import { lookAtBranch, lookAtDefaultBranch } from './look-at-branch'
import { pushBranch } from './push'
import { countCommits, deleteRef, mergeBase, readRef, requireShas, updateRef } from './refs'
import type { RunGit } from './run-git'
import { takeOffBranch } from './take-off-branch'
import { findWorkHere } from './work-here'

/*
 * refs/heads/<branch>       what phase runs made, or the forge has
 * refs/remotes/origin/*     the forge's branches as last fetched or pushed
 * refs/alfred/runs/<uid>    what a run brought back
 * refs/alfred/kept/<uid>    what a run left uncommitted
 * refs/alfred/left-out/<uid> commits that a person did not let be pushed, and kept
 */
export function mailboxRepository(
  run: RunGit,
  gitDir: string,
  { quarantineFolder, holdsSecret }: Pick<BundleRequest, 'quarantineFolder' | 'holdsSecret'>,
): MailboxRepository {
  const taking = { gitDir, quarantineFolder, holdsSecret }
  return {
    path: gitDir,
    fetch: (remote, signal) =>
      fetchRefs(run, {
        gitDir,
        remote,
        refspecs: ['+refs/heads/*:refs/remotes/origin/*'],
        prune: true,
        signal,
      }),
    remoteBranch: (branch) => withBranch(branch, () => readRef(run, gitDir, `refs/remotes/origin/${branch}`)),
    ownBranch: (branch) => withBranch(branch, () => readRef(run, gitDir, `refs/heads/${branch}`)),
    setOwnBranch: (branch, sha, expected) =>
      withBranch(branch, async () => {
        const checked = requireShas(sha, ...(expected === null ? [] : [expected]))
        return checked.ok ? updateRef(run, gitDir, `refs/heads/${branch}`, sha, expected) : checked
      }),
    deleteOwnBranch: (branch) => withBranch(branch, () => deleteRef(run, gitDir, `refs/heads/${branch}`)),
    acceptBundle: ({ runUid, ...request }) =>
      withBranch(request.branch, () =>
        withUid(runUid, () =>
          takeBundle(run, { ...taking, ...request, targetRef: `refs/alfred/runs/${runUid}` }),
        ),
      ),
    keepBundle: ({ runUid, ...request }) =>
      withUid(runUid, async () => {
        const kept = await takeBundle(run, {
          ...taking,
          ...request,
          // What was left uncommitted goes nowhere.
          holdsSecret: () => false,
          branch: null,
          targetRef: `refs/alfred/kept/${runUid}`,
        })
        return kept.ok ? ok(kept.value.headSha) : kept
      }),
    push: async (remote, branch, sha, expected, signal) => {
      const pushed = await pushBranch(run, { gitDir, remote, branch, sha, expected, signal })
      // The push is done whether that can be noted or not; a fetch notes it as well.
      if (pushed.ok) await updateRef(run, gitDir, `refs/remotes/origin/${branch}`, sha, expected)
      return pushed
    },
    lookAtBranch: (remote, branch, signal) => lookAtBranch(run, { gitDir, remote, branch, signal }),
    lookAtDefaultBranch: (remote, signal) => lookAtDefaultBranch(run, { gitDir, remote, signal }),
    deleteBranch: async (remote, branch, expected, signal) => {
      const there = await lookAtBranch(run, { gitDir, remote, branch, signal })
      if (!there.ok) return there
      return there.value === null
        ? ok(undefined)
        : pushBranch(run, { gitDir, remote, branch, sha: null, expected, signal })
    },
    takeOffBranch: (branch, headSha, keepAs) =>
      withBranch(branch, () =>
        withUid(keepAs ?? 'none', async () => {
          const keepAt = keepAs === null ? null : `refs/alfred/left-out/${keepAs}`
          const taken = await takeOffBranch(run, { gitDir, branch, headSha, keepAt })
          return taken.ok ? ok(keepAt) : taken
        }),
      ),
    changedFiles: (baseSha, headSha) => listChangedFiles(run, gitDir, baseSha, headSha),
    touchedPaths: (baseSha, headSha) => listTouchedPaths(run, gitDir, baseSha, headSha),
    commitMessages: (baseSha, headSha) => listCommitMessages(run, gitDir, baseSha, headSha),
    mergeBase: async (one, other) => {
      const checked = requireShas(one, other)
      return checked.ok ? mergeBase(run, gitDir, one, other) : checked
    },
    diff: (baseSha, headSha, maxBytes) => readDiff(run, gitDir, baseSha, headSha, maxBytes),
    workHere: async (pushedShas) => {
      const checked = requireShas(...pushedShas)
      return checked.ok ? findWorkHere(run, gitDir, pushedShas) : checked
    },
    commitCount: async (baseSha, headSha) => {
      const checked = requireShas(baseSha, headSha)
      return checked.ok ? countCommits(run, gitDir, baseSha, headSha) : checked
    },
  }
}

async function withBranch<T>(
  branch: string,
  then: () => Promise<Result<T, GitError>>,
): Promise<Result<T, GitError>> {
  return isValidBranchName(branch)
    ? then()
    : err(gitError('unexpected', `Git does not take "${branch}" as a branch name.`))
}

async function withUid<T>(
  uid: string,
  then: () => Promise<Result<T, GitError>>,
): Promise<Result<T, GitError>> {
  return /^[0-9a-z-]{1,64}$/.test(uid) ? then() : err(gitError('unexpected', 'the run has no usable id'))
}
