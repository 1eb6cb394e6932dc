import { create } from 'zustand'
import type { ChatThreadId, RunId } from '@shared/model/ids'
import { chatRefusal } from '../../lib/chat-refusal'
import { engine, EngineError } from '../../lib/engine-client'
import { onEngineChanges } from '../../lib/follow-engine'
import { showToast } from '../../lib/toasts'
import { clearDraft } from './use-draft'
import { createMessageQueue, type Queued, type RunEnd, type Sending } from './message-queue'

/** The messages of this window that wait for the end of a run. */
export const useQueued = create<{ readonly waiting: ReadonlyMap<ChatThreadId, Queued> }>(() => ({
  waiting: new Map(),
}))

export const queuedMessages = createMessageQueue({
  endOf,
  send,
  onDropped: ({ title }, problem) =>
    showToast({
      title: 'A waiting message was not sent',
      description: `${problem} It stays written in the chat “${title}”.`,
    }),
  onChange: (waiting) => useQueued.setState({ waiting }),
})

onEngineChanges((events) => {
  if (useQueued.getState().waiting.size === 0) return
  const changed = new Set(events.flatMap((event) => ('mailboxId' in event ? [event.mailboxId] : [])))
  queuedMessages.look((mailboxId) => changed.has(mailboxId))
})

async function endOf(runId: RunId): Promise<RunEnd> {
  try {
    const { row } = await engine.query('runs.get', { runId })
    if (row.state !== 'ended') return 'live'
    if (row.outcome === 'succeeded') return 'succeeded'
    const how = row.outcome === 'stopped' ? 'was stopped' : 'did not succeed'
    return { problem: `Run ${runId}, for which it waited, ${how}.` }
  } catch (error) {
    const isGone = error instanceof EngineError && error.error.type === 'not_found'
    return isGone ? { problem: `Run ${runId}, for which it waited, is not there any more.` } : 'unknown'
  }
}

async function send({ threadId, text }: Queued): Promise<Sending> {
  const sent = await engine.command('chats.send', { threadId, text, resumeChoice: 'auto', isDraft: true })
  if (sent.ok) {
    clearDraft(threadId, text)
    return 'sent'
  }
  if (sent.error.type === 'already_running') return { waitFor: sent.error.runId }
  return { problem: chatRefusal(sent.error, Date.now()) }
}
