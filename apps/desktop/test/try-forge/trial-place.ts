import { z } from 'zod'
import { commentsSchema, issuesSchema, labelsSchema, pullsSchema } from '@main/adapters/forge/forgejo/parsers'
import { getAllPages } from '@main/adapters/forge/forgejo/read-answer'
import type { ForgejoFailure } from '@main/adapters/forge/forgejo/status-errors'
import { createForgejoTransport, type ForgejoTransport, pathOf } from '@main/adapters/forge/forgejo/transport'
import type { ForgeError } from '@main/ports/forge'
import { ok, type Result } from '@shared/result'
import { TrialFailure } from './report'

/*
 * The repository as a person sees it, who opens an issue there, validates, merges and tidies up.
 */

const branchesSchema = z
  .array(z.object({ name: z.string(), commit: z.object({ id: z.string() }).nullish() }))
  .nullish()
  .transform((branches) => branches ?? [])
const repositorySchema = z.object({
  full_name: z.string(),
  default_branch: z.string(),
  empty: z.boolean(),
})
const numberedSchema = z.object({ number: z.number().int().positive() })
const issueSchema = numberedSchema.extend({
  body: z.string().nullish(),
  state: z.string(),
  labels: labelsSchema,
})

export type Place = ReturnType<typeof createPlace>

export function createPlace(access: {
  readonly baseUrl: string
  readonly caPem: string | null
  readonly token: string
  readonly repository: string
}) {
  const { baseUrl, caPem, token, repository } = access
  const transport = createForgejoTransport({
    baseUrl,
    access: () => Promise.resolve(ok({ token, caPem })),
    now: Date.now,
  })
  const [owner = '', name = ''] = repository.split('/')
  const at = pathOf`/repos/${owner}/${name}`
  const list = async <T>(path: string, schema: z.ZodType<readonly T[]>, query: Query = {}) =>
    valueOf(await getAllPages(transport, `${at}${path}`, schema, { until: 'total', query }))
  const write = async (method: 'post' | 'patch', path: string, body: unknown): Promise<unknown> =>
    valueOf(await transport[method](`${at}${path}`, body)).body
  return {
    repository: async () => parse(repositorySchema, valueOf(await transport.get(at)).body),
    labels: () => list('/labels', labelsSchema),
    branches: () => list('/branches', branchesSchema),
    /** Issues and pull requests, closed ones too. */
    issues: (query: Query) => list('/issues', issuesSchema, { state: 'all', ...query }),
    /** Numbers of open issues; none where the repository cannot be seen. */
    assignedTo: async (login: string): Promise<readonly number[]> => {
      const query = { type: 'issues', state: 'open', assigned_by: login }
      const found = await getAllPages(transport, `${at}/issues`, issuesSchema, { until: 'total', query })
      if (!found.ok && found.error.type === 'not_found') return []
      return valueOf(found).map(({ number }) => number)
    },
    pulls: () => list('/pulls', pullsSchema, { state: 'all' }),
    issue: async (number: number) =>
      parse(issueSchema, valueOf(await transport.get(`${at}/issues/${number}`)).body),
    comments: async (number: number) =>
      parse(commentsSchema, valueOf(await transport.get(`${at}/issues/${number}/comments`)).body),
    makeBranch: (branch: string, from: string) =>
      write('post', '/branches', { new_branch_name: branch, old_branch_name: from }),
    openIssue: async (issue: {
      readonly title: string
      readonly body: string
      /** The branch that its change is for. */
      readonly ref: string
      readonly assignees: readonly string[]
    }) => parse(numberedSchema, await write('post', '/issues', issue)).number,
    setLabel: (number: number, id: number) => write('post', `/issues/${number}/labels`, { labels: [id] }),
    setStatus: (sha: string, state: 'pending' | 'success') =>
      write('post', `/statuses/${sha}`, { context: 'alfred/trial', state }),
    /** The failure, where it was not done; a server that still looks at the change says 405. */
    merge: (number: number) => transport.post(`${at}/pulls/${number}/merge`, { Do: 'squash' }),
    close: (number: number) => write('patch', `/issues/${number}`, { state: 'closed' }),
    deleteIssue: (number: number) => gone(transport, `${at}/issues/${number}`),
    deleteBranch: (branch: string) =>
      gone(transport, `${at}/branches/${branch.split('/').map(encodeURIComponent).join('/')}`),
    deleteLabel: (id: number) => gone(transport, `${at}/labels/${id}`),
  }
}

type Query = Readonly<Record<string, string>>

/** Whether it is not there any more; false: this account may not delete it. */
async function gone(transport: ForgejoTransport, path: string): Promise<boolean> {
  const deleted = await transport.delete(path)
  if (deleted.ok || deleted.error.status === 404) return true
  if (deleted.error.status === 403) return false
  throw new TrialFailure(deleted.error.message)
}

function valueOf<T>(result: Result<T, ForgeError | ForgejoFailure>): T {
  if (!result.ok) throw new TrialFailure(result.error.message)
  return result.value
}

function parse<T>(schema: z.ZodType<T>, body: unknown): T {
  const read = schema.safeParse(body)
  if (!read.success)
    throw new TrialFailure(`the forge gave an answer that cannot be read: ${read.error.message}`)
  return read.data
}
