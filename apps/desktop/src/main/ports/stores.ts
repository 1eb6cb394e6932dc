import type {
  FiguresOfStart,
  Forge,
  LlmSession,
  PriorSession,
  Mailbox,
  Organization,
  Project,
  Run,
  RunAttempt,
  RunStart,
  Spending,
  StartKind,
  StreamPosition,
  UsedFigures,
} from '@shared/model/records'
import type {
  AttemptId,
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
} from '@shared/model/ids'
import type {
  AdapterId,
  ForgeKind,
  MailboxFilter,
  MailboxKind,
  NeedsYou,
  Phase,
  ResumeFailure,
  RunEventKind,
  Runner,
  Trigger,
} from '@shared/model/words'
import type { SettingKey, SettingScope, StoredSetting } from '@shared/model/settings'
import type { ChatStore } from './chat-store'
import type { NotificationMessage } from './notifications'

/*
 * The store, table by table; each table has exactly one writer. All calls are synchronous (better-sqlite3).
 * `Store.transaction` makes several of them one step: all or nothing.
 */

export interface Store {
  readonly forges: ForgeStore
  readonly settings: SettingStore
  readonly mailboxes: MailboxStore
  readonly runs: RunStore
  readonly sessions: SessionStore
  readonly events: RunEventStore
  readonly installations: InstallationStore
  readonly images: ImageStore
  readonly locks: LockStore
  readonly outbox: OutboxStore
  readonly plans: PlanStore
  readonly cursors: CursorStore
  readonly notifications: NotificationStore
  readonly audit: AuditStore
  readonly chats: ChatStore
  /** Random id of this data folder, made at first open; goes into labels and markers. */
  installId(): string
  transaction<T>(step: () => T): T
  /** Copies the whole database to `file` (VACUUM INTO). */
  backup(file: string): void
  /** Writes a little, to see whether it can be done; throws a StorageError when not. */
  tryWrite(): void
  sizeBytes(): number
  close(): void
}

export interface ForgeStore {
  addForge(forge: Omit<Forge, 'id'>, at: number): Forge
  addOrganization(forgeId: ForgeId, slug: string, at: number): Organization
  addProject(project: Omit<Project, 'id' | 'forgeId'>, at: number): Project
  listForges(): readonly Forge[]
  findForgeByKind(kind: ForgeKind): Forge | null
  getForge(id: ForgeId): Forge
  /** What was found out anew about a forge that is connected. */
  updateForge(id: ForgeId, patch: Pick<Forge, 'kind' | 'caFile' | 'accountId' | 'accountLogin'>): void
  /** Removes the forge with its organizations and projects, and all their mailboxes, runs and sessions. */
  removeForge(id: ForgeId): void
  getOrganization(id: OrganizationId): Organization
  findOrganization(forgeId: ForgeId, slug: string): Organization | null
  getProject(id: ProjectId): Project
  findProject(organizationId: OrganizationId, slug: string): Project | null
  listProjects(): readonly Project[]
  setWatched(id: ProjectId, isWatched: boolean): void
  /** The forge has another default branch by now. */
  setDefaultBranch(id: ProjectId, branch: string): void
  setPlace(id: ProjectId, place: ProjectPlace): void
  /** Where the project lies on its forge; null for one of the local forge, and for a restored one. */
  placeOf(id: ProjectId): ProjectPlace | null
  /** Removes the project with all its mailboxes, runs and sessions. */
  removeProject(id: ProjectId): void
}

/** A project as another forge knows it. */
export interface ProjectPlace {
  /** `owner/name`, as the forge spells it: slugs are made for folders and lose what folders cannot hold. */
  readonly path: string
  /** The forge's own id of it, which stays when it is renamed or moved. */
  readonly remoteId: string
}

export interface SettingStore {
  list(): readonly StoredSetting[]
  /** `agreedAt`: when a person agreed to what the value means; null: it needs that of nobody. */
  set(
    scope: SettingScope,
    scopeId: number,
    key: SettingKey,
    value: unknown,
    at: number,
    agreedAt?: number | null,
  ): void
  reset(scope: SettingScope, scopeId: number, key: SettingKey): void
}

export interface MailboxListRequest {
  readonly filter: MailboxFilter
  readonly projectId: ProjectId | null
  /** Matches title or iid. */
  readonly text: string | null
  readonly limit: number
  readonly before: { readonly updatedAt: number; readonly id: MailboxId } | null
}

