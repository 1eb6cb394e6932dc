import type { ForgeIssue, ForgeLabel, ForgeRepository, ForgeUser, Protection, Role } from './forge-model'
import { fullName, type ForgeState } from './forge-state'
import type { BareRepositories, CommitPerson } from './git/bare-repositories'
import { addEntry } from './acts/issue-acts'
import { openIssue } from './acts/open-issue'
import { settlePushed } from './acts/pushed'

/*
 * What a test puts into a forge before it begins, and what people do there beside the API. All of it is stored as
 * the API itself would store it.
 */

export class ForgeSeed {
  readonly state: ForgeState
  readonly git: BareRepositories
  constructor(state: ForgeState, git: BareRepositories) {
    this.state = state
    this.git = git
  }

  user(
    login: string,
    more: Partial<Pick<ForgeUser, 'id' | 'fullName' | 'email' | 'isAdmin' | 'password' | 'createdAt'>> = {},
  ): ForgeUser {
    return this.account(login, { email: `${login}@forge.example`, ...more }, false)
  }

  /** `members`: what each may do in all of its repositories; an admin is an owner. */
  organization(
    login: string,
    members: Readonly<Record<string, Role>>,
    more: Partial<Pick<ForgeUser, 'id' | 'fullName' | 'createdAt'>> = {},
  ): ForgeUser {
    const organization = this.account(login, more, true)
    for (const [name, role] of Object.entries(members)) organization.members.set(this.person(name).id, role)
    return organization
  }

  private account(login: string, more: Partial<ForgeUser>, isOrganization: boolean): ForgeUser {
    const user: ForgeUser = {
      login,
      fullName: '',
      email: '',
      isAdmin: false,
      isOrganization,
      createdAt: this.state.now(),
      refusal: null,
      blocked: new Set(),
      password: '',
      labels: [],
      members: new Map(),
      ...more,
      id: more.id ?? this.state.idOf('user'),
    }
    this.state.nextIds.user = Math.max(this.state.nextIds.user, user.id + 1)
    this.state.users.push(user)
    return user
  }

  person(login: string): ForgeUser {
    const found = this.state.user(login)
    if (found === undefined) throw new Error(`Nobody is called ${login} here.`)
    return found
  }

  /** The secret of a new token; without scopes it may do everything. */
  token(login: string, scopes: readonly string[] = ['all'], name = scopes.join('+')): string {
    return this.state.newToken(this.person(login).id, name, scopes).secret
  }

  /** Begins with one commit on its default branch; `files: null` leaves it empty. */
  async repository(
    path: string,
    more: {
      readonly id?: number
      readonly isPrivate?: boolean
      readonly isArchived?: boolean
      readonly defaultBranch?: string
      readonly collaborators?: Readonly<Record<string, Role>>
      readonly files?: Readonly<Record<string, string>> | null
      readonly parent?: ForgeRepository
      /** Whose the first commit is; none: the owner's. */
      readonly by?: string
    } = {},
  ): Promise<ForgeRepository> {
    const [ownerLogin = '', name = ''] = path.split('/')
    const now = this.state.now()
    const repository: ForgeRepository = {
      id: more.id ?? this.state.idOf('repository'),
      owner: this.person(ownerLogin),
      name,
      isPrivate: more.isPrivate ?? true,
      archivedAt: more.isArchived === true ? now : null,
      defaultBranch: more.defaultBranch ?? 'main',
      hasIssues: more.parent === undefined,
      hasPulls: true,
      isDeleted: false,
      createdAt: now,
      updatedAt: now,
      collaborators: new Map(),
      labels: [],
      issues: [],
      nextNumber: 1,
      protections: [],
      statuses: [],
      parent: more.parent ?? null,
      forks: [],
      branches: new Map(),
      watchers: 1,
      onlySquashes: false,
    }
    this.state.nextIds.repository = Math.max(this.state.nextIds.repository, repository.id + 1)
    for (const [login, role] of Object.entries(more.collaborators ?? {})) {
      repository.collaborators.set(this.person(login).id, role)
    }
    this.state.repositories.push(repository)
    if (more.parent !== undefined) {
      more.parent.forks.push(repository)
      await this.git.copy(more.parent.id, repository.id, repository.defaultBranch)
      repository.branches = await this.git.branches(repository.id)
      return repository
    }
    await this.git.create(repository.id, repository.defaultBranch)
    const files = more.files === undefined ? { 'README.md': `# ${path}\n` } : more.files
    if (files === null) return repository
    const by = more.by ?? repository.owner.login
    await this.commit(path, repository.defaultBranch, files, { message: 'first commit', by })
    return repository
  }

