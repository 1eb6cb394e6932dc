import { describe, expect, it } from 'vitest'
import type { Result } from '@shared/result'
import {
  type ScriptedAnswer,
  type ScriptedForgejo,
  scriptedProject,
  scriptForgejo,
} from '../../../../../test/fakes/scripted-forgejo'
import { toChange } from './changes'
import { openChange } from './open-change'
import { pullSchema } from './parsers'
import { setStatus } from './status-label'
import { editDescription } from './texts'

/*
 * What others do between two requests of one step. Numbers are those of the surprises that came with the recordings.
 */

const repository = { owner: 'acme', fullName: 'acme/shop', path: '/repos/acme/shop' }
const at = '2026-11-29T16:00:00Z'
const user = { id: 3, login: 'dev' }

/** One issue whose description several people write. */
function openDescription(options: {
  readonly counts: boolean
  readonly refusal: 400 | 409
  readonly version?: string
}) {
  const issue = { body: 'before', version: 4 }
  /** Happens right before the server looks at a write, once each. */
  const meanwhile: (() => void)[] = []
  /** Happens right after a write was answered. */
  const afterwards: (() => void)[] = []
  const answer = (body: unknown): ScriptedAnswer => {
    const sent = body as { readonly body: string; readonly content_version?: number }
    const before = issue.version
    meanwhile.shift()?.()
    const isStale = options.counts ? sent.content_version !== issue.version : before !== issue.version
    if (isStale) return { status: options.refusal }
    issue.body = sent.body
    issue.version += 1
    afterwards.shift()?.()
    return { status: 201, body: {} }
  }
  const version = options.version ?? (options.counts ? '1.26.3' : '1.21.11')
  const server = scriptForgejo(({ method, path, body }) => {
    if (path === '/version') return { body: { version } }
    return method === 'PATCH'
      ? answer(body)
      : {
          body: {
            number: 1,
            title: 'x',
            body: issue.body,
            user,
            state: 'open',
            created_at: at,
            updated_at: at,
            ...(options.counts && { content_version: issue.version }),
          },
        }
  })
  const write = (text: string) => (): void => {
    issue.body = text
    issue.version += 1
  }
  return { issue, meanwhile, afterwards, server, write }
}

const edit = (server: ScriptedForgejo, expected: string, body: string): Promise<Result<void, unknown>> =>
  editDescription(server.context, scriptedProject, 1, expected, body)

describe('a description', () => {
  it('[14] is written with the count of writes that was read, where the server has it', async () => {
    const { issue, server } = openDescription({ counts: true, refusal: 409 })
    expect(await edit(server, 'before', 'after')).toMatchObject({ ok: true })
    expect(issue.body).toBe('after')
    expect(server.requests.find(({ method }) => method === 'PATCH')?.body).toEqual({
      body: 'after',
      content_version: 4,
    })
  })

  it('[14] is written without one where the server has none, and read again', async () => {
    const { server } = openDescription({ counts: false, refusal: 400 })
    expect(await edit(server, 'before', 'after')).toMatchObject({ ok: true })
    expect(server.requests.map(({ method }) => method)).toEqual(['GET', 'PATCH', 'GET'])
    expect(server.requests[1]?.body).toEqual({ body: 'after' })
  })

  it.each([
    { counts: true, refusal: 409 },
    { counts: false, refusal: 400 },
  ] as const)('[14] keeps what a person wrote in the same moment: $refusal', async (options) => {
    const { issue, meanwhile, server, write } = openDescription(options)
    meanwhile.push(write("a person's"))
    expect(await edit(server, 'before', 'lost')).toMatchObject({
      error: { type: 'conflict', retryable: false },
    })
    expect(issue.body).toBe("a person's")
  })

  it.each([
    { counts: true, refusal: 409 },
    { counts: false, refusal: 400 },
  ] as const)('[14] is tried again when a write changed nothing: $refusal', async (options) => {
    const { issue, meanwhile, server, write } = openDescription(options)
    meanwhile.push(write('before'))
    expect(await edit(server, 'before', 'after')).toMatchObject({ ok: true })
    expect(issue.body).toBe('after')
    for (let n = 0; n < 3; n++) meanwhile.push(write('after'))
    expect(await edit(server, 'after', 'never')).toMatchObject({ error: { type: 'conflict' } })
    expect(issue.body).toBe('after')
  })

  it.each([
    ['1.21.0', 'conflict'],
    ['1.25.9', 'conflict'],
    ['7.0.0+gitea-1.21.11', 'conflict'],
    ['17.0.0+gitea-1.22.0', 'conflict'],
    ['1.26.0', 'invalid'],
    ['2.0.0', 'invalid'],
  ] as const)('[14] that is refused with 400 by %s: %s', async (version, type) => {
    const { meanwhile, server, write } = openDescription({ counts: false, refusal: 400, version })
    meanwhile.push(write("a person's"))
    expect(await edit(server, 'before', 'after')).toMatchObject({ error: { type } })
    // A server is asked once for its version.
    meanwhile.push(write("another person's"))
    await edit(server, "a person's", 'after')
    expect(server.requests.filter(({ path }) => path === '/version')).toHaveLength(1)
  })

  it('[14] tells of a text that came right after the write, and leaves it', async () => {
    const { issue, afterwards, server, write } = openDescription({ counts: false, refusal: 400 })
    afterwards.push(write('later'))
    expect(await edit(server, 'before', 'after')).toMatchObject({ error: { type: 'conflict' } })
    expect(issue.body).toBe('later')
  })
})

