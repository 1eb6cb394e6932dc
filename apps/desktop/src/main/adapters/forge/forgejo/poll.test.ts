import { describe, expect, it } from 'vitest'
import type { Result } from '@shared/result'
import type { ForgeIssue } from '@main/ports/forge'
import {
  type ScriptedAnswer,
  type ScriptedForgejo,
  type ScriptedRequest,
  scriptedProject,
  scriptForgejo,
} from '../../../../../test/fakes/scripted-forgejo'
import { createGlances, type Glances } from './glance'
import { listChangedIssues } from './poll'

/** What the lists of a server hold, and how it gives them. */
interface Shelf {
  /** Epoch milliseconds of the server. */
  now: number
  pageSize: number
  readonly issues: {
    number: number
    title: string
    updatedAt: number
    pull?: { body: string; userId: number }
    /** Written, but not committed yet: nobody sees it before. */
    visibleAt?: number
  }[]
  readonly comments: { id: number; issue: number; body: string; createdAt: number; updatedAt: number }[]
  readonly server: ScriptedForgejo
  readonly glances: Glances
}

const iso = (ms: number): string => new Date(Math.floor(ms / 1_000) * 1_000).toISOString()
const seconds = (ms: number): number => Math.floor(ms / 1_000)

function openShelf(): Shelf {
  const server = scriptForgejo(answer)
  const shelf: Shelf = {
    now: Date.UTC(2026, 10, 29, 16, 0, 0),
    pageSize: 50,
    issues: [],
    comments: [],
    server,
    glances: createGlances(server.context),
  }
  function answer({ path, query }: ScriptedRequest): ScriptedAnswer {
    const isSearch = path === '/repos/issues/search'
    if (!isSearch && !path.startsWith('/repos/acme/shop/')) return page(shelf, [], query)
    const single = /\/issues\/(\d+)$/.exec(path)?.[1]
    if (single !== undefined) {
      const issue = shelf.issues.find(({ number }) => number === Number(single))
      return issue === undefined ? { status: 404 } : { body: issueBody(issue), at: shelf.now }
    }
    if (path.endsWith('/issues/comments')) {
      const items = shelf.comments.filter(({ updatedAt }) => isSince(updatedAt, query['since']))
      return page(shelf, items.map(commentBody), query)
    }
    const items = shelf.issues
      .filter(({ updatedAt, visibleAt = 0 }) => visibleAt <= shelf.now && isSince(updatedAt, query['since']))
      .toSorted((a, b) => b.number - a.number)
    return page(shelf, items.map(issueBody), query)
  }
  return shelf
}

function isSince(ms: number, since: string | undefined): boolean {
  if (since === undefined) return true
  expect(since).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/)
  return seconds(ms) >= seconds(Date.parse(since))
}

function page(
  shelf: Shelf,
  items: readonly unknown[],
  query: Readonly<Record<string, string>>,
): ScriptedAnswer {
  const size = Math.min(shelf.pageSize, Number(query['limit'] ?? 30))
  const from = (Number(query['page'] ?? 1) - 1) * size
  return {
    body: items.slice(from, from + size),
    headers: { 'x-total-count': String(items.length) },
    at: shelf.now,
  }
}

const user = (id: number): unknown => ({ id, login: `user-${id}`, full_name: '' })

const issueBody = ({ number, title, updatedAt, pull }: Shelf['issues'][number]): unknown => ({
  number,
  title,
  body: pull?.body ?? '',
  user: user(pull?.userId ?? 3),
  labels: [],
  assignees: null,
  state: 'open',
  comments: 0,
  ref: '',
  created_at: iso(0),
  updated_at: iso(updatedAt),
  pull_request: pull === undefined ? null : { merged: false },
  repository: { full_name: 'acme/shop' },
})

const commentBody = ({ id, issue, body, createdAt, updatedAt }: Shelf['comments'][number]): unknown => ({
  id,
  body,
  user: user(3),
  created_at: iso(createdAt),
  updated_at: iso(updatedAt),
  issue_url: `https://elsewhere.example/acme/shop/issues/${issue}`,
  pull_request_url: '',
})

/** For what asks thousands of times, on a computer that does much else. */
const patience = 60_000

async function look(shelf: Shelf, cursor: string | null, readsComments = true) {
  const { server, glances } = shelf
  return value(await listChangedIssues(server.context, scriptedProject, cursor, { glances, readsComments }))
}

