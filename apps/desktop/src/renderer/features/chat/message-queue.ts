import type { ChatThreadId, MailboxId, RunId } from '@shared/model/ids'

/*
 * Messages that are sent when a run of their issue has ended, one a chat; they wait wherever the window is meanwhile.
 * Each stays the draft of its chat until it was sent, so that nothing is lost when it is not.
 */

export interface Queued {
  readonly threadId: ChatThreadId
  readonly mailboxId: MailboxId
  readonly title: string
  readonly text: string
  readonly waitsFor: RunId
}

/** `unknown`: nobody can say now; it is asked again later. */
export type RunEnd = 'live' | 'succeeded' | 'unknown' | { readonly problem: string }
/** `waitFor`: another run of the issue began first. */
export type Sending = 'sent' | { readonly waitFor: RunId } | { readonly problem: string }

export interface MessageQueueParts {
  readonly endOf: (runId: RunId) => Promise<RunEnd>
  readonly send: (message: Queued) => Promise<Sending>
  /** A person hears of a message that is not sent any more. */
  readonly onDropped: (message: Queued, problem: string) => void
  readonly onChange: (waiting: ReadonlyMap<ChatThreadId, Queued>) => void
}

export interface MessageQueue {
  add(message: Queued): void
  /** Whoever goes on writing has not finished. */
  remove(threadId: ChatThreadId): void
  /** Something has changed in these issues: a run may have ended. */
  look(isConcerned: (mailboxId: MailboxId) => boolean): void
}

export function createMessageQueue({ endOf, send, onDropped, onChange }: MessageQueueParts): MessageQueue {
  const waiting = new Map<ChatThreadId, Queued>()
  /** Looked at now; true: it is to be looked at once more. */
  const looking = new Map<ChatThreadId, boolean>()
  const put = (message: Queued): void => {
    waiting.set(message.threadId, message)
    onChange(new Map(waiting))
  }
  const take = (threadId: ChatThreadId): void => {
    if (waiting.delete(threadId)) onChange(new Map(waiting))
  }
  const step = async (message: Queued): Promise<void> => {
    const { threadId } = message
    const isStill = (): boolean => waiting.get(threadId) === message
    const drop = (problem: string): void => {
      if (!isStill()) return
      take(threadId)
      onDropped(message, problem)
    }
    const end = await endOf(message.waitsFor)
    if (end === 'live' || end === 'unknown' || !isStill()) return
    if (end !== 'succeeded') return drop(end.problem)
    const sending = await send(message)
    if (sending === 'sent') return isStill() ? take(threadId) : undefined
    if ('problem' in sending) return drop(sending.problem)
    // it may have ended since
    if (isStill()) lookAgain({ ...message, waitsFor: sending.waitFor })
  }
  const lookAgain = (message: Queued): void => {
    put(message)
    looking.set(message.threadId, true)
  }
  const lookAt = async (threadId: ChatThreadId): Promise<void> => {
    if (looking.has(threadId)) return void looking.set(threadId, true)
    do {
      looking.set(threadId, false)
      const message = waiting.get(threadId)
      if (message !== undefined) await step(message)
    } while (looking.get(threadId) === true)
    looking.delete(threadId)
  }
  return {
    add(message) {
      put(message)
      void lookAt(message.threadId)
    },
    remove: take,
    look(isConcerned) {
      for (const { threadId, mailboxId } of waiting.values())
        if (isConcerned(mailboxId)) void lookAt(threadId)
    },
  }
}
