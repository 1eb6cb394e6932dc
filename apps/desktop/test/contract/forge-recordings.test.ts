import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createForgejoTransport } from '@main/adapters/forge/forgejo/transport'
import { ok } from '@shared/result'
import {
  readRecordedScene,
  recordedScenes,
  recordedServers,
  type RecordedResponse,
} from '../fixtures/forge-recordings'

describe('the recordings of real forges', () => {
  it.each([
    ['gitea', 1034],
    ['gitea-1.26-dev', 528],
    ['forgejo', 1025],
  ] as const)('%s: %d exchanges, whole', (server, count) => {
    const exchanges = recordedScenes(server).flatMap((scene) => readRecordedScene(server, scene).exchanges)
    expect(exchanges).toHaveLength(count)
    expect(JSON.stringify(exchanges)).not.toContain('$shared')
  })

  it('puts the addresses in place', () => {
    for (const server of recordedServers) {
      const scene = readRecordedScene(server, '01-version-and-user', { base: 'http://127.0.0.1:1/git' })
      const user = scene.exchanges.find(({ request }) => request?.path === '/api/v1/user')?.response?.body
      expect(user).toMatchObject({ html_url: 'http://127.0.0.1:1/git/alfred-bot' })
    }
  })
})

describe('every recorded answer', () => {
  const answers = recordedServers.flatMap((server) =>
    recordedScenes(server).flatMap((scene) =>
      readRecordedScene(server, scene, { base: 'http://forge.example' }).exchanges.flatMap(
        ({ n, response }) => (response === undefined ? [] : [{ name: `${server} ${scene} ${n}`, response }]),
      ),
    ),
  )

  it('is taken as what it is: its JSON, or an error by its status', async () => {
    let response: RecordedResponse = { status: 200 }
    const server = createServer((_, answer) => {
      const { status, headers = {}, body, text } = response
      answer.writeHead(status, { ...headers, connection: 'close' })
      answer.end(status === 204 || status === 304 ? undefined : (text ?? JSON.stringify(body)))
    })
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve)
    })
    const transport = createForgejoTransport({
      baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      access: () => Promise.resolve(ok({ token: 'x', caPem: null })),
      now: Date.now,
    })
    try {
      for (const answer of answers) {
        ;({ response } = answer)
        const { status, body, text } = response
        const taken = await transport.get('/any')
        if (status >= 300) {
          expect([answer.name, taken.ok]).toEqual([answer.name, false])
          if (!taken.ok) expect(taken.error.status).toBe(status)
        } else if (body !== undefined) {
          expect([answer.name, taken.ok && taken.value.body]).toEqual([answer.name, body])
        } else {
          // What is no JSON is none, whatever its status says; nothing at all is an answer.
          expect([answer.name, taken.ok]).toEqual([answer.name, (text ?? '') === ''])
        }
      }
    } finally {
      server.close()
    }
    expect(answers.length).toBeGreaterThan(2_300)
  })
})

/** Titles of tests name the surprises that they are about: `[14] …`, or in brackets at their end. */
function surprisesIn(text: string): readonly number[] {
  const bracketed = [...text.matchAll(/\bit(?:\.each\([^]*?\]\s*(?:as const)?\))?\(\s*['"]\[(\d+)\]/g)].map(
    ([, n]) => n,
  )
  const listed = [...text.matchAll(/\(surprises? ([\d, ]+)/g)].flatMap(([, list]) => list?.split(',') ?? [])
  return [...bracketed, ...listed].map(Number)
}

describe('the 33 surprises that came with the recordings', () => {
  const folders = [import.meta.dirname, resolve(import.meta.dirname, '../../src/main/adapters/forge/forgejo')]
  const texts = folders.flatMap((folder) =>
    readdirSync(folder)
      .filter((name) => name.endsWith('.test.ts'))
      .map((name) => readFileSync(join(folder, name), 'utf8')),
  )

  it('each have a test with their number', () => {
    const tested = new Set(texts.flatMap(surprisesIn))
    const all = Array.from({ length: 33 }, (_, index) => index + 1)
    expect(all.filter((number) => !tested.has(number))).toEqual([])
  })
})
