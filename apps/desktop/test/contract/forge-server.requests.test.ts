import { afterEach, describe, expect, it } from 'vitest'
import { benchRepository } from '../fakes/forgejo-bench'
import { type ForgejoLife, openForgejoLife, toChange } from '../fakes/forgejo-life'
import { unheldRequests } from './forge-replay/held-requests'

/*
 * The adapter asks the fake forge nothing that the recordings do not hold it to.
 */

let life: ForgejoLife
afterEach(() => life.close())

describe.each(['gitea', 'gitea-1.26-dev', 'forgejo'] as const)('what the adapter sends to a %s', (kind) => {
  it('was recorded, in a scene that the fake is held to', async () => {
    life = await openForgejoLife(kind)
    const { bench } = life
    await bench.forge.account()
    await toChange(life)
    await bench.ask('POST', '/issues/1/comments', { body: 'Hm.' })
    await bench.ask('POST', '/pulls/2/reviews', { event: 'REQUEST_CHANGES', body: 'No.' })
    await life.settle()
    await bench.ask('PATCH', '/pulls/2', { state: 'closed' })
    await bench.forge.openChange(life.bench.project, {
      title: 'Again',
      body: '',
      sourceBranch: life.mailbox().branchName ?? '',
      targetBranch: 'main',
      closesIid: 1,
    })
    expect(bench.server.seed.find(benchRepository).issues).toHaveLength(3)
    expect(unheldRequests(bench.server.requests)).toEqual([])
  })
})
