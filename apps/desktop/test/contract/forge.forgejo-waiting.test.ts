import { afterEach, describe, expect, it } from 'vitest'
import { benchRepository } from '../fakes/forgejo-bench'
import { type ForgejoLife, openForgejoLife, toChange } from '../fakes/forgejo-life'

/*
 * What an issue costs whose change waits: for checks, for a review, for its merge. And that nothing is passed over by
 * asking so little, through restarts and failures too.
 */

let life: ForgejoLife
afterEach(async () => {
  expect(life.errors).toEqual([])
  await life.close()
})

const check = async (state: string, context = 'ci'): Promise<void> => {
  const pull = (await life.bench.ask('GET', '/pulls/2')) as { head: { sha: string } }
  await life.bench.ask('POST', `/statuses/${pull.head.sha}`, { context, state })
}

async function until(status: 'in_ci' | 'in_review', state: 'pending' | 'success'): Promise<void> {
  await toChange(life)
  await check(state)
  await life.settle(4)
  expect(life.mailbox()).toMatchObject({ status, needsYou: null })
}

/** What each of so many polls asks for, the issues themselves left out. */
async function asked(polls: number): Promise<readonly (readonly string[])[]> {
  const found: string[][] = []
  for (let poll = 0; poll < polls; poll += 1) {
    const before = life.bench.server.requests.length
    await life.settle(1)
    const requests = life.bench.server.requests.slice(before)
    found.push(requests.flatMap(({ address }) => inRepository.exec(address)?.[1] ?? []).filter(isNoList))
  }
  return found.map((paths) => paths.map((path) => path.replace(/[0-9a-f]{40}/, 'SHA')))
}

const inRepository = /\/api\/v1\/repos\/[^/]+\/[^/?]+([^?]*)/
const isNoList = (path: string): boolean => path !== '/issues'

describe.each(['gitea', 'gitea-1.26-dev', 'forgejo'] as const)('on a %s', (kind) => {
  it('a change in review costs one request beside the list of issues, in turn for all that may be news', async () => {
    life = await openForgejoLife(kind)
    await until('in_review', 'success')
    const first = await asked(15)
    expect(first.every((paths) => paths.length === 1)).toBe(true)
    const turns = ['/commits/SHA/status', '/issues/1', '/issues/comments', '/pulls/2']
    expect([...new Set(first.flat())].toSorted()).toEqual(turns)
    // A restart has forgotten nothing of it.
    life.revive()
    expect((await asked(6)).every((paths) => paths.length === 1)).toBe(true)
  })
})

it('checks that run are asked for with every poll, and their end is seen with the next', async () => {
  life = await openForgejoLife('forgejo')
  await until('in_ci', 'pending')
  for (const paths of await asked(3)) {
    expect(paths).toContain('/commits/SHA/status')
    expect(paths.length).toBeLessThanOrEqual(2)
  }
  await check('success')
  await life.settle(1)
  expect(life.mailbox()).toMatchObject({ status: 'in_review' })
})

it('a change that no checks come to is in review a minute after it was opened, though nothing says so', async () => {
  life = await openForgejoLife('gitea')
  await toChange(life)
  await life.settle(3)
  expect(life.mailbox()).toMatchObject({ status: 'in_development', changeIid: 2 })
  life.bench.clock.advance(61_000)
  await life.settle(2)
  expect(life.mailbox()).toMatchObject({ status: 'in_review', needsYou: null })
})

it('a run that works at an open change costs no more while nothing happens', async () => {
  life = await openForgejoLife('gitea')
  await until('in_review', 'success')
  life.requestRun('development')
  await life.settle(3)
  expect((await asked(3)).every((paths) => paths.length === 1)).toBe(true)
})