describe('a conflict', () => {
  const pull = (facts: object): unknown => ({
    number: 7,
    title: 'x',
    state: 'open',
    user,
    created_at: at,
    updated_at: at,
    head: { label: 'topic', ref: 'topic', sha: 'a', repo_id: 1 },
    base: { label: 'main', ref: 'main', sha: 'b', repo_id: 1 },
    mergeable: false,
    ...facts,
  })
  const look = async (first: object, then: object) => {
    const server = scriptForgejo(() => ({ body: pull(then) }))
    const change = await toChange(server.context, repository, pullSchema.parse(pull(first)))
    return { hasConflicts: change.ok && change.value.hasConflicts, waited: server.waited() }
  }

  it('[19] is told when the server says so twice, with the time of a check between', async () => {
    expect(await look({}, {})).toEqual({ hasConflicts: true, waited: 2_000 })
    expect(await look({}, { mergeable: true })).toEqual({ hasConflicts: false, waited: 2_000 })
  })

  it('[19] is none in a draft, and none in what is merged or closed', async () => {
    for (const facts of [
      { draft: true },
      { merged: true, state: 'closed' },
      { state: 'closed' },
      { mergeable: true },
    ]) {
      expect(await look(facts, {})).toEqual({ hasConflicts: false, waited: 0 })
    }
  })
})

describe('a change', () => {
  const wanted = { title: 'x', body: '', sourceBranch: 'topic', targetBranch: 'main', closesIid: 1 }
  const open = async (status: number, isThere: boolean) => {
    let posts = 0
    const server = scriptForgejo(({ method }) => {
      if (method === 'POST') {
        posts += 1
        return { status }
      }
      if (posts === 0 || !isThere) return { status: 404 }
      const end = (ref: string) => ({ label: ref, ref, sha: 'a', repo_id: 1 })
      const times = { created_at: at, updated_at: at }
      const facts = { number: 7, title: 'x', user, state: 'open', mergeable: true, ...times }
      return { body: { ...facts, head: end('topic'), base: end('main') } }
    })
    return { opened: await openChange(server.context, scriptedProject, wanted), posts: () => posts }
  }

  it.each([
    ['somebody opened in the same moment', 409],
    ['was opened though the answer was lost', 502],
  ])('that %s is taken, and none is opened beside it: %d', async (_, status) => {
    const { opened, posts } = await open(status, true)
    expect(opened).toMatchObject({ ok: true, value: { iid: 7 } })
    expect(posts()).toBe(1)
  })

  it.each([
    [409, 'conflict', false],
    [502, 'unreachable', true],
  ])('that is not there is none, whatever is said: %d', async (status, type, retryable) => {
    expect((await open(status, false)).opened).toMatchObject({ error: { type, retryable } })
  })
})

describe('a status', () => {
  it('[6] that the server drops without a word is not taken as set', async () => {
    const server = scriptForgejo(({ method, path }) => {
      if (method === 'POST') return { body: [] }
      if (path.endsWith('/labels'))
        return { body: [{ id: 5, name: 'status::done' }], headers: { 'x-total-count': '1' } }
      return { body: { number: 1, title: 'x', user, state: 'open', created_at: at, updated_at: at } }
    })
    expect(await setStatus(server.context, scriptedProject, 1, 'done')).toMatchObject({
      error: { type: 'conflict', retryable: true },
    })
  })

  it.each([422, 404])('is off when its label was deleted meanwhile: %d', async (status) => {
    const server = scriptForgejo(({ method }) =>
      method === 'DELETE'
        ? { status }
        : {
            body: {
              number: 1,
              title: 'x',
              user,
              state: 'open',
              labels: [{ id: 5, name: 'status::done' }],
              created_at: at,
              updated_at: at,
            },
          },
    )
    expect(await setStatus(server.context, scriptedProject, 1, null)).toMatchObject({ ok: true })
  })
})
