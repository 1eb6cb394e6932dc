import type { z } from 'zod'
import type { ChatMessageRow, chatsContract, OpenedChat } from '@shared/contract/chats'
import type { ChatThreadId, ResumeChoice, RunId } from '@shared/model/ids'
import type { ChatMessage, ChatThread, LlmSession, Run } from '@shared/model/records'
import type { SessionOffReason } from '@shared/model/words'
import { phaseWords } from '@shared/phase-words'
import { err, ok, type Result } from '@shared/result'
import { continueAsChat } from '../../core/session/continue-as-chat'
import type { Redact } from '../../core/redact/redact'
import { chosenSessionId } from '../../core/session/resume-choice'
import type { Clock } from '../../ports/clock'
import type { Store } from '../../ports/stores'
import { createSettingReader } from '../settings/setting-values'
import type { ChangeFeed } from '../status/change-feed'
import type { RunRequestError, RunRequests } from '../workflow/ports-of-workflow'
import { toAttachmentRow } from './attachments'
import { hasReachedAgent } from './settle-turn'

interface NoChat {
  readonly type: 'not_found'
  readonly what: string
}
type ChatError = z.infer<(typeof chatsContract)['open']['error']> | NoChat

export interface SendOptions {
  /** The text was the draft of the chat, which is empty then, with what was to go along with it. */
  readonly isDraft?: boolean | undefined
  /** The message of that turn is said again. */
  readonly again?: RunId | undefined
}

/** A person goes on with what an agent remembers; each turn is a run of its own. */
export interface ChatService {
  /** `isFresh`: a new chat with the agent of that run and without its memory. */
  open(runId: RunId, isFresh?: boolean): Result<OpenedChat, ChatError>
  send(
    threadId: ChatThreadId,
    text: string,
    resumeChoice: ResumeChoice,
    options?: SendOptions,
  ): Result<{ readonly runId: RunId }, ChatError>
  rename(threadId: ChatThreadId, title: string): Result<null, NoChat>
  keepDraft(threadId: ChatThreadId, text: string): Result<null, NoChat>
  messages(threadId: ChatThreadId, limit: number): ChatMessageRow[] | null
}

interface Parts {
  readonly store: Store
  readonly requests: RunRequests
  readonly clock: Clock
  readonly redact: Redact
  readonly changes: Pick<ChangeFeed, 'publish'>
  readonly personLogin: string
  /** Writes down what was said, beside the database, before its turn begins. Never rejects. */
  readonly keepRecord: (runId: RunId) => Promise<void>
}

const notFound = (what: string) => err({ type: 'not_found', what } as const)

export function createChatService(parts: Parts): ChatService {
  const { store, requests, redact, changes } = parts
  return {
    open: (runId, isFresh = false) => store.transaction(() => open(parts, runId, isFresh)),
    send(threadId, text, resumeChoice, { isDraft = false, again } = {}) {
      const thread = store.chats.findThread(threadId)
      if (thread === null) return notFound(`chat ${threadId}`)
      const sent = store.transaction(() => {
        const queued = queueTurn(parts, thread, text, resumeChoice)
        if (!queued.ok) return queued
        if (isDraft) {
          store.chats.setDraft(threadId, '')
          store.chats.sendAttachments(threadId, queued.value.runId)
        }
        if (again !== undefined && store.chats.findMessage(again, 'person')?.threadId === threadId)
          store.chats.copyAttachments(again, queued.value.runId)
        return queued
      })
      if (sent.ok) {
        void parts.keepRecord(sent.value.runId)
        requests.kick()
      }
      return sent
    },
    rename(threadId, title) {
      const thread = store.chats.findThread(threadId)
      if (thread === null) return notFound(`chat ${threadId}`)
      store.chats.setTitle(threadId, redact(title))
      const { id: mailboxId, projectId } = store.mailboxes.get(thread.mailboxId)
      changes.publish({ type: 'mailbox', mailboxId, projectId })
      return ok(null)
    },
    keepDraft(threadId, text) {
      if (store.chats.findThread(threadId) === null) return notFound(`chat ${threadId}`)
      store.chats.setDraft(threadId, redact(text))
      return ok(null)
    },
    messages(threadId, limit) {
      if (store.chats.findThread(threadId) === null) return null
      return toMessageRows(store, threadId, store.chats.listMessages(threadId, limit))
    },
  }
}

/** Of messages of one chat. */
export function toMessageRows(
  store: Store,
  threadId: ChatThreadId,
  messages: readonly ChatMessage[],
): ChatMessageRow[] {
  const attached = store.chats.listAttachments(threadId)
  return messages.map(({ role, runId, state, text, createdAt }) => ({
    role,
    runId,
    // What an agent has begun with is said, though its turn goes on.
    state: state === 'queued' && hasReachedAgent(store, runId) ? 'sent' : state,
    text,
    at: createdAt,
    attachments:
      role === 'person' ? attached.filter((file) => file.runId === runId).map(toAttachmentRow) : [],
  }))
}

