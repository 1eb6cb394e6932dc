import { afterEach, describe, expect, it } from 'vitest'
import {
  commentsOf,
  type ForgejoLife,
  issueOf,
  labelsOf,
  openForgejoLife,
  takeUp,
  toChange,
} from '../fakes/forgejo-life'
import { benchRepository } from '../fakes/forgejo-bench'

/*
 * The workflow of an issue on the three fake servers, from the first poll to the merge.
 */

let life: ForgejoLife | null = null
afterEach(async () => {
  expect(life?.errors).toEqual([])
  await life?.close()
  life = null
})

describe.each(['gitea', 'gitea-1.26-dev', 'forgejo'] as const)('an issue on a %s', (kind) => {
  it('goes from the first poll to the merge', async () => {
    const one = (life = await openForgejoLife(kind))
    await takeUp(one)
    expect(one.liveRun()).toMatchObject({ phase: 'analysis', trigger: 'assigned' })
    expect(labelsOf(one)).toEqual(['status::functional_analysis'])

    await one.endRun({ plan: 'Make an index.', functionalAnalysis: 'Under a second.' })
    expect(labelsOf(one)).toEqual(['status::waiting_validation'])
    expect(issueOf(one).body).toMatch(/^It is slow\.\r\n[^]*Under a second\./)
    expect(commentsOf(one).filter((body) => body.startsWith('## Plan'))).toHaveLength(1)

    await one.bench.ask('POST', '/issues/1/labels', { labels: [one.bench.labelId('ai::validate_plan')] })
    await one.settle()
    expect(one.liveRun()).toMatchObject({
      phase: 'development',
      trigger: 'plan_validated',
      requestedBy: 'dev',
    })
    expect(labelsOf(one)).toEqual(['status::in_development'])

    await one.endRun({ summary: 'Made an index.' }, 1)
    expect(one.mailbox().changeIid).toBe(2)
    const pull = (await one.bench.ask('GET', '/pulls/2')) as { body: string; head: { sha: string } }
    expect(pull.body).toMatch(/\n\nCloses #1$/)

    await one.bench.ask('POST', `/statuses/${pull.head.sha}`, { context: 'ci', state: 'pending' })
    await one.settle()
    expect(labelsOf(one)).toEqual(['status::in_ci'])
    await one.bench.ask('POST', `/statuses/${pull.head.sha}`, { context: 'ci', state: 'success' })
    await one.settle()
    expect(labelsOf(one)).toEqual(['status::in_review'])

    await one.bench.ask('POST', '/pulls/2/merge', { Do: 'squash' })
    await one.settle()
    expect(one.mailbox()).toMatchObject({ status: 'done', isOpen: false })
    expect(labelsOf(one)).toEqual(['status::done'])
    expect(issueOf(one).isOpen).toBe(false)
  })
})

describe.each(['gitea', 'forgejo'] as const)('an issue on a %s that is not well', (kind) => {
  it('posts nothing twice when each write happens and is answered with 500', async () => {
    const one = (life = await openForgejoLife(kind))
    for (const [method, path] of [
      ['POST', /comments$/],
      ['POST', /labels$/],
      ['DELETE', /labels/],
      ['PATCH', /issues\/1$/],
      ['POST', /pulls$/],
    ] as const) {
      one.bench.server.faults.add({ fault: { kind: 'done_but_500' }, method, path, times: 2 })
    }
    one.bench.server.seed.issue(benchRepository, {
      title: 'Slow search',
      by: 'dev',
      assignees: ['alfred-bot'],
    })
    const calm = async (): Promise<void> => {
      for (let n = 0; n < 4; n++) {
        one.bench.clock.advance(120_000)
        await one.settle(2)
      }
    }
    await calm()
    await one.endRun({ plan: 'Make an index.', functionalAnalysis: 'Under a second.' })
    await calm()
    expect(labelsOf(one)).toEqual(['status::waiting_validation'])
    // The person is not told the truth either, and does not ask again.
    const label = one.bench.labelId('ai::validate_plan')
    await one.bench.ask('POST', '/issues/1/labels', { labels: [label] }).catch(() => undefined)
    await calm()
    await one.endRun({ summary: 'Made an index.' }, 1)
    await calm()
    const markers = commentsOf(one).map((body) => /<!-- agent:key=(\S+?):/.exec(body)?.[1])
    expect(markers.length).toBeGreaterThan(2)
    expect(new Set(markers).size).toBe(markers.length)
    const pulls = one.bench.server.seed.find(benchRepository).issues.filter(({ pull }) => pull !== null)
    expect(pulls).toHaveLength(1)
  })
})

describe('an issue on an older gitea', () => {
  it('keeps its status when a person changes it, and sees a commit that is red', async () => {
    const one = (life = await openForgejoLife('gitea-1.26-dev'))
    await toChange(one)
    await one.bench.ask('POST', '/issues/1/labels', { labels: [one.bench.labelId('status::done')] })
    await one.settle()
    expect(labelsOf(one).filter((name) => name.startsWith('status::'))).toHaveLength(1)
    const pull = (await one.bench.ask('GET', '/pulls/2')) as { head: { sha: string } }
    await one.bench.ask('POST', `/statuses/${pull.head.sha}`, { context: 'ci', state: 'failure' })
    await one.settle()
    expect(one.mailbox()).toMatchObject({ status: 'in_ci', needsYou: expect.any(String) })
  })
})

describe.each([
  ['gitea', -300_000],
  ['gitea', 300_000],
  ['forgejo', -300_000],
  ['forgejo', 300_000],
] as const)('an issue on a %s whose clock is %d ms off', (kind, clockOffMs) => {
  const inReview = async (): Promise<ForgejoLife> => {
    const one = (life = await openForgejoLife(kind, clockOffMs))
    await toChange(one)
    expect(one.mailbox()).toMatchObject({ changeIid: 2, status: 'in_development' })
    const pull = (await one.bench.ask('GET', '/pulls/2')) as { head: { sha: string } }
    await one.bench.ask('POST', `/statuses/${pull.head.sha}`, { context: 'ci', state: 'success' })
    await one.settle(6)
    expect(one.mailbox()).toMatchObject({ status: 'in_review', needsYou: null })
    return one
  }

  it('goes its way', async () => {
    const one = await inReview()
    await one.bench.ask('POST', '/pulls/2/merge', { Do: 'merge' })
    await one.settle()
    expect(one.mailbox()).toMatchObject({ status: 'done', isOpen: false })
  })

  it('loses nothing of one second of the server, and is not read for ever because of it', async () => {
    const one = await inReview()
    const review = (event: string) => one.bench.ask('POST', '/pulls/2/reviews', { event, body: 'x' })
    await review('APPROVED')
    await one.poll()
    // By its own time this moved nothing: the change was updated in this second before.
    await review('REQUEST_CHANGES')
    await one.settle()
    expect(one.mailbox()).toMatchObject({ status: 'in_review', needsYou: 'not_built' })
    await one.settle(3)
    const { requests } = one.bench.server
    const before = requests.length
    await one.settle(3)
    expect(requests.slice(before).filter(({ address }) => address.includes('/timeline'))).toEqual([])
  })
})
