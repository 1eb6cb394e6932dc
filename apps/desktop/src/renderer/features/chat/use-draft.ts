import { useCallback } from 'react'
import { create } from 'zustand'
import type { ChatThreadId } from '@shared/model/ids'
import { engine } from '../../lib/engine-client'
import { createTeller } from './tell-newest'

/*
 * What is written in a chat and not sent. The engine is told at once, one text at a time and at the end the newest, so
 * that it is there after a restart, whenever that comes.
 */

const useDrafts = create<{ readonly texts: ReadonlyMap<ChatThreadId, string> }>(() => ({ texts: new Map() }))

const keep = createTeller<ChatThreadId>((threadId) =>
  engine.command('chats.keepDraft', { threadId, text: useDrafts.getState().texts.get(threadId) ?? '' }),
)

/** Only in the window. */
function show(threadId: ChatThreadId, text: string): void {
  useDrafts.setState(({ texts }) => ({ texts: new Map(texts).set(threadId, text) }))
}

export function changeDraft(threadId: ChatThreadId, text: string): void {
  show(threadId, text)
  keep(threadId)
}

/**
 * This text was sent: nothing of it is kept, unless more was written meanwhile. The engine has forgotten it, but is
 * told all the same: a change from before may have come to it afterwards.
 */
export function clearDraft(threadId: ChatThreadId, sent: string): void {
  if ((useDrafts.getState().texts.get(threadId) ?? sent) === sent) show(threadId, '')
  keep(threadId)
}

/**
 * The text of a message that did not go through comes back to be changed, unless something else is written by now.
 * `kept`: what the engine has, if nothing was written in this window. False: what is written stays.
 */
export function giveBack(threadId: ChatThreadId, text: string, kept: string): boolean {
  if ((useDrafts.getState().texts.get(threadId) ?? kept).trim() !== '') return false
  changeDraft(threadId, text)
  return true
}

export interface Draft {
  readonly text: string
  readonly change: (text: string) => void
}

/** `kept` is what the engine had when the chat was opened. */
export function useDraft(threadId: ChatThreadId, kept: string): Draft {
  const text = useDrafts(({ texts }) => texts.get(threadId)) ?? kept
  const change = useCallback((next: string) => changeDraft(threadId, next), [threadId])
  return { text, change }
}
