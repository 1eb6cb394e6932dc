import type {
  AdapterId,
  ChatMessageState,
  ChatRole,
  ForgeKind,
  MailboxKind,
  NeedsYou,
  Outcome,
  Phase,
  ResumeFallback,
  RunState,
  Runner,
  SessionMode,
  SessionOffReason,
  Status,
  Trigger,
} from './words'
import type {
  AttachmentId,
  AttemptId,
  ChatMessageId,
  ChatThreadId,
  ForgeId,
  MailboxId,
  OrganizationId,
  ProjectId,
  ResumeChoice,
  RunId,
  RunUid,
  SessionId,
  StartId,
} from './ids'

/*
 * One record per table row, in camelCase. Times are epoch milliseconds; unknown figures are null, never 0.
 */

export interface Forge {
  readonly id: ForgeId
  readonly kind: ForgeKind
  readonly name: string
  readonly baseUrl: string
  readonly caFile: string | null
  /** The forge's user id and login of Alfred's own account there. */
  readonly accountId: string
  readonly accountLogin: string
}

export interface Organization {
  readonly id: OrganizationId
  readonly forgeId: ForgeId
  /** Safe in paths: matches `[a-z0-9][a-z0-9-]*`. */
  readonly slug: string
}

export interface Project {
  readonly id: ProjectId
  readonly organizationId: OrganizationId
  readonly forgeId: ForgeId
  readonly slug: string
  readonly defaultBranch: string
  /** The built-in demo project allows the adapters `demo` and `fake`. */
  readonly isDemo: boolean
  readonly isWatched: boolean
}

export interface Mailbox {
  readonly id: MailboxId
  readonly projectId: ProjectId
  readonly kind: MailboxKind
  readonly iid: number
  readonly title: string
  readonly status: Status | null
  /** Frozen at the first run; null before. It is the session name too. */
  readonly branchName: string | null
  readonly baseBranch: string | null
  readonly changeIid: number | null
  readonly isOpen: boolean
  readonly ciFixCount: number
  readonly createdAt: number
  readonly updatedAt: number
  readonly seenAt: number | null
  readonly memoryRemovedAt: number | null
  /** Since when it is closed or merged; null while it is open, and again once it was opened again. */
  readonly closedAt: number | null
  /** Since when its cleanup waits for a person, because work lies nowhere else; null when it does not. */
  readonly cleanupHeldAt: number | null
  /** Why the mailbox waits for a person, in the window's words; null when it does not. */
  readonly needsYou: NeedsYou | null
}

export interface Run {
  readonly id: RunId
  readonly uid: RunUid
  readonly mailboxId: MailboxId
  readonly phase: Phase
  readonly trigger: Trigger
  readonly requestedBy: string | null
  readonly state: RunState
  readonly outcome: Outcome | null
  /** Redacted JSON of a `RunFailure` (core/run); null when nothing failed. */
  readonly error: string | null
  readonly llmRetries: number
  readonly runner: Runner
  readonly adapter: AdapterId
  readonly provider: string | null
  readonly model: string | null
  readonly resumeChoice: ResumeChoice
  readonly sessionOffReason: SessionOffReason | null
  readonly baseSha: string | null
  readonly headSha: string | null
  /** Commits that were accepted from the agent; null until it ended or when there was no result. */
  readonly commits: number | null
  /** What the agent's result said; null until it ended or when it said nothing that could be read. */
  readonly result: 'done' | 'questions' | 'nothing' | null
  /** When the remaining timeout is used up; null until a CLI starts and while the run waits for its next start. */
  readonly deadline: number | null
  /** What is left of the timeout while it waits, in ms; null: all of it. */
  readonly remainingMs: number | null
  readonly nextAttemptAt: number | null
  readonly createdAt: number
  readonly startedAt: number | null
  readonly endedAt: number | null
}

export interface RunAttempt {
  readonly id: AttemptId
  readonly runId: RunId
  readonly number: number
  readonly imageDigest: string | null
  readonly outcome: Outcome | null
  readonly startedAt: number
  readonly endedAt: number | null
}

export type StartKind = 'first' | 'fallback' | 'collect'