export type MailboxPatch = Partial<
  Pick<
    Mailbox,
    | 'title'
    | 'status'
    | 'branchName'
    | 'baseBranch'
    | 'changeIid'
    | 'isOpen'
    | 'ciFixCount'
    | 'seenAt'
    | 'memoryRemovedAt'
    | 'cleanupHeldAt'
    | 'needsYou'
  >
>

export interface MailboxStore {
  /** Adds it, or returns the one that is there. */
  ensure(
    mailbox: {
      readonly projectId: ProjectId
      readonly kind: MailboxKind
      readonly iid: number
      readonly title: string
    },
    at: number,
  ): Mailbox
  get(id: MailboxId): Mailbox
  find(projectId: ProjectId, kind: MailboxKind, iid: number): Mailbox | null
  /** Also keeps `closedAt` right, from `isOpen` and `status`. */
  update(id: MailboxId, patch: MailboxPatch, at: number): void
  list(request: MailboxListRequest): readonly Mailbox[]
  counts(projectId: ProjectId | null): Readonly<Record<MailboxFilter, number>>
  countsByProject(): ReadonlyMap<ProjectId, number>
  /** Open mailboxes of watched projects, for the workflow. */
  listOpen(projectId: ProjectId): readonly Mailbox[]
  /** Mailboxes that wait for a person who was not told so yet. */
  listUntold(): readonly MailboxId[]
  /** Notes what a person is told now; true when it is something else than before. */
  tell(id: MailboxId, needsYou: NeedsYou | null): boolean
  /** Closed at `closedBefore` or earlier and not cleaned since, the longest closed first. */
  listToClean(request: MailboxesToClean): readonly Mailbox[]
}

export interface MailboxesToClean {
  readonly projectId: ProjectId
  readonly closedBefore: number
  readonly limit: number
  /** The last one of the page before; null: from the start. */
  readonly after: { readonly closedAt: number; readonly id: MailboxId } | null
}

export interface NewRun {
  readonly uid: RunUid
  readonly mailboxId: MailboxId
  readonly phase: Phase
  readonly trigger: Trigger
  readonly requestedBy: string | null
  readonly runner: Runner
  readonly adapter: AdapterId
  readonly provider: string | null
  readonly model: string | null
  readonly resumeChoice: ResumeChoice
  /** The chat of which it is a turn; none: it is no turn. */
  readonly chatThread?: ChatThreadId
}

export type RunPatch = Partial<
  Pick<
    Run,
    | 'state'
    | 'outcome'
    | 'error'
    | 'llmRetries'
    | 'sessionOffReason'
    | 'baseSha'
    | 'headSha'
    | 'commits'
    | 'result'
    | 'deadline'
    | 'remainingMs'
    | 'nextAttemptAt'
    | 'startedAt'
    | 'endedAt'
    | 'adapter'
    | 'model'
    | 'provider'
  >
>

/** A run that was asked for while another one held the mailbox. */
export type RunSuccessor = WaitingRun & {
  /** Of a terminal for which a person takes the mailbox over. */
  readonly terminal?: Pick<NewRun, 'adapter' | 'provider' | 'model'> | undefined
  /** What waited for the mailbox before that, and waits for the terminal now. */
  readonly behind?: WaitingRun | undefined
}
type WaitingRun = Pick<NewRun, 'phase' | 'trigger' | 'requestedBy' | 'resumeChoice'>

