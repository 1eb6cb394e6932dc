import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { err, ok } from '@shared/result'
import { isValidBranchName } from '@main/core/forge/branch-name'
import type { Git } from '@main/ports/git'
import { openBareRepository } from './bare-repository'
import { gitError, gitText } from './git-errors'
import { mailboxRepository } from './mailbox-repository'
import { createRunGit, type RunGit } from './run-git'
import { removeStaleLocks } from './stale-locks'

export interface GitOptions {
  /** A folder of ours in the data folder: git's empty home and the quarantine repositories lie there. */
  readonly scratchFolder: string
  /** Commits in which it finds a secret are not taken in; left out, none is looked for. */
  readonly holdsSecret?: (text: string) => boolean
  /** Another git than the one on the PATH. */
  readonly program?: string
}

const quarantineFolder = (scratchFolder: string): string => join(scratchFolder, 'quarantine')

/** What an engine that died left of the bundles it was taking in; only at start, when nobody takes one. */
export async function removeLeftQuarantine(scratchFolder: string): Promise<void> {
  // A git process of the dead engine may still write there: what it leaves goes with the next start.
  await rm(quarantineFolder(scratchFolder), { recursive: true, force: true, maxRetries: 3 }).catch(
    () => undefined,
  )
}

/** `runGit` is for the parts of the app that own repositories themselves (the local forge). */
export function createGit(options: GitOptions): Git & { readonly runGit: RunGit } {
  const runGit = createRunGit({
    homeFolder: join(options.scratchFolder, 'home'),
    ...(options.program !== undefined && { program: options.program }),
  })
  const seen = new Set<string>()
  return {
    runGit,
    version: async () => {
      const text = await gitText(runGit, { args: ['--version'] })
      if (!text.ok) return text
      const version = /^git version (\S+)/.exec(text.value)?.[1]
      return version === undefined
        ? err(gitError('unexpected', 'Git does not say its version.'))
        : ok(version)
    },
    openMailboxRepository: async (folder) => {
      if (!seen.has(folder)) removeStaleLocks(folder)
      seen.add(folder)
      const opened = await openBareRepository(runGit, folder)
      return opened.ok
        ? ok(
            mailboxRepository(runGit, folder, {
              quarantineFolder: quarantineFolder(options.scratchFolder),
              holdsSecret: options.holdsSecret ?? (() => false),
            }),
          )
        : opened
    },
    isValidBranchName,
  }
}
