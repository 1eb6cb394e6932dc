import type { Project } from '@shared/model/records'
import { err, ok, type Result } from '@shared/result'
import type { ForgeError } from '@main/ports/forge'
import { type ForgejoContext, repositoryOf } from './forgejo-context'
import { createdSchema } from './parsers'
import { readAs } from './read-answer'
import { readOneIssue } from './read-issue'

/*
 * Comments and the description. Texts come back byte for byte, but for halves of surrogate pairs, which no server keeps.
 */

const wellFormed = (text: string): string => Buffer.from(text, 'utf8').toString('utf8')

export async function addComment(
  context: ForgejoContext,
  project: Project,
  iid: number,
  body: string,
): Promise<Result<string, ForgeError>> {
  const repository = repositoryOf(context, project)
  if (!repository.ok) return repository
  const path = `${repository.value.path}/issues/${iid}/comments`
  const answer = await context.transport.post(path, { body: wellFormed(body) })
  if (answer.ok) {
    const created = readAs(createdSchema, answer.value, path)
    return created.ok ? ok(String(created.value.id)) : created
  }
  if (answer.error.status !== 500) return answer
  // Gitea says 500 of an issue that is not there, which no repeating mends.
  const issue = await readOneIssue(context, repository.value, iid)
  return !issue.ok && issue.error.type === 'not_found' ? issue : answer
}

const conflict = (message: string): Result<void, ForgeError> =>
  err({ type: 'conflict', message, retryable: false })

/** "The issue is already changed": 409; where the server does not compare (before Gitea 1.26, on Forgejo) it is a 400. */
const isRace = async ({ can }: ForgejoContext, status: number | null): Promise<boolean> =>
  status === 409 || (status === 400 && !(await can('compares_description')))

/** How often a write is repeated that met another one in the same moment. */
const tries = 3

/**
 * From Gitea 1.26 on the server compares, by the count of writes that was read. The others write whatever is there, so it
 * is read right before and again afterwards: a person's text that comes later stays, and is told as a conflict.
 */
export async function editDescription(
  context: ForgejoContext,
  project: Project,
  iid: number,
  expectedText: string,
  bodyText: string,
): Promise<Result<void, ForgeError>> {
  const repository = repositoryOf(context, project)
  if (!repository.ok) return repository
  const [expected, body] = [wellFormed(expectedText), wellFormed(bodyText)]
  for (let left = tries; left > 0; left--) {
    const before = await readOneIssue(context, repository.value, iid)
    if (!before.ok) return before
    if (before.value.body === body) return ok(undefined)
    if (before.value.body !== expected) return conflict('The description is no longer what it was.')
    const version = before.value.content_version ?? null
    const written = await context.transport.patch(`${repository.value.path}/issues/${iid}`, {
      body,
      ...(version !== null && { content_version: version }),
    })
    if (written.ok) {
      if (version !== null) return ok(undefined)
      const after = await readOneIssue(context, repository.value, iid)
      if (!after.ok) return after
      return after.value.body === body
        ? ok(undefined)
        : conflict('The description was changed at the same time.')
    }
    if (!(await isRace(context, written.error.status))) return written
  }
  return conflict('The description is being changed by others.')
}
