import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import type { ForgeAccess } from '@main/ports/forge-connector'
import {
  readRecordedScene,
  type RecordedExchange,
  type RecordedServer,
  recordedServers,
} from '../../../../../../test/fixtures/forge-recordings'
import { createForgejoConnector } from './forgejo-connector'

/*
 * What the servers answered is recorded; a little server gives those answers again, by what is asked and by what the
 * token may do.
 */

const connector = createForgejoConnector({ now: () => Date.now() })
const servers: Server[] = []
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections()
    server.close()
  }
})

type Reply = Pick<NonNullable<RecordedExchange['response']>, 'status' | 'headers' | 'body' | 'text'>

async function serve(
  replyTo: (asked: string, token: string | null) => Reply | null,
  path = '',
): Promise<ForgeAccess> {
  const server = createServer((request, response) => {
    const token = request.headers.authorization?.replace('token ', '') ?? null
    const asked = `${request.method} ${(request.url ?? '').replace(path, '')}`
    const reply = replyTo(asked, token)
    const { Date: _recordedDate, ...headers } = reply?.headers ?? {}
    response.writeHead(reply?.status ?? 599, headers)
    response.end(reply?.text ?? (reply === null ? '' : JSON.stringify(reply.body)))
  })
  servers.push(server)
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  const { port } = server.address() as AddressInfo
  return { baseUrl: `http://127.0.0.1:${port}${path}`, caPem: null, token: null }
}

/** A recorded answer to such a request. */
function recorded(
  server: RecordedServer,
  scene: string,
  asked: RegExp,
  by: Partial<RecordedExchange>,
): Reply {
  const found = readRecordedScene(server, scene).exchanges.find(
    ({ request, as, token }) =>
      request !== undefined &&
      asked.test(`${request.method} ${request.path}`) &&
      (by.as === undefined || by.as === as) &&
      (by.token === undefined || by.token === token),
  )
  if (found?.response === undefined) throw new Error(`${server} ${scene}: no ${String(asked)}`)
  return found.response
}

const any = '/repos/[^/]+/[^/]+'
/** For each scope what is asked, and who was recorded with it and without it. */
const probes = [
  ['read:user', /^GET \/api\/v1\/user$/, 'read:user', 'read:issue'],
  ['read:issue', /^GET \/api\/v1\/repos\/issues\/search/, 'read:issue', 'read:user'],
  ['write:issue', new RegExp(`^PATCH /api/v1${any}/issues/0$`), 'write:issue', 'read:issue'],
  ['read:repository', /^GET \/api\/v1\/repos\/acme\/nothing$/, 'all', null],
  ['write:repository', new RegExp(`^PATCH /api/v1${any}/pulls/0$`), 'write:repository', 'read:repository'],
] as const

/** A server whose token may do these things. */
const withScopes = (server: RecordedServer, scopes: readonly string[]) =>
  serve((asked, token) => {
    if (token === null) return recorded(server, '02-tokens', /GET .*\/user$/, { token: 'none' })
    for (const [scope, path, holder, other] of probes) {
      const isAsked = scope === 'read:repository' ? new RegExp(`^GET /api/v1${any}$`) : path
      if (!isAsked.test(asked) || (scope === 'read:repository' && asked.includes('/issues/search'))) continue
      const has = scopes.includes(scope)
      if (scope !== 'read:repository')
        return recorded(server, '02-tokens', path, { token: has ? holder : other })
      return has && server !== 'gitea-1.26-dev'
        ? recorded(server, '03-repositories', path, { token: 'all' })
        : recorded(
            server,
            '02-tokens',
            has ? new RegExp(`PATCH .*${any}/issues/0`) : new RegExp(`GET /api/v1${any}$`),
            {
              token: has ? 'write:issue' : 'read:issue',
            },
          )
    }
    return null
  })

