import { roleOf } from '../access'
import type { ForgeRepository, ForgeUser } from '../forge-model'
import { fullName } from '../forge-state'
import type { ForgeTraits } from '../forge-traits'
import type { Addresses } from './addresses'
import { stamp } from './stamps'
import { userView, type Json } from './user-view'

/*
 * A repository with the caller's own role in it.
 */

interface Parts {
  readonly traits: ForgeTraits
  readonly addresses: Addresses
}

export function repositoryView(repository: ForgeRepository, viewer: ForgeUser | null, parts: Parts): Json {
  const { traits, addresses } = parts
  const name = fullName(repository)
  const { isForgejo } = traits
  const role = roleOf(repository, viewer)
  const issues = repository.issues.filter((issue) => issue.isOpen)
  const pulls = issues.filter((issue) => issue.pull !== null)
  return {
    id: repository.id,
    owner: ownerView(repository, viewer, parts),
    name: repository.name,
    full_name: name,
    description: '',
    empty: repository.branches.size === 0,
    private: repository.isPrivate,
    fork: repository.parent !== null,
    template: false,
    ...(isForgejo || repository.parent !== null
      ? { parent: repository.parent === null ? null : repositoryView(repository.parent, viewer, parts) }
      : {}),
    mirror: false,
    size: 25,
    language: '',
    languages_url: `${addresses.root}/api/v1/repos/${name}/languages`,
    html_url: `${addresses.web}/${name}`,
    url: `${addresses.root}/api/v1/repos/${name}`,
    link: '',
    ssh_url: isForgejo ? `ssh://git@forge.example/${name}.git` : `git@forge.example:${name}.git`,
    clone_url: `${addresses.web}/${name}.git`,
    original_url: '',
    website: '',
    stars_count: 0,
    forks_count: repository.forks.filter(({ isDeleted }) => !isDeleted).length,
    watchers_count: repository.watchers,
    ...(traits.kind === 'gitea' ? { branch_count: repository.branches.size } : {}),
    open_issues_count: issues.length - pulls.length,
    open_pr_counter: pulls.length,
    release_counter: 0,
    default_branch: repository.defaultBranch,
    archived: repository.archivedAt !== null,
    created_at: stamp(repository.createdAt),
    updated_at: stamp(repository.updatedAt),
    archived_at: stamp(repository.archivedAt ?? 0),
    permissions: { admin: role === 'admin', push: role === 'write' || role === 'admin', pull: role !== null },
    ...(isForgejo ? {} : { has_code: traits.kind === 'gitea' }),
    ...units(repository, traits),
    avatar_url: '',
    internal: false,
    mirror_interval: '',
    object_format_name: 'sha1',
    mirror_updated: '0001-01-01T00:00:00Z',
    ...(isForgejo ? { repo_transfer: null, topics: null } : { topics: [], licenses: [] }),
  }
}

/** An organization's own address is shown to admins at most. */
function ownerView({ owner }: ForgeRepository, viewer: ForgeUser | null, parts: Parts): Json {
  const { isForgejo } = parts.traits
  const isHidden = owner.isOrganization
    ? !isForgejo && viewer?.isAdmin !== true
    : isForgejo && viewer === null
  return {
    ...userView(owner, viewer, parts),
    email: isHidden ? parts.traits.noReplyAddress(owner) : owner.email,
  }
}

function units(repository: ForgeRepository, { isForgejo, kind }: ForgeTraits): Json {
  const { hasPulls } = repository
  const merges = hasPulls && !repository.onlySquashes
  return {
    has_issues: repository.hasIssues,
    ...(repository.hasIssues
      ? {
          internal_tracker: {
            enable_time_tracker: true,
            allow_only_contributors_to_track_time: true,
            enable_issue_dependencies: true,
          },
        }
      : {}),
    has_wiki: repository.parent === null,
    ...(isForgejo && repository.parent === null
      ? { wiki_branch: 'main', globally_editable_wiki: false }
      : {}),
    has_pull_requests: hasPulls,
    has_projects: true,
    ...(isForgejo ? {} : { projects_mode: 'all' }),
    has_releases: true,
    has_packages: true,
    has_actions: true,
    ignore_whitespace_conflicts: false,
    allow_merge_commits: merges,
    allow_rebase: merges,
    allow_rebase_explicit: merges,
    allow_squash_merge: hasPulls,
    allow_fast_forward_only_merge: merges,
    allow_rebase_update: hasPulls,
    ...(isForgejo ? {} : { allow_manual_merge: !hasPulls, autodetect_manual_merge: false }),
    default_delete_branch_after_merge: false,
    default_merge_style: repository.onlySquashes ? 'squash' : 'merge',
    default_allow_maintainer_edit: kind === 'gitea' && hasPulls,
    ...(isForgejo ? { default_update_style: 'merge' } : {}),
  }
}