export interface RunStore {
  /** null when the mailbox has a run that has not ended: two requests at once give one run. */
  add(run: NewRun, at: number): Run | null
  get(id: RunId): Run
  find(id: RunId): Run | null
  findByUid(uid: RunUid): Run | null
  update(id: RunId, patch: RunPatch): void
  /** The run of the mailbox that has not ended. */
  findLive(mailboxId: MailboxId): Run | null
  listLive(): readonly Run[]
  /** Queued runs that are due, oldest first. */
  listDue(now: number, limit: number): readonly Run[]
  latest(mailboxId: MailboxId): Run | null
  /** Newest first. */
  listByMailbox(mailboxId: MailboxId, limit: number, beforeId: RunId | null): readonly Run[]
  addAttempt(runId: RunId, at: number): RunAttempt
  updateAttempt(id: AttemptId, patch: Partial<Pick<RunAttempt, 'imageDigest' | 'outcome' | 'endedAt'>>): void
  /** The contract of the sandbox as asked for, for the run screen; a JSON object. */
  setSandbox(id: AttemptId, sandbox: unknown): void
  sandboxOf(id: AttemptId): unknown
  listAttempts(runId: RunId): readonly RunAttempt[]
  addStart(attemptId: AttemptId, kind: StartKind, at: number): RunStart
  updateStart(
    id: StartId,
    patch: Partial<Pick<RunStart, 'askedSessionId' | 'containerId' | 'exitCode' | 'endedAt'>>,
  ): void
  /** Stored together with the events parsed up to there, in one transaction. */
  setStreamPosition(id: StartId, stream: 'stdout' | 'stderr', position: StreamPosition): void
  listStarts(attemptId: AttemptId): readonly RunStart[]
  /** The run has ended, and what follows its end is still to be done, by the next engine if need be. */
  setUnsettled(id: RunId, isUnsettled: boolean): void
  listUnsettled(): readonly Run[]
  /** A run that begins with the step that ends this one; null: none. */
  setSuccessor(id: RunId, successor: RunSuccessor | null): void
  successorOf(id: RunId): RunSuccessor | null
  /** Something outside cut the run off, though Alfred and the engine of containers were there. */
  addCutOff(id: RunId): void
  cutOffs(id: RunId): number
  countLive(): { readonly running: number; readonly queued: number }
}

/** Figures are noted by start, see `noteUsed`. */
export type SessionPatch = Partial<
  Omit<LlmSession, 'id' | 'runId' | 'attemptId' | 'mailboxId' | 'createdAt' | keyof UsedFigures>
>

export interface SessionStore {
  /** Figures that are known already are those of its first start. */
  add(session: Omit<LlmSession, 'id'>): LlmSession
  get(id: SessionId): LlmSession
  find(id: SessionId): LlmSession | null
  findByAttempt(attemptId: AttemptId): LlmSession | null
  update(id: SessionId, patch: SessionPatch): void
  /** Latest row of the mailbox and adapter with a native id that is not dropped, the attempt excluded; via the partial index. */
  findPrior(mailboxId: MailboxId, adapter: AdapterId, excludingAttempt: AttemptId | null): PriorSession | null
  /** Latest row with a native id that is not dropped, of any adapter of this mailbox. */
  findPriorOfAnyAdapter(mailboxId: MailboxId, excludingAttempt: AttemptId | null): PriorSession | null
  /** Latest rows that asked for or carried this id, newest first: for "fell back twice in a row". */
  listByRequestedId(
    mailboxId: MailboxId,
    adapter: AdapterId,
    nativeId: string,
    limit: number,
  ): readonly LlmSession[]
  /** The newest `limit` before `beforeId` (null: of all), oldest first. */
  listByMailbox(mailboxId: MailboxId, limit: number, beforeId: SessionId | null): readonly LlmSession[]
  listByRun(runId: RunId): readonly LlmSession[]
  /** Of all mailboxes, the oldest first, from behind `afterId` on (null: from the first). */
  listAll(limit: number, afterId: SessionId | null): readonly LlmSession[]
  setAside(
    mailboxId: MailboxId,
    adapter: AdapterId,
    nativeId: string,
    reason: ResumeFailure,
    at: number,
  ): void
  findSetAside(mailboxId: MailboxId, adapter: AdapterId, nativeId: string): ResumeFailure | null
  /** Takes an id back into use, after a resume by hand proved it. */
  clearSetAside(mailboxId: MailboxId, adapter: AdapterId, nativeId: string): void
  /** From now on neither `findPrior` nor `findPriorOfAnyAdapter` gives a row with this id. */
  drop(mailboxId: MailboxId, adapter: AdapterId, nativeId: string, at: number): void
  /** Since when it is dropped; null: it is not. */
  droppedAt(mailboxId: MailboxId, adapter: AdapterId, nativeId: string): number | null
  hasDropped(mailboxId: MailboxId, adapter: AdapterId): boolean
  /** A dropped id is like any other again. */
  takeBack(mailboxId: MailboxId, adapter: AdapterId, nativeId: string): void
  /** Sums over a mailbox, for the header; unknown figures are counted, not added. */
  totals(mailboxId: MailboxId): SessionTotals
  /**
   * What a start used so far; figures that are left out or null stay as they are. Those of the session become the sums
   * over its starts, and what that adds to its cost was spent at `at`.
   */
  noteUsed(
    id: SessionId,
    use: Pick<FiguresOfStart, 'start' | 'nativeSessionId'> & Partial<UsedFigures>,
    at: number,
  ): void
  /** By start, the first one first. */
  figuresOf(id: SessionId): readonly FiguresOfStart[]
  spendingsOf(id: SessionId): readonly Spending[]
  /** What was used in this memory before that start, each figure null where nobody told it. */
  usedEarlier(
    session: Pick<LlmSession, 'id' | 'mailboxId' | 'adapter'>,
    nativeId: string,
    start: number,
  ): UsedTokens
  /**
   * What was spent since `at`, and how many sessions that began or ended since then have no known cost. `within`: of
   * these projects only; null or left out: of all.
   */
  costSince(
    at: number,
    within?: readonly ProjectId[] | null,
  ): { readonly knownUsd: number; readonly unknown: number }
}

