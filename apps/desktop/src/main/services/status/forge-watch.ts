import type { EngineBanner, EngineStatus } from '@shared/contract/app'
import type { ForgeId, ProjectId } from '@shared/model/ids'
import type { Project } from '@shared/model/records'
import type { Result } from '@shared/result'
import type { Clock } from '../../ports/clock'
import type { ForgeError } from '../../ports/forge'
import type { Store } from '../../ports/stores'
import { projectPath } from '../forges/place-project'

/*
 * Whether the connected forges answer, as their polls tell it: a forge that is away, that wants fewer requests or that
 * refuses the token is told once for all its projects; a project that cannot be polled is told by itself.
 */

export type ForgeHealth = EngineStatus['forges'][number]['state']

export interface ForgeWatch {
  /**
   * A poll has ended; `nextAt`: epoch ms of the next one, of this project or for all of its forge; `isOwn`: the forge
   * answers others, so that a failure is told of this project alone.
   */
  polled(project: Project, outcome: Result<unknown, ForgeError>, nextAt: number, isOwn: boolean): void
  healthOf(forgeId: ForgeId): ForgeHealth
  banners(): readonly EngineBanner[]
}

/** As adapters for HTTP forges give it: the status of the answer, if there was a whole one. */
type PollError = ForgeError & { readonly status?: number | null }

interface Watched {
  lastAnswerAt: number | null
  trouble: { readonly health: Exclude<ForgeHealth, 'ok'>; readonly error: PollError; nextAt: number } | null
  readonly projects: Map<ProjectId, PollError>
}

type Parts = {
  readonly store: Pick<Store, 'forges' | 'outbox'>
  readonly clock: Pick<Clock, 'now'>
  readonly onChange: () => void
}

export function createForgeWatch({ store, clock, onChange }: Parts): ForgeWatch {
  const forges = new Map<ForgeId, Watched>()
  const watchedOf = (forgeId: ForgeId): Watched => {
    const known = forges.get(forgeId) ?? { lastAnswerAt: null, trouble: null, projects: new Map() }
    forges.set(forgeId, known)
    return known
  }

  return {
    polled({ id, forgeId }, outcome, nextAt, isOwn) {
      const watched = watchedOf(forgeId)
      const before = JSON.stringify([watched.trouble, [...watched.projects]])
      const health = outcome.ok ? 'ok' : healthFor(outcome.error)
      if (!outcome.ok && health !== 'ok' && isOwn) {
        // No answer: whether the forge is away by now, another project tells.
        watched.projects.set(id, outcome.error)
      } else if (!outcome.ok && health !== 'ok') {
        watched.trouble = { health, error: outcome.error, nextAt }
      } else {
        watched.trouble = null
        watched.lastAnswerAt = clock.now()
        if (outcome.ok) watched.projects.delete(id)
        else watched.projects.set(id, outcome.error)
      }
      if (JSON.stringify([watched.trouble, [...watched.projects]]) !== before) onChange()
    },
    healthOf: (forgeId) => forges.get(forgeId)?.trouble?.health ?? 'ok',
    banners: () => {
      const projects = store.forges.listProjects().filter(({ isWatched }) => isWatched)
      return store.forges.listForges().flatMap((forge) => {
        const watched = forge.kind === 'local' ? undefined : forges.get(forge.id)
        const own = projects.filter(({ forgeId }) => forgeId === forge.id)
        if (watched === undefined || own.length === 0) return []
        const about = { forge: forge.name, forgeId: forge.id }
        if (watched.trouble !== null) {
          const { health, error, nextAt } = watched.trouble
          const facts = {
            ...about,
            status: error.status ?? null,
            message: error.message,
            projects: own.length,
            posts: store.outbox.countWaiting(),
            until: nextAt,
            lastAnswerAt: watched.lastAnswerAt,
          }
          return [{ code: codes[health], severity: health === 'refused' ? 'bad' : 'warn', facts } as const]
        }
        return own.flatMap((project): EngineBanner[] => {
          const error = watched.projects.get(project.id)
          if (error === undefined) return []
          const facts = { ...about, project: projectPath(store.forges, project), message: error.message }
          return [{ code: 'forge_project', severity: 'warn', facts }]
        })
      })
    },
  }
}

const codes = {
  unreachable: 'forge_unreachable',
  rate_limited: 'forge_rate_limited',
  refused: 'forge_token',
} as const satisfies Record<Exclude<ForgeHealth, 'ok'>, EngineBanner['code']>

/** Whether the whole forge is the matter; everything else is the project's. */
export function healthFor({ type }: Pick<ForgeError, 'type'>): ForgeHealth {
  switch (type) {
    case 'unreachable':
    case 'rate_limited':
      return type
    case 'unauthorized':
      return 'refused'
    default:
      return 'ok'
  }
}
