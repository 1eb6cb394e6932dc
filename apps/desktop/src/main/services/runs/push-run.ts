import { err, ok, type Result } from '@shared/result'
import type { Run } from '@shared/model/records'
import { closingMessages } from '../../core/push/closing-messages'
import { protectedPaths } from '../../core/push/protected-paths'
import type { ForgeError, GitRemote } from '../../ports/forge'
import type { GitError, MailboxRepository } from '../../ports/git'
import type { PushError, RunPusher } from '../workflow/ports-of-workflow'
import { headOfPush } from '../workflow/waiting-push'

/** Where the commits of a run are and go to. */
export interface PushPlace {
  readonly repository: MailboxRepository
  readonly remote: GitRemote
  readonly branch: string
  readonly baseBranch: string
  /** Once fetched: the base by the name that it has now, where it was renamed. None: it keeps its name. */
  readonly followBase?: (signal: AbortSignal) => Promise<Result<string, GitError>>
  /** Of the issue, which the commits may close. */
  readonly iid: number
  /** Globs of PUSH_NEEDS_PERSON. */
  readonly needsPerson: readonly string[]
}

export interface PushParts {
  openRepository(run: Run): Promise<Result<PushPlace, GitError | ForgeError>>
}

/** Brings the branch on the forge to where a run left it; a push that was done already is done. */
export function createRunPusher(parts: PushParts): RunPusher {
  return {
    async pushRun(run, { approvedSha, isGoneKnown, signal }) {
      const headSha = headOfPush(run)
      if (headSha === null) return err({ type: 'refused', message: 'This run has no commits.' })
      const opened = await parts.openRepository(run)
      if (!opened.ok) return err(toPushError(opened.error))
      const { repository, remote, branch } = opened.value

      const asBefore = await isWhereWorkBegan(opened.value, { headSha, isGoneKnown, signal })
      if (!asBefore.ok) return asBefore
      const fetched = await repository.fetch(remote, signal)
      if (!fetched.ok) return err(toPushError(fetched.error))
      const there = await repository.remoteBranch(branch)
      if (!there.ok) return err(toPushError(there.error))
      if (there.value === headSha) return ok({ headSha, commits: 0 })
      if (there.value !== null) {
        const foreign = await repository.commitCount(headSha, there.value)
        if (!foreign.ok) return err(toPushError(foreign.error))
        if (foreign.value > 0)
          return err({
            type: 'moved',
            message: `${branch} has ${foreign.value} commits that this run does not know.`,
          })
      }
      const baseBranch = (await opened.value.followBase?.(signal)) ?? ok(opened.value.baseBranch)
      if (!baseBranch.ok) return err(toPushError(baseBranch.error))
      const news = await readNews({ ...opened.value, baseBranch: baseBranch.value }, headSha)
      if (!news.ok) return news
      const { commits, paths, messages } = news.value
      if (paths.length + messages.length > 0 && approvedSha !== headSha)
        return err(needsPersonError(paths, messages))
      const pushed = await repository.push(remote, branch, headSha, there.value, signal)
      return pushed.ok ? ok({ headSha, commits }) : err(toPushError(pushed.error))
    },
    async deleteBranch(run, { name, headSha, signal }) {
      const opened = await parts.openRepository(run)
      if (!opened.ok) return err(toPushError(opened.error))
      const { repository, remote } = opened.value
      const deleted = await repository.deleteBranch(remote, name, headSha, signal)
      if (!deleted.ok && deleted.error.type === 'moved') return ok(false)
      if (!deleted.ok) return err(toPushError(deleted.error))
      const own = await repository.ownBranch(name)
      if (!own.ok) return err(toPushError(own.error))
      const left = own.value === headSha ? await repository.deleteOwnBranch(name) : ok(undefined)
      return left.ok ? ok(true) : err(toPushError(left.error))
    },
    async describePush(run, { maxDiffBytes }) {
      const headSha = headOfPush(run)
      if (headSha === null) return err({ type: 'refused', message: 'This run has no commits.' })
      const opened = await parts.openRepository(run)
      if (!opened.ok) return err(toPushError(opened.error))
      const news = await readNews(opened.value, headSha)
      if (!news.ok) return news
      const { baseSha, commits } = news.value
      const paths = [...news.value.paths, ...news.value.messages]
      const { repository, branch } = opened.value
      const diff = await repository.diff(baseSha, headSha, maxDiffBytes)
      return diff.ok ? ok({ headSha, branch, commits, paths, ...diff.value }) : err(toPushError(diff.error))
    },
    async takeBack(run, { keep }) {
      const headSha = headOfPush(run)
      if (headSha === null) return err({ type: 'refused', message: 'This run has no commits.' })
      const opened = await parts.openRepository(run)
      if (!opened.ok) return err(toPushError(opened.error))
      const { repository, branch } = opened.value
      const taken = await repository.takeOffBranch(branch, headSha, keep ? run.uid : null)
      if (!taken.ok) return err(toPushError(taken.error))
      return ok(taken.value === null ? null : { repository: repository.path, ref: taken.value })
    },
  }
}