export type UsedTokens = Pick<LlmSession, 'inputTokens' | 'cachedTokens' | 'outputTokens' | 'costUsd'>

export interface SessionTotals {
  readonly sessions: number
  readonly costUsd: number
  readonly costUnknown: number
  readonly tokens: number
  readonly tokensUnknown: number
}

export interface StoredEvent {
  readonly runId: RunId
  readonly seq: number
  readonly at: number
  readonly kind: RunEventKind
  readonly payload: unknown
}

/** An event before it is stored. */
export type NewEvent = Omit<StoredEvent, 'runId' | 'seq'>

/** Events as `appendPacked` takes them; made by `pack` alone. */
export interface PackedEvents {
  readonly packs: readonly { readonly events: number; readonly body: Uint8Array }[]
}

/** Made by `beginPack` alone. */
export interface BegunPack {
  /** Nothing but the packed bytes is held of them. Throws for what is no JSON. */
  add(events: readonly NewEvent[]): void
}

export interface RunEventStore {
  /** Appends in one transaction; seq goes on from the run's last. Returns the stored events. */
  append(runId: RunId, events: readonly NewEvent[]): readonly StoredEvent[]
  /** For events that come little by little and are to be packed together; stores nothing. */
  beginPack(): BegunPack
  /** Makes much at once small, beside this thread; stores nothing. Rejects for what is no JSON. */
  pack(events: readonly NewEvent[] | BegunPack): Promise<PackedEvents>
  /**
   * The same as `append` in a tenth of the time; returns the first one's seq. Nobody who reads sees a difference, but
   * the search finds the events later.
   */
  appendPacked(runId: RunId, packed: PackedEvents): number
  list(runId: RunId, afterSeq: number, limit: number): readonly StoredEvent[]
  listBefore(runId: RunId, beforeSeq: number, limit: number): readonly StoredEvent[]
  count(runId: RunId): number
  /** Changes with each packed append; 0: nothing is packed. */
  latestPacked(): number
  /** Lays the events of one packed append out, the oldest first; false: nothing is packed. */
  unpackSome(): boolean
}

export interface Installation {
  readonly adapter: AdapterId
  readonly runner: Runner
  /** '' for the host. */
  readonly imageDigest: string
  readonly version: string | null
  readonly resumable: boolean
  readonly reason: string | null
  readonly loginState: 'not_needed' | 'found' | 'expired' | 'missing' | 'unknown'
  readonly detectedAt: number
}

/** What the provider of a CLI said when a person had it asked. */
export interface LoginProof {
  readonly outcome: 'answered' | 'refused' | 'failed'
  readonly message: string | null
  readonly tookMs: number
  readonly costUsd: number | null
  readonly askedAt: number
}

export interface InstallationStore {
  put(installation: Installation): void
  find(adapter: AdapterId, runner: Runner, imageDigest: string): Installation | null
  list(): readonly Installation[]
  /** In the place of the one before. */
  putProof(adapter: AdapterId, imageDigest: string, proof: LoginProof): void
  findProof(adapter: AdapterId, imageDigest: string): LoginProof | null
}

export interface BuiltImage {
  readonly digest: string
  readonly tag: string
  readonly base: string
  readonly agents: readonly AdapterId[]
  readonly sizeBytes: number | null
  /** Of everything that went into it: another recipe, another image. */
  readonly recipeSha256: string
  readonly builtAt: number
}

