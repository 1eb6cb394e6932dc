import type { Mailbox, Project } from '@shared/model/records'
import { ok, type Result } from '@shared/result'
import type { GitRemote } from '../../ports/forge'
import type { GitError, MailboxRepository } from '../../ports/git'
import type { RunParts } from './run-parts'

/**
 * The branch that the work of a mailbox is based on, once its repository was fetched. Where the project's default branch
 * is gone and the forge names another one, it was renamed: then that one counts from now on.
 */
export async function followDefaultBranch(
  { store }: Pick<RunParts, 'store'>,
  { mailbox, project }: { readonly mailbox: Mailbox; readonly project: Project },
  at: {
    readonly repository: MailboxRepository
    readonly remote: GitRemote
    readonly signal: AbortSignal
  },
): Promise<Result<string, GitError>> {
  if (mailbox.baseBranch !== null) return ok(mailbox.baseBranch)
  const { defaultBranch } = project
  const there = await at.repository.remoteBranch(defaultBranch)
  if (!there.ok) return there
  if (there.value !== null) return ok(defaultBranch)
  const named = await at.repository.lookAtDefaultBranch(at.remote, at.signal)
  if (!named.ok) return named
  const renamed = named.value ?? defaultBranch
  if (renamed !== defaultBranch) store.forges.setDefaultBranch(project.id, renamed)
  return ok(renamed)
}