function open({ store, clock }: Parts, runId: RunId, isFresh: boolean): Result<OpenedChat, ChatError> {
  const run = store.runs.find(runId)
  if (run === null) return notFound(`run ${runId}`)
  const session = store.sessions.listByRun(runId).at(-1) ?? null
  const { memoryRemovedAt } = store.mailboxes.get(run.mailboxId)
  const continued = continueAsChat({ run, session, mailbox: { memoryRemovedAt } })
  const said = store.chats.findMessage(runId, 'person')
  const known =
    isFresh || said === null || run.state !== 'ended' ? null : store.chats.findThread(said.threadId)
  if (known !== null) return ok(openedChat(store, known))
  // Without the memory it does not matter that it was removed.
  if (!continued.ok && !(isFresh && continued.error.type === 'memory_removed')) return continued
  if (session === null) return notFound(`session of run ${runId}`)
  const { mailboxId, adapter } = run
  const title = isFresh ? 'New chat' : titleOf(run)
  return ok(
    openedChat(
      store,
      store.chats.findEmptyThread(session.id, isFresh) ??
        store.chats.addThread(
          { mailboxId, adapter, title, anchorSessionId: session.id, isFresh },
          clock.now(),
        ),
    ),
  )
}

const titleOf = ({ id, phase }: Run): string => `Run ${id}, ${phaseWords[phase].toLowerCase()}`

export function openedChat(store: Store, thread: ChatThread): OpenedChat {
  const anchor = store.sessions.get(thread.anchorSessionId)
  const newest = newestSession(store, thread)
  const isFresh = beginsFresh(store, thread)
  return {
    threadId: thread.id,
    mailboxId: thread.mailboxId,
    issue: issueOf(store, thread),
    title: thread.title,
    adapter: thread.adapter,
    runId: anchor.runId,
    phase: store.runs.get(anchor.runId).phase,
    sessionId: newest.id,
    sessionName: newest.sessionName,
    nativeSessionId: isFresh ? null : newest.nativeSessionId,
    // While a turn goes on, what it began with is what is known.
    stateBytes: isFresh ? null : (newest.stateBytesAfter ?? newest.stateBytesBefore),
    savedAt: isFresh ? null : (newest.endedAt ?? newest.stateSavedAt),
    isReplay: isWithoutSessions(store, thread) || (!isFresh && newest.nativeSessionId === null),
    isFresh,
  }
}

function issueOf({ mailboxes, forges }: Store, { mailboxId }: ChatThread): string {
  const { projectId, iid } = mailboxes.get(mailboxId)
  const { organizationId, slug } = forges.getProject(projectId)
  return `${forges.getOrganization(organizationId).slug}/${slug}#${iid}`
}

/** What the next turn goes on with: the newest id of the chat, also where the CLI gave a new one. */
const newestSession = (store: Store, { id, anchorSessionId }: ChatThread): LlmSession =>
  store.chats.newestSession(id) ?? store.sessions.get(anchorSessionId)

/** Sessions do not apply to its next turn, as the settings say or as its last turn found out. */
function isWithoutSessions(store: Store, { id, mailboxId }: ChatThread): boolean {
  const { projectId } = store.mailboxes.get(mailboxId)
  const { values } = createSettingReader(store).ofProject(projectId)
  if (!values.AGENT_SESSION_RESUME || values.AGENT_RUNNER !== 'container') return true
  const last = store.chats.listMessages(id, 1)[0]
  const reason = last === undefined ? null : store.runs.get(last.runId).sessionOffReason
  return reason !== null && seenAtStart.includes(reason)
}
const seenAtStart: readonly SessionOffReason[] = ['version_not_verified', 'credential_overlap']

/** Until a turn of it has a memory. */
const beginsFresh = (store: Store, { id, isFresh }: ChatThread): boolean =>
  isFresh && store.chats.newestSession(id) === null

/** Message and run are one: neither is there without the other. */
function queueTurn(
  { store, requests, clock, redact, personLogin }: Parts,
  thread: ChatThread,
  text: string,
  wished: ResumeChoice,
): Result<{ readonly runId: RunId }, ChatError> {
  const wish = wished === 'auto' && beginsFresh(store, thread) ? 'fresh' : wished
  const chosen = chosenSessionId(wish)
  const session = chosen === null ? newestSession(store, thread) : store.sessions.find(chosen)
  if (session === null || session.adapter !== thread.adapter || session.mailboxId !== thread.mailboxId)
    return err({ type: 'not_continuable', message: 'This chat has no such session.' })
  const mailbox = store.mailboxes.get(thread.mailboxId)
  const continued = continueAsChat({ run: store.runs.get(session.runId), session, mailbox })
  if (!continued.ok && continued.error.type === 'memory_removed' && wish !== 'fresh') return continued
  const anchor = store.sessions.get(thread.anchorSessionId)
  const requested = requests.requestRun({
    mailboxId: thread.mailboxId,
    phase: 'chat',
    trigger: 'person',
    requestedBy: personLogin,
    // Without an id there is no memory: nothing else of the issue is gone on with in its place.
    resumeChoice: wish === 'fresh' || session.nativeSessionId === null ? 'fresh' : `session:${session.id}`,
    chat: { threadId: thread.id, adapter: thread.adapter, provider: anchor.provider, model: anchor.model },
  })
  if (!requested.ok) return err(toChatError(requested.error))
  const runId = requested.value.id
  store.chats.addMessage({
    threadId: thread.id,
    role: 'person',
    runId,
    state: 'queued',
    // It is kept, shown, and told to the agent from here: no secret that somebody pasted goes along.
    text: redact(text),
    createdAt: clock.now(),
  })
  return ok({ runId })
}

function toChatError(error: RunRequestError): ChatError {
  switch (error.type) {
    case 'already_running':
      return { type: 'already_running', runId: error.runId, since: error.since }
    case 'no_agent':
      return { type: 'no_agent', message: error.message }
    case 'memory_removed':
      return { type: 'memory_removed', at: error.at }
    case 'session_not_found':
    case 'push_waits':
      return { type: 'not_continuable', message: error.message }
  }
}
