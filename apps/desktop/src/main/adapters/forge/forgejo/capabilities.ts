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

/** A version without a number (a server that somebody built from the sources) promises nothing. */
export function hasCapability(
  kind: 'gitea' | 'forgejo',
  version: string,
  capability: ForgejoCapability,
): boolean {
  const from = since[capability][kind]
  const found = /^v?(\d+)\.(\d+)/.exec(version)
  if (from === null || found === null) return false
  const [major, minor] = [Number(found[1]), Number(found[2])]
  return major > from[0] || (major === from[0] && minor >= from[1])
}
