import type { ForgeProblem } from '@shared/contract/forges'
import type { ForgeId } from '@shared/model/ids'
import { ok } from '@shared/result'
import { findAccessWithToken } from './forge-access'
import type { ForgeAnswer, ForgeParts } from './forge-parts'
import { projectPath, projectsOf } from './place-project'

export interface ExaminedProject {
  /** `owner/name`, as Alfred knows it. */
  readonly path: string
  /** Why Alfred cannot work on it any more, in words that follow its name: `is archived`; null: it can. */
  readonly unfitBecause: string | null
  /** Neither gone nor hidden, whether Alfred can work on it or not. */
  readonly isThere: boolean
}

/** Every project would be answered the same, and a forge that wants fewer requests gets no more. */
const isOfForge = ({ type }: ForgeProblem): boolean =>
  type === 'token_refused' || type === 'certificate' || type === 'rate_limited'

const cannotBeRead = ({ message }: ForgeProblem): string =>
  `cannot be looked at: ${message.replace(/\.$/, '')}`

/** Each is looked up by the forge's id of it, so that one that was renamed since is found; one that fails hides no other. */
export async function examineProjects(
  parts: ForgeParts,
  forgeId: ForgeId,
): ForgeAnswer<readonly ExaminedProject[]> {
  const { store, connector } = parts
  const found = await findAccessWithToken(parts, { forgeId })
  if (!found.ok) return found
  const { access } = found.value
  const examined: ExaminedProject[] = []
  for (const project of projectsOf(store.forges, forgeId).filter(({ isWatched }) => isWatched)) {
    const path = projectPath(store.forges, project)
    const place = store.forges.placeOf(project.id)
    // One that was restored is known by its slugs alone, which may be other words than its name.
    if (place === null) {
      examined.push({ path, unfitBecause: 'was restored: watch it again', isThere: true })
      continue
    }
    const looked = await connector.findProject(access, place.remoteId)
    if (!looked.ok) {
      if (isOfForge(looked.error)) return looked
      // Whether it is the forge that does not answer, or this project alone.
      const identity = await connector.identify(access)
      if (!identity.ok) return identity
      examined.push({ path, unfitBecause: cannotBeRead(looked.error), isThere: true })
      continue
    }
    examined.push(
      looked.value === null
        ? { path, unfitBecause: 'is gone, or hidden from this account', isThere: false }
        : { path, unfitBecause: looked.value.unfitBecause, isThere: true },
    )
  }
  return ok(examined)
}
