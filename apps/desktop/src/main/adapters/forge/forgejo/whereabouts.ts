import { z } from 'zod'
import type { Project } from '@shared/model/records'
import { err, ok, type Result } from '@shared/result'
import type { ForgeError } from '@main/ports/forge'
import type { ForgejoContext } from './forgejo-context'
import type { ForgejoFailure } from './status-errors'
import { pathOf } from './transport'

/*
 * Where a repository lies by now, and whether Alfred can work there. It is known by its id, which stays when it is
 * renamed or given to another owner; the address that a redirect names is never asked.
 */

const repositorySchema = z.object({
  full_name: z.string().regex(/^[^/\s]+\/[^/\s]+$/),
  archived: z.boolean().nullish(),
  has_issues: z.boolean().nullish(),
  permissions: z.object({ push: z.boolean().nullish() }).nullish(),
})

export interface Whereabouts {
  /**
   * Does something at the repository. Where that is refused, the repository is looked up by its id: if it lies
   * elsewhere by now it is done there, once; else the error says what is the matter with the repository.
   */
  readonly at: <T>(
    project: Project,
    act: () => Promise<Result<T, ForgeError>>,
  ) => Promise<Result<T, ForgeError>>
  /**
   * The same for what writes: it is looked up before, since another repository that took its name would refuse nothing.
   * Writes within five seconds share a look. Where the forge does not answer the look, nothing is written.
   */
  readonly writeAt: Whereabouts['at']
  /** Looks it up now and then although nothing is refused: another one may have its name, or it may be archived. */
  readonly stillFit: (project: Project) => Promise<Result<void, ForgeError>>
  /** Follows it if it was moved; an error if it is gone. What else is the matter, or not known, is left to what comes next. */
  readonly follow: (project: Project) => Promise<Result<void, ForgeError>>
}

type Look =
  /** At the address that is known; `unfit`: why Alfred cannot work there. */
  | { readonly is: 'here'; readonly unfit: ForgeError | null }
  | { readonly is: 'moved'; readonly unfit: ForgeError | null }
  | { readonly is: 'gone'; readonly unfit: ForgeError }
  /** The forge does not answer that now (`failed`), or it is not known which repository it is. */
  | { readonly is: 'unknown'; readonly unfit: null; readonly failed: ForgeError | null }

/** So long a repository is taken to be what it was. */
const fitForMs = 10 * 60_000

/** So long its name is taken to be its own when something is written: as long as one step of the workflow. */
const ownNameForMs = 5_000

/** Projects that were looked up together at the start are not again, so that no single poll is a long one. */
const spread = (index: number): number => ((index % 20) / 20) * fitForMs

export function createWhereabouts(context: ForgejoContext): Whereabouts {
  const fitSince = new Map<Project['id'], number>()
  const seenAt = new Map<Project['id'], number>()

  const look = async (project: Project): Promise<Look> => {
    const place = context.placeOf(project)
    if (place === null) return { is: 'unknown', unfit: null, failed: null }
    const answer = await context.transport.get(pathOf`/repositories/${place.remoteId}`)
    if (!answer.ok)
      return answer.error.status === 404
        ? { is: 'gone', unfit: gone(place.path, context.account.login) }
        : { is: 'unknown', unfit: null, failed: answer.error }
    const read = repositorySchema.safeParse(answer.value.body)
    if (!read.success) return { is: 'unknown', unfit: null, failed: null }
    seenAt.set(project.id, context.clock.monotonic())
    const unfit = unfitness(read.data, context.account.login)
    if (read.data.full_name === place.path) return { is: 'here', unfit }
    context.moved(project, read.data.full_name)
    return { is: 'moved', unfit }
  }

  const at: Whereabouts['at'] = async (project, act) => {
    const first = await act()
    if (first.ok || !mayBeOfRepository(first.error)) return first
    const { is, unfit } = await look(project)
    if (is === 'moved') return act()
    // Of an archived repository, too, an issue may be the thing that is not there.
    const isOfRepository = first.error.type !== 'not_found' || unfit?.type === 'not_found'
    return err(unfit !== null && isOfRepository ? unfit : withWords(first.error, context, project))
  }

  return {
    at,
    writeAt: async (project, act) => {
      const seen = seenAt.get(project.id)
      if (seen === undefined || context.clock.monotonic() - seen > ownNameForMs) {
        const found = await look(project)
        if (found.is === 'gone') return err(found.unfit)
        if (found.is === 'unknown' && found.failed !== null) return err(found.failed)
      }
      return at(project, act)
    },
    stillFit: async (project) => {
      const now = context.clock.monotonic()
      const since = fitSince.get(project.id)
      if (since !== undefined && now - since <= fitForMs) return ok(undefined)
      const { is, unfit } = await look(project)
      if (unfit !== null) return err(unfit)
      if (is !== 'unknown') fitSince.set(project.id, since === undefined ? now - spread(fitSince.size) : now)
      return ok(undefined)
    },
    follow: async (project) => {
      const { is, unfit } = await look(project)
      return is === 'gone' ? err(unfit) : ok(undefined)
    },
  }
}

/** Redirects, refusals, and what is not there: the repository may be the reason, or only the thing that was asked for. */
const mayBeOfRepository = ({ status }: ForgeError & Partial<ForgejoFailure>): boolean =>
  typeof status === 'number' && ((status >= 300 && status < 400) || [403, 404, 410, 423].includes(status))

const refusal = (type: 'forbidden' | 'not_found', message: string): ForgeError => ({
  type,
  message,
  retryable: false,
})

const gone = (path: string, login: string): ForgeError =>
  refusal(
    'not_found',
    `${path} is not on the forge any more, or hidden from ${login}. Give the account access again, or stop watching the project.`,
  )

function unfitness(
  { full_name: path, archived, has_issues: hasIssues, permissions }: z.infer<typeof repositorySchema>,
  login: string,
): ForgeError | null {
  if (archived === true)
    return refusal(
      'forbidden',
      `${path} is archived on the forge, so nothing can be written there. Take it out of the archive, or stop watching the project.`,
    )
  if (permissions?.push === false)
    return refusal('forbidden', `${login} may only read ${path}. Give it write access there.`)
  if (hasIssues === false)
    return refusal('not_found', `${path} has its issues switched off on the forge. Switch them on again.`)
  return null
}

/** The account is blocked by the repository's owner, which no other answer shows. */
function withWords(
  error: ForgeError & Partial<ForgejoFailure>,
  { placeOf, account }: ForgejoContext,
  project: Project,
): ForgeError {
  if (error.status !== 403 || !/\bblocked\b/i.test(error.serverMessage ?? '')) return error
  return {
    ...error,
    message: `${placeOf(project)?.path.split('/')[0] ?? 'The owner'} or the issue's author has blocked ${account.login} on the forge, so nothing can be written there. Only they can undo that.`,
  }
}
