import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { afterEach, describe, expect, it } from 'vitest'
import { startForgeServer, type ForgeServer } from '../fakes/forge-server/forge-server'
import type { ForgeServerKind } from '../fakes/forge-server/forge-traits'

/*
 * The fake forge itself: seeded, asked, pushed to, and failing in each of its ways. What it answers in detail is held
 * to recordings of real servers in forge-server.recordings.test.ts.
 */

const run = promisify(execFile)
const kinds: readonly ForgeServerKind[] = ['gitea', 'gitea-1.26-dev', 'forgejo']

let forge: ForgeServer
let token: string

async function start(kind: ForgeServerKind, more: { readonly clock?: () => number } = {}): Promise<void> {
  forge = await startForgeServer({ kind, ...more })
  forge.seed.user('alfred-bot', { fullName: 'Alfred' })
  forge.seed.user('dev')
  forge.seed.organization('acme', { 'alfred-bot': 'write', dev: 'write' })
  await forge.seed.repository('acme/shop')
  token = forge.seed.token('alfred-bot')
}

afterEach(() => forge.close())

const ask = (method: string, address: string, body?: unknown): Promise<Response> =>
  fetch(`${forge.url}/api/v1${address}`, {
    method,
    headers: {
      authorization: `token ${token}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })

const json = async (method: string, address: string, body?: unknown): Promise<unknown> =>
  (await ask(method, address, body)).json()

describe.each(kinds)('a fake %s', (kind) => {
  it('opens an issue, labels it, comments on it and tells its history', async () => {
    await start(kind)
    forge.seed.label('acme/shop', 'ai::retry')
    forge.seed.issue('acme/shop', { title: 'A', by: 'dev', assignees: ['alfred-bot'] })
    await json('POST', '/repos/acme/shop/issues/1/labels', { labels: ['ai::retry', 'nobody knows me'] })
    await json('POST', '/repos/acme/shop/issues/1/comments', { body: 'On it.' })
    expect(await json('GET', '/repos/issues/search?type=issues&assigned=true')).toMatchObject([
      { number: 1, labels: [{ name: 'ai::retry' }], comments: 1 },
    ])
    expect(await json('GET', '/repos/acme/shop/issues/1/timeline')).toMatchObject([
      { type: 'assignees', user: { login: 'dev' } },
      { type: 'label', body: '1', user: { login: 'alfred-bot' } },
      { type: 'comment', body: 'On it.' },
    ])
  })

  it('takes a push, opens a pull request from it and merges it', async () => {
    await start(kind)
    forge.seed.issue('acme/shop', { title: 'A', by: 'dev' })
    const sha = await push('topic')
    const opened = await json('POST', '/repos/acme/shop/pulls', {
      title: 'Topic',
      head: 'topic',
      base: 'main',
      body: 'Closes #1',
    })
    expect(opened).toMatchObject({ number: 2, mergeable: true, head: { sha }, additions: 1 })
    expect((await ask('POST', '/repos/acme/shop/pulls/2/merge', { Do: 'squash' })).status).toBe(200)
    expect(await json('GET', '/repos/acme/shop/pulls/2')).toMatchObject({ merged: true, state: 'closed' })
    expect(await json('GET', '/repos/acme/shop/issues/1')).toMatchObject({ state: 'closed' })
  })
})

/** Pushes a commit to a branch over HTTP and returns its sha. */
async function push(branch: string): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'forge-push-'))
  const address = forge.url.replace('http://', `http://bot:${token}@`)
  const git = async (...args: string[]): Promise<string> => {
    const identity = ['-c', 'user.name=Bot', '-c', 'user.email=bot@forge.example']
    const { stdout } = await run('git', ['-C', folder, ...identity, ...args], {
      env: { PATH: process.env['PATH'], HOME: folder, GIT_CONFIG_NOSYSTEM: '1', GIT_TERMINAL_PROMPT: '0' },
    })
    return stdout.trim()
  }
  try {
    await git('clone', '--quiet', `${address}/acme/shop.git`, '.')
    await git('commit', '--quiet', '--allow-empty', '-m', 'nothing')
    await run('sh', ['-c', 'echo work > work.txt'], { cwd: folder })
    await git('add', '.')
    await git('commit', '--quiet', '-m', 'work')
    await git('push', '--quiet', 'origin', `HEAD:refs/heads/${branch}`)
    return await git('rev-parse', 'HEAD')
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

describe('failing', () => {
  const comments = '/repos/acme/shop/issues/1/comments'

  async function startWithIssue(): Promise<void> {
    await start('gitea')
    forge.seed.issue('acme/shop', { title: 'A', by: 'dev' })
  }

  it('down: the connection is closed, until the fault is cleared', async () => {
    await startWithIssue()
    forge.faults.add({ fault: { kind: 'down' } })
    await expect(ask('GET', '/version')).rejects.toThrow(/fetch failed/)
    forge.faults.clear()
    expect((await ask('GET', '/version')).status).toBe(200)
  })

  it('slow: the answer comes after its time', async () => {
    await startWithIssue()
    forge.faults.add({ fault: { kind: 'slow', ms: 150 }, times: 1 })
    const begun = performance.now()
    expect((await ask('GET', '/version')).status).toBe(200)
    expect(performance.now() - begun).toBeGreaterThan(140)
  })

  it('HTML of a proxy instead of JSON', async () => {
    await startWithIssue()
    forge.faults.add({ fault: { kind: 'html' }, times: 1 })
    const response = await ask('GET', '/version')
    expect([response.status, response.headers.get('content-type')]).toEqual([502, 'text/html'])
    expect(await response.text()).toContain('Bad Gateway')
  })

  it('half a page, then the connection is gone', async () => {
    await startWithIssue()
    forge.faults.add({ fault: { kind: 'half' }, path: /\/issues\/1$/, times: 1 })
    const response = await ask('GET', '/repos/acme/shop/issues/1')
    expect(response.status).toBe(200)
    await expect(response.text()).rejects.toThrow(/terminated/)
  })

  it.each([
    ['without', undefined, null],
    ['with', 7, '7'],
  ] as const)('429 %s a time to wait', async (_, retryAfterSeconds, header) => {
    await startWithIssue()
    forge.faults.add({
      fault: { kind: 'too_many', ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }) },
      times: 1,
    })
    const response = await ask('GET', '/version')
    expect([response.status, response.headers.get('retry-after')]).toEqual([429, header])
    expect((await ask('GET', '/version')).status).toBe(200)
  })

  it('500 although the write happened', async () => {
    await startWithIssue()
    forge.faults.add({ fault: { kind: 'done_but_500' }, method: 'POST', path: /comments/, times: 1 })
    expect((await ask('POST', comments, { body: 'once' })).status).toBe(500)
    expect(await json('GET', comments)).toMatchObject([{ body: 'once' }])
  })

  it('a request that is delivered twice', async () => {
    await startWithIssue()
    forge.faults.add({ fault: { kind: 'twice' }, method: 'POST', times: 1 })
    expect((await ask('POST', comments, { body: 'again' })).status).toBe(201)
    expect(await json('GET', comments)).toMatchObject([{ body: 'again' }, { body: 'again' }])
  })

  it.each([5, -5])('a clock that is off by %i minutes', async (minutes) => {
    await start('gitea', { clock: () => Date.now() + minutes * 60_000 })
    const response = await ask('GET', '/version')
    const difference = Date.parse(response.headers.get('date') ?? '') - Date.now()
    expect(Math.round(difference / 60_000)).toBe(minutes)
    const issue = forge.seed.issue('acme/shop', { title: 'A', by: 'dev' })
    expect(Math.round((issue.updatedAt - Date.now()) / 60_000)).toBe(minutes)
  })

  it('the API is behind git for a moment after a push', async () => {
    await startWithIssue()
    forge.branchDelayMs = Number.POSITIVE_INFINITY
    await push('late')
    expect((await ask('GET', '/repos/acme/shop/branches/late')).status).toBe(500)
    expect(
      (await ask('POST', '/repos/acme/shop/pulls', { title: 'L', head: 'late', base: 'main' })).status,
    ).toBe(404)
    await forge.seed.tellBranches('acme/shop')
    expect((await ask('GET', '/repos/acme/shop/branches/late')).status).toBe(200)
  })

  it('a push that the hook refuses', async () => {
    await startWithIssue()
    forge.pushRefusal = 'This file is too big.'
    await expect(push('refused')).rejects.toThrow(/remote: error: This file is too big\./)
  })
})