export interface ImageStore {
  put(image: BuiltImage): void
  findByRecipe(recipeSha256: string): BuiltImage | null
  list(): readonly BuiltImage[]
  remove(digest: string): void
}

export interface SessionLock {
  readonly mailboxId: MailboxId
  readonly runId: RunId
  readonly containerName: string | null
  readonly since: number
}

export interface LockStore {
  /** false when another run holds it; true when it is (or already was) this run's. */
  take(mailboxId: MailboxId, runId: RunId, at: number): boolean
  setContainer(mailboxId: MailboxId, containerName: string): void
  release(mailboxId: MailboxId, runId: RunId): void
  find(mailboxId: MailboxId): SessionLock | null
  list(): readonly SessionLock[]
}

export type OutboxKind =
  | 'comment'
  | 'status'
  | 'remove_label'
  | 'description'
  | 'push'
  | 'change'
  | 'delete_branch'
export type OutboxState = 'waiting' | 'sending' | 'sent' | 'failed' | 'dropped'

export interface OutboxItem {
  readonly id: number
  readonly key: string
  readonly kind: OutboxKind
  readonly mailboxId: MailboxId
  readonly runId: RunId | null
  readonly seq: number
  /** What it goes to, in words: `issue 3`, `branch agent/issue-3-x`. */
  readonly target: string
  readonly payload: unknown
  readonly state: OutboxState
  readonly attempts: number
  readonly nextAttemptAt: number
  readonly lastError: string | null
  readonly remoteId: string | null
  readonly postedSha256: string | null
  readonly createdAt: number
  readonly sentAt: number | null
}

export interface OutboxStore {
  /** Adds at the end of the mailbox's order; an existing key adds nothing. */
  add(item: {
    readonly key: string
    readonly kind: OutboxKind
    readonly mailboxId: MailboxId
    readonly runId: RunId | null
    readonly target: string
    readonly payload: unknown
    readonly at: number
  }): void
  /** The first unfinished item of each mailbox that is due. */
  listDue(now: number, limit: number): readonly OutboxItem[]
  update(
    id: number,
    patch: Partial<
      Pick<
        OutboxItem,
        'state' | 'attempts' | 'nextAttemptAt' | 'lastError' | 'remoteId' | 'postedSha256' | 'sentAt'
      >
    >,
  ): void
  listByMailbox(mailboxId: MailboxId): readonly OutboxItem[]
  listByRun(runId: RunId): readonly OutboxItem[]
  countWaiting(): number
  /** The clock by which unfinished items wait was set: what is due moves along with it. */
  moveWaiting(ms: number): void
  /** Marker keys that this engine posted for the mailbox, with what was posted. */
  findByKey(key: string): OutboxItem | null
}

export interface StoredPlan {
  readonly mailboxId: MailboxId
  readonly runId: RunId
  readonly functionalAnalysis: string | null
  readonly plan: string
  readonly issueSha256: string
  readonly createdAt: number
}

export interface Approval {
  readonly mailboxId: MailboxId
  readonly planSha256: string
  readonly titleSha256: string
  readonly bodySha256: string
  readonly personId: string
  readonly labelEvent: string
  readonly approvedAt: number
}

export interface PlanStore {
  put(plan: StoredPlan): void
  find(mailboxId: MailboxId): StoredPlan | null
  approve(approval: Approval): void
  latestApproval(mailboxId: MailboxId): Approval | null
}

export interface CursorStore {
  get(forgeId: ForgeId, projectId: ProjectId, kind: string): string | null
  set(forgeId: ForgeId, projectId: ProjectId, kind: string, position: string, at: number): void
}

export interface StoredNotification extends NotificationMessage {
  readonly createdAt: number
  readonly clickedAt: number | null
  readonly readAt: number | null
}

export interface NotificationStore {
  add(notification: Omit<NotificationMessage, 'id'>, at: number): StoredNotification
  list(limit: number): readonly StoredNotification[]
  /** Whether a person was told of this run's end. */
  isToldOf(runId: RunId): boolean
  markClicked(id: number, at: number): void
  markAllRead(at: number): void
}

export interface AuditStore {
  add(entry: {
    readonly at: number
    readonly who: string
    readonly what: string
    readonly mailboxId: MailboxId | null
    readonly runId: RunId | null
    readonly detail: unknown
  }): void
  /** What was noted with a run, first to last. */
  listByRun(runId: RunId): readonly { readonly at: number; readonly who: string; readonly what: string }[]
}
