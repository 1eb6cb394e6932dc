import type { Project } from '@shared/model/records'
import { err, ok, type Result } from '@shared/result'
import type { ForgeComment, ForgeError, ForgeIssueSnapshot, ForgePerson, IssueLook } from '@main/ports/forge'
import { readBranch } from './branches'
import { readTalkOf } from './change-talk'
import { readChangesOf } from './changes'
import { type ForgejoContext, type Repository, repositoryOf } from './forgejo-context'
import { readHeadStatus } from './head-status'
import { commentsSchema, type Issue, issueSchema, timelineSchema } from './parsers'
import { getAllPages, getAs } from './read-answer'
import { toAssignment, toForgeComment, toForgeIssue, toLabelEvent } from './views'

/*
 * One issue with all that a decision needs. The forge has no moment in which to read it all, so what is read first is
 * what moves when the rest changes: whoever comments or labels meanwhile moves the issue, and the poll gives it again.
 */

/** Not a pull request: those share the numbers. Errors: `not_found` for both. */
export async function readOneIssue(
  { transport }: ForgejoContext,
  repository: Repository,
  iid: number,
): Promise<Result<Issue, ForgeError>> {
  const issue = await getAs(transport, `${repository.path}/issues/${iid}`, issueSchema)
  if (!issue.ok || !issue.value.pull_request) return issue
  return err({ type: 'not_found', message: `#${iid} is a pull request, no issue.`, retryable: false })
}

export async function readIssue(
  context: ForgejoContext,
  project: Project,
  iid: number,
  branch: string | null,
): Promise<Result<ForgeIssueSnapshot, ForgeError>> {
  const { transport } = context
  const at = repositoryOf(context, project)
  if (!at.ok) return at
  const repository = at.value
  const path = `${repository.path}/issues/${iid}`
  const issue = await readOneIssue(context, repository, iid)
  if (!issue.ok) return issue
  const comments = await getAs(transport, `${path}/comments`, commentsSchema)
  if (!comments.ok) return comments
  const timeline = await getAllPages(transport, `${path}/timeline`, timelineSchema, { until: 'empty_page' })
  if (!timeline.ok) return timeline
  const entries = timeline.value.filter((entry) => entry !== null)
  const work = await readWork(context, repository, { branch, base: project.defaultBranch, timeline: entries })
  if (!work.ok) return work
  const open = work.value.changes.find(({ state }) => state === 'open')
  const talk = open === undefined ? ok([]) : await readTalkOf(context, repository, open.iid)
  if (!talk.ok) return talk
  const said = [...comments.value.map(toForgeComment), ...talk.value].toSorted(byTime)
  return ok({
    issue: toForgeIssue(issue.value, { baseUrl: transport.baseUrl, fullName: repository.fullName }),
    comments: said,
    labelEvents: entries.map(toLabelEvent).filter((event) => event !== null),
    assignments: entries.map(toAssignment).filter((event) => event !== null),
    ownerIds: ownersAmong([issue.value.user, ...said.map(({ author }) => author)], issue.value),
    ...work.value,
  })
}

export async function lookAtIssue(
  context: ForgejoContext,
  project: Project,
  iid: number,
): Promise<Result<IssueLook, ForgeError>> {
  const at = repositoryOf(context, project)
  if (!at.ok) return at
  const issue = await readOneIssue(context, at.value, iid)
  if (!issue.ok) return issue
  return ok(toForgeIssue(issue.value, { baseUrl: context.transport.baseUrl, fullName: at.value.fullName }))
}

/** Whoever has the name that the repository lies under, in the same answer of the server; ids outlive names. */
function ownersAmong(people: readonly ForgePerson[], { repository }: Issue): readonly string[] {
  const owner = repository?.full_name.split('/')[0]?.toLowerCase()
  const ids = people.filter(({ login }) => login.toLowerCase() === owner).map(({ id }) => id)
  return [...new Set(ids)]
}

/** Those of one second stay as they are: the issue's own first. */
const byTime = (a: ForgeComment, b: ForgeComment): number => a.createdAt - b.createdAt

type Work = Pick<ForgeIssueSnapshot, 'changes' | 'branchExists' | 'headStatus'>

async function readWork(
  context: ForgejoContext,
  repository: Repository,
  facts: Omit<Parameters<typeof readChangesOf>[2], 'branch'> & { readonly branch: string | null },
): Promise<Result<Work, ForgeError>> {
  const { branch } = facts
  if (branch === null) return ok({ changes: [], branchExists: false, headStatus: null })
  const there = await readBranch(context, repository, branch)
  if (!there.ok) return there
  const changes = await readChangesOf(context, repository, { ...facts, branch })
  if (!changes.ok) return changes
  const head = changes.value.find(({ state }) => state === 'open')?.headSha ?? null
  const headStatus = head === null ? ok(null) : await readHeadStatus(context, repository, head)
  if (!headStatus.ok) return headStatus
  return ok({ changes: changes.value, branchExists: there.value !== null, headStatus: headStatus.value })
}
