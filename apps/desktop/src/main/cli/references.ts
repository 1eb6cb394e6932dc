import { runIdSchema, type MailboxId, type ProjectId, type RunId } from '@shared/model/ids'
import { err, ok, type Result } from '@shared/result'
import type { EngineClient } from './engine-client'
import { describeError, type CommandFailure } from './failures'

/*
 * What people write for a project, an issue or a run: `org/project`, `org/project#12`, `431` or `run 431`.
 */

export interface IssueReference {
  readonly projectPath: string
  readonly iid: number
}

export function parseIssueReference(text: string): Result<IssueReference, CommandFailure> {
  const [, projectPath, iid] = /^([^#\s]+)#(\d{1,9})$/.exec(text) ?? []
  if (projectPath === undefined || iid === undefined || Number(iid) < 1) {
    return err({ type: 'usage', message: `${text} is no issue: write it as organization/project#12` })
  }
  return ok({ projectPath, iid: Number(iid) })
}

export function parseRunReference(text: string): Result<RunId, CommandFailure> {
  const parsed = runIdSchema.safeParse(Number(/^(?:run[ -]?)?(\d{1,15})$/.exec(text)?.[1] ?? Number.NaN))
  return parsed.success
    ? ok(parsed.data)
    : err({ type: 'usage', message: `${text} is no run: write its number, as in 431` })
}

/** The mailbox of an issue that Alfred knows. */
export async function findMailbox(
  client: EngineClient,
  text: string,
): Promise<Result<MailboxId, CommandFailure>> {
  const reference = parseIssueReference(text)
  if (!reference.ok) return reference
  const found = await client.call('mailboxes', 'find', reference.value)
  if (!found.ok) return err({ type: 'failed', message: describeError(found.error) })
  return found.value === null
    ? err({
        type: 'failed',
        message: `Alfred has not taken up ${text} yet: "alfred issue assign ${text} alfred" assigns it to Alfred, "alfred issue show ${text}" tells whether it is there.`,
      })
    : ok(found.value.mailboxId)
}

export interface FoundProject {
  readonly id: ProjectId
  readonly path: string
}

/** By `organization/project`, or by the project's name where only one has it. */
export async function findProject(
  client: EngineClient,
  path: string,
): Promise<Result<FoundProject, CommandFailure>> {
  const projects = await client.call('mailboxes', 'projects', {})
  if (!projects.ok) return err({ type: 'failed', message: describeError(projects.error) })
  const all = projects.value.map(({ id, organization, slug }) => ({
    id,
    slug,
    path: `${organization}/${slug}`,
  }))
  const found = all.filter((project) => project.path === path)
  const named = found.length > 0 ? found : all.filter((project) => project.slug === path)
  const [only] = named
  if (named.length === 1 && only) return ok({ id: only.id, path: only.path })
  const known = all.map((project) => project.path).join(', ')
  const what =
    named.length > 1
      ? `More than one project is called ${path}: ${named.map((p) => p.path).join(', ')}.`
      : `There is no project ${path}.`
  return err({
    type: 'failed',
    message: `${what} ${known === '' ? 'There is none yet: "alfred project create NAME" makes one.' : `Known: ${known}.`}`,
  })
}

/** The login that is meant; `me` is the person of this computer, unless somebody has that login. */
export async function findLogin(client: EngineClient, name: string): Promise<Result<string, CommandFailure>> {
  const people = await client.call('tracker', 'listPeople', {})
  if (!people.ok) return err({ type: 'failed', message: describeError(people.error) })
  const meant =
    people.value.find(({ login }) => login === name) ??
    people.value.find(({ isYou }) => isYou && name === 'me')
  if (meant !== undefined) return ok(meant.login)
  const known = people.value.map(({ login }) => login).join(', ')
  return err({
    type: 'failed',
    message: `There is nobody called ${name}. Known: ${known}. "me" is you. "alfred issue person ${name}" adds somebody.`,
  })
}
