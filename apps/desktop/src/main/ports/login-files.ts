import type { SandboxUser } from '@main/core/sandbox/sandbox-user'

/*
 * Login files of agent CLIs on this computer. They are read to say whether somebody is signed in; nothing of them is
 * kept, logged or changed.
 */

export type LoginFileLook =
  | { readonly type: 'missing' }
  /** No plain file of a sensible size, or not readable for the app. */
  | { readonly type: 'unreadable' }
  | { readonly type: 'read'; readonly content: string }

export interface LoginFiles {
  /** A link is not followed. */
  look(path: string): Promise<LoginFileLook>
  /**
   * An app that is root gives a file that only root can read to the sandbox's user, who has to read it. Nothing happens
   * for another app, another owner, or what is no plain file with one name.
   */
  handOver(path: string, user: SandboxUser): Promise<void>
  /** Where the path leads once all links on the way are followed; what is not there keeps its name. */
  pathOf(path: string): Promise<string>
}
