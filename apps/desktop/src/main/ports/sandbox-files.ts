import type { FixedSandboxFiles } from '@main/core/sandbox/sandbox-spec'
import type { SandboxUser } from '@main/core/sandbox/sandbox-user'

/** What a sandbox mounts beside the run's own folders, and the folders that its user must be able to write. */
export interface SandboxFiles {
  /** Made or refreshed when they differ from what this version of the app ships. */
  fixedFiles(user: SandboxUser): Promise<FixedSandboxFiles>
  /**
   * Makes a folder (0700) that the sandbox's user owns; one that is there is given to that user.
   * Only the folder itself, never through a link: nothing inside is ever walked, chowned or chmodded.
   */
  ensureFolder(path: string, user: SandboxUser): Promise<void>
}
