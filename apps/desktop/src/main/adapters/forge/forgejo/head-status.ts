import { ok, type Result } from '@shared/result'
import type { ForgeError, ForgeIssueSnapshot } from '@main/ports/forge'
import type { ForgejoContext, Repository } from './forgejo-context'
import { statusPageSchema } from './parsers'
import { getAllPages } from './read-answer'
import { pathOf } from './transport'

/*
 * The checks of a commit. The server folds only the page that it gives, so all pages are read and folded here.
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

export async function readHeadStatus(
  { transport }: ForgejoContext,
  repository: Repository,
  sha: string,
): Promise<Result<HeadStatus, ForgeError>> {
  const path = `${repository.path}${pathOf`/commits/${sha}/status`}`
  const statuses = await getAllPages(transport, path, statusPageSchema, { until: 'empty_page' })
  if (statuses.ok) return ok(foldStatuses(statuses.value.map(({ status }) => status)))
  // A commit that the API does not know yet, right after its push.
  return statuses.error.type === 'not_found' ? ok(null) : statuses
}