describe.each(recordedServers)('%s', (server) => {
  it('is known by what it says of itself, before there is a token', async () => {
    const access = await serve((asked) =>
      asked === 'GET /api/v1/version'
        ? recorded(server, '01-version-and-user', /GET \/api\/v1\/version/, { token: 'none' })
        : null,
    )
    const found = await connector.identify(access)
    expect(found).toMatchObject({
      value: { kind: server === 'forgejo' ? 'forgejo' : 'gitea', version: expect.any(String) as string },
    })
  })

  it('says scope by scope what a token can do', async () => {
    const all = probes.map(([scope]) => scope)
    const namesScopes = server !== 'forgejo'
    for (const scopes of [all, [], ...all.map((one) => all.filter((other) => other !== one))]) {
      const access = await withScopes(server, scopes)
      const examined = await connector.examineToken({ ...access, token: 'any' })
      if (!examined.ok) throw new Error(examined.error.message)
      const { account, grants } = examined.value
      expect(grants.map(({ scope, state }) => [scope, state])).toEqual([
        ...all.map((scope) => [scope, scopes.includes(scope) ? 'works' : 'missing']),
        ['all repositories', namesScopes && scopes.length < all.length ? 'works' : 'unknown'],
        ['read:organization', 'unknown'],
      ])
      expect(account?.login ?? null).toBe(scopes.includes('read:user') ? 'alfred-bot' : null)
    }
  })

  it('refuses a wrong token, and an account that may not sign in, in words', async () => {
    const wrong = await serve(() => recorded(server, '02-tokens', /GET .*\/user$/, { token: 'wrong' }))
    expect(await connector.examineToken({ ...wrong, token: 'wrong' })).toMatchObject({
      error: { type: 'token_refused' },
    })
    const suspended = readRecordedScene(server, '02-tokens').exchanges.find(
      ({ as, response }) => as === 'suspended' && response?.status === 403,
    )
    const access = await serve(() => suspended!.response!)
    const refused = await connector.examineToken({ ...access, token: 'any' })
    expect(refused).toMatchObject({ error: { type: 'forbidden' } })
    expect(JSON.stringify(refused)).toContain('prohibited from signing in')
  })

  it('has its labels read page by page, twins too', async () => {
    const pages = readRecordedScene(server, '06-labels').exchanges.filter(
      ({ request, response }) =>
        request?.method === 'GET' &&
        /acme\/shop\/labels\?/.test(request.path) &&
        Array.isArray(response?.body),
    )
    const whole = pages.map(({ response }) => response!).toSorted((a, b) => sizeOf(b) - sizeOf(a))[0]!
    const list = whole.body as { readonly name: string }[]
    // As a server with pages of three, and as one that ignores paging here.
    const paged = await serve((asked) => {
      const page = Number(/[?&]page=(\d+)/.exec(asked)?.[1])
      return { ...whole, body: list.slice((page - 1) * 3, page * 3) }
    })
    const unpaged = await serve(() => whole)
    for (const access of [paged, unpaged]) {
      expect(await connector.listLabels({ ...access, token: 'any' }, 'acme/shop')).toEqual({
        ok: true,
        value: list.map(({ name }) => name),
      })
    }
  })
})

const sizeOf = ({ body }: Reply): number => (Array.isArray(body) ? body.length : 0)

describe('projects of an account', () => {
  it('are those of every page, with why one cannot be worked on', async () => {
    const shop = recorded('gitea', '03-repositories', /GET .*\/repos\/acme\/shop$/, { as: 'alfred-bot' })
    const read = recorded('gitea', '03-repositories', /GET .*\/repos\/dev\/readonly$/, { as: 'alfred-bot' })
    const old = recorded('gitea', '03-repositories', /GET .*\/repos\/acme\/old$/, { as: 'alfred-bot' })
    const pages: readonly unknown[][] = [[shop.body, read.body], [old.body]]
    const access = await serve((asked) => {
      const page = Number(/[?&]page=(\d+)/.exec(asked)?.[1])
      return { ...shop, body: pages[page - 1] ?? [] }
    })
    const listed = await connector.listProjects({ ...access, token: 'any' })
    if (!listed.ok) throw new Error(listed.error.message)
    expect(listed.value.isWhole).toBe(true)
    expect(
      listed.value.projects.map(({ path, mayWrite, unfitBecause }) => [path, mayWrite, unfitBecause]),
    ).toEqual([
      ['acme/shop', true, null],
      ['dev/readonly', false, 'may not be written by this account'],
      ['acme/old', false, 'is archived'],
    ])
  })

  it('are found by their ids: archived, to be read only, or gone', async () => {
    const by = { as: 'alfred-bot' }
    const old = recorded('gitea', '03-repositories', /GET .*\/repos\/acme\/old$/, by)
    const read = recorded('forgejo', '03-repositories', /GET .*\/repos\/dev\/readonly$/, by)
    const answers: Readonly<Record<string, Reply>> = {
      'GET /api/v1/repositories/1': old,
      'GET /api/v1/repositories/2': read,
      'GET /api/v1/repositories/3': { ...old, status: 404, body: {} },
    }
    const access = {
      ...(await serve((asked) => answers[asked] ?? { ...old, status: 500, body: {} })),
      token: 'x',
    }
    const find = (id: string) => connector.findProject(access, id)
    expect(await find('1')).toMatchObject({ value: { path: 'acme/old', unfitBecause: 'is archived' } })
    expect(await find('2')).toMatchObject({
      value: { path: 'dev/readonly', unfitBecause: 'may not be written by this account' },
    })
    expect(await find('3')).toEqual({ ok: true, value: null })
    expect(await find('4')).toMatchObject({ ok: false })
  })

  it('that were renamed are not looked for elsewhere', async () => {
    const access = await serve(() => ({
      status: 301,
      headers: { Location: '/acme/store' },
      text: '',
    }))
    expect(await connector.readProject({ ...access, token: 'any' }, 'acme/shop')).toMatchObject({
      error: {
        type: 'project_unfit',
        message: 'acme/shop was renamed or moved on ' + access.baseUrl.slice(7) + '.',
      },
    })
  })
})

