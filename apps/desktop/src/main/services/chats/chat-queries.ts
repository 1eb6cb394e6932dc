import type { z } from 'zod'
import type { chatsContract, ChatMemory, ChatRow, ChatThreadDetail, ChatTurn } from '@shared/contract/chats'
import type { OutputOf } from '@shared/contract/define'
import { formatTime } from '@shared/format/times'
import type { ChatThreadId, MailboxId, RunId, SessionId } from '@shared/model/ids'
import type { ChatThread, LlmSession, Mailbox } from '@shared/model/records'
import type { AdapterId } from '@shared/model/words'
import { memoryBreakOf } from '@shared/timeline/memory-break'
import { parseFailure } from '../../core/run/run-row'
import { continueAsChat, type ContinueError } from '../../core/session/continue-as-chat'
import { chatMarkdown } from '../../core/session/chat-markdown'
import { isTalk } from '../../core/run/talk'
import type { Clock } from '../../ports/clock'
import type { Store } from '../../ports/stores'
import type { MemoryRecord, TimelineReader } from '../../ports/timeline-reader'
import { toTimelineRow } from '../queries/timeline-rows'
import { toAttachmentRow } from './attachments'
import { openedChat, toMessageRows } from './chat-service'

/*
 * What the window shows of chats: whether a run can be continued, one chat with its turns, and what an issue has of
 * memories and chats.
 */

interface Parts {
  readonly store: Store
  readonly timeline: TimelineReader
  readonly clock: Clock
}

type CanChat = z.infer<(typeof chatsContract)['canChat']['output']>

export interface ChatQueries {
  /** null: there is no such run. */
  canChat(runId: RunId): CanChat | null
  thread(mailboxId: MailboxId, threadId: ChatThreadId, limit: number): ChatThreadDetail | null
  export(threadId: ChatThreadId): { readonly fileName: string; readonly markdown: string } | null
  ofMailbox(mailboxId: MailboxId): OutputOf<(typeof chatsContract)['ofMailbox']>
}

/** Runs of one memory that are counted, and chats of one issue that are listed. */
const runsCounted = 1_000
const chatsListed = 200

export function createChatQueries(parts: Parts): ChatQueries {
  const { store } = parts
  return {
    canChat: (runId) => canChat(parts, runId),
    thread: (mailboxId, threadId, limit) => threadDetail(parts, mailboxId, threadId, limit),
    export(threadId) {
      const thread = store.chats.findThread(threadId)
      if (thread === null) return null
      const { issue } = openedChat(store, thread)
      return chatMarkdown({
        title: thread.title,
        issue,
        issueTitle: store.mailboxes.get(thread.mailboxId).title,
        adapter: thread.adapter,
        messages: store.chats.listMessages(threadId, store.chats.countMessages(threadId)),
      })
    },
    ofMailbox(mailboxId) {
      return {
        memories: parts.timeline
          .memories(mailboxId)
          .map((memory) => toMemory(parts, store.mailboxes.get(mailboxId), memory)),
        chats: store.chats.listThreads(mailboxId, chatsListed).map((thread): ChatRow => {
          const { turns, costUsd, costUnknown, lastAt } = store.chats.figuresOf(thread.id)
          const { nativeSessionId } = openedChat(store, thread)
          return {
            threadId: thread.id,
            title: thread.title,
            adapter: thread.adapter,
            nativeSessionId,
            turns,
            costUsd,
            costUnknown,
            at: lastAt ?? thread.createdAt,
          }
        }),
      }
    },
  }
}

function canChat({ store, clock }: Parts, runId: RunId): CanChat | null {
  const run = store.runs.find(runId)
  if (run === null) return null
  const said = isTalk(run.phase) ? store.chats.findMessage(runId, 'person') : null
  if (said !== null) return { canChat: true, reason: null, threadId: said.threadId }
  const no = (reason: string): CanChat => ({ canChat: false, reason, threadId: null })
  const session = store.sessions.listByRun(runId).at(-1) ?? null
  const continued = continueAsChat({ run, session, mailbox: store.mailboxes.get(run.mailboxId) })
  if (!continued.ok) return no(refusal(continued.error, clock.now()))
  const live = store.runs.findLive(run.mailboxId)
  return live === null
    ? { canChat: true, reason: null, threadId: null }
    : no(`Run ${live.id} of this issue is live. A chat waits for its end.`)
}

const refusal = (error: ContinueError, now: number): string =>
  error.type === 'not_continuable'
    ? error.message
    : `Memory removed at cleanup on ${formatTime(error.at, { now })}.`

