import type { RunFailure } from '@shared/contract/runs'
import type { ResumeChoice, RunId } from '@shared/model/ids'
import type { MarkerKind, NeedsYou, Phase, Status, Trigger } from '@shared/model/words'

/*
 * What a decision wants done. All of one decision is stored in one transaction; posts go through the outbox, in order.
 * A `cause` names what led to a post, so that deciding the same again posts nothing twice.
 */

export interface MailboxChange {
  readonly title?: string
  readonly status?: Status
  readonly branchName?: null
  readonly baseBranch?: string | null
  readonly changeIid?: number
  readonly isOpen?: boolean
  readonly needsYou?: NeedsYou | null
}

export type WorkflowCommand =
  | { readonly type: 'update_mailbox'; readonly change: MailboxChange }
  | { readonly type: 'post_status'; readonly status: Status; readonly cause: string }
  /** `text` is without its marker. */
  | {
      readonly type: 'post_comment'
      readonly kind: MarkerKind
      readonly cause: string
      readonly text: string
    }
  | { readonly type: 'remove_label'; readonly label: string; readonly cause: string }
  | { readonly type: 'edit_section'; readonly text: string; readonly cause: string }
  | {
      readonly type: 'push'
      readonly runId: RunId
      readonly cause: string
      readonly approvedSha: string | null
      /** A person knows that the branch is gone: it is made anew. None: nobody does. */
      readonly isGoneKnown?: boolean
    }
  /** Commits of a talk: not pushed before a person has decided. */
  | { readonly type: 'hold_push'; readonly runId: RunId; readonly cause: string }
  | {
      readonly type: 'open_change'
      readonly runId: RunId
      readonly cause: string
      readonly summary: string | null
    }
  /** The push of the run that was refused, with all that follows it, once more. */
  | {
      readonly type: 'publish_again'
      readonly runId: RunId
      readonly cause: string
      /** A person knows that the branch is gone: it is made anew. */
      readonly isGoneKnown: boolean
    }
  /** Only where it still is at `headSha`. */
  | {
      readonly type: 'delete_branch'
      readonly runId: RunId
      readonly branch: string
      readonly headSha: string
      readonly cause: string
    }
  /** Posted once the change is open, since it names it. */
  | { readonly type: 'tell_change'; readonly runId: RunId; readonly cause: string }
  | {
      readonly type: 'request_run'
      readonly phase: Phase
      readonly trigger: Trigger
      readonly requestedBy: string | null
      /** What a person chose for it; none: as the settings say. */
      readonly resumeChoice?: ResumeChoice
    }
  | { readonly type: 'stop_run'; readonly runId: RunId; readonly reason: RunFailure }
  | {
      readonly type: 'store_plan'
      readonly runId: RunId
      readonly plan: string
      readonly functionalAnalysis: string | null
      readonly issueSha256: string
    }
  | {
      readonly type: 'approve_plan'
      readonly personId: string
      readonly labelEvent: string
      readonly planSha256: string
      readonly titleSha256: string
      readonly bodySha256: string
    }
