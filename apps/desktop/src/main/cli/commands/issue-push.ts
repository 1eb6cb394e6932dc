import type { PendingPush } from '@shared/contract/mailboxes'
import type { RunDetail } from '@shared/contract/runs'
import { counted } from '@shared/format'
import type { RunId } from '@shared/model/ids'
import { err } from '@shared/result'
import type { CommandContext, CommandResult } from '../command'
import { findMailbox } from '../references'
import { waitForRun } from '../wait-for-run'
import { done, failed, onIssue, printJson, jsonOption } from './on-issue'

export const issuePushCommand = onIssue(
  {
    name: 'issue push',
    about: 'Pushes commits that wait for you, since they touch files that run in CI.',
    options: { show: { type: 'boolean', about: 'Only show what would be pushed.' }, json: jsonOption },
    needs: 'works',
  },
  async (context, issue) => {
    const mailboxId = await findMailbox(context.client, issue.name)
    if (!mailboxId.ok) return mailboxId
    const found = await context.client.call('mailboxes', 'pendingPush', { mailboxId: mailboxId.value })
    if (!found.ok) return failed(found.error)
    const push = found.value
    if (push === null) return err({ type: 'failed', message: `No push of ${issue.name} waits for you.` })
    if (push.problem !== null) return err({ type: 'failed', message: push.problem })
    if (context.args.flag('show')) {
      if (context.args.flag('json')) return printJson(context, push)
      if (push.patchIsCut) context.output.progress('The diff is cut: it is longer than 2 MB.')
      return done(context, [...pushLines(push), '', push.patch ?? ''].join('\n'))
    }
    for (const line of pushLines(push)) context.output.progress(line)
    const approved = await context.client.call('mailboxes', 'approvePush', {
      mailboxId: mailboxId.value,
      headSha: push.headSha,
    })
    return approved.ok ? tellPush(context, approved.value.runId, push) : failed(approved.error)
  },
)

const pushLines = ({ branch, commits, paths }: PendingPush): readonly string[] => [
  `${counted(commits, 'commit')} for ${branch}. A push runs these with the project's secrets:`,
  ...paths.map((path) => `  ${path}`),
]

/** Waits for the answer of the forge; what cannot be done now is tried again without the command. */
async function tellPush(context: CommandContext, runId: RunId, push: PendingPush): Promise<CommandResult> {
  const latest = ({ outbox }: RunDetail) => outbox.findLast(({ kind }) => kind === 'push')
  const ended = await waitForRun(context, runId, (detail) => {
    const post = latest(detail)
    if (post === undefined) return true
    return post.state === 'waiting' ? post.lastError !== null : post.state !== 'sending'
  })
  if (!ended.ok) return ended
  const post = latest(ended.value)
  if (post?.state !== 'sent')
    return err({ type: 'failed', message: post?.lastError ?? 'The push was not done.' })
  if (context.args.flag('json')) return printJson(context, { run_id: runId, head_sha: push.headSha })
  return done(context, `${push.branch} is pushed.`)
}
