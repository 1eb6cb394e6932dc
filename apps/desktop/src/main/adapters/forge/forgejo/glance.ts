import type { ForgejoContext, Repository } from './forgejo-context'
import { type Issue, issuesSchema } from './parsers'
import { largestPage, readAs, toServerTime, totalOf } from './read-answer'

/*
 * One look over all repositories of a forge, so that an idle poll of many projects is one request and not one for each.
 * It only ever says that nothing is new: whatever it shows or cannot show is left to the lists of the project itself.
 * That a repository was renamed or closed to Alfred it does not show: see whereabouts.
 */

export interface Glances {
  /**
   * Whether nothing changed in the repository since it was last known to be read whole, at this very cursor. `isKnown`
   * tells of an issue or pull request whether it was reported as it is.
   */
  readonly showNothingNew: (
    repository: Repository,
    cursor: string,
    isKnown: (issue: Issue) => boolean,
  ) => Promise<boolean>
  /** The lists of the repository were read whole, begun at `startedAt` (seconds of the server), and led to this cursor. */
  readonly wasReadWhole: (repository: Repository, cursor: string, startedAt: number) => void
}

interface Known {
  readonly cursor: string
  /** Seconds of the server: what changed before is known. */
  until: number
}

interface Glance {
  readonly since: number
  readonly startedAt: number
  readonly issues: readonly Issue[]
}

/** Polls of several projects within this time share a look. */
const freshMs = 5_000
/** As between two polls: see poll-cursor. */
const overlap = 10
/** A repository that was not read for so long is not looked at from afar. */
const longestLook = 600

export function createGlances({ transport, clock }: Pick<ForgejoContext, 'transport' | 'clock'>): Glances {
  const known = new Map<string, Known>()
  let latest: { readonly takenAt: number; readonly glance: Promise<Glance | null> } | null = null

  const take = async (): Promise<Glance | null> => {
    const times = [...known.values()].map(({ until }) => until)
    const since = Math.max(Math.min(...times), Math.max(...times) - longestLook) - overlap
    const answer = await transport.get('/repos/issues/search', {
      query: { state: 'all', since: toServerTime(since), page: 1, limit: largestPage },
    })
    // What is wrong with the forge is told by the project's own list.
    if (!answer.ok || answer.value.serverTime === null) return null
    const read = readAs(issuesSchema, answer.value, 'search')
    const total = totalOf(answer.value)
    if (!read.ok || total === null || total > read.value.length) return null
    return { since, startedAt: Math.floor(answer.value.serverTime / 1_000), issues: read.value }
  }

  const current = (): Promise<Glance | null> => {
    if (latest === null || clock.monotonic() - latest.takenAt > freshMs) {
      latest = { takenAt: clock.monotonic(), glance: take() }
    }
    return latest.glance
  }

  return {
    showNothingNew: async ({ fullName }, cursor, isKnown) => {
      const mine = known.get(fullName)
      // For one project alone a look costs as much as its own list.
      if (mine?.cursor !== cursor || known.size < 2) return false
      const glance = await current()
      if (glance === null || glance.since > mine.until - overlap) return false
      const ofOthers = (issue: Issue): boolean => {
        const name = issue.repository?.full_name
        return name !== undefined && name.toLowerCase() !== fullName.toLowerCase()
      }
      if (!glance.issues.every((issue) => ofOthers(issue) || isKnown(issue))) return false
      mine.until = Math.max(mine.until, glance.startedAt)
      return true
    },
    wasReadWhole: ({ fullName }, cursor, startedAt) => {
      known.set(fullName, { cursor, until: startedAt })
    },
  }
}
