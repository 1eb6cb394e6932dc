import { mayWrite, roleOf } from '../access'
import type { CommitStatus, ForgeRepository, ForgeUser, Protection } from '../forge-model'
import { fullName, type ForgeState } from '../forge-state'
import type { Commit } from '../git/bare-repositories'
import type { ViewParts } from './issue-view'
import { stamp } from './stamps'
import { userView, type Json } from './user-view'

/*
 * Branches with what protects them, and commit statuses.
 */

export function protectionOf(repository: ForgeRepository, branch: string): Protection | undefined {
  return repository.protections.find(({ rule }) => {
    const words = rule.split('*').map((word) => word.replace(/[.+?^${}()|[\]\\]/g, '\\$&'))
    return new RegExp(`^${words.join('.*')}$`).test(branch)
  })
}

export function branchView(
  repository: ForgeRepository,
  name: string,
  commit: Commit,
  viewer: ForgeUser | null,
  parts: ViewParts & { readonly state: ForgeState },
): Json {
  const protection = protectionOf(repository, name)
  const isAdmin = roleOf(repository, viewer) === 'admin'
  const writes = mayWrite(repository, viewer)
  return {
    name,
    commit: commitView(repository, commit, parts),
    protected: protection !== undefined,
    required_approvals: protection?.requiredApprovals ?? 0,
    enable_status_check: (protection?.statusContexts.length ?? 0) > 0,
    status_check_contexts:
      protection !== undefined && protection.statusContexts.length === 0
        ? null
        : (protection?.statusContexts ?? []),
    user_can_push: writes && (protection?.canPush ?? true),
    user_can_merge: writes,
    effective_branch_protection_name: isAdmin ? (protection?.rule ?? '') : '',
  }
}

function commitView(
  repository: ForgeRepository,
  commit: Commit,
  { addresses, state }: ViewParts & { readonly state: ForgeState },
): Json {
  const person = ({ name, email }: { readonly name: string; readonly email: string }): Json => ({
    name,
    email,
    username: state.users.find((user) => user.email === email)?.login ?? '',
  })
  return {
    id: commit.sha,
    message: commit.message,
    url: `${addresses.web}/${fullName(repository)}/commit/${commit.sha}`,
    author: person(commit.author),
    committer: person(commit.committer),
    verification: {
      verified: false,
      reason: 'gpg.error.not_signed_commit',
      signature: '',
      signer: null,
      payload: '',
    },
    timestamp: stamp(commit.at),
    added: null,
    removed: null,
    modified: null,
  }
}

export const statusView = (
  repository: ForgeRepository,
  status: CommitStatus,
  parts: ViewParts & { readonly state: ForgeState },
): Json => ({
  id: status.id,
  status: status.state,
  target_url: status.targetUrl,
  description: status.description,
  url: `${parts.addresses.root}/api/v1/repos/${fullName(repository)}/statuses/${status.sha}`,
  context: status.context,
  creator: userView(parts.state.userById(status.creatorId), 'unknown', parts),
  created_at: stamp(status.at),
  updated_at: stamp(status.at),
})