/** Where a followed stream file was last read to; device and inode tell a replaced file. */
export interface StreamPosition {
  readonly device: string
  readonly inode: string
  readonly offset: number
}

export interface RunStart {
  readonly id: StartId
  readonly attemptId: AttemptId
  readonly number: number
  readonly kind: StartKind
  /** The native id that it was asked to resume; null: a fresh session, or none. */
  readonly askedSessionId: string | null
  readonly containerId: string | null
  readonly stdout: StreamPosition | null
  readonly stderr: StreamPosition | null
  readonly exitCode: number | null
  readonly startedAt: number
  readonly endedAt: number | null
}

/** One row of `llm_sessions`: one CLI session used by one attempt of a run. */
export interface LlmSession {
  readonly id: SessionId
  readonly runId: RunId
  readonly attemptId: AttemptId
  readonly mailboxId: MailboxId
  readonly adapter: AdapterId
  readonly provider: string | null
  readonly model: string | null
  readonly sessionName: string | null
  readonly nativeSessionId: string | null
  readonly resumed: boolean
  readonly resumeFallback: ResumeFallback | null
  readonly mode: SessionMode
  readonly requestedSessionId: string | null
  readonly chosenSessionId: string | null
  /** Bytes of the session state before and after the run. */
  readonly stateBytesBefore: number | null
  readonly stateBytesAfter: number | null
  /** When the state that was resumed had last been saved. */
  readonly stateSavedAt: number | null
  readonly idSetAside: boolean
  readonly firstEventAt: number | null
  readonly inputTokens: number | null
  readonly cachedTokens: number | null
  readonly outputTokens: number | null
  readonly costUsd: number | null
  readonly contextUsed: number | null
  readonly contextMax: number | null
  readonly turns: number | null
  readonly toolCalls: number | null
  readonly createdAt: number
  readonly endedAt: number | null
}

/** What is asked of an earlier session: to hand over the rest of its row takes longer than to find it. */
export type PriorSession = Pick<
  LlmSession,
  'id' | 'runId' | 'mailboxId' | 'adapter' | 'nativeSessionId' | 'stateBytesAfter' | 'createdAt' | 'endedAt'
>

/** What was used, each figure null where it is not known. */
export type UsedFigures = Pick<
  LlmSession,
  'inputTokens' | 'cachedTokens' | 'outputTokens' | 'costUsd' | 'turns' | 'toolCalls'
>

/** What one start of a session's attempt used; those of the session are the sums over its starts. */
export interface FiguresOfStart extends UsedFigures {
  readonly sessionId: SessionId
  /** Number of the start in its attempt; 0: what a copied session had used before it was brought in, no run's own. */
  readonly start: number
  /** The session that the start worked in. */
  readonly nativeSessionId: string | null
}

/** A part of a session's cost, and the quarter of an hour (epoch ms of its beginning) in which it was told. */
export interface Spending {
  readonly sessionId: SessionId
  readonly at: number
  readonly costUsd: number
}

/** An id that no run goes on with by itself, since a person dropped it. */
export interface DroppedId {
  readonly adapter: AdapterId
  readonly nativeSessionId: string
  readonly droppedAt: number
}

/** A conversation of a person with one memory of a mailbox; each of its turns is a run. */
export interface ChatThread {
  readonly id: ChatThreadId
  readonly mailboxId: MailboxId
  readonly adapter: AdapterId
  readonly title: string
  /** The session with which it began. */
  readonly anchorSessionId: SessionId
  /** It begins without the memory of its anchor, which only says agent and model. */
  readonly isFresh: boolean
  /** What a person has written and not sent yet, without secrets. */
  readonly draft: string
  readonly createdAt: number
}

export interface ChatMessage {
  readonly id: ChatMessageId
  readonly threadId: ChatThreadId
  readonly role: ChatRole
  /** The turn that it asked for, or that it answers. */
  readonly runId: RunId
  readonly state: ChatMessageState
  readonly text: string
  readonly createdAt: number
}

/** A file or a picture that goes along with a message. */
export interface Attachment {
  readonly id: AttachmentId
  readonly threadId: ChatThreadId
  /** The turn that it went along with; null: its message is not sent yet. */
  readonly runId: RunId | null
  readonly name: string
  readonly mediaType: string
  readonly bytes: number
}
