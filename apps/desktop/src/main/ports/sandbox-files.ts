/*
 * What a sandbox mounts beside the run's own folders.
 */

export interface SandboxUser {
  readonly uid: number
  readonly gid: number
}

/** Paths on the host, all mounted read-only. */
export interface FixedSandboxFiles {
  /** `alfred-entry`, the parent of every agent CLI. */
  readonly entry: string
  /** The file named by GIT_CONFIG_SYSTEM. */
  readonly gitConfig: string
  /** With an entry for the user: some CLIs fail without. */
  readonly passwd: string
  readonly group: string
}

export interface SandboxFiles {
  /** Made or refreshed when they differ from what this version of the app ships. */
  fixedFiles(user: SandboxUser): Promise<FixedSandboxFiles>
  /**
   * Makes a folder (0700) that the sandbox's user owns. An existing folder keeps its owner and content:
   * nothing inside is ever walked, chowned or chmodded.
   */
  ensureFolder(path: string, user: SandboxUser): Promise<void>
}
