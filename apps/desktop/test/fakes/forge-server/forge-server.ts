import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { answerApi, isApiPath, routesOf, type ApiParts } from './api'
import { plainText, type Answer } from './answer'
import { disguise, Faults, meetBefore, type Fault } from './faults'
import { ForgeSeed } from './forge-seed'
import { ForgeState } from './forge-state'
import { forgeTraits, type ForgeServerKind, type ForgeTraits } from './forge-traits'
import { BareRepositories } from './git/bare-repositories'
import { isGitPath, serveGit } from './git/git-http'
import type { PageSizes } from './paging'
import { readBytes } from './request-body'
import { answerPage } from './web-pages'

/*
 * A forge for tests: a Gitea 1.26.3, an older one or a Forgejo 11, in memory, with real git repositories, held to
 * recordings of the real servers by test/contract/forge-server.recordings.test.ts.
 *
 *   const forge = await startForgeServer({ kind: 'forgejo' })
 *   forge.seed.user('alfred-bot'); forge.seed.user('dev')
 *   forge.seed.organization('acme', { 'alfred-bot': 'write', dev: 'write' })
 *   await forge.seed.repository('acme/shop')
 *   const token = forge.seed.token('alfred-bot')            // or with scopes: ['read:issue', 'write:repository']
 *   // API at `${forge.url}/api/v1`, git at `${forge.url}/acme/shop.git` with any name and the token as password
 *   forge.faults.add({ fault: { kind: 'done_but_500' }, method: 'POST', path: /comments/, times: 1 })
 *   await forge.close()
 *
 * People act through the API with tokens of their own, or through `forge.seed` (commits, comments, protection).
 */

export interface ForgeServerOptions {
  readonly kind: ForgeServerKind
  /** For example `/git`; none: at the root. */
  readonly subPath?: string
  /** The address that the server believes to have; none: its own. */
  readonly rootUrl?: string
  /** Epoch milliseconds; none: the machine's clock. A fixed difference is a clock that is off. */
  readonly clock?: () => number
  readonly pageSizes?: PageSizes
}

export interface SeenRequest {
  readonly method: string
  /** Below the root, with its query. */
  readonly address: string
  readonly status: number
}

export interface ForgeServer {
  /** Where it listens, without a slash at the end. */
  readonly url: string
  readonly traits: ForgeTraits
  readonly state: ForgeState
  readonly git: BareRepositories
  readonly seed: ForgeSeed
  readonly faults: Faults
  /** Every request that was answered, the oldest first. */
  readonly requests: readonly SeenRequest[]
  /** How long after a push the API does not know its branches yet; Infinity: until `seed.tellBranches`. */
  branchDelayMs: number
  /** Said by the hook to every push from now on; null: welcome. */
  pushRefusal: string | null
  /** Nobody listens any more, and whoever is connected is cut off. */
  stop(): Promise<void>
  close(): Promise<void>
}

export async function startForgeServer(options: ForgeServerOptions): Promise<ForgeServer> {
  const folder = await mkdtemp(path.join(tmpdir(), 'forge-server-'))
  const state = new ForgeState(options.clock ?? Date.now)
  const git = new BareRepositories(folder)
  const server = createServer()
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const prefix = options.subPath ?? ''
  const url = `http://127.0.0.1:${port}${prefix}`
  const requests: SeenRequest[] = []
  const traits = forgeTraits[options.kind]
  const forge: ForgeServer = {
    url,
    traits,
    state,
    git,
    seed: new ForgeSeed(state, git),
    faults: new Faults(),
    requests,
    branchDelayMs: 0,
    pushRefusal: null,
    stop: () => stop(server),
    close: () => close(server, folder),
  }
  const parts: ApiParts = {
    state,
    traits,
    git,
    root: options.rootUrl ?? url,
    prefix: new URL(options.rootUrl ?? url).pathname.replace(/\/$/, ''),
    pageSizes: options.pageSizes ?? { standard: 30, largest: 50 },
  }
  const routes = routesOf(traits)
  const gitParts = {
    ...parts,
    branchDelayMs: () => forge.branchDelayMs,
    pushRefusal: () => forge.pushRefusal,
  }

  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const method = request.method ?? 'GET'
    // Dots stand for nothing here: what is asked with them is not there.
    const asked = new URL(
      `http://forge${(request.url ?? '/').replace(/\/{2,}/g, '/').replaceAll('/..', '/%252E%252E')}`,
    )
    const isOutside = prefix !== '' && asked.pathname !== prefix && !asked.pathname.startsWith(`${prefix}/`)
    const below = new URL(
      `${isOutside ? asked.pathname : asked.pathname.slice(prefix.length) || '/'}${asked.search}`,
      'http://forge',
    )
    const address = `${below.pathname}${below.search}`
    response.on('finish', () => requests.push({ method, address, status: response.statusCode }))
    response.setHeader('date', new Date(state.now()).toUTCString())
    const isGit = !isOutside && isGitPath(below.pathname)
    // First, so that a request is whole although its client leaves while it waits.
    const body = isGit ? Buffer.alloc(0) : await readBytes(request)
    const fault = forge.faults.next(method, address, request.headers.authorization)
    if (fault !== null && (await meetBefore(fault, request, response)) === 'answered') return
    if (isGit) return serveGit(request, response, below, gitParts, fault)
    const answer = async (): Promise<Answer> =>
      !isOutside && isApiPath(below.pathname)
        ? answerApi({ method, url: below, headers: request.headers, body }, parts, routes)
        : answerPage(isOutside ? asked : below, request.headers, parts)
    const first = await answer()
    send(response, disguise(fault, fault?.kind === 'twice' ? await answer() : first), fault)
  }
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    serve(request, response).catch((error: unknown) => {
      if (response.headersSent) response.destroy()
      else send(response, plainText(500, `The fake forge itself failed: ${String(error)}\n`), null)
    })
  })
  return forge
}

function send(response: ServerResponse, answer: Answer, fault: Fault | null): void {
  const isJson = answer.json !== undefined
  const text = isJson ? `${JSON.stringify(answer.json)}\n` : (answer.text ?? '')
  const type = isJson ? 'application/json;charset=utf-8' : answer.contentType
  const bytes = Buffer.from(text)
  response.writeHead(answer.status, {
    'cache-control': 'max-age=0, private, must-revalidate, no-transform',
    ...(type === undefined ? {} : { 'content-type': type }),
    ...(answer.status === 204 ? {} : { 'content-length': String(bytes.length) }),
    ...answer.headers,
  })
  if (fault?.kind === 'done_but_down') return void response.destroy()
  if (fault?.kind !== 'half') return void response.end(answer.status === 204 ? undefined : bytes)
  response.write(bytes.subarray(0, Math.floor(bytes.length / 2)), () => response.destroy())
}

async function stop(server: Server): Promise<void> {
  server.closeAllConnections()
  await new Promise((resolve) => {
    server.close(resolve)
  })
}

async function close(server: Server, folder: string): Promise<void> {
  await stop(server)
  await rm(folder, { recursive: true, force: true, maxRetries: 3 })
}