function threadDetail(
  parts: Parts,
  mailboxId: MailboxId,
  threadId: ChatThreadId,
  limit: number,
): ChatThreadDetail | null {
  const { store } = parts
  const thread = store.chats.findThread(threadId)
  if (thread === null || thread.mailboxId !== mailboxId) return null
  const messages = store.chats.listMessages(threadId, limit)
  const { turns, costUsd, costUnknown } = store.chats.figuresOf(threadId)
  const chat = openedChat(store, thread)
  const context = chat.isFresh ? null : contextOf(parts, mailboxId, chat.sessionId)
  return {
    chat,
    draft: thread.draft,
    attachments: store.chats
      .listAttachments(threadId)
      .filter(({ runId }) => runId === null)
      .map(toAttachmentRow),
    messages: toMessageRows(store, threadId, messages),
    messageCount: store.chats.countMessages(threadId),
    turns: turnsOf(parts, [...new Set(messages.map(({ runId }) => runId))]),
    turnCount: turns,
    costUsd,
    costUnknown,
    freshSince: freshSince(parts, thread, chat.nativeSessionId),
    contextUsed: context?.contextUsed ?? null,
    contextMax: context?.contextMax ?? null,
    liveRunId: store.runs.findLive(mailboxId)?.id ?? null,
  }
}

/** Of the memory of a session: while a turn goes on, what the one before it said. */
function contextOf({ store }: Parts, mailboxId: MailboxId, id: SessionId): LlmSession | null {
  const newest = store.sessions.get(id)
  if (newest.contextUsed !== null || newest.nativeSessionId === null) return newest
  return (
    store.sessions
      .listByRequestedId(mailboxId, newest.adapter, newest.nativeSessionId, rowsLookedAt)
      .find((row) => row.nativeSessionId === newest.nativeSessionId && row.contextUsed !== null) ?? null
  )
}

/** Ids that a CLI gave in the place of the one that it was asked for, which are followed back. */
const idsFollowed = 20

function freshSince(
  { store, timeline }: Parts,
  { mailboxId, adapter, anchorSessionId }: ChatThread,
  nativeId: string | null,
): RunId | null {
  const anchor = store.sessions.get(anchorSessionId)
  const memories = timeline.memories(mailboxId)
  let asked = nativeId
  for (let step = 0; step < idsFollowed && asked !== null && asked !== anchor.nativeSessionId; step += 1) {
    const memory = memories.find((other) => other.adapter === adapter && other.nativeSessionId === asked)
    if (memory === undefined || memory.firstRunId <= anchor.runId) return null
    const first = store.sessions
      .listByRun(memory.firstRunId)
      .find(({ nativeSessionId }) => nativeSessionId === asked)
    if (first === undefined) return null
    if (!first.resumed) return memory.firstRunId
    asked = first.requestedSessionId
  }
  return null
}

function turnsOf({ store, timeline }: Parts, runIds: readonly RunId[]): ChatTurn[] {
  const installations = store.installations.list()
  return runIds.flatMap((runId) => {
    const record = timeline.one(runId)
    if (record === null) return []
    const row = toTimelineRow(record, installations)
    const session = row.sessionId === null ? null : store.sessions.get(row.sessionId)
    const { memoryRemovedAt } = store.mailboxes.get(record.run.mailboxId)
    const canRetry = memoryBreakOf(row, null, memoryRemovedAt)?.canRetry ?? false
    return [
      {
        row,
        failure: parseFailure(record.run.error)?.message ?? null,
        contextUsed: session?.contextUsed ?? null,
        contextMax: session?.contextMax ?? null,
        notes: row.state === 'ended' ? [...store.chats.listNotes(runId)] : [],
        lostSessionId: canRetry
          ? (sessionWithId(store, record.run.mailboxId, row.adapter, row.requestedSessionId)?.id ?? null)
          : null,
      },
    ]
  })
}

const rowsLookedAt = 50

const sessionWithId = (
  store: Store,
  mailboxId: MailboxId,
  adapter: AdapterId,
  nativeId: string | null,
): LlmSession | null =>
  nativeId === null
    ? null
    : (store.sessions
        .listByRequestedId(mailboxId, adapter, nativeId, rowsLookedAt)
        .find(({ nativeSessionId }) => nativeSessionId === nativeId) ?? null)

function toMemory({ store, timeline }: Parts, mailbox: Mailbox, memory: MemoryRecord): ChatMemory {
  const { nativeSessionId, lastRunId } = memory
  const adapter = memory.adapter as AdapterId
  const rows = store.sessions.listByRequestedId(mailbox.id, adapter, nativeSessionId, rowsLookedAt)
  const newest = rows[0]
  const own = rows.find((row) => row.nativeSessionId === nativeSessionId)
  const { memoryRemovedAt } = mailbox
  const isRemoved = memoryRemovedAt !== null && (own?.createdAt ?? 0) <= memoryRemovedAt
  const isLost = newest !== undefined && newest !== own && newest.resumeFallback !== null
  return {
    adapter,
    nativeSessionId,
    runId: lastRunId,
    runs: timeline.runsOfMemory(mailbox.id, adapter, nativeSessionId, runsCounted).length,
    usedAt: own?.endedAt ?? own?.createdAt ?? store.runs.get(lastRunId).createdAt,
    stateBytes: own?.stateBytesAfter ?? own?.stateBytesBefore ?? null,
    state: isRemoved ? 'removed' : isLost ? 'lost' : 'ok',
    since: isRemoved ? memoryRemovedAt : isLost ? newest.createdAt : null,
  }
}
