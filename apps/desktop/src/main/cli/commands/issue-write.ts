import type { InputOf } from '@shared/contract/define'
import type { EngineContract } from '@shared/contract/index'
import { err, ok, type Result } from '@shared/result'
import type { Command, CommandContext } from '../command'
import { describeError, type CommandFailure } from '../failures'
import { findLogin, findProject } from '../references'
import { done, failed, onIssue, ref, type Issue, printJson, jsonOption } from './on-issue'

/*
 * The local forge as a tracker: everything here is done as the person of this computer.
 */

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
    label: {
      type: 'string',
      value: 'NAME',
      about: 'A label, made where the project has none of that name; may be given more than once.',
      multiple: true,
    },
    assign: {
      type: 'string',
      value: 'LOGIN',
      about: 'Assign somebody: a login, "me", or "alfred", who takes it up.',
      multiple: true,
    },
    json: jsonOption,
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
    const labels = [...new Set(args.texts('label'))]
    const issue = {
      projectId: project.value.id,
      title,
      body: (await textOf(context, 'body')) ?? '',
      labels,
      assignees,
    }
    const created = await createWithLabels(context, issue)
    if (!created.ok) return failed(created.error)
    if (args.flag('json')) return printJson(context, created.value)
    return done(context, `${project.value.path}#${created.value.iid}: ${created.value.title}`)
  },
}

/** Labels that the project does not have yet are made, once nothing else speaks against the issue. */
async function createWithLabels(
  { client }: CommandContext,
  issue: InputOf<EngineContract['tracker']['createIssue']>,
) {
  for (const name of issue.labels ?? []) {
    const created = await client.call('tracker', 'createIssue', issue)
    if (created.ok || created.error.type !== 'not_found') return created
    const made = await client.call('tracker', 'addLabelToProject', { projectId: issue.projectId, name })
    if (!made.ok && made.error.type !== 'conflict') return made
  }
  return client.call('tracker', 'createIssue', issue)
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
