/*
 * Removes folders of mailboxes from the data folder. What an agent wrote lies in them: nothing is followed, and
 * nothing outside the data folder is ever touched.
 */

export interface DataRemover {
  /** Whether something lies there; a link counts as itself. */
  exists(path: string): boolean
  /** Whether the folder holds anything; false when there is none. */
  holdsAnything(path: string): boolean
  /**
   * Takes a folder out of the way in one step, without waiting: from then on it is gone for everybody else.
   * false when there was none. Throws when it does not lie in the data folder, or cannot be moved.
   */
  setAside(path: string): boolean
  /** Deletes all that was set aside, also before a crash. What could not be deleted comes back, and is tried again. */
  sweep(signal?: AbortSignal): Promise<readonly { readonly path: string; readonly message: string }[]>
}
