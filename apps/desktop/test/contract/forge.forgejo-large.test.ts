import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Forge } from '@main/ports/forge'
import { benchRepository } from '../fakes/forgejo-bench'
import { type ForgejoLife, openForgejoLife } from '../fakes/forgejo-life'

/*
 * A project with very many open issues: what a poll holds at a time is a page, not the list. The bound is far below what
 * all issues take, which is shown by holding them.
 */

const issues = 10_000
const largestPage = 50
const bodyBytes = 10_000
/** Everything held at once is 100 MB of descriptions alone. */
const boundMb = 30

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void
const heapMb = (): number => {
  collectGarbage()
  return process.memoryUsage().heapUsed / 1e6
}

let life: ForgejoLife
beforeEach(async () => {
  life = await openForgejoLife('gitea')
  const body = 'x'.repeat(bodyBytes)
  for (let n = 0; n < issues; n += 1) {
    life.bench.server.seed.issue(benchRepository, { title: `Issue ${n}`, body, by: 'dev' })
  }
})
afterEach(() => life.close())

/** How far the heap grew at most while a poll read the project to its end; `onPage` sees each page. */
async function growthOfPoll(onPage: (page: unknown) => void): Promise<number> {
  const { bench } = life
  const { forge } = bench
  const start = heapMb()
  let highest = start
  let pages = 0
  const listChangedIssues: Forge['listChangedIssues'] = async (...asked) => {
    const page = await forge.listChangedIssues(...asked)
    onPage(page)
    if (++pages % 20 === 0) highest = Math.max(highest, heapMb())
    return page
  }
  // What the engine asks for with every call.
  Object.assign(bench, { forge: { ...forge, listChangedIssues } })
  await life.settle(1)
  Object.assign(bench, { forge })
  expect(life.errors).toEqual([])
  expect(pages).toBeGreaterThanOrEqual(issues / largestPage)
  return highest - start
}

describe('a poll cycle over 10,000 open issues', () => {
  it('stays flat in memory', async () => {
    expect(await growthOfPoll(() => undefined)).toBeLessThan(boundMb)
  })

  it('would not, if it held all of them at once', async () => {
    const held: unknown[] = []
    expect(await growthOfPoll((page) => held.push(page))).toBeGreaterThan(boundMb * 2)
    expect(held.length).toBeGreaterThan(0)
  })
})
