import { join } from 'node:path'
import { openLocalForge, type LocalForge } from '@main/adapters/forge/local/open-local-forge'
import { createGit } from '@main/adapters/git/create-git'
import type { TrackerProject } from '@shared/contract/tracker'
import type { Result } from '@shared/result'
import { createWorkshop, type Workshop } from '../integration/git-workshop'
import { openTestStore, type TestStore } from './open-test-store'
import { createSettableClock, type SettableClock } from './settable-clock'

/** A local forge on a real database and real repositories, and plain git beside it to play the person's own. */
export interface LocalForgeBench extends LocalForge {
  readonly test: TestStore
  readonly clock: SettableClock
  readonly workshop: Workshop
  /** Opens it once more on the same data, as after a restart. */
  reopen(userName?: string): LocalForge
  addProject(name?: string): Promise<TrackerProject>
  /** Commits on top of `from` and pushes to `branch`, as a person with a clone does. */
  push(
    project: TrackerProject,
    branch: string,
    files: Readonly<Record<string, string>>,
    from?: string,
  ): string
  remove(): void
}

export function openLocalForgeBench(): LocalForgeBench {
  const test = openTestStore()
  const clock = createSettableClock(1_000_000)
  const workshop = createWorkshop()
  const { runGit } = createGit({ scratchFolder: join(test.folder, 'git') })
  const reopen = (userName = 'ada'): LocalForge =>
    openLocalForge({
      db: test.db,
      forges: test.store.forges,
      clock,
      runGit,
      dataFolder: test.folder,
      person: { userName, fullName: 'Ada Lovelace', email: 'ada@example.invalid' },
    })
  const local = reopen()
  let clones = 0
  return {
    ...local,
    test,
    clock,
    workshop,
    reopen,
    addProject: async (name = 'Project') =>
      done(local.tracker.createProject({ organization: 'local', name, source: { kind: 'empty' } })),
    push: (project, branch, files, from = 'main') => {
      const clone = join(workshop.folder, `clone-${clones++}`)
      workshop.git(workshop.folder, ['clone', '-q', '-b', from, project.remotePath, clone])
      const sha = workshop.commit(clone, files)
      workshop.git(clone, ['push', '-q', 'origin', `HEAD:refs/heads/${branch}`])
      return sha
    },
    remove: () => {
      workshop.remove()
      test.remove()
    },
  }
}

/** The value of an answer that a test takes for granted. */
export async function done<T>(answer: Promise<Result<T, unknown>>): Promise<T> {
  const result = await answer
  if (!result.ok) throw new Error(JSON.stringify(result.error))
  return result.value
}
