import { afterEach, describe, expect, it } from 'vitest'
import { benchRepository } from '../fakes/forgejo-bench'
import {
  commentsOf,
  type ForgejoLife,
  labelsOf,
  openForgejoLife,
  takeUp,
  toChange,
} from '../fakes/forgejo-life'

/*
 * What a forge does not take, and what happens to issue and branch while a run works: it is told in words, the work is
 * kept, and going on works. Git is real, over HTTP.
 */

let life: ForgejoLife | null = null
afterEach(async () => {
  expect(life?.errors).toEqual([])
  await life?.close()
  life = null
})

const open = async (kind: 'gitea' | 'forgejo'): Promise<ForgejoLife> => (life = await openForgejoLife(kind))
const summary = 'Made an index.'

/** Up to a development that has begun. */
async function developing(one: ForgejoLife): Promise<void> {
  await takeUp(one)
  await one.endRun({ plan: 'Make an index.' })
  await one.command('ai::validate_plan')
  await one.beginRun()
}

/** Up to a second development, which began on the branch of an open change. */
async function developingAgain(one: ForgejoLife): Promise<string> {
  await toChange(one)
  one.requestRun('development')
  await one.settle()
  return (await one.beginRun()).baseSha ?? ''
}

const own = async (one: ForgejoLife): Promise<unknown> =>
  (await one.git.repository()).ownBranch(one.mailbox().branchName ?? '')
const runs = (one: ForgejoLife): number => one.store.runs.listByMailbox(one.mailbox().id, 50, null).length
const pulls = (one: ForgejoLife): readonly number[] =>
  one.bench.server.seed
    .find(benchRepository)
    .issues.filter(({ pull, isOpen }) => pull !== null && isOpen)
    .map(({ number }) => number)

describe('a push', () => {
  const [hook, large] = ['Every commit names its issue.', 'pack exceeds maximum allowed size']
  it.each([
    ['to a protected branch', 'gitea', 'The branch is protected on the forge.', 'protect'],
    ['to a protected branch', 'forgejo', 'The branch is protected on the forge.', 'protect'],
    ['that a hook refuses', 'gitea', 'A hook of the forge refused the push.', hook],
    ['that is too large', 'forgejo', 'The push is too large for the forge.', large],
  ] as const)(
    '%s, on a %s, is told, kept, and pushed again by a retry',
    async (_why, kind, words, refusal) => {
      const one = await open(kind)
      await developing(one)
      const { protections } = one.bench.server.seed.find(benchRepository)
      if (refusal === 'protect')
        protections.push({ rule: 'agent/*', canPush: false, requiredApprovals: 0, statusContexts: [] })
      else one.bench.server.pushRefusal = refusal
      await one.endRun({ summary }, 1)
      expect(one.mailbox()).toMatchObject({ status: 'blocked', needsYou: 'blocked', changeIid: null })
      expect(labelsOf(one)).toEqual(['status::blocked'])
      const told = commentsOf(one).at(-1)
      expect(told).toContain(words)
      if (refusal !== 'protect') expect(told).toContain(refusal)
      expect(told).toContain('They are kept on the computer that runs Alfred.')
      expect(await one.onForge()).toBeNull()
      const kept = await own(one)
      expect(kept).toMatchObject({ value: expect.stringMatching(/^[0-9a-f]{40}$/) as string })

      // Nothing has changed: it is told again, once.
      await one.command('ai::retry')
      expect(one.mailbox().status).toBe('blocked')
      expect(commentsOf(one).filter((body) => body.includes(words))).toHaveLength(2)

      protections.length = 0
      one.bench.server.pushRefusal = null
      const before = runs(one)
      await one.command('ai::retry')
      expect(await own(one)).toEqual({ ok: true, value: await one.onForge() })
      expect(one.mailbox()).toMatchObject({ status: 'in_development', needsYou: null, changeIid: 2 })
      expect(commentsOf(one).at(-1)).toContain('The work is done: #2.')
      expect(runs(one)).toBe(before)
    },
  )

  it('that was refused is done anew when a person says what has to be different', async () => {
    const one = await open('forgejo')
    await developing(one)
    one.bench.server.pushRefusal = 'Every commit names its issue.'
    await one.endRun({ summary }, 1)
    one.bench.server.pushRefusal = null
    await one.bench.ask('POST', '/issues/1/comments', { body: 'Name the issue in the commit.' })
    await one.command('ai::retry')
    expect(one.liveRun()).toMatchObject({ phase: 'development', trigger: 'retry' })
    await one.endRun({ summary }, 1)
    expect(one.mailbox()).toMatchObject({ changeIid: 2, needsYou: null })
  })
})

