import { spawn } from 'node:child_process'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { mayWrite, roleOf, isPublicOnly, type Caller } from '../access'
import { settlePushed } from '../acts/pushed'
import { pullsOf } from '../acts/open-pull'
import type { Fault } from '../faults'
import type { ForgeRepository } from '../forge-model'
import { fullName, type ForgeState } from '../forge-state'
import type { ForgeTraits } from '../forge-traits'
import { findCaller, hasScope } from '../sign-in'
import type { BareRepositories } from './bare-repositories'

/*
 * git over HTTP at `/owner/name.git`: git's own http-backend behind the forge's rules.
 */

export interface GitHttpParts {
  readonly state: ForgeState
  readonly traits: ForgeTraits
  readonly git: BareRepositories
  /** Configured address, and what comes before every path in it. */
  readonly root: string
  readonly prefix: string
  /** How long the API is behind git after a push, in milliseconds; Infinity: until it is told. */
  readonly branchDelayMs: () => number
  /** Said by the hook to the next pushes; null: they are welcome. */
  readonly pushRefusal: () => string | null
}

const form = /^\/([^/]+)\/([^/]+?)(?:\.git)?\/(info\/refs|git-upload-pack|git-receive-pack)$/

export const isGitPath = (pathname: string): boolean => form.test(pathname)

export async function serveGit(
  request: IncomingMessage,
  response: ServerResponse,
  url: URL,
  parts: GitHttpParts,
  fault: Fault | null,
): Promise<void> {
  const [, owner = '', name = '', action = ''] = form.exec(url.pathname) ?? []
  const { state, traits } = parts
  const isPush = action === 'git-receive-pack' || url.searchParams.get('service') === 'git-receive-pack'
  const say = (status: number, text: string, headers: Record<string, string> = {}): void => {
    response.writeHead(status, { 'content-type': 'text/plain;charset=utf-8', ...headers }).end(text)
  }
  const caller = findCaller(request.headers, url.searchParams, state)
  if (caller === null)
    return say(401, traits.wrongGitPassword, { 'content-type': 'text/plain; charset=utf-8' })
  const repository = state.repository(decodeURIComponent(owner), decodeURIComponent(name))
  const moved = repository === undefined ? state.movedRepository(owner, name) : undefined
  const isRedirectedFirst = moved !== undefined && traits.movedForEverybody
  const needsAccount = isPush || (repository?.isPrivate ?? moved?.isPrivate ?? true)
  if (caller.user === null && needsAccount && !isRedirectedFirst) {
    return say(401, 'Unauthorized\n', {
      'content-type': 'text/plain; charset=utf-8',
      'www-authenticate': `Basic realm="${traits.realm}"`,
    })
  }
  if (moved !== undefined) {
    const words = traits.movedStatus === 301 ? 'Moved Permanently' : 'Temporary Redirect'
    const location = `${parts.prefix}/${fullName(moved)}/${action}${url.search}`
    return say(traits.movedStatus, `<a href="${location}">${words}</a>.\n\n`, {
      'content-type': 'text/html; charset=utf-8',
      location,
    })
  }
  const refusal = refusalFor(repository, caller, isPush, state.user(owner)?.isOrganization ?? false)
  if (refusal !== null || repository === undefined) {
    return say(refusal?.[0] ?? 404, refusal?.[1] ?? 'Repository not found')
  }
  await backend(request, response, url, { ...parts, repository, caller, action, fault })
}

function refusalFor(
  repository: ForgeRepository | undefined,
  caller: Caller,
  isPush: boolean,
  isOrganization: boolean,
): readonly [status: number, text: string] | null {
  const scopes = caller.token?.scopes
  if (repository === undefined) {
    return isPush
      ? [403, `Push to create is not enabled for ${isOrganization ? 'organizations' : 'users'}.\n`]
      : [404, 'Repository not found']
  }
  if (roleOf(repository, caller.user) === null) return [404, 'Repository not found']
  const isShort = scopes !== undefined && !hasScope(scopes, 'repository', isPush ? 'write' : 'read')
  if (isShort || (repository.isPrivate && isPublicOnly(caller))) return [403, 'Forbidden\n']
  if (isPush && repository.archivedAt !== null) {
    return [
      403,
      'This repo is archived. You can view files and clone it, but cannot push or open issues/pull-requests.\n',
    ]
  }
  return null
}