/** What was fetched when the run began tells where its branch was then; looking first keeps that until it is told. */
async function isWhereWorkBegan(
  { repository, remote, branch }: PushPlace,
  push: { readonly headSha: string; readonly isGoneKnown: boolean; readonly signal: AbortSignal },
): Promise<Result<void, PushError>> {
  const before = await repository.remoteBranch(branch)
  if (!before.ok) return err(toPushError(before.error))
  if (before.value === null) return ok(undefined)
  const now = await repository.lookAtBranch(remote, branch, push.signal)
  if (!now.ok) return err(toPushError(now.error))
  if (now.value === before.value || now.value === push.headSha) return ok(undefined)
  if (now.value === null)
    return push.isGoneKnown
      ? ok(undefined)
      : err({
          type: 'gone',
          message: `${branch} is not on the forge any more: it was renamed or deleted while Alfred worked.`,
        })
  const lost = await repository.commitCount(now.value, before.value)
  // What is there and not known here is found once it is fetched.
  return lost.ok && lost.value > 0
    ? err({ type: 'moved', message: `${branch} was set back on the forge while Alfred worked.` })
    : ok(undefined)
}

interface News {
  /** The last commit that the forge has already. */
  readonly baseSha: string
  readonly commits: number
  /** Among all that would be published: paths that wait for a person. */
  readonly paths: readonly string[]
  /** What its messages say that would close other issues. */
  readonly messages: readonly string[]
}

/**
 * What the forge does not have yet, whichever run made it: an earlier run's commits are published with those of a
 * later one, so they are looked at with them.
 */
async function readNews(
  { repository, branch, baseBranch, iid, needsPerson }: PushPlace,
  headSha: string,
): Promise<Result<News, PushError>> {
  const base = await publishedBase(repository, branch, baseBranch, headSha)
  if (!base.ok) return base
  const commits = await repository.commitCount(base.value, headSha)
  if (!commits.ok) return err(toPushError(commits.error))
  const touched = await repository.touchedPaths(base.value, headSha)
  if (!touched.ok) return err(toPushError(touched.error))
  const said = await repository.commitMessages(base.value, headSha)
  if (!said.ok) return err(toPushError(said.error))
  return ok({
    baseSha: base.value,
    commits: commits.value,
    paths: protectedPaths(touched.value, needsPerson),
    messages: closingMessages(said.value, iid),
  })
}

async function publishedBase(
  repository: MailboxRepository,
  branch: string,
  baseBranch: string,
  headSha: string,
): Promise<Result<string, PushError>> {
  const there = await repository.remoteBranch(branch)
  if (!there.ok) return err(toPushError(there.error))
  const from = there.value === null ? await repository.remoteBranch(baseBranch) : there
  if (!from.ok) return err(toPushError(from.error))
  if (from.value === null)
    return err({
      type: 'refused',
      message: `The forge has no branch ${baseBranch}, with which this work began: it was renamed or deleted.`,
    })
  const base = await repository.mergeBase(from.value, headSha)
  if (!base.ok) return err(toPushError(base.error))
  return base.value === null
    ? err({ type: 'refused', message: `The commits have nothing in common with ${baseBranch}.` })
    : ok(base.value)
}

function needsPersonError(paths: readonly string[], messages: readonly string[]): PushError {
  const files = paths.length === 1 ? paths[0] : `${paths.length} files`
  const reasons = [
    ...(paths.length > 0 ? [`touch ${files} that a push would run with the project's secrets`] : []),
    ...(messages.length > 0 ? [`would close other issues (${messages[0]})`] : []),
  ]
  return {
    type: 'needs_person',
    paths: [...paths, ...messages],
    message: `The commits ${reasons.join(', and ')}.`,
  }
}

function toPushError(error: GitError | ForgeError): PushError {
  if ('retryable' in error) {
    const retryAfter = error.retryAfterMs === undefined ? {} : { retryAfterMs: error.retryAfterMs }
    return error.retryable
      ? { type: 'unreachable', message: error.message, ...retryAfter }
      : { type: 'refused', message: error.message }
  }
  if (error.type === 'moved') return { type: 'moved', message: error.message }
  // It is tried again: there may be room by then.
  return error.type === 'remote_unreachable' || error.type === 'disk_full'
    ? { type: 'unreachable', message: error.message }
    : { type: 'refused', message: error.message }
}
