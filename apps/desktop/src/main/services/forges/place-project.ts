import type { ForgeId } from '@shared/model/ids'
import type { Organization, Project } from '@shared/model/records'
import { toProjectSlug } from '../../core/forge/project-slug'
import type { ConnectableProject } from '../../ports/forge-connector'
import type { ForgeStore } from '../../ports/stores'

/*
 * Slugs are names of folders, so they cannot hold all that owners and projects of a forge may be called. Two that
 * would have the same slug get a number; what they are called there is kept beside.
 */

/** The row of a project of the forge, made or found by the forge's own id of it; brought up to date and watched. */
export function placeProject(
  forges: ForgeStore,
  forgeId: ForgeId,
  found: ConnectableProject,
  at: number,
): Project {
  const { path, remoteId, defaultBranch } = found
  const project =
    projectsOf(forges, forgeId).find(({ id }) => forges.placeOf(id)?.remoteId === remoteId) ??
    findUnplaced(forges, forgeId, path) ??
    addProject(forges, forgeId, { path, defaultBranch }, at)
  forges.setPlace(project.id, { path, remoteId })
  forges.setWatched(project.id, true)
  return forges.getProject(project.id)
}

export const projectsOf = (forges: ForgeStore, forgeId: ForgeId): readonly Project[] =>
  forges.listProjects().filter((project) => project.forgeId === forgeId)

/** One that was restored knows its slugs alone, and is taken for what has these. */
const findUnplaced = (forges: ForgeStore, forgeId: ForgeId, path: string): Project | undefined =>
  projectsOf(forges, forgeId).find(
    (project) =>
      forges.placeOf(project.id) === null &&
      projectPath(forges, project) ===
        path
          .split('/')
          .map((name) => toProjectSlug(name))
          .join('/'),
  )

/** What the project is called on its forge; of a restored one only the slugs are left. */
export const projectPath = (forges: ForgeStore, project: Project): string =>
  forges.placeOf(project.id)?.path ?? `${forges.getOrganization(project.organizationId).slug}/${project.slug}`

function addProject(
  forges: ForgeStore,
  forgeId: ForgeId,
  { path, defaultBranch }: { readonly path: string; readonly defaultBranch: string },
  at: number,
): Project {
  const [owner = '', name = ''] = path.split('/')
  const organization = organizationOf(forges, forgeId, owner, at)
  const slug = firstFree(name, (candidate) => forges.findProject(organization.id, candidate) === null)
  return forges.addProject(
    { organizationId: organization.id, slug, defaultBranch, isDemo: false, isWatched: true },
    at,
  )
}

/** One organization is one owner, since it has settings of its own. */
function organizationOf(forges: ForgeStore, forgeId: ForgeId, owner: string, at: number): Organization {
  const ownerOf = (organization: Organization): string | undefined => {
    const project = projectsOf(forges, forgeId).find(
      ({ organizationId }) => organizationId === organization.id,
    )
    return project && projectPath(forges, project).split('/')[0]?.toLowerCase()
  }
  const isUsable = (slug: string): boolean => {
    const there = forges.findOrganization(forgeId, slug)
    return there === null || [undefined, owner.toLowerCase()].includes(ownerOf(there))
  }
  const slug = firstFree(owner, isUsable)
  return forges.findOrganization(forgeId, slug) ?? forges.addOrganization(forgeId, slug, at)
}

function firstFree(name: string, isFree: (slug: string) => boolean): string {
  const slug = toProjectSlug(name) ?? 'project'
  for (let number = 1; ; number += 1) {
    const candidate = number === 1 ? slug : `${slug}-${number}`
    if (isFree(candidate)) return candidate
  }
}