type BackendParts = GitHttpParts & {
  readonly repository: ForgeRepository
  readonly caller: Caller
  readonly action: string
  readonly fault: Fault | null
}

/** One request through git's CGI program; a push is known to the forge before git hears that it is done. */
async function backend(
  request: IncomingMessage,
  response: ServerResponse,
  url: URL,
  parts: BackendParts,
): Promise<void> {
  const { repository, git, action, caller } = parts
  const child = spawn('git', ['http-backend'], {
    env: {
      PATH: process.env['PATH'],
      HOME: '/nonexistent',
      GIT_CONFIG_NOSYSTEM: '1',
      GIT_PROJECT_ROOT: git.root,
      GIT_HTTP_EXPORT_ALL: '1',
      GIT_CONFIG_COUNT: '2',
      GIT_CONFIG_KEY_0: 'http.receivepack',
      GIT_CONFIG_VALUE_0: 'true',
      GIT_CONFIG_KEY_1: 'receive.advertisePushOptions',
      GIT_CONFIG_VALUE_1: 'true',
      PATH_INFO: `/${repository.id}.git/${action}`,
      QUERY_STRING: url.search.slice(1),
      REQUEST_METHOD: request.method ?? 'GET',
      CONTENT_TYPE: request.headers['content-type'] ?? '',
      HTTP_CONTENT_ENCODING: request.headers['content-encoding'] ?? '',
      GIT_PROTOCOL: String(request.headers['git-protocol'] ?? ''),
      REMOTE_USER: caller.user?.login ?? 'nobody',
      ...hookFacts(parts),
    },
  })
  child.stdin.on('error', () => undefined)
  request.pipe(child.stdin)
  const chunks: Buffer[] = []
  child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk))
  child.stderr.resume()
  await new Promise((resolve) => {
    child.on('close', resolve)
  })
  if (action === 'git-receive-pack' && caller.user !== null) await learn(parts)
  if (parts.fault?.kind === 'done_but_down') return void response.destroy()
  if (parts.fault?.kind === 'done_but_500') {
    return void response.writeHead(500, { 'content-type': 'text/plain' }).end('Internal Server Error\n')
  }
  const all = Buffer.concat(chunks)
  const split = all.indexOf('\r\n\r\n')
  const head = all.subarray(0, Math.max(split, 0)).toString()
  const headers = Object.fromEntries(
    head
      .split('\r\n')
      .filter((line) => line.includes(':'))
      .map((line) => [
        line.slice(0, line.indexOf(':')).toLowerCase(),
        line.slice(line.indexOf(':') + 1).trim(),
      ]),
  )
  response.writeHead(Number.parseInt(headers['status'] ?? '200', 10), headers).end(all.subarray(split + 4))
}

function hookFacts({ repository, caller, root, traits, pushRefusal }: BackendParts): Record<string, string> {
  const page = `${root}/${fullName(repository)}`
  const open = pullsOf(repository).filter(({ isOpen }) => isOpen)
  return {
    FORGE_IS_FORGEJO: traits.isForgejo ? '1' : '0',
    FORGE_MAY_WRITE: mayWrite(repository, caller.user) ? '1' : '0',
    FORGE_DEFAULT_BRANCH: repository.defaultBranch,
    FORGE_PROTECTED: repository.protections
      .filter(({ canPush }) => !canPush)
      .map(({ rule }) => rule)
      .join('\n'),
    FORGE_REFUSAL: pushRefusal() ?? '',
    FORGE_WAS_EMPTY: repository.branches.size === 0 ? '1' : '0',
    FORGE_PULLS: open.map(({ number, pull }) => `${number} ${pull.head}`).join('\n'),
    FORGE_PAGE: page,
    FORGE_NEW_PULL: traits.isForgejo
      ? `${page}/compare/${repository.defaultBranch}...`
      : `${page}/pulls/new/`,
  }
}

async function learn(parts: BackendParts): Promise<void> {
  const by = parts.caller.user
  if (by === null) return
  const delay = parts.branchDelayMs()
  if (delay === 0) return settlePushed(parts, parts.repository, by)
  if (delay === Number.POSITIVE_INFINITY) return
  setTimeout(() => void settlePushed(parts, parts.repository, by).catch(() => undefined), delay).unref()
}
