import type { PendingPush } from '@shared/contract/mailboxes'
import type { RunDetail } from '@shared/contract/runs'
import { workText } from '@shared/cleanup-words'
import type { TrackerIssue, TrackerIssueRow } from '@shared/contract/tracker'
import { counted } from '@shared/format'
import type { ProjectId, RunId } from '@shared/model/ids'
import { err, ok, type Result } from '@shared/result'
import type { Command, CommandContext, CommandResult } from '../command'
import { describeError, exitCodes, type CommandFailure } from '../failures'
import { table } from '../output'
import { findLogin, findMailbox, findProject } from '../references'
import { waitForRun } from '../wait-for-run'
import { done, failed, onIssue, ref, type Issue } from './on-issue'

/*
 * The local forge as a tracker: everything here is done as the person of this computer.
 */

const json = { type: 'boolean', about: 'Print as JSON.' } as const
const body = {
  type: 'string',
  value: 'TEXT',
  about: 'The description; - reads it from standard input.',
} as const

/** The text of an option; `-` is standard input. */
async function textOf({ args, readInput }: CommandContext, name: string): Promise<string | null> {
  const text = args.text(name)
  return text === '-' ? readInput() : text
}

export const issueCreateCommand: Command = {
  name: 'issue create',
  about: 'Opens an issue.',
  positionals: ['PROJECT'],
  options: {
    title: { type: 'string', value: 'TEXT', about: 'Its title (required).' },
    body,
    label: { type: 'string', value: 'NAME', about: 'A label; may be given more than once.', multiple: true },
    assign: {
      type: 'string',
      value: 'LOGIN',
      about: 'Assign somebody: a login, "me", or "alfred", who takes it up.',
      multiple: true,
    },
    json,
  },
  needs: 'answers',
  async run(context) {
    const { client, args } = context
    const title = args.text('title')
    if (title === null) return err({ type: 'usage', message: '--title is missing' })
    const project = await findProject(client, args.positionals[0] ?? '')
    if (!project.ok) return project
    const assignees: string[] = []
    for (const name of args.texts('assign')) {
      const login = await findLogin(client, name)
      if (!login.ok) return login
      assignees.push(login.value)
    }
    const created = await client.call('tracker', 'createIssue', {
      projectId: project.value.id,
      title,
      body: (await textOf(context, 'body')) ?? '',
      labels: [...args.texts('label')],
      assignees,
    })
    if (!created.ok) return failed(created.error)
    if (args.flag('json')) return printJson(context, created.value)
    return done(context, `${project.value.path}#${created.value.iid}: ${created.value.title}`)
  },
}

export const issueEditCommand = onIssue(
  {
    name: 'issue edit',
    about: 'Changes title or description.',
    options: { title: { type: 'string', value: 'TEXT', about: 'The new title.' }, body },
  },
  async (context, issue) => {
    const title = context.args.text('title') ?? undefined
    const text = (await textOf(context, 'body')) ?? undefined
    if (title === undefined && text === undefined)
      return err({ type: 'usage', message: 'nothing to change: give --title or --body' })
    const edited = await context.client.call('tracker', 'editIssue', {
      ...ref(issue),
      title,
      body: text,
      expectedUpdatedAt: null,
    })
    return edited.ok ? done(context, `${issue.name} is changed.`) : failed(edited.error)
  },
)

export const issueCommentCommand = onIssue(
  {
    name: 'issue comment',
    about: 'Writes a comment; TEXT - reads it from standard input.',
    positionals: ['TEXT...'],
    options: {},
  },
  async (context, issue) => {
    const words = context.args.positionals.slice(1).join(' ')
    const text = words === '-' ? await context.readInput() : words
    if (text.trim() === '')
      return err({
        type: 'failed',
        message: `A comment needs text${words === '-' ? ': standard input was empty' : ''}. Nothing was written.`,
      })
    const written = await context.client.call('tracker', 'comment', { ...ref(issue), body: text })
    return written.ok ? done(context, `${issue.name} has a new comment.`) : failed(written.error)
  },
)

export const issueLabelCommand = onIssue(
  {
    name: 'issue label',
    about: 'Adds and removes labels, also ai::validate_plan and ai::retry; a new name makes a new label.',
    options: {
      add: {
        type: 'string',
        value: 'NAME',
        about: 'A label to add; more than once for more.',
        multiple: true,
      },
      remove: { type: 'string', value: 'NAME', about: 'A label to remove.', multiple: true },
    },
  },
  async (context, issue) => {
    const { args, client } = context
    if (args.texts('add').length + args.texts('remove').length === 0)
      return err({ type: 'usage', message: 'nothing to change: give --add or --remove' })
    const missing = await missingLabels(context, issue, args.texts('remove'))
    if (!missing.ok) return missing
    if (missing.value.length > 0)
      return err({
        type: 'failed',
        message: `${issue.name} has no label ${missing.value.join(', ')}. Nothing was changed.`,
      })
    for (const label of args.texts('remove')) {
      const removed = await client.call('tracker', 'removeLabel', { ...ref(issue), label })
      if (!removed.ok) return failed(removed.error)
    }
    for (const label of args.texts('add')) {
      const added = await addLabel(context, issue, label)
      if (!added.ok) return failed(added.error)
    }
    return done(context, `${issue.name} has its labels changed.`)
  },
)

