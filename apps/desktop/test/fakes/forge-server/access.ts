import type { ForgeRepository, ForgeToken, ForgeUser, Role } from './forge-model'

/*
 * Who may do what where.
 */

/** Who asks, and by what: a token limits what its person may do. */
export interface Caller {
  readonly user: ForgeUser | null
  readonly token: ForgeToken | null
  /** By name and password: everything, tokens included. */
  readonly hasPassword: boolean
}

const ranks: Readonly<Record<Role, number>> = { read: 1, write: 2, admin: 3 }

/** The person's own role, whatever their token; null: the repository does not exist for them. */
export function roleOf(repository: ForgeRepository, user: ForgeUser | null): Role | null {
  const { owner } = repository
  const publicRole: Role | null = repository.isPrivate ? null : 'read'
  if (user === null) return publicRole
  if (user.isAdmin || user.id === owner.id) return 'admin'
  const roles = [repository.collaborators.get(user.id), owner.members.get(user.id), publicRole]
  return roles.reduce<Role | null>(
    (best, role) => (role != null && (best === null || ranks[role] > ranks[best]) ? role : best),
    null,
  )
}

export const mayWrite = (repository: ForgeRepository, user: ForgeUser | null): boolean => {
  const role = roleOf(repository, user)
  return role === 'write' || role === 'admin'
}

export const isPublicOnly = ({ token }: Caller): boolean => token?.scopes.includes('public-only') ?? false

/** Whether lists show this repository to the caller. */
export const sees = (repository: ForgeRepository, caller: Caller): boolean =>
  !repository.isDeleted &&
  roleOf(repository, caller.user) !== null &&
  !(repository.isPrivate && isPublicOnly(caller))

export const isBlocked = (user: ForgeUser, by: ForgeUser): boolean => by.blocked.has(user.id)

/** Whoever has a role of their own: through the organization readers too, else writers only. */
export function assignable(repository: ForgeRepository, users: readonly ForgeUser[]): ForgeUser[] {
  const { owner } = repository
  const has = (user: ForgeUser): boolean =>
    user.id === owner.id ||
    owner.members.has(user.id) ||
    (repository.collaborators.get(user.id) ?? 'read') !== 'read'
  return users
    .filter((user) => !user.isOrganization && has(user))
    .sort((a, b) => (a.login.toLowerCase() < b.login.toLowerCase() ? -1 : 1))
}

/** Readers too, as long as the repository is open to them by a role of their own. */
export const canBeAssigned = (repository: ForgeRepository, user: ForgeUser): boolean =>
  !user.isOrganization &&
  (user.id === repository.owner.id ||
    user.isAdmin ||
    repository.owner.members.has(user.id) ||
    repository.collaborators.has(user.id))
