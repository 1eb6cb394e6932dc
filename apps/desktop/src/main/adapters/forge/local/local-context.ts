import { join } from 'node:path'
import type { TrackerError } from '@shared/contract/tracker'
import type { ProjectId } from '@shared/model/ids'
import type { Forge, Project } from '@shared/model/records'
import { err, ok, type Result } from '@shared/result'
import type { Clock } from '@main/ports/clock'
import type { GitError } from '@main/ports/git'
import type { ForgeStore } from '@main/ports/stores'
import type { RunGit } from '../../git/run-git'
import type { LocalStores } from './local-stores'
import type { PersonRow } from './people-store'

/** What every part of the local forge works with. */
export interface LocalContext {
  readonly stores: LocalStores
  readonly forges: ForgeStore
  readonly clock: Clock
  readonly runGit: RunGit
  /** Holds `<organization>/<project>.git`. */
  readonly rootFolder: string
  readonly forge: Forge
  /** Alfred's own account. */
  readonly alfred: PersonRow
  /** The person of this computer. */
  readonly you: PersonRow
}

export function repositoryPath(context: LocalContext, project: Project): string {
  const organization = context.forges.getOrganization(project.organizationId)
  return join(context.rootFolder, organization.slug, `${project.slug}.git`)
}

/** A project of this forge. Error: `not_found`. */
export function findLocalProject(context: LocalContext, projectId: ProjectId): Result<Project, TrackerError> {
  const project = context.forges.listProjects().find(({ id }) => id === projectId)
  return project?.forgeId === context.forge.id ? ok(project) : err(notFound('project'))
}

export const notFound = (what: string): TrackerError => ({ type: 'not_found', what })
export const invalid = (message: string): TrackerError => ({ type: 'invalid', message })
export const conflict = (message: string): TrackerError => ({ type: 'conflict', message })

export function gitFailed(error: GitError): TrackerError {
  return error.type === 'moved' ? conflict(error.message) : { type: 'git_failed', message: error.message }
}