describe('a branch, while a run works on it,', () => {
  it('is pushed to by a person: Alfred writes over nothing, and goes on from there', async () => {
    const one = await open('gitea')
    await developingAgain(one)
    const branch = one.mailbox().branchName ?? ''
    const theirs = await one.bench.server.seed.commit(
      benchRepository,
      branch,
      { 'theirs.txt': 'x\n' },
      { by: 'dev', from: branch },
    )
    await one.endRun({ summary }, 1)
    expect(one.mailbox()).toMatchObject({ status: 'blocked', needsYou: 'blocked' })
    expect(commentsOf(one).at(-1)).toContain('Alfred does not write over the work of others.')
    expect(await one.onForge()).toBe(theirs)
    await one.command('ai::retry')
    expect((await one.beginRun()).baseSha).toBe(theirs)
    await one.endRun({ summary }, 1)
    expect(one.mailbox()).toMatchObject({ status: 'in_development', needsYou: null })
    expect(await own(one)).toEqual({ ok: true, value: await one.onForge() })
    expect(pulls(one)).toEqual([2])
  })

  it.each([
    ['deleted', 'gitea'],
    ['renamed', 'forgejo'],
  ] as const)('is %s on a %s: nothing is pushed until a person says so', async (what, kind) => {
    const one = await open(kind)
    await developingAgain(one)
    const branch = one.mailbox().branchName ?? ''
    if (what === 'renamed')
      await one.bench.server.seed.commit(benchRepository, 'other', {}, { by: 'dev', from: branch })
    await one.bench.ask('DELETE', `/branches/${branch}`)
    await one.settle()
    expect(one.stopped).toEqual([])
    await one.endRun({ summary }, 1)
    expect(one.mailbox()).toMatchObject({ status: 'blocked', needsYou: 'blocked', branchName: branch })
    expect(commentsOf(one).at(-1)).toMatch(/is not on the forge any more: it was renamed or deleted/)
    expect(await one.onForge(branch)).toBeNull()
    const kept = await own(one)
    await one.settle(6)
    expect(await one.onForge(branch)).toBeNull()

    const before = runs(one)
    await one.command('ai::retry')
    expect(kept).toEqual({ ok: true, value: await one.onForge(branch) })
    expect(one.mailbox()).toMatchObject({ status: 'in_development', needsYou: null, changeIid: 3 })
    expect(runs(one)).toBe(before)
  })

  it.each(['gitea', 'forgejo'] as const)(
    'is deleted on a %s once more after it was made anew: nothing is pushed until a person says so again',
    async (kind) => {
      const one = await open(kind)
      await developingAgain(one)
      const branch = one.mailbox().branchName ?? ''
      const remove = () => one.bench.ask('DELETE', `/branches/${branch}`)
      await remove()
      await one.endRun({ summary }, 1)
      const gone = () => commentsOf(one).filter((body) => body.includes('is not on the forge any more'))
      expect(gone()).toHaveLength(1)

      // The branch is there again, but no change for it.
      const { faults } = one.bench.server
      faults.add({ fault: { kind: 'html', status: 403 }, method: 'POST', path: /\/pulls$/ })
      await one.command('ai::retry')
      expect(one.mailbox().status).toBe('blocked')
      const head = await one.onForge(branch)
      expect(head).not.toBeNull()
      faults.clear()
      await remove()
      // Longer than a forge takes to know of a push.
      one.bench.clock.advance(120_000)
      await one.settle()

      await one.command('ai::retry')
      expect(gone()).toHaveLength(2)
      expect(await one.onForge(branch)).toBeNull()
      expect(one.mailbox()).toMatchObject({ status: 'blocked', needsYou: 'blocked', branchName: branch })
      expect(await own(one)).toEqual({ ok: true, value: head })

      await one.command('ai::retry')
      expect(await one.onForge(branch)).toBe(head)
      expect(one.mailbox()).toMatchObject({ status: 'in_development', needsYou: null, changeIid: 3 })
    },
  )

  it('loses the branch that its change goes to: told, kept, and gone on with once that is back', async () => {
    const one = await open('forgejo')
    await developing(one)
    const { git } = one.bench.server
    const { id } = one.bench.server.seed.find(benchRepository)
    const main = (await one.onForge('main')) ?? ''
    await git.git(id, ['update-ref', '-d', 'refs/heads/main'])
    await one.bench.server.seed.tellBranches(benchRepository)
    await one.endRun({ summary }, 1)
    expect(one.mailbox()).toMatchObject({ status: 'blocked', changeIid: null })
    expect(commentsOf(one).at(-1)).toContain('no branch main, with which this work began')
    await git.git(id, ['update-ref', 'refs/heads/main', main])
    await one.bench.server.seed.tellBranches(benchRepository)
    await one.command('ai::retry')
    expect(one.mailbox()).toMatchObject({ status: 'in_development', needsYou: null, changeIid: 2 })
  })
})

it.each(['before a run begins', 'while a run works'])(
  'a default branch that is renamed %s is followed, for the push and for the change',
  async (when) => {
    const one = await open('gitea')
    await developing(one)
    if (when === 'before a run begins') {
      await one.endRun({}, 0, { failure: { type: 'agent_failed', message: 'x' } })
      one.requestRun('development')
    }
    const { git, seed } = one.bench.server
    const repository = seed.find(benchRepository)
    await git.git(repository.id, ['branch', '-m', 'main', 'trunk'])
    repository.defaultBranch = 'trunk'
    await seed.tellBranches(benchRepository)
    await one.endRun({ summary }, 1)
    expect(one.mailbox()).toMatchObject({ changeIid: 2, needsYou: null })
    expect(repository.issues.find(({ number }) => number === 2)?.pull?.base).toBe('trunk')
    expect(one.store.forges.getProject(one.project.id).defaultBranch).toBe('trunk')
  },
)