/** Reads projects in which nothing happens; with them a look over all is worth its request. */
async function openOthers(shelf: Shelf, count: number): Promise<() => Promise<void>> {
  const cursors = new Map<string, string | null>()
  const readAll = async (): Promise<void> => {
    for (let n = 0; n < count; n++) {
      const project = { ...scriptedProject, slug: `other-${n}` }
      const { server, glances } = shelf
      const before = cursors.get(project.slug) ?? null
      const options = { glances, readsComments: false }
      const answer = value(await listChangedIssues(server.context, project, before, options))
      cursors.set(project.slug, answer.cursor)
    }
  }
  await readAll()
  return readAll
}

/** The server's time and ours go on alike. */
function pass(shelf: Shelf, ms: number): void {
  shelf.now += ms
  shelf.server.advance(ms)
}

async function poll(
  shelf: Shelf,
  from: string | null,
  afterPage: () => void = () => undefined,
): Promise<{ issues: ForgeIssue[]; cursor: string }> {
  const issues: ForgeIssue[] = []
  let cursor = from
  for (;;) {
    const step = await look(shelf, cursor)
    issues.push(...step.issues)
    cursor = step.cursor
    if (!step.hasMore) return { issues, cursor }
    afterPage()
  }
}

const numbersOf = (issues: Shelf['issues']): number[] => issues.map(({ number }) => number)
const numbers = (issues: readonly ForgeIssue[]): number[] => issues.map(({ iid }) => iid)

function add(shelf: Shelf, number: number): Shelf['issues'][number] {
  const issue = { number, title: 'new', updatedAt: shelf.now }
  shelf.issues.push(issue)
  return issue
}

function comment(shelf: Shelf, id: number, issue: number, at: number): void {
  shelf.comments.push({ id, issue, body: 'a', createdAt: at, updatedAt: at })
}

