import type { ForgeUser } from '../forge-model'
import { avatarHash, ghost } from '../forge-state'
import type { ForgeTraits } from '../forge-traits'
import type { Addresses } from './addresses'
import { stamp } from './stamps'

/*
 * A person as the servers show them: to themselves and to admins with everything, to people who are signed in
 * with their address, and in places that do not know who asks with an address that leads nowhere.
 */

export type Json = Record<string, unknown>

export function userView(
  user: ForgeUser,
  viewer: ForgeUser | 'unknown' | null,
  parts: { readonly traits: ForgeTraits; readonly addresses: Addresses },
): Json {
  const { traits, addresses } = parts
  const isWhole = viewer !== 'unknown' && viewer !== null && (viewer.id === user.id || viewer.isAdmin)
  const noReply = user === ghost ? 'ghost@noreply.localhost' : traits.noReplyAddress(user)
  return {
    id: user.id,
    login: user.login,
    login_name: '',
    source_id: 0,
    full_name: user.fullName,
    email: viewer === 'unknown' || viewer === null ? noReply : user.email,
    avatar_url:
      user === ghost
        ? `${addresses.web}/assets/img/avatar_default.png`
        : `${addresses.web}/avatars/${avatarHash(user)}`,
    html_url: `${addresses.web}/${user.login}`,
    language: '',
    is_admin: isWhole && user.isAdmin,
    last_login: isWhole && !user.isOrganization ? '1970-01-01T00:00:00Z' : '0001-01-01T00:00:00Z',
    created: stamp(user.createdAt),
    restricted: false,
    active: isWhole && !user.isOrganization,
    prohibit_login: false,
    location: '',
    ...(traits.isForgejo ? { pronouns: '' } : {}),
    website: '',
    description: '',
    visibility: 'public',
    followers_count: 0,
    following_count: 0,
    starred_repos_count: 0,
    username: user.login,
  }
}

export const organizationView = (user: ForgeUser, addresses: Addresses): Json => ({
  id: user.id,
  name: user.login,
  full_name: user.fullName,
  email: '',
  avatar_url: `${addresses.web}/avatars/${avatarHash(user)}`,
  description: '',
  website: '',
  location: '',
  visibility: 'public',
  repo_admin_change_team_access: false,
  username: user.login,
})
