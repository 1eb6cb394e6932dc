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
}
