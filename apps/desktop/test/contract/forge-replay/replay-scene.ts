import { request as httpRequest } from 'node:http'
import { startForgeServer, type ForgeServer } from '../../fakes/forge-server/forge-server'
import type { ForgeServerKind } from '../../fakes/forge-server/forge-traits'
import {
  readRecordedScene,
  type RecordedExchange,
  type RecordedRequest,
} from '../../fixtures/forge-recordings'
import { differences, pairHashes, parseBody, type GivenAnswer } from './compare-answers'
import { madeIn, placeOf } from './recorded-things'
import { gitDifferences, hasRecordedGit, WorkingCopies } from './replay-git'
import { seedFromScene } from './seed-from-scene'

/*
 * Plays a recorded scene against a fake forge: the same requests by the same people at the same times.
 */

/** `copies`: where the scene's git commands run. */
export type Act = (forge: ForgeServer, copies: WorkingCopies) => void | Promise<void>

export interface ScenePlan {
  /** Whether all the usual repositories stand there, also those that no answer shows. */
  readonly hasWorld?: boolean
  readonly subPath?: string
  readonly rootUrl?: string
  readonly pageSizes?: { readonly standard: number; readonly largest: number }
  /** Whether all that the answers show was there from the beginning. */
  readonly isAllOld?: boolean
  /** Whether the scene's git commands are played, too. */
  readonly playsGit?: boolean
  /** What had happened before the scene began. */
  readonly past?: Act
  /** What happened unrecorded right before an exchange. */
  readonly before?: Readonly<Record<number, Act>>
  /** Exchanges that are not replayed, and why. */
  readonly left?: Readonly<Record<number, string>>
}

export interface Replayed {
  readonly held: number
  readonly unlike: readonly string[]
}

const tokenScopes: Readonly<Record<string, readonly string[]>> = {
  'issue+repo': ['write:issue', 'write:repository', 'read:user'],
  'public-only': ['public-only', 'all'],
  misc: ['read:misc'],
  revoked: ['all'],
  'with-expiry': ['read:issue'],
}

export async function replayScene(kind: ForgeServerKind, name: string, plan: ScenePlan): Promise<Replayed> {
  let now = 0
  const { subPath, rootUrl, pageSizes } = plan
  const forge = await startForgeServer({
    kind,
    clock: () => now,
    ...(subPath === undefined ? {} : { subPath }),
    ...(rootUrl === undefined ? {} : { rootUrl }),
    ...(pageSizes === undefined ? {} : { pageSizes }),
  })
  const copies = await WorkingCopies.open()
  try {
    const scene = readRecordedScene(kind, name, {
      base: forge.url,
      rootUrl: rootUrl ?? forge.url,
      folder: copies.folder,
    })
    const [start = 0] = scene.exchanges.flatMap(({ response }) => dateOf(response?.headers))
    now = start - 60_000
    const at = async (time: number, act: () => Promise<void>): Promise<void> => {
      const present = now
      now = Math.min(time, present)
      await act()
      now = present
    }
    const seed = await seedFromScene(forge, scene, { ...plan, at })
    await plan.past?.(forge, copies)
    const tokens = new Map<string, string>()
    const hashes = new Map<string, string>()
    const unlike: string[] = []
    let held = 0
    const isRecordedGit = plan.playsGit === true && (await hasRecordedGit(copies))
    /** What is unlike; null: there is nothing to play. */
    const play = async (exchange: RecordedExchange): Promise<string[] | null> => {
      const { request, response, git } = exchange
      if (git !== undefined && plan.playsGit === true) {
        const args = git.args.map((arg) => arg.replace(/[0-9a-f]{40}/g, (hash) => hashes.get(hash) ?? hash))
        return gitDifferences(git, await copies.run(args, secretOf(forge, exchange, tokens)), isRecordedGit)
      }
      if (request === undefined || response === undefined) return null
      now = timeOf(exchange, now)
      setNextIds(forge, exchange)
      const given = await send(forge, exchange, request, tokens, hashes)
      pairHashes(response.body, parseBody(given.text), hashes)
      return differences(response, given)
    }
    for (const exchange of scene.exchanges) {
      const { n, response } = exchange
      now = dateOf(response?.headers)[0] ?? now
      await seed.appear(now, exchange)
      await plan.before?.[n]?.(forge, copies)
      if (isLeft(exchange, plan)) continue
      const found = await play(exchange)
      if (found === null) continue
      if (found.length === 0) held += 1
      else unlike.push(`${n} ${exchange.why ?? ''}\n    ${found.slice(0, 6).join('\n    ')}`)
    }
    return { held, unlike }
  } finally {
    await copies.close()
    await forge.close()
  }
}

/** Addresses that a person or another program asks and an adapter does not. */
const notSent =
  /\/settings\/(ui|attachment)|healthz|swagger|\/user\/teams|\/reviewers$|\/teams$|\/reactions|\/git\/refs|\/commits\?|\/compare\/|branch_protections|\/forks$|\/notifications|\/raw\/|\/pulls\/\d+\/(commits|files)|\/pulls\/\d+\.diff|info\/lfs/

/** Whether a scene is played without this exchange. */
export const isLeft = ({ n, request }: RecordedExchange, plan: ScenePlan): boolean =>
  plan.left?.[n] !== undefined || notSent.test(request?.path ?? '')