describe('nothing is passed over', () => {
  it('that is deleted, which moves no time of the forge: a comment at the issue, at the change, a label', async () => {
    life = await openForgejoLife('gitea')
    const comment = async (iid: number): Promise<number> => {
      const said = await life.bench.ask('POST', `/issues/${iid}/comments`, { body: 'Rename it, please.' })
      return (said as { readonly id: number }).id
    }
    const remove = (id: number) => life.bench.ask('DELETE', `/issues/comments/${id}`)
    const readWhole = async (polls: number): Promise<boolean> =>
      (await asked(polls)).flat().includes('/issues/1/timeline')
    await until('in_review', 'success')
    const atIssue = await comment(1)
    const atChange = await comment(2)
    await life.settle(4)
    expect(life.mailbox()).toMatchObject({ needsYou: 'not_built' })
    // What changed last is in every list; so something else did.
    life.bench.clock.advance(60_000)
    life.bench.server.seed.issue(benchRepository, { title: 'Another', by: 'dev' })
    await life.settle(4)
    expect(await readWhole(16)).toBe(false)
    await remove(atChange)
    expect(await readWhole(4)).toBe(true)
    expect(life.mailbox()).toMatchObject({ needsYou: 'not_built' })
    await remove(atIssue)
    expect(await readWhole(16)).toBe(true)
    expect(life.mailbox()).toMatchObject({ status: 'in_review', needsYou: null })
    expect(await readWhole(16)).toBe(false)
    await life.bench.ask('DELETE', `/labels/${life.bench.labelId('status::in_review')}`)
    expect(await readWhole(16)).toBe(true)
  })

  it('when reading the issue fails after its news were seen', async () => {
    life = await openForgejoLife('gitea')
    await until('in_review', 'success')
    await check('failure')
    const { faults } = life.bench.server
    faults.add({ fault: { kind: 'half' }, path: /\/timeline/ })
    await life.settle(3)
    expect(life.mailbox()).toMatchObject({ needsYou: null })
    faults.clear()
    await life.settle(3)
    expect(life.mailbox()).toMatchObject({ status: 'in_review', needsYou: 'not_built' })
  })

  it('when looking at it fails', async () => {
    life = await openForgejoLife('forgejo')
    await until('in_review', 'success')
    await check('failure')
    const { faults } = life.bench.server
    faults.add({ fault: { kind: 'html', status: 502 }, path: /\/(?:status|pulls\/2)$/ })
    await life.settle(3)
    expect(life.mailbox()).toMatchObject({ needsYou: null })
    faults.clear()
    await life.settle(3)
    expect(life.mailbox()).toMatchObject({ status: 'in_review', needsYou: 'not_built' })
  })

  it('when the engine ends before it has dealt with it', async () => {
    life = await openForgejoLife('gitea')
    await until('in_review', 'success')
    await life.bench.server.seed.commit(benchRepository, 'main', { 'work.txt': 'theirs\n' }, { by: 'dev' })
    life.bench.onWait = () => life.die()
    await life.settle(3)
    expect(life.isDead()).toBe(true)
    expect(life.mailbox()).toMatchObject({ needsYou: null })
    life.bench.onWait = () => undefined
    life.revive()
    await life.settle(3)
    expect(life.mailbox()).toMatchObject({ status: 'in_review', needsYou: 'not_built' })
  })

  it('when a person takes the line out of the change that names its issue, and then comments', async () => {
    life = await openForgejoLife('forgejo')
    await until('in_review', 'success')
    await life.bench.ask('PATCH', '/pulls/2', { body: 'A better text.' })
    await life.settle(4)
    await life.bench.ask('POST', '/issues/2/comments', { body: 'Rename it, please.' })
    await life.settle(4)
    expect(life.mailbox()).toMatchObject({ status: 'in_review', needsYou: 'not_built' })
  })
})

it('other settings, and what else is different here, have the issue read again', async () => {
  life = await openForgejoLife('gitea')
  await until('in_review', 'success')
  life.store.settings.set('app', 0, 'TRUSTED_PEOPLE', ['77'], 1)
  const paths = (await asked(1)).flat()
  expect(paths).toContain('/issues/1/timeline')
  expect((await asked(3)).every((each) => each.length === 1)).toBe(true)
})