describe('an issue, while a run works on it,', () => {
  const close = (isOpen: boolean) => ({ state: isOpen ? 'open' : 'closed' })
  it.each([
    ['closed', 'gitea', 'The issue was closed.', close(false), close(true)],
    [
      'taken away',
      'forgejo',
      'The issue was taken away from Alfred.',
      { assignees: [] },
      { assignees: ['alfred-bot'] },
    ],
  ] as const)(
    'is %s on a %s: the run is paused, nothing is pushed, and it goes on',
    async (_what, kind, reason, away, back) => {
      const one = await open(kind)
      await developing(one)
      await one.bench.ask('PATCH', '/issues/1', away)
      await one.settle()
      expect(one.stopped.at(-1)).toMatchObject({ reason: { type: 'forge_changed', message: reason } })
      const before = commentsOf(one)
      await one.endRun({}, 1, { failure: { type: 'forge_changed', message: reason } })
      const kept = await own(one)
      expect(kept).toMatchObject({ value: expect.stringMatching(/^[0-9a-f]{40}$/) })
      expect(await one.onForge()).toBeNull()
      expect(commentsOf(one)).toEqual(before)
      await one.bench.ask('PATCH', '/issues/1', back)
      await one.settle()
      expect(one.liveRun()).toMatchObject({ phase: 'development', trigger: 'assigned' })
      expect(kept).toEqual({ ok: true, value: (await one.beginRun()).baseSha })
      await one.endRun({ summary }, 1)
      expect(one.mailbox()).toMatchObject({ changeIid: 2, needsYou: null })
    },
  )

  it('is closed between the end of the run and the push: the posts wait, and say why', async () => {
    const one = await open('forgejo')
    await developing(one)
    await one.bench.ask('PATCH', '/issues/1', close(false))
    await one.endRun({ summary }, 1)
    const push = one.store.outbox.listByMailbox(one.mailbox().id).find((post) => post.kind === 'push')
    expect(push).toMatchObject({ state: 'waiting', lastError: 'Waits: the issue is closed.' })
    expect(await one.onForge()).toBeNull()
    await one.bench.ask('PATCH', '/issues/1', close(true))
    await one.settle()
    expect(one.mailbox()).toMatchObject({ changeIid: 2, needsYou: null })
  })

  it('loses the label by which it was taken up: paused, and gone on with once it is back', async () => {
    const one = await open('gitea')
    one.store.settings.set('project', one.project.id, 'AGENT_TRIGGER_LABEL', 'robots', 1)
    const label = one.bench.labelId('robots')
    await one.bench.ask('POST', '/issues', { title: 'Slow search', labels: [label] })
    await one.settle()
    expect(one.liveRun()).toMatchObject({ phase: 'analysis', trigger: 'trigger_label' })
    await one.bench.ask('DELETE', `/issues/1/labels/${label}`)
    await one.settle()
    expect(one.stopped.at(-1)?.reason.message).toBe(
      'The issue was taken away from Alfred: it is not assigned to it and has no label robots.',
    )
    await one.endRun({}, 0, { failure: { type: 'forge_changed', message: 'x' } })
    expect(one.liveRun()).toBeNull()
    await one.command('robots')
    expect(one.liveRun()).toMatchObject({ phase: 'analysis', trigger: 'trigger_label' })
    await one.endRun({ plan: 'Make an index.' })
    await one.command('ai::validate_plan')
    await one.beginRun()
    await one.bench.ask('DELETE', `/issues/1/labels/${label}`)
    await one.settle()
    await one.endRun({}, 1, { failure: { type: 'forge_changed', message: 'x' } })
    const kept = await own(one)
    expect(await one.onForge()).toBeNull()
    await one.command('robots')
    expect(kept).toEqual({ ok: true, value: (await one.beginRun()).baseSha })
  })
  it('is retitled: the work waits for another validation, and is published under the name that it began with', async () => {
    const one = await open('gitea')
    await developing(one)
    const branch = one.mailbox().branchName ?? ''
    await one.bench.ask('PATCH', '/issues/1', { title: 'Fast search' })
    await one.settle()
    expect(one.stopped).toEqual([])
    await one.endRun({ summary }, 1)
    expect(one.mailbox()).toMatchObject({
      title: 'Fast search',
      branchName: branch,
      status: 'waiting_validation',
      needsYou: 'validate_plan',
    })
    expect(commentsOf(one).at(-1)).toContain('Title or description have changed')
    expect(await one.onForge()).toBeNull()
    const before = runs(one)
    await one.command('ai::validate_plan')
    expect(one.mailbox()).toMatchObject({ changeIid: 2, branchName: branch, needsYou: null })
    expect(await own(one)).toEqual({ ok: true, value: await one.onForge(branch) })
    expect(runs(one)).toBe(before)
  })
})
