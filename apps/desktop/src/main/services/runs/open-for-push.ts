import { ok, type Result } from '@shared/result'
import type { Run } from '@shared/model/records'
import type { ForgeError } from '../../ports/forge'
import type { GitError } from '../../ports/git'
import { followDefaultBranch } from './follow-default-branch'
import type { PushPlace } from './push-run'
import type { RunParts } from './run-parts'

/** The repository of the run's mailbox, and where it is pushed to. */
export async function openForPush(
  parts: RunParts,
  { mailboxId }: Run,
): Promise<Result<PushPlace, GitError | ForgeError>> {
  const { store, git, paths, settings, forgeOf } = parts
  const mailbox = store.mailboxes.get(mailboxId)
  const project = store.forges.getProject(mailbox.projectId)
  const organization = store.forges.getOrganization(project.organizationId)
  const remote = await forgeOf(project).remote(project)
  if (!remote.ok) return remote
  const repository = await git.openMailboxRepository(paths.repository({ organization, project, mailbox }))
  if (!repository.ok) return repository
  return ok({
    repository: repository.value,
    remote: remote.value,
    branch: mailbox.branchName ?? '',
    baseBranch: mailbox.baseBranch ?? project.defaultBranch,
    followBase: (signal) =>
      followDefaultBranch(
        parts,
        { mailbox, project },
        { repository: repository.value, remote: remote.value, signal },
      ),
    iid: mailbox.iid,
    needsPerson: settings.of(project).values.PUSH_NEEDS_PERSON,
  })
}
