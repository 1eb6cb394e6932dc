import type { AttachmentRow, ChatMessageRow, ChatThreadDetail, ChatTurn } from '@shared/contract/chats'
import type { ResumeChoice, RunId } from '@shared/model/ids'
import { chatRefusal } from '../../lib/chat-refusal'
import { useMinute } from '../../lib/clock'
import { engine } from '../../lib/engine-client'
import { showToast } from '../../lib/toasts'
import { useCommand } from '../../lib/use-command'
import { runErrorText } from '../../lib/run-error-text'
import { attachTo, forgetAttachProblem, useAttachState } from './attach-state'
import { queuedMessages, useQueued } from './queued-messages'
import { clearDraft, giveBack, useDraft } from './use-draft'

export interface Turns {
  readonly text: string
  readonly setText: (text: string) => void
  /** The turn that goes on now; null: none of this chat does. */
  readonly live: ChatTurn | null
  /** The run of the issue that a message waits for, a turn or another one; null: it is sent at once. */
  readonly waitsFor: RunId | null
  /** What is written is sent when that run ends. */
  readonly isQueued: boolean
  readonly isBusy: boolean
  /** Files for the next message. */
  readonly attach: (files: readonly File[]) => void
  readonly detach: (attachment: AttachmentRow) => void
  /** Why some of them do not go along, in words. */
  readonly attachProblem: string | null
  /** Why the last message was not sent, in words. */
  readonly problem: string | null
  readonly send: () => void
  /** Says a message again. `resumeChoice`: with which memory. */
  readonly sendAgain: (message: ChatMessageRow, resumeChoice: ResumeChoice) => void
  /** Stops the turn and gives its text back. */
  readonly stop: () => void
}

/** Sending, queuing and stopping in one chat. What was sent is in the chat; what was not stays written. */
export function useTurns(detail: ChatThreadDetail): Turns {
  const { threadId, mailboxId, title } = detail.chat
  const draft = useDraft(threadId, detail.draft)
  const command = useCommand('chats.send')
  const minute = useMinute()
  const isQueued = useQueued(({ waiting }) => waiting.has(threadId))
  const live = detail.turns.find(({ row }) => row.state !== 'ended') ?? null
  const waitsFor = detail.liveRunId

  const attached = useAttachState(threadId)
  const detach = ({ id: attachmentId }: AttachmentRow): void => {
    forgetAttachProblem(threadId)
    void engine.command('chats.detach', { threadId, attachmentId })
  }

  const sendDraft = async (text: string): Promise<void> => {
    const sent = await command.run({ threadId, text, resumeChoice: 'auto', isDraft: true })
    if (!sent.ok) return
    clearDraft(threadId, text)
    forgetAttachProblem(threadId)
  }
  const isBusy = command.isBusy || attached.underWay > 0
  const send = (): void => {
    if (draft.text.trim() === '' || isBusy) return
    if (waitsFor === null) {
      // what is queued is sent by the queue, once
      if (isQueued) queuedMessages.look((changed) => changed === mailboxId)
      else void sendDraft(draft.text)
    } else if (isQueued) queuedMessages.remove(threadId)
    else queuedMessages.add({ threadId, mailboxId, title, text: draft.text, waitsFor })
  }
  const setText = (text: string): void => {
    queuedMessages.remove(threadId)
    draft.change(text)
  }

  const stop = async (): Promise<void> => {
    if (live === null || live.row.state === 'stopping') return
    const { runId } = live.row
    const asked = detail.messages.find((message) => message.runId === runId && message.role === 'person')
    const stopped = await engine.command('runs.stop', { runId })
    if (!stopped.ok) {
      showToast({ title: 'The turn was not stopped', description: runErrorText(stopped.error) })
      return
    }
    // a stop takes seconds, in which a person may have gone on writing
    if (asked === undefined || !giveBack(threadId, asked.text, draft.text)) return
    if (asked.attachments.length > 0) void engine.command('chats.attachAgain', { threadId, runId })
  }
  return {
    text: draft.text,
    setText,
    live,
    waitsFor,
    isQueued,
    isBusy,
    problem: command.error === null ? null : chatRefusal(command.error, minute),
    send,
    sendAgain: ({ text, runId }, resumeChoice) =>
      void command.run({ threadId, text, resumeChoice, again: runId }),
    attach: (files) => void attachTo(threadId, files),
    detach,
    attachProblem: attached.problem,
    stop: () => void stop(),
  }
}
