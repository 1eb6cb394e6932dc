import type { MailboxFilter } from '@shared/model/words'
import type { ChatThreadId, ForgeId, MailboxId, ProjectId, RunId } from '@shared/model/ids'
import type { SettingScope } from '@shared/model/settings'

/** Everything that the window can show in its body. Overlays (palette, dialogs) are not places and have no link. */
export type View =
  | {
      readonly screen: 'home'
      readonly filter: MailboxFilter
      readonly projectId: ProjectId | null
      /** Null: the first of the list. */
      readonly mailboxId: MailboxId | null
      /** The row to select on the timeline; null: the newest, or where one was. */
      readonly runId: RunId | null
    }
  | {
      readonly screen: 'run'
      readonly runId: RunId
      /** The event to show, of a search; not part of its link. */
      readonly seq?: number
    }
  | { readonly screen: 'chat'; readonly mailboxId: MailboxId; readonly threadId: ChatThreadId }
  | {
      readonly screen: 'terminal'
      readonly mailboxId: MailboxId
      /** The run that is gone on with; with `isOpen` the terminal's own. */
      readonly runId: RunId
      readonly isOpen: boolean
    }
  | { readonly screen: 'agents' }
  | {
      readonly screen: 'forges'
      /** The forge whose token or CA file is to be changed; not part of its link. */
      readonly access?: ForgeId
    }
  | {
      readonly screen: 'settings'
      readonly scope: SettingScope | null
      readonly scopeId: number | null
      /** The key to show first. */
      readonly key: string | null
    }
  | { readonly screen: 'diagnostics' }
  | { readonly screen: 'first-start' }
  | { readonly screen: 'tracker'; readonly projectId: ProjectId | null; readonly iid: number | null }
export type Screen = View['screen']
export type HomeView = Extract<View, { screen: 'home' }>

export const homeView: HomeView = {
  screen: 'home',
  filter: 'all-open',
  projectId: null,
  mailboxId: null,
  runId: null,
}
export const settingsView: Extract<View, { screen: 'settings' }> = {
  screen: 'settings',
  scope: null,
  scopeId: null,
  key: null,
}

/** Whether two views are the same place, so that going there is no step. */
export const isSameView = (a: View, b: View): boolean => JSON.stringify(a) === JSON.stringify(b)