/** Those of the labels that are not on the issue. */
async function missingLabels(
  { client }: CommandContext,
  issue: Issue,
  labels: readonly string[],
): Promise<Result<readonly string[], CommandFailure>> {
  if (labels.length === 0) return ok([])
  const found = await client.call('tracker', 'getIssue', ref(issue))
  if (!found.ok) return err({ type: 'failed', message: describeError(found.error) })
  return ok(labels.filter((label) => !found.value.labels.some(({ name }) => name === label)))
}

/** A label that the project does not have yet is made first. */
async function addLabel(
  { client }: CommandContext,
  issue: Issue,
  label: string,
): Promise<Result<null, unknown>> {
  const input = { ...ref(issue), label }
  const added = await client.call('tracker', 'addLabel', input)
  if (added.ok || added.error.type !== 'not_found') return added
  const made = await client.call('tracker', 'addLabelToProject', { projectId: issue.projectId, name: label })
  return made.ok ? client.call('tracker', 'addLabel', input) : made
}

export const issueAssignCommand = onIssue(
  {
    name: 'issue assign',
    about: 'Assigns somebody: a login, "me", or "alfred", who takes the issue up.',
    positionals: ['LOGIN'],
    options: { remove: { type: 'boolean', about: 'Take the assignment away instead.' } },
  },
  async (context, issue) => {
    const found = await findLogin(context.client, context.args.positionals[1] ?? '')
    if (!found.ok) return found
    const login = found.value
    const input = { ...ref(issue), login }
    const isRemoving = context.args.flag('remove')
    const changed = isRemoving
      ? await context.client.call('tracker', 'unassign', input)
      : await context.client.call('tracker', 'assign', input)
    return changed.ok
      ? done(context, `${issue.name} is ${isRemoving ? 'no longer ' : ''}assigned to ${login}.`)
      : failed(changed.error)
  },
)

export const issueCloseCommand = onIssue(
  { name: 'issue close', about: 'Closes an issue.', options: {} },
  async (context, issue) => {
    const closed = await context.client.call('tracker', 'close', ref(issue))
    return closed.ok ? done(context, `${issue.name} is closed.`) : failed(closed.error)
  },
)

export const issueReopenCommand = onIssue(
  { name: 'issue reopen', about: 'Opens a closed issue again.', options: {} },
  async (context, issue) => {
    const reopened = await context.client.call('tracker', 'reopen', ref(issue))
    return reopened.ok ? done(context, `${issue.name} is open.`) : failed(reopened.error)
  },
)

export const issueListCommand: Command = {
  name: 'issue list',
  about: 'Lists issues, latest first.',
  positionals: ['[PROJECT]'],
  options: {
    state: { type: 'string', value: 'open|closed|all', about: 'Which ones (default: open).' },
    label: { type: 'string', value: 'NAME', about: 'Only with this label.', multiple: true },
    json,
  },
  needs: 'answers',
  run: (context) => {
    const state = context.args.text('state') ?? 'open'
    const words = [
      state === 'all' ? '' : `is:${state}`,
      ...context.args.texts('label').map((label) => `label:"${label}"`),
    ]
    return listIssues(context, context.args.positionals[0] ?? null, words.join(' ').trim())
  },
}

export const issueSearchCommand: Command = {
  name: 'issue search',
  about: 'Searches titles and descriptions: words, is:open, label:x, assignee:me.',
  positionals: ['QUERY...'],
  options: { project: { type: 'string', value: 'PROJECT', about: 'Only in this project.' }, json },
  needs: 'answers',
  run: (context) => listIssues(context, context.args.text('project'), context.args.positionals.join(' ')),
}

async function listIssues(
  context: CommandContext,
  path: string | null,
  query: string,
): Promise<CommandResult> {
  const project = path === null ? null : await findProject(context.client, path)
  if (project !== null && !project.ok) return project
  const found = await context.client.call('tracker', 'listIssues', {
    projectId: project?.value.id ?? null,
    query,
    limit: 200,
    cursor: null,
  })
  if (!found.ok) return failed(found.error)
  const { rows, total } = found.value
  if (context.args.flag('json')) return printJson(context, rows)
  const names = await projectNames(context)
  if (!names.ok) return names
  if (rows.length === 0) return done(context, 'No issues.')
  context.output.line(
    table(
      ['issue', 'state', 'title', 'labels', 'assigned'],
      rows.map((row) => rowCells(row, names.value)),
    ),
  )
  if (total > rows.length) context.output.progress(`${total - rows.length} more are not shown.`)
  return ok(exitCodes.done)
}

