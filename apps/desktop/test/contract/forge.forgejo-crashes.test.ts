import { afterEach, describe, expect, it } from 'vitest'
import { withoutMarker } from '@main/core/workflow/markers'
import { benchRepository } from '../fakes/forgejo-bench'
import { commentsOf, type ForgejoLife, issueOf, labelsOf, openForgejoLife } from '../fakes/forgejo-life'

/*
 * An issue from its first line to the end of its branch, while the engine dies at one of its writes to the forge, or the
 * forge says of writes that it did that it did not: what is there in the end is what would be there anyway.
 */

const open: ForgejoLife[] = []
afterEach(async () => {
  for (const one of open.splice(0)) {
    expect(one.errors).toEqual([])
    await one.close()
  }
})

async function born(kind: 'gitea' | 'forgejo'): Promise<ForgejoLife> {
  const one = await openForgejoLife(kind)
  open.push(one)
  return one
}

/** Goes on until nothing follows, with the next engine wherever one died. */
async function calm(one: ForgejoLife): Promise<void> {
  for (let quiet = 0; quiet < 3; quiet++) {
    await one.settle(2)
    if (one.isDead()) {
      one.revive()
      quiet = -1
    }
    one.bench.clock.advance(120_000)
  }
}

/** A person does not ask twice for what they see was done, whatever the server answered. */
async function live(one: ForgejoLife): Promise<void> {
  const { seed } = one.bench.server
  seed.issue(benchRepository, {
    title: 'Slow search',
    body: 'Slow.\r\n',
    by: 'dev',
    assignees: ['alfred-bot'],
  })
  await calm(one)
  await one.endRun({ plan: 'Make an index.', functionalAnalysis: 'Under a second.' })
  await calm(one)
  await one.bench.ask('POST', '/issues/1/labels', { labels: [one.bench.labelId('ai::validate_plan')] })
  await calm(one)
  await one.endRun({ summary: 'Made an index.' }, 1, { files: { 'index.txt': 'index\n' } })
  await calm(one)
  await one.bench.ask('POST', '/pulls/2/merge', { Do: 'squash' })
  await calm(one)
}

/** One that asks, is meddled with, fails, and goes on: without what it has in common with the other life. */
async function liveWithTroubles(one: ForgejoLife): Promise<void> {
  const { ask, labelId, server } = one.bench
  const setLabel = (name: string) => ask('POST', '/issues/1/labels', { labels: [labelId(name)] })
  server.seed.issue(benchRepository, { title: 'Slow search', by: 'dev', assignees: ['alfred-bot'] })
  await calm(one)
  await one.endRun({ outcome: 'questions', questions: ['Which index?'] })
  await calm(one)
  expect(one.mailbox().status).toBe('waiting_info')
  await setLabel('status::done')
  await calm(one)
  await ask('POST', '/issues/1/comments', { body: 'The second one.' })
  await calm(one)
  await one.endRun({}, 0, { failure: { type: 'agent_reported_failure', message: 'I cannot.' } })
  await calm(one)
  expect(one.mailbox().status).toBe('blocked')
  await setLabel('ai::retry')
  await calm(one)
  await one.endRun({ plan: 'Make an index.', functionalAnalysis: 'Under a second.' })
  await calm(one)
  expect(one.mailbox().status).toBe('waiting_validation')
}

/** No ids, times and markers: two lives that led to the same are the same. */
async function ledgerOf(one: ForgejoLife) {
  const issue = issueOf(one)
  const bot = one.bench.server.seed.person('alfred-bot').id
  return {
    status: one.mailbox().status,
    labels: labelsOf(one),
    labelEvents: issue.entries
      .filter(({ type, user }) => type === 'label' && user.id === bot)
      .map(({ label, body }) => `${body === '1' ? '+' : '-'}${label?.name}`),
    comments: commentsOf(one).map(withoutMarker),
    body: issue.body,
    pulls: one.bench.server.seed
      .find(benchRepository)
      .issues.filter(({ pull }) => pull !== null)
      .map(({ title, isOpen, body }) => ({ title, isOpen, body })),
    branches: [...one.bench.server.seed.find(benchRepository).branches.keys()],
    posts: one.store.outbox.listByMailbox(one.mailbox().id).map(({ kind, state }) => `${kind} ${state}`),
  }
}

type Ledger = Awaited<ReturnType<typeof ledgerOf>>
const undisturbed = new Map<string, Promise<Ledger>>()
function undisturbedOn(kind: 'gitea' | 'forgejo', lives = live): Promise<Ledger> {
  const key = `${kind} ${lives.name}`
  const known =
    undisturbed.get(key) ??
    born(kind).then(async (one) => {
      await lives(one)
      return ledgerOf(one)
    })
  undisturbed.set(key, known)
  return known
}

// What was done and not noted is found again, and the next write goes well: so two lives for all of them.
const moments = [
  ['before every write', 'down', 0],
  ['after every second write', 'done_but_down', 0],
  ['after every other second write', 'done_but_down', 1],
] as const

describe.each([
  ['gitea', 'a merge', live],
  ['forgejo', 'a merge', live],
  ['gitea', 'questions, a status put back and a failure', liveWithTroubles],
  ['forgejo', 'questions, a status put back and a failure', liveWithTroubles],
] as const)('on a %s, on the way through %s, an engine that dies', { retry: 0 }, (kind, _through, lives) => {
  it.each(moments)('%s posts nothing twice', async (_when, fault, skip) => {
    const expected = await undisturbedOn(kind, lives)
    const one = await born(kind)
    const { token, server } = one.bench
    let deaths = 0
    const onMet = (): void => {
      deaths += 1
      one.die()
    }
    server.faults.add({ fault: { kind: fault }, onlyWrites: true, token, skip, thenSkip: 1, onMet })
    await lives(one)
    expect(await ledgerOf(one)).toEqual(expected)
    expect(deaths).toBeGreaterThan(10)
  })
})

describe.each(['gitea', 'forgejo'] as const)('a %s', { retry: 0 }, (kind) => {
  it.each([
    ['says 500 of what it did', 'done_but_500'],
    ['does what it was asked when nobody waits for the answer any more', 'slow'],
  ] as const)(
    'that %s is told nothing twice: comments, labels, description, change, branch',
    async (_, is) => {
      const expected = await undisturbedOn(kind)
      const one = await born(kind)
      const { token, server } = one.bench
      let met = 0
      for (const path of [
        /comments$/,
        /\/labels$/,
        /\/labels\/\d+$/,
        /issues\/1$/,
        /pulls$/,
        /git-receive-pack$/,
      ]) {
        const fault = is === 'slow' ? ({ kind: is, ms: 0 } as const) : ({ kind: is } as const)
        const onMet = (): void => {
          met += 1
          if (is === 'slow') one.bench.outlast()
        }
        server.faults.add({ fault, onlyWrites: true, token, path, times: 2, onMet })
      }
      await live(one)
      expect(await ledgerOf(one)).toEqual(expected)
      expect(met).toBeGreaterThan(8)
    },
  )
})