  find(path: string): ForgeRepository {
    const [owner = '', name = ''] = path.split('/')
    const found = this.state.repository(owner, name)
    if (found === undefined) throw new Error(`There is no repository ${path} here.`)
    return found
  }

  label(path: string, name: string, more: Partial<Omit<ForgeLabel, 'name'>> = {}): ForgeLabel {
    const label: ForgeLabel = {
      name,
      color: 'cccccc',
      description: '',
      isExclusive: false,
      isArchived: false,
      ...more,
      id: more.id ?? this.state.idOf('label'),
    }
    this.state.nextIds.label = Math.max(this.state.nextIds.label, label.id + 1)
    const owned = path.includes('/') ? this.find(path).labels : this.person(path).labels
    owned.push(label)
    return label
  }

  issue(
    path: string,
    more: {
      readonly title: string
      readonly body?: string
      readonly by: string
      readonly labels?: readonly string[]
      readonly assignees?: readonly string[]
    },
  ): ForgeIssue {
    const repository = this.find(path)
    const labels = this.state.labelsOf(repository).filter(({ name }) => more.labels?.includes(name) === true)
    return openIssue(this.state, repository, {
      title: more.title,
      body: more.body ?? '',
      author: this.person(more.by),
      labelIds: labels.map(({ id }) => id),
      assignees: (more.assignees ?? []).map((login) => this.person(login)),
      pull: null,
    })
  }

  comment(issue: ForgeIssue, by: string, body: string): number {
    return addEntry(this.state, issue, { type: 'comment', user: this.person(by), body }).id
  }

  protect(path: string, protection: Partial<Protection> & { readonly rule: string }): void {
    this.find(path).protections.push({
      canPush: false,
      requiredApprovals: 0,
      statusContexts: [],
      ...protection,
    })
  }

  /** A commit with these files, as if it had been pushed; returns its sha. */
  async commit(
    path: string,
    branch: string,
    files: Readonly<Record<string, string>>,
    more: {
      readonly message?: string
      readonly from?: string
      readonly by?: string
      readonly person?: CommitPerson
    } = {},
  ): Promise<string> {
    const repository = this.find(path)
    const by = more.by === undefined ? repository.owner : this.person(more.by)
    const on =
      repository.branches.get(branch) ??
      repository.branches.get(more.from ?? repository.defaultBranch) ??
      null
    const sha = await this.git.commitFiles(repository.id, {
      branch,
      on,
      files,
      message: more.message ?? `work on ${branch}`,
      by: more.person ?? { name: by.fullName === '' ? by.login : by.fullName, email: by.email },
      atSeconds: Math.floor(this.state.now() / 1000),
    })
    await settlePushed(this, repository, by, new Map([...repository.branches, [branch, sha]]))
    return sha
  }

  /** The API learns of everything that was pushed. */
  async tellBranches(path: string, by = this.find(path).owner.login): Promise<void> {
    await settlePushed(this, this.find(path), this.person(by))
  }

  rename(path: string, name: string): void {
    const repository = this.find(path)
    this.state.formerNames.set(fullName(repository).toLowerCase(), repository)
    repository.name = name
  }
}
