import type { PendingPush } from '@shared/contract/mailboxes'
import { counted } from '@shared/format'
import type { Result } from '@shared/result'
import { describeError } from './failures'

/** Commits of the issue that wait for a person; null: nobody could say how many, and `words` say why. */
export interface Unpushed {
  readonly commits: number | null
  readonly words: string | null
}

export function unpushedOf(issue: string, pending: Result<PendingPush | null, unknown>): Unpushed {
  const look = `"alfred issue push ${issue} --show"`
  if (!pending.ok) {
    const reason = describeError(pending.error)
    return {
      commits: null,
      words: `Commits may wait that are not pushed; that could not be seen: ${reason} To look again: ${look}.`,
    }
  }
  const push = pending.value
  if (push === null) return { commits: 0, words: null }
  const decide = `Runs of the issue wait until you decide: ${look}, then without --show, with --go-on-without or with --discard.`
  return push.problem === null
    ? { commits: push.commits, words: `${counted(push.commits, 'commit')} not pushed. ${decide}` }
    : {
        commits: null,
        words: `Commits wait that are not pushed, and they could not be looked at: ${push.problem} ${decide}`,
      }
}