describe('an address', () => {
  it('keeps its sub-path, and has no user, no other scheme', async () => {
    expect(connector.readAddress('https://Git.Example.org/forge/api/v1/')).toEqual({
      ok: true,
      value: {
        baseUrl: 'https://git.example.org/forge',
        name: 'git.example.org/forge',
        isEncrypted: true,
      },
    })
    expect(connector.readAddress('ssh://git.example.org')).toMatchObject({ error: { type: 'address' } })
    const held = connector.readAddress('https://me:hidden@git.example.org')
    expect(held).toMatchObject({ error: { type: 'address' } })
    expect(JSON.stringify(held)).not.toContain('hidden')
    const access = await serve(
      (asked) =>
        asked === 'GET /api/v1/version'
          ? { status: 200, headers: { 'Content-Type': 'application/json' }, body: { version: '1.24.0' } }
          : null,
      '/forge',
    )
    expect(await connector.identify(access)).toMatchObject({ value: { kind: 'gitea', version: '1.24.0' } })
  })

  it('of something else, of nothing, and of a server that is too old is told apart', async () => {
    const page = await serve(() => ({
      status: 200,
      headers: { 'Content-Type': 'text/html' },
      text: '<html>',
    }))
    expect(await connector.identify(page)).toMatchObject({ error: { type: 'not_a_forge' } })
    const old = await serve(() => ({
      status: 200,
      headers: { 'Content-Type': 'application/json' },
      body: { version: '1.20.6' },
    }))
    expect(await connector.identify(old)).toMatchObject({
      error: { type: 'unsupported', message: expect.stringContaining('needs Gitea 1.21 or later') as string },
    })
    servers.splice(0).forEach((server) => server.close())
    expect(await connector.identify(old)).toMatchObject({
      error: { type: 'unreachable', message: expect.stringContaining('Nothing answers') as string },
    })
    expect(await connector.identify({ ...old, baseUrl: 'http://no-such-host.invalid' })).toMatchObject({
      error: { type: 'unreachable' },
    })
  })

  it('of a server that wants everybody to sign in is known with the token only', async () => {
    const closed = await serve((_asked, token) =>
      token === null
        ? {
            status: 403,
            headers: { 'Content-Type': 'application/json' },
            body: { message: 'Only signed in' },
          }
        : { status: 200, headers: { 'Content-Type': 'application/json' }, body: { version: '1.24.0' } },
    )
    expect(await connector.identify(closed)).toMatchObject({ error: { type: 'token_missing' } })
    expect(await connector.identify({ ...closed, token: 'any' })).toMatchObject({ ok: true })
  })

  it('has a clock, which is told as it differs', async () => {
    const ahead = createForgejoConnector({ now: () => Date.now() - 300_000 })
    const access = await serve(() => ({
      status: 200,
      headers: { 'Content-Type': 'application/json' },
      body: { version: '1.24.0' },
    }))
    const found = await ahead.identify(access)
    expect(found.ok && Math.round((found.value.clockDifferenceMs ?? 0) / 10_000)).toBe(30)
  })
})

describe('a file of certificates', () => {
  const tls = (name: string): string =>
    fileURLToPath(new URL(`../../../../../../test/fixtures/forge-tls/${name}`, import.meta.url))
  const folder = mkdtempSync(join(tmpdir(), 'alfred-ca-'))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  it('is taken without whatever else is in it', async () => {
    expect(await connector.readCertificates(tls('ca.pem'))).toMatchObject({ ok: true })
    const both = join(folder, 'both.pem')
    writeFileSync(both, readFileSync(tls('server.key'), 'utf8') + readFileSync(tls('ca.pem'), 'utf8'))
    const read = await connector.readCertificates(both)
    expect(read.ok).toBe(true)
    expect(JSON.stringify(read)).not.toContain('PRIVATE')
  })

  it('that is none is told', async () => {
    expect(await connector.readCertificates(tls('server.key'))).toMatchObject({
      error: { type: 'certificate_file', message: expect.stringContaining('holds no certificate') as string },
    })
    expect(await connector.readCertificates('/no/such/file.pem')).toMatchObject({
      error: { type: 'certificate_file', message: '/no/such/file.pem cannot be read.' },
    })
  })
})
