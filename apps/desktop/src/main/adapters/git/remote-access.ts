import { isAbsolute } from 'node:path'
import { pathToFileURL } from 'node:url'
import { err, ok, type Result } from '@shared/result'
import type { GitRemote } from '@main/ports/forge'
import type { GitError } from '@main/ports/git'
import type { GitConfigEntry } from './git-environment'
import { gitError } from './git-errors'

/** How one git process reaches one remote: its transport alone, and the credential for its host alone. */
export interface RemoteAccess {
  readonly url: string
  readonly config: readonly GitConfigEntry[]
  readonly env: Readonly<Record<string, string>>
  /** To take out of everything that git says. */
  readonly secrets: readonly string[]
}

/*
 * The helper stands in git's environment, never in an argv or a file, and is asked for this host only: another
 * host (a redirect, a rewritten address) gets nothing. The empty helper before it resets the list.
 */
const helper =
  '!f() { test "$1" = get && printf "username=%s\\npassword=%s\\n" "$ALFRED_GIT_USERNAME" "$ALFRED_GIT_PASSWORD"; }; f'

export function remoteAccess(remote: GitRemote): Result<RemoteAccess, GitError> {
  if (isAbsolute(remote.url)) return ok(withoutCredential(remote.url, 'file'))
  const url = parseUrl(remote.url)
  if (url === null)
    return err(gitError('not_found', 'The address of the repository is not one that git understands.'))
  if (url.username !== '' || url.password !== '') {
    return err(
      gitError('unexpected', 'The address of the repository holds a credential; it belongs in the keyring.'),
    )
  }
  switch (url.protocol) {
    case 'file:':
      return ok(withoutCredential(remote.url, 'file'))
    case 'https:':
    case 'http:':
      return webAccess(url, remote)
    default:
      return err(gitError('remote_refused', `Alfred does not fetch or push over ${url.protocol}//.`))
  }
}

/** Git decodes what stands in a `file://` address, so a path has to be encoded first. */
export const fileUrl = (path: string): string => pathToFileURL(path).href

function webAccess(url: URL, remote: GitRemote): Result<RemoteAccess, GitError> {
  const scheme = url.protocol.slice(0, -1)
  // By the environment, since there it goes before what the app's own process was given.
  const trust: Readonly<Record<string, string>> = remote.caFile ? { GIT_SSL_CAINFO: remote.caFile } : {}
  if (remote.credential === null) return ok({ ...withoutCredential(remote.url, scheme), env: trust })
  const { username, password } = remote.credential
  if (/[\r\n\0]/.test(username + password)) {
    return err(gitError('unauthorized', 'The stored token holds a line break, which no token has.'))
  }
  return ok({
    url: remote.url,
    config: [
      [`protocol.${scheme}.allow`, 'always'],
      ['credential.useHttpPath', 'false'],
      [`credential.${url.origin}.helper`, ''],
      [`credential.${url.origin}.helper`, helper],
    ],
    env: { ...trust, ALFRED_GIT_USERNAME: username, ALFRED_GIT_PASSWORD: password },
    secrets: [password],
  })
}

function withoutCredential(url: string, scheme: string): RemoteAccess {
  return { url, config: [[`protocol.${scheme}.allow`, 'always']], env: {}, secrets: [] }
}

function parseUrl(text: string): URL | null {
  return URL.canParse(text) ? new URL(text) : null
}
