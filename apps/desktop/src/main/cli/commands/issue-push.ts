import type { PendingPush } from '@shared/contract/mailboxes'
import type { RunDetail } from '@shared/contract/runs'
import { counted } from '@shared/format'
import type { MailboxId, RunId } from '@shared/model/ids'
import { err } from '@shared/result'
import type { CommandContext, CommandResult } from '../command'
import { findMailbox } from '../references'
import { waitForRun } from '../wait-for-run'
import { followOptions, followRun } from './runs'
import { done, failed, onIssue, printJson, jsonOption } from './on-issue'

export const issuePushCommand = onIssue(
  {
    name: 'issue push',
    about:
      'Pushes commits that wait for you, since they touch files that run in CI, would close other issues, or were made in a chat.',
    options: {
      show: { type: 'boolean', about: 'Only show what would be pushed.' },
      'go-on-without': {
        type: 'boolean',
        about: 'Push nothing: keep these commits aside and do the phase again, followed to its end.',
      },
      discard: { type: 'boolean', about: 'Push nothing and throw these commits away; needs --force.' },
      force: { type: 'boolean', about: 'Discard without being asked.' },
      detach: followOptions.detach,
      json: jsonOption,
    },
    needs: 'works',
  },
  async (context, issue) => {
    const { args } = context
    if (['show', 'go-on-without', 'discard'].filter((name) => args.flag(name)).length > 1)
      return err({ type: 'usage', message: '--show, --go-on-without and --discard exclude each other' })
    const mailboxId = await findMailbox(context.client, issue.name)
    if (!mailboxId.ok) return mailboxId
    const found = await context.client.call('mailboxes', 'pendingPush', { mailboxId: mailboxId.value })
    if (!found.ok) return failed(found.error)
    const push = found.value
    if (push === null) return err({ type: 'failed', message: `No push of ${issue.name} waits for you.` })
    if (push.problem !== null) return err({ type: 'failed', message: push.problem })
    if (args.flag('show')) {
      if (args.flag('json')) return printJson(context, push)
      if (push.patchIsCut) context.output.progress('The diff is cut: it is longer than 2 MB.')
      return done(context, [...pushLines(push), '', push.patch ?? ''].join('\n'))
    }
    for (const line of pushLines(push)) context.output.progress(line)
    const answer = { mailboxId: mailboxId.value, headSha: push.headSha }
    if (args.flag('go-on-without')) return goOnWithout(context, answer, push)
    if (args.flag('discard')) return discard(context, answer, push)
    const approved = await context.client.call('mailboxes', 'approvePush', answer)
    return approved.ok ? tellPush(context, approved.value.runId, push) : failed(approved.error)
  },
)

const pushLines = ({ branch, commits, paths }: PendingPush): readonly string[] =>
  paths.length === 0
    ? [`${counted(commits, 'commit')} for ${branch}, not pushed. Runs of the issue wait until you decide.`]
    : askedLines({ branch, commits, paths })

const askedLines = ({
  branch,
  commits,
  paths,
}: Pick<PendingPush, 'branch' | 'commits' | 'paths'>): readonly string[] => [
  `${counted(commits, 'commit')} for ${branch}. These wait: files that a push runs with the project's secrets, and messages that close other issues:`,
  ...paths.map((path) => `  ${path}`),
]

interface Answer {
  readonly mailboxId: MailboxId
  readonly headSha: string
}

async function goOnWithout(
  context: CommandContext,
  answer: Answer,
  push: PendingPush,
): Promise<CommandResult> {
  const left = await context.client.call('mailboxes', 'goOnWithoutPush', answer)
  if (!left.ok) return failed(left.error)
  const { kept, nextRunId } = left.value
  context.output.progress(`${counted(push.commits, 'commit')} kept: git fetch ${kept.repository} ${kept.ref}`)
  return nextRunId === null ? done(context, 'No run does it again now.') : followRun(context, nextRunId)
}

async function discard(context: CommandContext, answer: Answer, push: PendingPush): Promise<CommandResult> {
  const what = counted(push.commits, 'commit')
  if (!context.args.flag('force'))
    return err({
      type: 'failed',
      message: `Nothing was discarded. ${what} would be lost: add --force to discard them, or --go-on-without to keep them.`,
    })
  const discarded = await context.client.call('mailboxes', 'discardPush', answer)
  if (!discarded.ok) return failed(discarded.error)
  return context.args.flag('json')
    ? printJson(context, { run_id: discarded.value.runId, discarded_sha: push.headSha })
    : done(context, `${what} discarded; nothing was pushed.`)
}

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
