import { create } from 'zustand'
import type { MailboxId, RunId, SessionId } from '@shared/model/ids'

/** A memory that a person wants to do something with; told by a session of it. */
export interface HandledMemory {
  readonly sessionId: SessionId
  /** The id of its sessions, to be shown. */
  readonly nativeId: string
  /** null: it is not among the rows that are loaded. */
  readonly letter: string | null
}

/** What lies over the window and asks for something; one at a time. */
export type Overlay =
  | { readonly kind: 'palette' }
  | { readonly kind: 'keys' }
  | { readonly kind: 'quit' }
  | { readonly kind: 'stop'; readonly runId: RunId }
  | { readonly kind: 'stop-all' }
  | { readonly kind: 'retry-fresh'; readonly runId: RunId; readonly letter: string | null }
  | {
      readonly kind: 'take-over'
      /** The run that is repeated. */
      readonly runId: RunId
      readonly letter: string | null
      /** The run that holds the mailbox, and since when. */
      readonly owner: { readonly runId: RunId; readonly since: number }
    }
  | { readonly kind: 'find-sessions'; readonly mailboxId: MailboxId; readonly reference: string }
  | { readonly kind: 'drop-memory' | 'fork-memory'; readonly memory: HandledMemory }
  /** A link in a text that an agent or a forge wrote. */
  | { readonly kind: 'open-link'; readonly url: string }
  | { readonly kind: 'new-issue' }
  | { readonly kind: 'new-project' }

interface OverlayState {
  readonly overlay: Overlay | null
  /** The list of notifications hangs on its bell and stays beside an overlay. */
  readonly isNotificationsOpen: boolean
}

export const useOverlays = create<OverlayState>(() => ({ overlay: null, isNotificationsOpen: false }))

export function openOverlay(overlay: Overlay): void {
  useOverlays.setState({ overlay, isNotificationsOpen: false })
}

export function closeOverlay(): void {
  useOverlays.setState({ overlay: null })
}

export function setNotificationsOpen(isNotificationsOpen: boolean): void {
  useOverlays.setState({ isNotificationsOpen })
}

/** Asks before a run is stopped. */
export const askToStop = (runId: RunId): void => openOverlay({ kind: 'stop', runId })

/** Which run of a mailbox is selected on its timeline, for what is done with it from elsewhere. */
interface SelectionState {
  readonly selection: { readonly mailboxId: MailboxId; readonly runId: RunId } | null
}
export const useSelection = create<SelectionState>(() => ({ selection: null }))