async function projectNames({
  client,
}: CommandContext): Promise<Result<ReadonlyMap<ProjectId, string>, CommandFailure>> {
  const projects = await client.call('tracker', 'listProjects', {})
  if (!projects.ok) return err({ type: 'failed', message: describeError(projects.error) })
  return ok(new Map(projects.value.map((project) => [project.id, `${project.organization}/${project.slug}`])))
}

const rowCells = (row: TrackerIssueRow, names: ReadonlyMap<ProjectId, string>): readonly string[] => [
  `${names.get(row.projectId) ?? row.projectId}#${row.iid}`,
  row.isOpen ? 'open' : 'closed',
  row.title,
  row.labels.map(({ name }) => name).join(', '),
  row.assignees.map(({ login }) => login).join(', '),
]

export const issueShowCommand = onIssue(
  { name: 'issue show', about: 'Shows an issue with its comments and changes.', options: { json } },
  async (context, issue) => {
    const found = await context.client.call('tracker', 'getIssue', ref(issue))
    if (!found.ok) return failed(found.error)
    return context.args.flag('json')
      ? printJson(context, found.value)
      : done(context, issueText(issue.name, found.value))
  },
)

function issueText(name: string, issue: TrackerIssue): string {
  const comments = issue.commentList.map(
    (comment) => `--- ${comment.author.login}, ${new Date(comment.createdAt).toISOString()}\n${comment.body}`,
  )
  const changes = issue.changes.map(
    (change) => `!${change.iid} ${change.sourceBranch} -> ${change.targetBranch}: ${change.state}`,
  )
  return [
    `${name} ${issue.isOpen ? 'open' : 'closed'}: ${issue.title}`,
    `by ${issue.author.login}; labels: ${issue.labels.map((label) => label.name).join(', ') || 'none'}; assigned: ${issue.assignees.map((person) => person.login).join(', ') || 'nobody'}`,
    ...(changes.length > 0 ? [`changes: ${changes.join('; ')}`] : []),
    '',
    issue.body,
    ...comments.flatMap((text) => ['', text]),
  ].join('\n')
}

/** The newest open change of the issue, else the newest one. */
async function changeOf(context: CommandContext, issue: Issue): Promise<Result<number, CommandFailure>> {
  const found = await context.client.call('tracker', 'getIssue', ref(issue))
  if (!found.ok) return err({ type: 'failed', message: describeError(found.error) })
  const change = found.value.changes.find(({ state }) => state === 'open') ?? found.value.changes[0]
  return change ? ok(change.iid) : err({ type: 'failed', message: `${issue.name} has no change yet.` })
}

export const issueDiffCommand = onIssue(
  { name: 'issue diff', about: "Shows the diff of the issue's change.", options: { json } },
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

export const issuePushCommand = onIssue(
  {
    name: 'issue push',
    about: 'Pushes commits that wait for you, since they touch files that run in CI.',
    options: { show: { type: 'boolean', about: 'Only show what would be pushed.' }, json },
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

export const issueCleanupCommand = onIssue(
  {
    name: 'issue cleanup',
    about: 'Removes session memory, workspace and repository of an issue; its runs stay to be read.',
    options: { force: { type: 'boolean', about: 'Also work that was never pushed or committed.' } },
  },
  async (context, issue) => {
    const projectPath = issue.name.slice(0, issue.name.lastIndexOf('#'))
    const found = await context.client.call('mailboxes', 'find', { projectPath, iid: issue.iid })
    if (!found.ok) return failed(found.error)
    if (found.value === null)
      return done(context, `${issue.name} was never worked on: there is nothing to remove.`)
    const { mailboxId } = found.value
    const cleaned = await context.client.call('mailboxes', 'cleanUp', {
      mailboxId,
      force: context.args.flag('force'),
    })
    if (cleaned.ok)
      return done(
        context,
        cleaned.value.memoryRemoved
          ? `Memory, workspace and repository of ${issue.name} are removed.`
          : `Workspace and repository of ${issue.name} are removed. Its memory is left alone while sessions are switched off.`,
      )
    return cleaned.error.type === 'has_work'
      ? err({
          type: 'failed',
          message: `Nothing was removed. ${workText(cleaned.error)} Add --force to remove it too.`,
        })
      : failed(cleaned.error)
  },
)

function printJson({ output }: CommandContext, value: unknown): CommandResult {
  output.json(value)
  return ok(exitCodes.done)
}
