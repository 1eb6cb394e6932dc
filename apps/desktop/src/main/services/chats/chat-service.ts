import type { z } from 'zod'
import type { chatMessageSchema, chatsContract, OpenedChat } from '@shared/contract/chats'
import type { ChatThreadId, ResumeChoice, RunId } from '@shared/model/ids'
import type { ChatThread, LlmSession, Run } from '@shared/model/records'
import { phaseWords } from '@shared/phase-words'
import { err, ok, type Result } from '@shared/result'
import { continueAsChat } from '../../core/session/continue-as-chat'
import type { Redact } from '../../core/redact/redact'
import { chosenSessionId } from '../../core/session/resume-choice'
import type { Clock } from '../../ports/clock'
import type { Store } from '../../ports/stores'
import type { RunRequestError, RunRequests } from '../workflow/ports-of-workflow'
import { hasReachedAgent } from './settle-turn'

type ChatError =
  | z.infer<(typeof chatsContract)['open']['error']>
  | { readonly type: 'not_found'; readonly what: string }

/** A person goes on with what an agent remembers; each turn is a run of its own. */
export interface ChatService {
  open(runId: RunId): Result<OpenedChat, ChatError>
  send(
    threadId: ChatThreadId,
    text: string,
    resumeChoice: ResumeChoice,
  ): Result<{ readonly runId: RunId }, ChatError>
  messages(threadId: ChatThreadId, limit: number): z.infer<typeof chatMessageSchema>[] | null
}

interface Parts {
  readonly store: Store
  readonly requests: RunRequests
  readonly clock: Clock
  readonly redact: Redact
  readonly personLogin: string
}

const notFound = (what: string) => err({ type: 'not_found', what } as const)

export function createChatService(parts: Parts): ChatService {
  const { store, requests } = parts
  return {
    open: (runId) => store.transaction(() => open(parts, runId)),
    send(threadId, text, resumeChoice) {
      const thread = store.chats.findThread(threadId)
      if (thread === null) return notFound(`chat ${threadId}`)
      const sent = store.transaction(() => queueTurn(parts, thread, text, resumeChoice))
      if (sent.ok) requests.kick()
      return sent
    },
    messages(threadId, limit) {
      if (store.chats.findThread(threadId) === null) return null
      return store.chats.listMessages(threadId, limit).map(({ role, runId, state, text, createdAt }) => ({
        role,
        runId,
        // What an agent has begun with is said, though its turn goes on.
        state: state === 'queued' && hasReachedAgent(store, runId) ? 'sent' : state,
        text,
        at: createdAt,
      }))
    },
  }
}

function open({ store, clock }: Parts, runId: RunId): Result<OpenedChat, ChatError> {
  const run = store.runs.find(runId)
  if (run === null) return notFound(`run ${runId}`)
  const session = store.sessions.listByRun(runId).at(-1) ?? null
  const { memoryRemovedAt } = store.mailboxes.get(run.mailboxId)
  const continued = continueAsChat({ run, session, mailbox: { memoryRemovedAt } })
  const said = store.chats.findMessage(runId, 'person')
  const known = said === null || run.state !== 'ended' ? null : store.chats.findThread(said.threadId)
  if (known !== null) return ok(opened(store, known))
  if (!continued.ok) return continued
  if (session === null) return notFound(`session of run ${runId}`)
  const { mailboxId, adapter } = run
  return ok(
    opened(
      store,
      store.chats.findEmptyThread(session.id) ??
        store.chats.addThread(
          { mailboxId, adapter, title: titleOf(run), anchorSessionId: session.id },
          clock.now(),
        ),
    ),
  )
}

const titleOf = ({ id, phase }: Run): string => `Run ${id}, ${phaseWords[phase].toLowerCase()}`

function opened(store: Store, thread: ChatThread): OpenedChat {
  const anchor = store.sessions.get(thread.anchorSessionId)
  const newest = newestSession(store, thread)
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
    nativeSessionId: newest.nativeSessionId,
    stateBytes: newest.stateBytesAfter,
    savedAt: newest.endedAt,
    isReplay: newest.nativeSessionId === null,
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

/** Message and run are one: neither is there without the other. */
function queueTurn(
  { store, requests, clock, redact, personLogin }: Parts,
  thread: ChatThread,
  text: string,
  wish: ResumeChoice,
): Result<{ readonly runId: RunId }, ChatError> {
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
