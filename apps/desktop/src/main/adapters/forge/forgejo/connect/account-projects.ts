import { z } from 'zod'
import type { ForgeProblem } from '@shared/contract/forges'
import { ok, type Result } from '@shared/result'
import type { ConnectableProject, ProjectsOfAccount } from '@main/ports/forge-connector'
import { type ForgejoTransport, pathOf } from '../transport'
import { problem, problemOf } from './problems'

const pageSize = 50
const maxPages = 40

const repositorySchema = z.object({
  id: z.number().int().positive(),
  full_name: z.string().regex(/^[^/\s]+\/[^/\s]+$/),
  default_branch: z.string().nullish(),
  private: z.boolean().optional(),
  empty: z.boolean().optional(),
  archived: z.boolean().optional(),
  mirror: z.boolean().optional(),
  has_issues: z.boolean().optional(),
  has_pull_requests: z.boolean().optional(),
  permissions: z.object({ push: z.boolean().optional() }).nullish(),
})

/** Own projects and those that the account has a role in; page by page, until an empty one. */
export async function listProjects(
  transport: ForgejoTransport,
  where: string,
): Promise<Result<ProjectsOfAccount, ForgeProblem>> {
  const found = new Map<string, ConnectableProject>()
  for (let page = 1; page <= maxPages; page += 1) {
    const answer = await transport.get('/user/repos', { query: { page, limit: pageSize } })
    if (!answer.ok) return problemOf(answer.error, where)
    const repositories = z.array(repositorySchema).nullable().safeParse(answer.value.body)
    if (!repositories.success)
      return problem('unexpected_answer', `${where} gave a list of projects that Alfred cannot read.`)
    // A server may have smaller pages than asked for, so only an empty one is the last.
    if (!repositories.data?.length) return ok({ projects: [...found.values()], isWhole: true })
    for (const repository of repositories.data) found.set(String(repository.id), toProject(repository))
  }
  return ok({ projects: [...found.values()], isWhole: false })
}

export async function readProject(
  transport: ForgejoTransport,
  where: string,
  path: string,
): Promise<Result<ConnectableProject, ForgeProblem>> {
  const [owner = '', name = ''] = path.split('/')
  const answer = await transport.get(pathOf`/repos/${owner}/${name}`)
  if (!answer.ok) {
    const { status, location, serverMessage } = answer.error
    if (status === 403 && /public repos/i.test(serverMessage ?? ''))
      return problem(
        'token_weak',
        `${path} is private, and this is a public-only token. Make one for all repositories.`,
      )
    if (status === 404) return problem('project_unfit', `${where} does not show ${path} to this account.`)
    if (location !== null) return problem('project_unfit', `${path} was renamed or moved on ${where}.`)
    return problemOf(answer.error, where)
  }
  return readRepository(answer.value.body, where, path)
}

export async function findProject(
  transport: ForgejoTransport,
  where: string,
  remoteId: string,
): Promise<Result<ConnectableProject | null, ForgeProblem>> {
  const answer = await transport.get(pathOf`/repositories/${remoteId}`)
  if (answer.ok) return readRepository(answer.value.body, where, 'a project')
  return answer.error.status === 404 ? ok(null) : problemOf(answer.error, where)
}

function readRepository(
  body: unknown,
  where: string,
  what: string,
): Result<ConnectableProject, ForgeProblem> {
  const repository = repositorySchema.safeParse(body)
  return repository.success
    ? ok(toProject(repository.data))
    : problem('unexpected_answer', `${where} gave an answer about ${what} that Alfred cannot read.`)
}

function toProject(repository: z.infer<typeof repositorySchema>): ConnectableProject {
  const unfitBecause = unfitReason(repository)
  return {
    path: repository.full_name,
    remoteId: String(repository.id),
    defaultBranch: repository.default_branch || 'main',
    isPrivate: repository.private === true,
    isEmpty: repository.empty === true,
    mayWrite: unfitBecause === null,
    unfitBecause,
  }
}

function unfitReason(repository: z.infer<typeof repositorySchema>): string | null {
  if (repository.archived === true) return 'is archived'
  if (repository.mirror === true) return 'is a mirror of another server, so nothing can be pushed to it'
  if (repository.permissions?.push !== true) return 'may not be written by this account'
  if (repository.has_issues === false) return 'has no issues switched on'
  if (repository.has_pull_requests === false) return 'has no pull requests switched on'
  return null
}