const dateOf = (headers: Readonly<Record<string, string>> | undefined): number[] => {
  const date = headers?.['Date']
  return date === undefined ? [] : [Date.parse(date)]
}

/** A write happened when its answer says so, which may be a second before the answer's own time. */
function timeOf({ request, response }: RecordedExchange, now: number): number {
  const body = response?.body
  const isWrite = request?.method === 'POST' || request?.method === 'PATCH'
  if (!isWrite || typeof body !== 'object' || body === null || !('updated_at' in body)) return now
  const time = Date.parse(String(body.updated_at))
  return now - time <= 2000 ? Math.min(now, time) : now
}

/** What is made gets the recorded ids, so that later requests name it. */
function setNextIds(forge: ForgeServer, exchange: RecordedExchange): void {
  const { nextIds } = forge.state
  const made = madeIn(exchange)
  const { request, response } = exchange
  const isReview = request?.method === 'POST' && /\/(reviews|requested_reviewers)$/.test(request.path)
  if (isReview && response !== undefined && response.status < 300) {
    nextIds.review = Number(firstOf(response.body)['id'])
  }
  if (made === null) return
  const { view, key } = made
  const id = Number(view['id'])
  const [kind] = key.split(':')
  if (kind === 'label') nextIds.label = id
  if (kind === 'comment') nextIds.entry = id
  if (kind !== 'issue') return
  if ('head' in view) nextIds.pull = id
  else nextIds.issue = id
  const [owner = '', name = ''] = placeOf(view['html_url']).split('/')
  const repository = forge.state.repository(owner, name)
  if (repository !== undefined) repository.nextNumber = Number(view['number'])
}

const firstOf = (body: unknown): Readonly<Record<string, unknown>> =>
  (Array.isArray(body) ? body[0] : body) as Readonly<Record<string, unknown>>

function send(
  forge: ForgeServer,
  exchange: RecordedExchange,
  request: RecordedRequest,
  tokens: Map<string, string>,
  hashes: Map<string, string>,
): Promise<GivenAnswer> {
  const headers: Record<string, string> = { Accept: 'application/json', ...request.headers }
  const secret = secretOf(forge, exchange, tokens)
  const authorization = request.headers?.['Authorization']
  if (authorization !== undefined) headers['Authorization'] = credentials(authorization, exchange, secret)
  const text = request.body === undefined ? request.text : JSON.stringify(request.body)
  const saysJson = request.body !== undefined || (text !== undefined && exchange.why !== 'no Content-Type')
  if (saysJson) headers['Content-Type'] ??= 'application/json'
  if (text !== undefined) headers['Content-Length'] = String(Buffer.byteLength(text))
  const path = request.path
    .replace('<redacted>', secret)
    .replace(/[0-9a-f]{40}/g, (hash) => hashes.get(hash) ?? newest(forge, request.path, hash, hashes))
  return new Promise((resolve, reject) => {
    // As it was recorded: an address made of it would lose its dots.
    const { hostname, port, pathname } = new URL(forge.url)
    const target = {
      hostname,
      port,
      path: `${pathname.replace(/\/$/, '')}${path}`,
      method: request.method,
      headers,
    }
    const sent = httpRequest(target, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('error', reject)
      response.on('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          headers: Object.fromEntries(
            Object.entries(response.headers).map(([name, value]) => [name, String(value)]),
          ),
          text: Buffer.concat(chunks).toString('utf8'),
        }),
      )
    })
    sent.on('error', reject)
    sent.end(text)
  })
}

/** A commit that no answer named before is taken for the newest of the default branch, from then on. */
function newest(forge: ForgeServer, path: string, hash: string, hashes: Map<string, string>): string {
  const [, owner = '', name = ''] = /\/repos\/([^/]+)\/([^/]+)\//.exec(path) ?? []
  const repository = forge.state.repository(owner, name)
  const found = repository?.branches.get(repository.defaultBranch)
  if (found === undefined || /^0+$/.test(hash)) return hash
  hashes.set(hash, found)
  return found
}

function secretOf(
  forge: ForgeServer,
  { as, token = 'none' }: RecordedExchange,
  tokens: Map<string, string>,
): string {
  if (token === 'wrong') return 'f'.repeat(40)
  if (token === 'garbage') return 'garbage'
  if (as === undefined && token === 'none') return ownSecret(forge, 'alfred-bot', 'all', tokens)
  if (as === undefined || token === 'none' || as === 'anonymous') return ''
  const login = as === 'admin' && forge.state.user('site-admin') !== undefined ? 'site-admin' : as
  return token === 'password' ? 'password' : ownSecret(forge, login, token, tokens)
}

function ownSecret(forge: ForgeServer, login: string, token: string, tokens: Map<string, string>): string {
  const key = `${login} ${token}`
  const known = tokens.get(key)
  if (known !== undefined) return known
  const owner = forge.seed.person(login)
  const seeded = forge.state.tokens.find(({ userId, name }) => userId === owner.id && name === token)
  const secret = seeded?.secret ?? forge.seed.token(login, tokenScopes[token] ?? [token], token)
  tokens.set(key, secret)
  return secret
}

function credentials(authorization: string, { as = '', token }: RecordedExchange, secret: string): string {
  if (!authorization.includes('<redacted>')) return authorization
  if (!authorization.startsWith('Basic')) return authorization.replace('<redacted>', secret)
  return `Basic ${Buffer.from(`${token === 'password' ? as : 'anybody'}:${secret}`).toString('base64')}`
}
