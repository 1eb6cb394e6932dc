import { readFileSync } from 'node:fs'
import { createServer, type RequestListener, type Server } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { ok } from '@shared/result'
import {
  createForgejoTransport,
  type ForgejoTransport,
  type ForgejoTransportOptions,
  pathOf,
} from './transport'

const token = 'a1b2c3d4e5f6a1b2c3d4e5f6a1b2c3d4e5f6a1b2'
const tlsFile = (name: string): string =>
  readFileSync(new URL(`../../../../../test/fixtures/forge-tls/${name}`, import.meta.url), 'utf8')

const servers: Server[] = []

afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections()
    server.close()
  }
})

async function listen(server: Server): Promise<number> {
  servers.push(server)
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  return (server.address() as AddressInfo).port
}

async function transportTo(
  listener: RequestListener,
  options: Partial<ForgejoTransportOptions> = {},
  path = '',
): Promise<ForgejoTransport> {
  const port = await listen(createServer(listener))
  return createForgejoTransport({
    baseUrl: `http://127.0.0.1:${port}${path}`,
    access: async () => ok({ token, caPem: null }),
    now: () => 1_000_000,
    ...options,
  })
}

const answer =
  (status: number, body: string, headers: Record<string, string> = {}): RequestListener =>
  (_request, response) => {
    response.writeHead(status, { 'Content-Type': 'application/json;charset=utf-8', ...headers })
    response.end(body)
  }

describe('a request', () => {
  it('goes below the sub-path, with the token, and its query encoded', async () => {
    const seen: string[] = []
    const transport = await transportTo(
      (request, response) => {
        seen.push(`${request.method} ${request.url} ${request.headers.authorization}`)
        answer(200, '{"a":[1]}')(request, response)
      },
      {},
      '/git',
    )
    const path = pathOf`/repos/${'acme'}/${'a b'}/branches/${'feat/x#1'}`
    const read = await transport.get(path, {
      query: { since: '2026-01-01T00:00:00+02:00', page: 1, none: null },
    })
    expect(read).toMatchObject({ ok: true, value: { status: 200, body: { a: [1] } } })
    expect(seen).toEqual([
      `GET /git/api/v1/repos/acme/a%20b/branches/feat%2Fx%231?since=2026-01-01T00%3A00%3A00%2B02%3A00&page=1 token ${token}`,
    ])
  })

  it('without a token is only made where none is needed', async () => {
    const seen: (string | undefined)[] = []
    const transport = await transportTo(
      (request, response) => {
        seen.push(request.headers.authorization)
        answer(200, '{}')(request, response)
      },
      { access: async () => ok({ token: null, caPem: null }) },
    )
    expect(await transport.get('/user')).toMatchObject({ error: { type: 'unauthorized', status: null } })
    expect(await transport.get('/version', { isAnonymous: true })).toMatchObject({ ok: true })
    expect(seen).toEqual([undefined])
  })

  it('sends JSON, and an empty answer has no body', async () => {
    let sent = ''
    const transport = await transportTo((request, response) => {
      request.on('data', (chunk: Buffer) => (sent += chunk.toString()))
      request.on('end', () => answer(204, '')(request, response))
    })
    expect(await transport.post('/x', { text: 'ä😀\r\n' })).toMatchObject({
      value: { status: 204, body: undefined },
    })
    expect(JSON.parse(sent)).toEqual({ text: 'ä😀\r\n' })
  })

  it("tells how far the server's clock is from ours", async () => {
    const transport = await transportTo(answer(200, '{}', { Date: 'Thu, 01 Jan 1970 00:21:40 GMT' }))
    expect(await transport.get('/x')).toMatchObject({
      value: { serverTime: 1_300_000, clockDifferenceMs: 300_000 },
    })
  })

  it('follows no redirect, and says where it points', async () => {
    let asked = 0
    const transport = await transportTo((request, response) => {
      asked++
      answer(301, '', { Location: 'https://other.example/api/v1/user' })(request, response)
    })
    expect(await transport.get('/user')).toMatchObject({
      error: {
        type: 'not_found',
        status: 301,
        location: 'https://other.example/api/v1/user',
        retryable: false,
      },
    })
    expect(asked).toBe(1)
  })
})

