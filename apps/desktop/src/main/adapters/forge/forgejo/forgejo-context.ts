import type { Project } from '@shared/model/records'
import { err, ok, type Result } from '@shared/result'
import type { Clock } from '@main/ports/clock'
import type { ForgeError } from '@main/ports/forge'
import { pathOf, type ForgejoTransport } from './transport'

/** What every function of the adapter works with. */
export interface ForgejoContext {
  readonly transport: ForgejoTransport
  readonly clock: Clock
  /** Alfred's own account there. */
  readonly account: { readonly id: string; readonly login: string }
  /** `owner/name` as the forge spells it; null: it is not known where the project lies. */
  readonly placeOf: (project: Project) => string | null
}

/** A repository there: where its API lies and what it is called. */
export interface Repository {
  readonly owner: string
  readonly fullName: string
  /** `/repos/{owner}/{name}` */
  readonly path: string
}

export function repositoryOf(context: ForgejoContext, project: Project): Result<Repository, ForgeError> {
  const fullName = context.placeOf(project)
  const [owner, name, ...rest] = fullName?.split('/') ?? []
  if (fullName === null || !owner || !name || rest.length > 0) {
    return err({
      type: 'not_found',
      message: `It is not known which repository the project ${project.slug} is. Connect it anew.`,
      retryable: false,
    })
  }
  return ok({ owner, fullName, path: pathOf`/repos/${owner}/${name}` })
}
