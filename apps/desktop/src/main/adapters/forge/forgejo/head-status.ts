import type { z } from 'zod'
import type { Project } from '@shared/model/records'
import { ok, type Result } from '@shared/result'
import type { ForgeError, ForgeIssueSnapshot } from '@main/ports/forge'
import { type ForgejoContext, repositoryOf, type Repository } from './forgejo-context'
import { statusPageSchema } from './parsers'
import { getAllPages, largestPage, readAs, totalOf } from './read-answer'
import { pathOf } from './transport'

/*
 * The checks of a commit. The server folds only the page that it gives, so all pages are read and folded here. They
 * hold the latest status of each context, newest first: a status that comes while they are read moves its context to
 * the front of the first page, perhaps from one that was not read yet. So the first page is read again at the end.
 */

type HeadStatus = ForgeIssueSnapshot['headStatus']

const failed = new Set(['failure', 'error'])
const passed = new Set(['success', 'warning', 'skipped'])

/** Words that only this server knows may still turn into something, so they wait. */
export function foldStatuses(words: readonly string[]): HeadStatus {
  if (words.length === 0) return null
  if (words.some((word) => failed.has(word))) return 'failure'
  return words.every((word) => passed.has(word)) ? 'success' : 'pending'
}

/** Checks that report so often while they are read are not through. */
const mostReadings = 3

export async function readHeadStatus(
  context: ForgejoContext,
  repository: Repository,
  sha: string,
): Promise<Result<HeadStatus, ForgeError>> {
  const path = `${repository.path}${pathOf`/commits/${sha}/status`}`
  const first = await readFirstPage(context, path)
  // A commit that the API does not know yet, right after its push.
  if (!first.ok) return first.error.type === 'not_found' ? ok(null) : first
  let { statuses: front, isAll } = first.value
  for (let reading = 1; reading <= mostReadings; reading++) {
    if (front.length === 0) return ok(null)
    if (isAll) return ok(foldStatuses(front.map(({ status }) => status)))
    const rest = await getAllPages(context.transport, path, statusPageSchema, {
      until: 'empty_page',
      firstPage: 2,
    })
    if (!rest.ok) return rest
    const words = [...front, ...rest.value].map(({ status }) => status)
    if (rest.value.length === 0) return ok(foldStatuses(words))
    const again = await readFirstPage(context, path)
    if (!again.ok) return again
    if (haveSameIds(front, again.value.statuses)) return ok(foldStatuses(words))
    front = again.value.statuses
    isAll = again.value.isAll
  }
  return ok('pending')
}

export async function lookAtChecks(
  context: ForgejoContext,
  project: Project,
  headSha: string,
): Promise<Result<HeadStatus, ForgeError>> {
  const repository = repositoryOf(context, project)
  return repository.ok ? readHeadStatus(context, repository.value, headSha) : repository
}

interface FirstPage {
  readonly statuses: z.output<typeof statusPageSchema>
  /** The server counts no more than these. */
  readonly isAll: boolean
}

async function readFirstPage(
  { transport }: ForgejoContext,
  path: string,
): Promise<Result<FirstPage, ForgeError>> {
  const answer = await transport.get(path, { query: { page: 1, limit: largestPage } })
  if (!answer.ok) return answer
  const read = readAs(statusPageSchema, answer.value, path)
  if (!read.ok) return read
  const total = totalOf(answer.value)
  return ok({ statuses: read.value, isAll: total !== null && total <= read.value.length })
}

type Identified = readonly { readonly id: number }[]

const haveSameIds = (a: Identified, b: Identified): boolean =>
  a.length === b.length && a.every(({ id }, n) => id === b[n]?.id)