describe('a failure', () => {
  it.each([
    [400, 'invalid', false],
    [401, 'unauthorized', false],
    [403, 'forbidden', false],
    [404, 'not_found', false],
    [409, 'conflict', false],
    [412, 'conflict', false],
    [418, 'invalid', false],
    [422, 'invalid', false],
    [423, 'forbidden', false],
    [429, 'rate_limited', true],
    [500, 'unexpected', true],
    [503, 'unreachable', true],
  ] as const)('of status %d is %s', async (status, type, retryable) => {
    for (const [body, contentType] of [
      ['{"message":"why","url":"x"}', 'application/json'],
      ['{"message":"","url":"x"}', 'application/json'],
      ['', 'application/json'],
      ['<!DOCTYPE html><p>no', 'text/html'],
      ['Not found.', 'text/plain'],
    ] as const) {
      const transport = await transportTo(answer(status, body, { 'Content-Type': contentType }))
      expect(await transport.get('/x')).toMatchObject({ ok: false, error: { type, retryable, status } })
    }
  })

  it('shows what the server said, but never the token or an HTML page', async () => {
    const said = await transportTo(answer(403, JSON.stringify({ message: `no\n${token}\u0007 here` })))
    const failed = await said.get('/x')
    expect(failed).toMatchObject({ error: { serverMessage: 'no <redacted>  here' } })
    expect(JSON.stringify(failed)).not.toContain(token)
    const page = await transportTo(answer(403, '<html>secret', { 'Content-Type': 'text/html' }))
    expect(await page.get('/x')).toMatchObject({ error: { serverMessage: null } })
  })

  it('tells how long to wait, in seconds or by the clock of the server', async () => {
    const waits = async (retryAfter: string): Promise<unknown> => {
      const headers = { 'Retry-After': retryAfter, Date: 'Thu, 01 Jan 1970 00:00:10 GMT' }
      const read = await (await transportTo(answer(429, '{}', headers))).get('/x')
      return read.ok ? null : read.error.retryAfterMs
    }
    expect(await waits('7')).toBe(7_000)
    expect(await waits('Thu, 01 Jan 1970 00:00:40 GMT')).toBe(30_000)
    expect(await waits('99999999')).toBe(3_600_000)
    expect(await waits('soon')).toBeUndefined()
  })

  it('says of a write that it may have happened', async () => {
    const transport = await transportTo(answer(500, ''))
    expect(await transport.post('/x', {})).toMatchObject({ error: { maybeApplied: true } })
    expect(await transport.get('/x')).toMatchObject({ error: { maybeApplied: false } })
  })

  it('is half a page, also of JSON that looks whole', async () => {
    const cut = await transportTo((_request, response) => {
      response.writeHead(200, { 'Content-Length': '100' })
      response.write('[1]', () => response.destroy())
    })
    expect(await cut.get('/x')).toMatchObject({
      error: { type: 'unreachable', retryable: true, status: null },
    })
    const unfinished = await transportTo(answer(200, '[{"a":'))
    expect(await unfinished.get('/x')).toMatchObject({ error: { type: 'unexpected', retryable: true } })
  })

  it('is a page of HTML where JSON was asked for', async () => {
    const transport = await transportTo(answer(200, '<html>', { 'Content-Type': 'text/html' }))
    expect(await transport.get('/x')).toMatchObject({ error: { type: 'unexpected', retryable: true } })
    expect(await transport.getText('/x')).toMatchObject({ value: { text: '<html>' } })
  })

  it('is a server that does not answer in time, and one that does not end', async () => {
    const silent = await transportTo(() => undefined, { timeoutMs: 30 })
    expect(await silent.post('/x', {})).toMatchObject({
      error: { type: 'unreachable', retryable: true, code: 'ALFRED_TIMEOUT', maybeApplied: true },
    })
    const slow = await transportTo((_request, response) => void response.write('['), { timeoutMs: 30 })
    expect(await slow.get('/x')).toMatchObject({ error: { code: 'ALFRED_TIMEOUT' } })
  })

  it('is an answer that is too large', async () => {
    const transport = await transportTo(answer(200, `"${'x'.repeat(5_000)}"`), { maxAnswerBytes: 4_000 })
    expect(await transport.get('/x')).toMatchObject({ error: { type: 'unexpected', retryable: false } })
  })

  it('is a call that was given up', async () => {
    const controller = new AbortController()
    const transport = await transportTo(() => controller.abort())
    expect(await transport.get('/x', { signal: controller.signal })).toMatchObject({ ok: false })
  })

  it('is nobody there', async () => {
    const transport = createForgejoTransport({
      // A port that no program is given by chance.
      baseUrl: 'http://127.0.0.1:1',
      access: async () => ok({ token, caPem: null }),
      now: Date.now,
    })
    expect(await transport.post('/x', {})).toMatchObject({
      error: { type: 'unreachable', code: 'ECONNREFUSED', retryable: true, maybeApplied: false },
    })
  })

  it('is a token that no header can hold, and it is not told', async () => {
    const transport = await transportTo(answer(200, '{}'), {
      access: async () => ok({ token: 'x\ny', caPem: null }),
    })
    const failed = await transport.get('/x')
    expect(failed).toMatchObject({ error: { type: 'unauthorized' } })
    expect(JSON.stringify(failed)).not.toContain('y\\')
  })
})

describe('a certificate', () => {
  it('of an own authority is trusted once it is given, and a person is told without it', async () => {
    const server = createSecureServer(
      { key: tlsFile('server.key'), cert: tlsFile('server.pem') },
      answer(200, '{}'),
    )
    const port = await listen(server)
    const to = (caPem: string | null): ForgejoTransport =>
      createForgejoTransport({
        baseUrl: `https://localhost:${port}`,
        access: async () => ok({ token, caPem }),
        now: Date.now,
      })
    expect(await to(tlsFile('ca.pem')).get('/x')).toMatchObject({ ok: true })
    expect(await to(null).get('/x')).toMatchObject({
      error: { type: 'unreachable', retryable: false, code: 'UNABLE_TO_VERIFY_LEAF_SIGNATURE' },
    })
    expect(await to('no certificate').get('/x')).toMatchObject({ ok: false })
  })
})
