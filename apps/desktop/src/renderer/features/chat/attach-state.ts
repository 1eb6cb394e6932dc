import { create } from 'zustand'
import type { ChatThreadId } from '@shared/model/ids'
import { attachFiles } from './attach-files'

/*
 * What becomes of the files for the next message of each chat. It is kept here and not on the screen: a chat may be left
 * while they are read, and whoever comes back is to see why one of them does not go along.
 */

interface AttachState {
  /** Choices of files that are read and handed over now: the message waits for them. */
  readonly underWay: number
  /** Why some of the last ones do not go along, in words. */
  readonly problem: string | null
}

const nothing: AttachState = { underWay: 0, problem: null }

const useStates = create<{ readonly of: ReadonlyMap<ChatThreadId, AttachState> }>(() => ({ of: new Map() }))

export const attachStateOf = (threadId: ChatThreadId): AttachState =>
  useStates.getState().of.get(threadId) ?? nothing

export const useAttachState = (threadId: ChatThreadId): AttachState =>
  useStates(({ of }) => of.get(threadId)) ?? nothing

function change(threadId: ChatThreadId, by: (state: AttachState) => AttachState): void {
  useStates.setState(({ of }) => ({ of: new Map(of).set(threadId, by(of.get(threadId) ?? nothing)) }))
}

export async function attachTo(threadId: ChatThreadId, files: readonly File[]): Promise<void> {
  if (files.length === 0) return
  change(threadId, (state) => ({ ...state, underWay: state.underWay + 1 }))
  const problem = await attachFiles(threadId, files)
  change(threadId, ({ underWay }) => ({ underWay: underWay - 1, problem }))
}

export function forgetAttachProblem(threadId: ChatThreadId): void {
  change(threadId, (state) => ({ ...state, problem: null }))
}