describe('the poll', () => {
  it('asks for pages by number and size, never for labels or an order (surprises 1, 3, 4)', async () => {
    const shelf = openShelf()
    for (let n = 1; n <= 120; n++) add(shelf, n)
    await poll(shelf, (await poll(shelf, null)).cursor)
    for (const { query } of shelf.server.requests) {
      expect(
        Object.keys(query)
          .toSorted()
          .filter((name) => !['since', 'state'].includes(name)),
      ).toEqual(['limit', 'page'])
    }
  })

  it('gives a page oldest change first, though the server gives newest creation first (surprise 3)', async () => {
    const shelf = openShelf()
    for (const n of [1, 2, 3]) add(shelf, n).updatedAt -= n * 1_000
    expect(numbers((await poll(shelf, null)).issues)).toEqual([3, 2, 1])
  })

  it('reads all pages of a server with small ones (surprise 4)', async () => {
    const shelf = openShelf()
    shelf.pageSize = 5
    for (let n = 1; n <= 12; n++) add(shelf, n)
    expect(numbers((await poll(shelf, null)).issues).toSorted((a, b) => a - b)).toHaveLength(12)
  })

  it('is two requests when nothing changed, and leaves the cursor as it was', async () => {
    const shelf = openShelf()
    for (let n = 1; n <= 3; n++) add(shelf, n)
    const first = await poll(shelf, null)
    shelf.now += 60_000
    const settled = await poll(shelf, first.cursor)
    shelf.now += 60_000
    shelf.server.requests.length = 0
    const idle = await look(shelf, settled.cursor)
    expect(idle).toEqual({ issues: [], cursor: settled.cursor, hasMore: false })
    expect(shelf.server.requests).toHaveLength(2)
  })

  it('sees a second change within the second of the first', async () => {
    const shelf = openShelf()
    const issue = add(shelf, 1)
    const first = await poll(shelf, null)
    shelf.now += 500
    issue.title = 'changed in the same second'
    shelf.now += 60_000
    expect((await poll(shelf, first.cursor)).issues.map(({ title }) => title)).toEqual([issue.title])
  })

  it('gives an issue once more that was read within the second of its change: not all that happens to it shows', async () => {
    const shelf = openShelf()
    add(shelf, 1)
    const first = await poll(shelf, null)
    shelf.now += 60_000
    const second = await poll(shelf, first.cursor)
    expect(numbers(second.issues)).toEqual([1])
    shelf.now += 60_000
    expect((await poll(shelf, second.cursor)).issues).toEqual([])
  })

  it('sees what was committed late', async () => {
    const shelf = openShelf()
    add(shelf, 1)
    add(shelf, 2)
    Object.assign(shelf.issues[0] ?? {}, { visibleAt: shelf.now + 4_000 })
    shelf.now += 3_000
    const first = await poll(shelf, null)
    expect(numbers(first.issues)).toEqual([2])
    shelf.now += 60_000
    expect(numbers((await poll(shelf, first.cursor)).issues)).toEqual([1])
  })

  it('sees what changed after the clock of the server was set back', async () => {
    const shelf = openShelf()
    const issue = add(shelf, 1)
    let { cursor } = await poll(shelf, null)
    shelf.now -= 5 * 60_000
    ;({ cursor } = await poll(shelf, cursor))
    shelf.now += 10_000
    issue.updatedAt = shelf.now
    issue.title = 'after'
    expect((await poll(shelf, cursor)).issues.map(({ title }) => title)).toEqual(['after'])
  })

  it('reads a page again when something was deleted while it turned', async () => {
    const shelf = openShelf()
    for (let n = 1; n <= 120; n++) add(shelf, n)
    let isFirst = true
    const { issues } = await poll(shelf, null, () => {
      if (isFirst) shelf.issues.splice(119, 1)
      isFirst = false
    })
    expect(new Set(numbers(issues)).size).toBe(120)
  })

  it.each([
    ['one row', 1],
    ['more rows than two pages share', 9],
    ['a whole page', 60],
  ])('misses no issue when as many come as go while it turns: %s', async (_name, count) => {
    const shelf = openShelf()
    for (let n = 1; n <= 400; n++) add(shelf, n).updatedAt -= (500 - n) * 60_000
    let { cursor } = await poll(shelf, null)
    pass(shelf, 60_000)
    ;({ cursor } = await poll(shelf, cursor))
    pass(shelf, 10_000)
    const change = (issue: Shelf['issues'][number]): void => {
      issue.title = 'changed'
      issue.updatedAt = shelf.now
    }
    shelf.issues.slice(200).forEach(change)
    pass(shelf, 20_000)
    let pages = 0
    const told = new Set<number>()
    for (let n = 0; n < 3; n++) {
      const polled = await poll(shelf, cursor, () => {
        if (++pages !== 2) return
        shelf.issues.splice(-count)
        shelf.issues.slice(0, count).forEach(change)
      })
      for (const { iid, title } of polled.issues) if (title === 'changed') told.add(iid)
      cursor = polled.cursor
      pass(shelf, 30_000)
    }
    const changed = shelf.issues.filter(({ title }) => title === 'changed')
    expect(numbersOf(changed).filter((number) => !told.has(number))).toEqual([])
  })

  it('misses no edited comment when as many come as go while the feed turns', async () => {
    const shelf = openShelf()
    for (let n = 1; n <= 200; n++) {
      add(shelf, n).updatedAt -= 3_600_000
      comment(shelf, n, n, shelf.now - 3_600_000)
    }
    let { cursor } = await poll(shelf, null)
    pass(shelf, 60_000)
    ;({ cursor } = await poll(shelf, cursor))
    pass(shelf, 10_000)
    const edited = shelf.comments.slice(0, 120)
    for (const each of edited) Object.assign(each, { body: 'b', updatedAt: shelf.now })
    pass(shelf, 20_000)
    let pages = 0
    const told = new Set<number>()
    for (let n = 0; n < 3; n++) {
      const polled = await poll(shelf, cursor, () => {
        if (++pages !== 1) return
        shelf.comments.shift()
        comment(shelf, 201, 200, shelf.now)
      })
      for (const { iid } of polled.issues) told.add(iid)
      cursor = polled.cursor
      pass(shelf, 30_000)
    }
    expect(edited.slice(1).filter(({ issue }) => !told.has(issue))).toEqual([])
  })

  it('gives the issue of an edited comment, which moves no issue (surprise 15)', async () => {
    const shelf = openShelf()
    add(shelf, 1)
    const comment = { id: 9, issue: 1, body: 'a', createdAt: shelf.now, updatedAt: shelf.now }
    shelf.comments.push(comment)
    let { cursor } = await poll(shelf, null)
    shelf.now += 60_000
    ;({ cursor } = await poll(shelf, cursor))
    comment.body = 'b'
    comment.updatedAt = shelf.now
    const edited = await poll(shelf, cursor)
    expect(numbers(edited.issues)).toEqual([1])
    shelf.now += 60_000
    const after = await poll(shelf, edited.cursor)
    shelf.now += 60_000
    expect((await poll(shelf, after.cursor)).issues).toEqual([])
  })

  it("gives the issue that a change of Alfred's closes, and no other (surprise 24)", async () => {
    const shelf = openShelf()
    for (const n of [1, 2, 3]) add(shelf, n).updatedAt -= 3_600_000
    const { cursor } = await poll(shelf, null)
    shelf.now += 60_000
    add(shelf, 4)
    Object.assign(shelf.issues[3] ?? {}, {
      pull: { body: 'does not close #3\n\n> Closes #3\n\nCloses #1', userId: 2 },
    })
    add(shelf, 5)
    Object.assign(shelf.issues[4] ?? {}, { pull: { body: 'Closes #2', userId: 3 } })
    expect(numbers((await poll(shelf, cursor)).issues)).toEqual([1])
  })

  it('starts over with a cursor that it cannot read', async () => {
    const shelf = openShelf()
    add(shelf, 1)
    for (const cursor of ['', '{}', '17', '{"version":2}']) {
      expect(numbers((await poll(shelf, cursor)).issues)).toEqual([1])
    }
  })

  it(
    'keeps a cursor that does not grow with the project',
    async () => {
      const shelf = openShelf()
      for (let n = 1; n <= 3_000; n++) add(shelf, n).updatedAt -= n * 60_000
      let longest = 0
      let cursor: string | null = null
      for (let step = await look(shelf, cursor); step.hasMore; step = await look(shelf, cursor)) {
        cursor = step.cursor
        longest = Math.max(longest, cursor.length)
      }
      expect(longest).toBeLessThan(2_000)
    },
    patience,
  )

  it.each([0, 1])(
    'loses nothing, whatever happens between two requests (%d projects beside it)',
    async (others) => {
      let looks = 0
      for (let seed = 1; seed <= 40; seed++) {
        const random = createRandom(seed)
        const shelf = openShelf()
        const readOthers = await openOthers(shelf, others)
        // Pages of fewer than 5 rows leave places that no page of any size lies across.
        shelf.pageSize = 5
        const told = new Map<number, string>()
        const edited = new Set<Shelf['comments'][number]>()
        let version = 0
        const happenToComments = (): void => {
          for (let n = Math.floor(random() * 5); n > 0; n--) {
            version++
            const at = shelf.now
            const issue = pick(shelf.issues, random)
            if (issue !== undefined && random() < 0.4) comment(shelf, version, issue.number, at)
            else {
              const each = pick(shelf.comments, random)
              if (each === undefined) continue
              if (random() < 0.2) shelf.comments.splice(shelf.comments.indexOf(each), 1)
              else if (at - each.createdAt >= 1_000) {
                Object.assign(each, { body: `version ${version}`, updatedAt: at })
                edited.add(each)
              }
            }
          }
        }
        const happen = (): void => {
          pass(shelf, Math.floor(random() * (random() < 0.2 ? 20_000 : 1_400)))
          for (let n = Math.floor(random() * 4); n > 0; n--) {
            const issue =
              random() < 0.3 ? add(shelf, shelf.issues.length + 1 + version) : pick(shelf.issues, random)
            version++
            if (issue === undefined) continue
            if (random() < 0.15) shelf.issues.splice(shelf.issues.indexOf(issue), 1)
            issue.title = `version ${version}`
            issue.updatedAt = shelf.now
            if (random() < 0.2) issue.visibleAt = shelf.now + random() * 5_000
          }
          happenToComments()
        }
        let cursor: string | null = null
        const tell = (issues: readonly ForgeIssue[]): void => {
          for (const { iid, title } of issues) {
            told.set(iid, title)
            for (const each of edited) if (each.issue === iid) edited.delete(each)
          }
        }
        for (let step = 1; step <= 80; step++) {
          const answer = await look(shelf, cursor)
          tell(answer.issues)
          cursor = answer.cursor
          if (random() < 0.4) happen()
          else pass(shelf, random() * 9_000)
          if (random() < 0.5) await readOthers()
          if (step % 5 > 0) continue
          // What was committed late is visible by now: the polls after that find all that is missing.
          for (const ms of [6_000, 6_000]) {
            pass(shelf, ms)
            const polled = await poll(shelf, cursor)
            tell(polled.issues)
            cursor = polled.cursor
          }
          const missing = shelf.issues.filter(({ number, title }) => told.get(number) !== title)
          expect([seed, step, missing]).toEqual([seed, step, []])
          const unseen = [...edited].filter((each) => isThere(shelf, each))
          expect([seed, step, unseen]).toEqual([seed, step, []])
        }
        looks += shelf.server.requests.filter(({ path }) => path.endsWith('/search')).length
      }
      expect(looks > 0).toBe(others > 0)
    },
    patience,
  )
})

