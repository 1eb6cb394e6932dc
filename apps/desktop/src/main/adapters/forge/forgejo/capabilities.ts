import { z } from 'zod'
import type { ForgejoTransport } from './transport'

/*
 * What a server can do, by its version. The adapter works with what all of them have and looks at the answers
 * themselves where it can; this table is for what only a number tells before it is tried.
 */

export type ForgejoCapability =
  /** Labels of an issue are added by name too, not by id alone. */
  | 'adds_labels_by_name'
  | 'removes_label_by_name'
  /** The description has a count of its writes, and a stale one is refused. */
  | 'compares_description'
  /** One person is assigned or unassigned without replacing all. */
  | 'assigns_one_by_one'
  | 'lists_action_tasks'
  /** To everybody who may write; Gitea 1.25 lists them to owners alone. */
  | 'lists_action_runs'
  | 'lists_action_jobs'
  | 'reads_action_logs'
  | 'repeats_action_runs'
  | 'resolves_review_comments'
  | 'answers_in_review_threads'
  | 'locks_issues'

/** From which version on, major and minor; null: not in any so far. */
type Since = readonly [major: number, minor: number] | null

const since: Readonly<Record<ForgejoCapability, { readonly gitea: Since; readonly forgejo: Since }>> = {
  // Somewhere between Forgejo 7 and 11.
  adds_labels_by_name: { gitea: [1, 22], forgejo: [11, 0] },
  removes_label_by_name: { gitea: null, forgejo: [13, 0] },
  compares_description: { gitea: [1, 26], forgejo: null },
  assigns_one_by_one: { gitea: [1, 27], forgejo: null },
  lists_action_tasks: { gitea: [1, 23], forgejo: [11, 0] },
  lists_action_runs: { gitea: [1, 26], forgejo: [12, 0] },
  lists_action_jobs: { gitea: [1, 25], forgejo: [16, 0] },
  reads_action_logs: { gitea: [1, 24], forgejo: [16, 0] },
  repeats_action_runs: { gitea: [1, 26], forgejo: null },
  resolves_review_comments: { gitea: [1, 26], forgejo: null },
  answers_in_review_threads: { gitea: [1, 27], forgejo: null },
  locks_issues: { gitea: [1, 24], forgejo: null },
}

/** First releases whose API has all that Alfred uses. */
export const oldestSupported = { gitea: [1, 21], forgejo: [7, 0] } as const

/** Forgejo says which Gitea its API is like, and has the word in its version for it. */
export const kindOfVersion = (version: string): 'gitea' | 'forgejo' =>
  version.includes('gitea-') ? 'forgejo' : 'gitea'

/** A self-built server says `development` or the like: it is not known to be older than anything. */
export function isTooOld(version: string): boolean {
  const numbers = numbersOf(version)
  return numbers !== null && !isAtLeast(numbers, oldestSupported[kindOfVersion(version)])
}

/** A version without a number (a server that somebody built from the sources) promises nothing. */
export function hasCapability(
  kind: 'gitea' | 'forgejo',
  version: string,
  capability: ForgejoCapability,
): boolean {
  const from = since[capability][kind]
  const numbers = numbersOf(version)
  return from !== null && numbers !== null && isAtLeast(numbers, from)
}

type Numbers = readonly [major: number, minor: number]

function numbersOf(version: string): Numbers | null {
  const found = /^v?(\d+)\.(\d+)/.exec(version)
  return found === null ? null : [Number(found[1]), Number(found[2])]
}

const isAtLeast = ([major, minor]: Numbers, from: Numbers): boolean =>
  major > from[0] || (major === from[0] && minor >= from[1])

const versionSchema = z.object({ version: z.string().min(1).max(200) })

/** What the server that answers now can do; its version is asked for once. One that does not say it promises nothing. */
export function createCapabilities(
  transport: Pick<ForgejoTransport, 'get'>,
): (capability: ForgejoCapability) => Promise<boolean> {
  let known: string | null = null
  return async (capability) => {
    if (known === null) {
      const answer = await transport.get('/version')
      const read = answer.ok ? versionSchema.safeParse(answer.value.body) : null
      if (read?.success !== true) return false
      known = read.data.version
    }
    return hasCapability(kindOfVersion(known), known, capability)
  }
}
