import { create } from 'zustand'
import { persist } from 'zustand/middleware'
import type { ChatThreadId, RunId } from '@shared/model/ids'

/** What a person has put away on this computer: it changes nothing but what is shown. */
interface ChatNotes {
  /** Chats whose banner was dismissed. */
  readonly dismissed: readonly number[]
  /** Turns that fell back and whose fresh memory is kept. */
  readonly kept: readonly number[]
}

const mostKept = 500
const initial: ChatNotes = { dismissed: [], kept: [] }

const numbersIn = (value: unknown): readonly number[] =>
  Array.isArray(value) ? value.filter((entry) => typeof entry === 'number').slice(-mostKept) : []

export const useChatNotes = create<ChatNotes>()(
  persist(() => initial, {
    name: 'alfred-chat-notes',
    merge: (stored) => {
      const { dismissed, kept } = (stored ?? {}) as Record<string, unknown>
      return { dismissed: numbersIn(dismissed), kept: numbersIn(kept) }
    },
  }),
)

const added = (list: readonly number[], id: number): readonly number[] =>
  [...list.filter((other) => other !== id), id].slice(-mostKept)

export function dismissBanner(id: ChatThreadId): void {
  useChatNotes.setState(({ dismissed }) => ({ dismissed: added(dismissed, id) }))
}

export function keepFreshMemory(id: RunId): void {
  useChatNotes.setState(({ kept }) => ({ kept: added(kept, id) }))
}
