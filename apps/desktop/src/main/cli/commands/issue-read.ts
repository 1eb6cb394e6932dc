import type { TrackerIssue, TrackerIssueRow } from '@shared/contract/tracker'
import type { ProjectId } from '@shared/model/ids'
import { err, ok, type Result } from '@shared/result'
import type { Command, CommandContext, CommandResult } from '../command'
import { describeError, exitCodes, type CommandFailure } from '../failures'
import { table } from '../output'
import { findProject } from '../references'
import { done, failed, onIssue, ref, printJson, jsonOption } from './on-issue'

export const issueListCommand: Command = {
  name: 'issue list',
  about: 'Lists issues, latest first.',
  positionals: ['[PROJECT]'],
  options: {
    state: { type: 'string', value: 'open|closed|all', about: 'Which ones (default: open).' },
    label: { type: 'string', value: 'NAME', about: 'Only with this label.', multiple: true },
    json: jsonOption,
  },
  needs: 'answers',
  async run(context) {
    const state = context.args.text('state') ?? 'open'
    if (!['open', 'closed', 'all'].includes(state))
      return err({ type: 'usage', message: `--state is open, closed or all, not ${state}` })
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
  options: {
    project: { type: 'string', value: 'PROJECT', about: 'Only in this project.' },
    json: jsonOption,
  },
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
  {
    name: 'issue show',
    about: 'Shows an issue with its comments and changes.',
    options: { json: jsonOption },
  },
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
