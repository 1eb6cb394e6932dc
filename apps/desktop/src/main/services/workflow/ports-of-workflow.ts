import type { RunFailure } from '@shared/contract/runs'
import type { ChatThreadId, MailboxId, ResumeChoice, RunId } from '@shared/model/ids'
import type { Run } from '@shared/model/records'
import type { AdapterId, Phase, Trigger } from '@shared/model/words'
import type { Result } from '@shared/result'
import type { PromptFacts } from '@main/core/prompt/build-prompt'
import type { RunResult } from '@main/core/result/parse-result'
import type { ForgeError } from '@main/ports/forge'

/*
 * What the workflow and the run services need of each other. Calls marked "in a transaction" are synchronous and
 * are made inside the caller's store transaction, so that both sides' rows are stored together or not at all.
 */

export interface RunRequest {
  readonly mailboxId: MailboxId
  readonly phase: Phase
  readonly trigger: Trigger
  /** Login of the person who asked; null when the workflow did. */
  readonly requestedBy: string | null
  readonly resumeChoice: ResumeChoice
  /** Of a turn of a chat. */
  readonly chat?: BegunWith & { readonly threadId: ChatThreadId }
  /** Of a terminal. */
  readonly terminal?: BegunWith
}

/** A talk goes on with what its session was begun with, whatever the settings say by now. */
export interface BegunWith {
  readonly adapter: AdapterId
  readonly provider: string | null
  readonly model: string | null
}

export type RunRequestError =
  | {
      readonly type: 'already_running'
      readonly runId: RunId
      readonly since: number
      readonly message: string
    }
  | { readonly type: 'no_agent'; readonly message: string }
  | { readonly type: 'session_not_found'; readonly message: string }
  | { readonly type: 'memory_removed'; readonly message: string; readonly at: number }
  /** The last run's commits wait for a person: what is on top of them would be published with them. */
  | { readonly type: 'push_waits'; readonly message: string }

/** Implemented by the run services. */
export interface RunRequests {
  /** Stores a queued run; in a transaction. Starts nothing: `kick` does, after the commit. */
  requestRun(request: RunRequest): Result<Run, RunRequestError>
  /** Why no run of this mailbox could have an agent now; null: one could. What is said before a run begins asks this. */
  whyNoAgent(
    mailboxId: MailboxId,
    phase: Phase,
  ): { readonly type: 'no_agent'; readonly message: string } | null
  /** Looks at the queue; called after a commit that may have added to it. */
  kick(): void
  /** Stops a live run and keeps its work. `reason` becomes its failure. An ended run is left alone. */
  stopRun(runId: RunId, reason: RunFailure): void
}

export type PushError =
  /** The commits touch paths of PUSH_NEEDS_PERSON and nobody has agreed yet. */
  | { readonly type: 'needs_person'; readonly paths: readonly string[]; readonly message: string }
  /** The branch on the forge is not where this work began: a person pushed, or set it back. */
  | { readonly type: 'moved'; readonly message: string }
  /** It was there when this work began, and was renamed or deleted since. */
  | { readonly type: 'gone'; readonly message: string }
  | { readonly type: 'refused'; readonly message: string }
  | { readonly type: 'unreachable'; readonly message: string; readonly retryAfterMs?: number }

/** What a push would publish, as far as the forge was last asked. */
export interface PushPreview {
  readonly headSha: string
  readonly branch: string
  readonly commits: number
  /** Those that wait for a person. */
  readonly paths: readonly string[]
  readonly patch: string
  readonly cut: boolean
}

/** Commits that lie on no branch any more, where git finds them. */
export interface KeptWork {
  readonly repository: string
  readonly ref: string
}

/** Implemented by the run services. */
export interface RunPusher {
  /**
   * Brings the issue's branch to where the run left it. Idempotent. `approvedSha`: the head that a person agreed to
   * publish, whatever it touches; null: none. `isGoneKnown`: a person was told that the branch is gone, and it is to be
   * made anew.
   */
  pushRun(
    run: Run,
    options: {
      readonly approvedSha: string | null
      readonly isGoneKnown: boolean
      readonly signal: AbortSignal
    },
  ): Promise<Result<{ readonly headSha: string; readonly commits: number }, PushError>>
  /**
   * Deletes a branch on the forge that is still where Alfred's last push left it, and lets go of Alfred's own copy.
   * False: somebody else moved it, and it stays.
   */
  deleteBranch(
    run: Run,
    branch: { readonly name: string; readonly headSha: string; readonly signal: AbortSignal },
  ): Promise<Result<boolean, PushError>>
  /** The same push, told and not done; asks no forge. */
  describePush(run: Run, options: { readonly maxDiffBytes: number }): Promise<Result<PushPreview, PushError>>
  /**
   * Takes what that push would publish off the issue's branch, so that the next run begins without it. Idempotent;
   * asks no forge. Returns where it is kept; null when it is not.
   */
  takeBack(run: Run, options: { readonly keep: boolean }): Promise<Result<KeptWork | null, PushError>>
}

/** What the run services tell when a run has ended. */
export interface FinishedRun {
  readonly runId: RunId
  /** What the agent says of its work; null when the run did not succeed. */
  readonly result: RunResult | null
  /** Accepted new commits on the issue's branch. */
  readonly commits: number
  /** `issueSha256` of the prompt that the run was given; null when it never had one. */
  readonly issueSha256: string | null
}

/** Implemented by the workflow. */
export interface RunEndListener {
  /** The run's row already says `ended`; in the same transaction. Calling it again changes nothing. */
  onRunEnded(finished: FinishedRun): void
  /** After that commit: sends what is in the outbox. */
  afterRunEnded(runId: RunId): void
}

export interface RunPrompt {
  readonly text: string
  /** Of title and body (without Alfred's own section) as the prompt shows them. */
  readonly issueSha256: string
}

/** What people wrote of an issue and of its changes; comments oldest first. */
export type IssueWords = Pick<PromptFacts, 'description' | 'comments'>

/** Implemented by the workflow: the same text for every session mode and every start of an attempt. */
export interface RunPrompts {
  buildPrompt(run: Run): Promise<Result<RunPrompt, ForgeError>>
  /** What people wrote, for an agent that is told all of it as information. */
  readIssue(run: Run): Promise<Result<IssueWords, ForgeError>>
}
