import { err, ok, type Result } from '@shared/result'
import type { CommandContext } from '../command'
import { describeError, type CommandFailure } from '../failures'
import { done, failed, onIssue, ref, type Issue, printJson, jsonOption } from './on-issue'

/** The newest open change of the issue, else the newest one. */
async function changeOf(context: CommandContext, issue: Issue): Promise<Result<number, CommandFailure>> {
  const found = await context.client.call('tracker', 'getIssue', ref(issue))
  if (!found.ok) return err({ type: 'failed', message: describeError(found.error) })
  const change = found.value.changes.find(({ state }) => state === 'open') ?? found.value.changes[0]
  return change ? ok(change.iid) : err({ type: 'failed', message: `${issue.name} has no change yet.` })
}

export const issueDiffCommand = onIssue(
  { name: 'issue diff', about: "Shows the diff of the issue's change.", options: { json: jsonOption } },
  async (context, issue) => {
    const iid = await changeOf(context, issue)
    if (!iid.ok) return iid
    const change = await context.client.call('tracker', 'getChange', {
      projectId: issue.projectId,
      iid: iid.value,
    })
    if (!change.ok) return failed(change.error)
    if (context.args.flag('json')) return printJson(context, change.value)
    if (change.value.patch === null)
      return err({ type: 'failed', message: change.value.problem ?? 'The diff could not be read.' })
    if (change.value.patchIsCut) context.output.progress('The diff is cut: it is longer than 2 MB.')
    return done(context, change.value.patch)
  },
)

export const issueMergeCommand = onIssue(
  {
    name: 'issue merge',
    about: "Merges the issue's change and closes the issue.",
    options: { 'delete-branch': { type: 'boolean', about: 'Delete the branch afterwards.' } },
  },
  async (context, issue) => {
    const iid = await changeOf(context, issue)
    if (!iid.ok) return iid
    const merged = await context.client.call('tracker', 'mergeChange', {
      projectId: issue.projectId,
      iid: iid.value,
      expectedHeadSha: null,
      deleteSourceBranch: context.args.flag('delete-branch'),
    })
    return merged.ok
      ? done(context, `!${merged.value.iid} is merged into ${merged.value.targetBranch}.`)
      : failed(merged.error)
  },
)
