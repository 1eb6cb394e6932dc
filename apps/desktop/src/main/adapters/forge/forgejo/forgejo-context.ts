import type { Project } from '@shared/model/records'
import { err, ok, type Result } from '@shared/result'
import type { Clock } from '@main/ports/clock'
import type { ForgeError } from '@main/ports/forge'
import type { ForgejoCapability } from './capabilities'
import { pathOf, type ForgejoTransport } from './transport'

/** What every function of the adapter works with. */
export interface ForgejoContext {
  readonly transport: ForgejoTransport
  /** What the server can do, by its version. */
  readonly can: (capability: ForgejoCapability) => Promise<boolean>
  readonly clock: Clock
  /** Alfred's own account there. */
  readonly account: { readonly id: string; readonly login: string }
  /** Where the project lies (`owner/name`, as the forge spells it) and its id there; null: it is not known. */
  readonly placeOf: (project: Project) => { readonly path: string; readonly remoteId: string } | null
  /** It was renamed, or has another owner: from now on `placeOf` gives this path. */
  readonly moved: (project: Project, path: string) => void
}

/** A repository there: where its API lies and what it is called. */
export interface Repository {
  readonly owner: string
  readonly fullName: string
  /** `/repos/{owner}/{name}` */
  readonly path: string
}

export function repositoryOf(context: ForgejoContext, project: Project): Result<Repository, ForgeError> {
  const fullName = context.placeOf(project)?.path ?? null
  const [owner, name, ...rest] = fullName?.split('/') ?? []
  if (fullName === null || !owner || !name || rest.length > 0) {
    return err({
      type: 'not_found',
      message: `It is not known which repository the project ${project.slug} is. Watch it again on the screen Forges.`,
      retryable: false,
    })
  }
  return ok({ owner, fullName, path: pathOf`/repos/${owner}/${name}` })
}
