import type { TrackerError } from '@shared/contract/tracker'
import type { ProjectId } from '@shared/model/ids'
import type { Organization, Project } from '@shared/model/records'
import { err, ok, type Result } from '@shared/result'
import { alfredLabels } from '@main/core/forge/labels'
import { toProjectSlug } from '@main/core/forge/project-slug'
import type { NewProject } from '@main/ports/tracker'
import { conflict, findLocalProject, invalid, type LocalContext, repositoryPath } from './local-context'
import { discardRepository, makeRepository, type NewRepository, putRepository } from './repositories'

type Done<T = void> = Promise<Result<T, TrackerError>>

/** A project with its repository and Alfred's labels. Errors: `conflict` (name taken), `invalid`, `git_failed`. */
export async function createProject(
  context: LocalContext,
  request: NewProject,
  signal?: AbortSignal,
): Done<Project> {
  const slug = toProjectSlug(request.name)
  if (slug === null) return err(invalid('The name needs a letter or a digit.'))
  if (isTaken(context, request.organization, slug)) return err(taken(request.organization, slug))
  const { you } = context
  const repository = await makeRepository(context.runGit, {
    rootFolder: context.rootFolder,
    name: request.name,
    source: request.source,
    author: { name: you.name, email: you.email ?? `${you.login}@localhost` },
    signal,
  })
  if (!repository.ok) return repository
  let isStored = false
  try {
    const stored = storeProject(context, request, slug, repository.value)
    isStored = stored.ok
    return stored
  } finally {
    if (!isStored) await discardRepository(repository.value.folder)
  }
}

/** The row and the repository's place in one step: a failure of either leaves neither. */
function storeProject(
  context: LocalContext,
  request: NewProject,
  slug: string,
  repository: NewRepository,
): Result<Project, TrackerError> {
  const { forges, stores } = context
  return stores.transaction(() => {
    if (isTaken(context, request.organization, slug)) return err(taken(request.organization, slug))
    const at = context.clock.now()
    const project = forges.addProject(
      {
        organizationId: ensureOrganization(context, request.organization, at).id,
        slug,
        defaultBranch: repository.defaultBranch,
        isDemo: request.isDemo === true,
        isWatched: true,
      },
      at,
    )
    stores.labels.ensure(project.id, alfredLabels)
    putRepository(repository, repositoryPath(context, project), at)
    return ok(project)
  })
}

/** Removes the project and all that hangs on it, then its repository. */
export async function deleteProject(context: LocalContext, projectId: ProjectId): Done {
  const project = findLocalProject(context, projectId)
  if (!project.ok) return project
  const folder = repositoryPath(context, project.value)
  context.forges.removeProject(projectId)
  await discardRepository(folder)
  return ok(undefined)
}

function ensureOrganization({ forges, forge }: LocalContext, slug: string, at: number): Organization {
  return forges.findOrganization(forge.id, slug) ?? forges.addOrganization(forge.id, slug, at)
}

function isTaken({ forges, forge }: LocalContext, organization: string, slug: string): boolean {
  const found = forges.findOrganization(forge.id, organization)
  return found !== null && forges.findProject(found.id, slug) !== null
}

const taken = (organization: string, slug: string): TrackerError =>
  conflict(`There is a project ${organization}/${slug} already.`)
