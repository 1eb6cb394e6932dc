import { useEffect, useEffectEvent, useState } from 'react'
import type { ChatMessageRow, ChatThreadDetail, ChatTurn } from '@shared/contract/chats'
import type { ResumeChoice } from '@shared/model/ids'
import { chatRefusal } from '../../lib/chat-refusal'
import { useMinute } from '../../lib/clock'
import { engine } from '../../lib/engine-client'
import { showToast } from '../../lib/toasts'
import { useCommand } from '../../lib/use-command'
import { runErrorText } from '../../lib/run-error-text'
import { useDraft } from './use-draft'

export interface Turns {
  readonly text: string
  readonly setText: (text: string) => void
  /** The turn that goes on now; null: none of this chat does. */
  readonly live: ChatTurn | null
  /** The run of the issue that a message waits for, a turn or another one; null: it is sent at once. */
  readonly waitsFor: number | null
  /** What is written is sent when that run ends. */
  readonly isQueued: boolean
  readonly isBusy: boolean
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
  const { threadId } = detail.chat
  const draft = useDraft(threadId, detail.draft)
  const command = useCommand('chats.send')
  const minute = useMinute()
  const [queuedText, setQueuedText] = useState<string | null>(null)
  const live = detail.turns.find(({ row }) => row.state !== 'ended') ?? null
  const waitsFor = detail.liveRunId
  // whoever goes on writing has not finished: what is queued is exactly what was there
  const isQueued = queuedText !== null && queuedText === draft.text

  const sendText = async (text: string, resumeChoice: ResumeChoice, isDraft: boolean): Promise<void> => {
    const sent = await command.run({ threadId, text, resumeChoice, isDraft })
    if (sent.ok && isDraft) draft.clearIf(text)
  }
  const send = (): void => {
    if (draft.text.trim() === '' || command.isBusy) return
    if (waitsFor === null) void sendText(draft.text, 'auto', true)
    else setQueuedText(isQueued ? null : draft.text)
  }
  useSendAtEnd(detail, isQueued, (isFine) => {
    setQueuedText(null)
    if (isFine) void sendText(draft.text, 'auto', true)
  })

  const stop = async (): Promise<void> => {
    if (live === null || live.row.state === 'stopping') return
    const { runId } = live.row
    const asked = detail.messages.find((message) => message.runId === runId && message.role === 'person')
    const stopped = await engine.command('runs.stop', { runId })
    if (!stopped.ok) {
      showToast({ title: 'The turn was not stopped', description: runErrorText(stopped.error) })
      return
    }
    setQueuedText(null)
    if (asked !== undefined && draft.text.trim() === '') draft.change(asked.text)
  }
  return {
    text: draft.text,
    setText: draft.change,
    live,
    waitsFor,
    isQueued,
    isBusy: command.isBusy,
    problem: command.error === null ? null : chatRefusal(command.error, minute),
    send,
    sendAgain: (message, resumeChoice) => void sendText(message.text, resumeChoice, false),
    stop: () => void stop(),
  }
}

/** Calls back when the issue is free; `isFine`: the last turn went well, so that nobody has to look first. */
function useSendAtEnd(detail: ChatThreadDetail, isQueued: boolean, then: (isFine: boolean) => void): void {
  const isFree = detail.liveRunId === null
  const outcome = detail.turns.at(-1)?.row.outcome ?? 'succeeded'
  const onFree = useEffectEvent(then)
  useEffect(() => {
    if (isQueued && isFree) onFree(outcome === 'succeeded')
  }, [isQueued, isFree, outcome])
}