describe('twenty projects in which nothing happens', () => {
  it('are one request and one for each that is worked on', async () => {
    const shelf = openShelf()
    add(shelf, 1)
    const readOthers = await openOthers(shelf, 19)
    let { cursor } = await poll(shelf, null)
    for (let n = 0; n < 2; n++) {
      pass(shelf, 30_000)
      ;({ cursor } = await poll(shelf, cursor))
      await readOthers()
    }
    pass(shelf, 30_000)
    shelf.server.requests.length = 0
    await readOthers()
    expect(await look(shelf, cursor)).toEqual({ issues: [], cursor, hasMore: false })
    expect(shelf.server.requests.map(({ path }) => path)).toEqual([
      '/repos/issues/search',
      '/repos/acme/shop/issues/comments',
    ])
  })

  it('show what happens in one of them at once', async () => {
    const shelf = openShelf()
    const issue = add(shelf, 1)
    await openOthers(shelf, 19)
    let { cursor } = await poll(shelf, null)
    pass(shelf, 30_000)
    ;({ cursor } = await poll(shelf, cursor))
    pass(shelf, 30_000)
    issue.title = 'changed'
    issue.updatedAt = shelf.now
    expect((await poll(shelf, cursor)).issues.map(({ title }) => title)).toEqual(['changed'])
  })

  it('show what was committed late, after a look that could not see it', async () => {
    const shelf = openShelf()
    add(shelf, 1)
    const readOthers = await openOthers(shelf, 1)
    let { cursor } = await poll(shelf, null)
    for (let n = 0; n < 2; n++) {
      pass(shelf, 30_000)
      await readOthers()
      ;({ cursor } = await poll(shelf, cursor))
    }
    pass(shelf, 30_000)
    Object.assign(add(shelf, 2), { visibleAt: shelf.now + 4_000 })
    pass(shelf, 1_000)
    await readOthers()
    expect((await poll(shelf, cursor)).issues).toEqual([])
    pass(shelf, 8_000)
    await readOthers()
    expect(numbers((await poll(shelf, cursor)).issues)).toEqual([2])
  })

  it('are asked themselves when the look begins after their last poll, as after a jump of the clock', async () => {
    const shelf = openShelf()
    const issue = add(shelf, 1)
    const readOthers = await openOthers(shelf, 1)
    let { cursor } = await poll(shelf, null)
    for (let n = 0; n < 2; n++) {
      pass(shelf, 4_000)
      ;({ cursor } = await poll(shelf, cursor))
    }
    issue.title = 'changed'
    issue.updatedAt = shelf.now += 60_000
    shelf.now += 20 * 60_000
    shelf.server.advance(6_000)
    await readOthers()
    shelf.server.advance(6_000)
    await readOthers()
    shelf.server.advance(6_000)
    expect(numbers((await poll(shelf, cursor)).issues)).toEqual([1])
  })

  it('are asked one by one where the forge is so busy that a look does not show all', async () => {
    const shelf = openShelf()
    shelf.pageSize = 3
    for (let n = 1; n <= 4; n++) add(shelf, n)
    await openOthers(shelf, 1)
    let { cursor } = await poll(shelf, null)
    for (let n = 0; n < 2; n++) {
      pass(shelf, 4_000)
      ;({ cursor } = await poll(shelf, cursor))
    }
    pass(shelf, 6_000)
    shelf.server.requests.length = 0
    expect((await look(shelf, cursor, false)).issues).toEqual([])
    expect(shelf.server.requests.map(({ path }) => path).slice(0, 2)).toEqual([
      '/repos/issues/search',
      '/repos/acme/shop/issues',
    ])
  })
})

const pick = <T>(items: readonly T[], random: () => number): T | undefined =>
  items[Math.floor(random() * items.length)]

const isThere = ({ issues, comments }: Shelf, comment: Shelf['comments'][number]): boolean =>
  comments.includes(comment) && issues.some(({ number }) => number === comment.issue)

/** The same numbers each time, so that a failure can be looked at. */
function createRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 4_294_967_296
    return state / 4_294_967_296
  }
}

function value<T>(result: Result<T, { readonly message: string }>): T {
  if (!result.ok) throw new Error(result.error.message)
  return result.value
}
