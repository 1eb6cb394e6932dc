/*
 * What the preload puts on `window.alfred`: the engine's contract by channel, and beside it the few things that only
 * the window's own frame can do. The window parses links itself; nothing here takes code, paths or HTML.
 */

import type { RestoreReport } from './restore'

export type WindowPlatform = 'linux' | 'darwin' | 'win32'

/** What a person decided about live runs when they quit. */
export type QuitAnswer = 'keep_running' | 'stop' | 'cancel'

export interface WindowState {
  readonly isMaximized: boolean
  readonly isFullScreen: boolean
}

/** Why the app has no engine to talk to; the window then shows this instead of anything else. */
export type StartFailure =
  | {
      readonly type: 'database_newer'
      /** Numbers of the data's format, and the version that last wrote it where it is known. */
      readonly dataFormat: number
      readonly appFormat: number
      readonly writtenBy: string | null
      /** Path of the newest backup that this version reads; null: there is none. */
      readonly backup: string | null
    }
  | {
      readonly type: 'database_damaged'
      readonly message: string
      /** Path of the newest backup; null: there is none. */
      readonly backup: string | null
    }
  | {
      readonly type: 'database_locked' | 'disk_full' | 'not_writable' | 'unexpected'
      readonly message: string
    }
  /** The engine had started, and a defect ended it; it can be started again. */
  | { readonly type: 'engine_lost'; readonly message: string }
  /** A headless engine owns the data and did not hand it over in time. */
  | { readonly type: 'owner_silent'; readonly pid: number | null; readonly command: string | null }

export interface ShellBridge {
  readonly platform: WindowPlatform
  /** Null in a normal start. */
  readonly startFailure: StartFailure | null
  /** What was restored a moment ago, before the engine starts on it; null: nothing. */
  readonly restored: RestoreReport | null
  /** Restores a damaged database; the page is loaded anew with `restored`, or with why it could not be. */
  restore(): void
  /** Starts the engine after a restore, or after a defect ended it; the page is loaded anew. */
  startEngine(): void
  minimize(): void
  maximizeToggle(): void
  /** Hides to the tray where there is one, else quits (asks if runs are live). */
  close(): void
  /** Quits; with live runs the answer comes back as `onQuitAsked`. */
  quit(): void
  copyText(text: string): void
  /** Asks where to keep a text, and writes it there; `fileName` is what is proposed. */
  saveText(fileName: string, text: string): void
  /** Shows the data folder in the system's file manager. */
  showDataFolder(): void
  /** The same of the backup that `startFailure` names; nothing where it names none. */
  showBackup(): void
  /** The same of the folder that holds the states of all sessions. */
  showSessionsFolder(): void
  /** Says which run is on the screen, so that no notification tells what is in front of the person. */
  showsRun(runId: number | null): void
  /** The first picture stands: what would have delayed it may begin. */
  pictureReady(): void
  /** Opens an http(s) address in the browser; anything else is refused. */
  openExternal(url: string): void
  /** `alfred://run/431` and its kin, from a notification, the tray or a second start. Returns what ends it. */
  onOpenView(listener: (link: string) => void): () => void
  /** Runs are live and somebody wants to quit: the window asks, and says the answer with `answerQuit`. */
  onQuitAsked(listener: () => void): () => void
  answerQuit(answer: QuitAnswer): void
  onWindowState(listener: (state: WindowState) => void): () => void
}

export interface AlfredBridge {
  /** Answers with a `Result` of `shared/result`; the error is the entry's own or a common one. */
  invoke(channel: string, input: unknown): Promise<unknown>
  /** Follows a stream until the returned function is called. */
  subscribe(channel: string, key: unknown, listener: (event: unknown) => void): () => void
  readonly shell: ShellBridge
}
