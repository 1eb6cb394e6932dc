import { afterEach, describe, expect, it } from 'vitest'
import { commentsOf, type ForgejoLife, openForgejoLife, takeUp } from '../fakes/forgejo-life'

/*
 * A plan that is validated a second time, for an issue that was changed since: what a person decided meanwhile counts,
 * and so does only what they could see.
 */

let life: ForgejoLife | null = null
afterEach(async () => {
  expect(life?.errors).toEqual([])
  await life?.close()
  life = null
})

async function toDevelopment(kind: Parameters<typeof openForgejoLife>[0]): Promise<ForgejoLife> {
  life = await openForgejoLife(kind)
  await takeUp(life)
  await life.endRun({ plan: 'Make an index.', functionalAnalysis: 'Under a second.' })
  await life.command('ai::validate_plan')
  return life
}

const setTitle = async (one: ForgejoLife, title: string): Promise<void> => {
  await one.bench.ask('PATCH', '/issues/1', { title })
}

const saying = (one: ForgejoLife, words: string): number =>
  commentsOf(one).filter((body) => body.includes(words)).length

const CHANGED = 'Title or description have changed since the plan was validated'
const AS_BEFORE = 'are as they were validated again'

describe.each(['gitea', 'gitea-1.26-dev', 'forgejo'] as const)('a second validation on a %s', (kind) => {
  it.each(['discards', 'goes on without'] as const)(
    'develops anew where a person %s the commits that waited for them',
    async (answer) => {
      const one = await toDevelopment(kind)
      await one.endRun({ summary: 'Made an index.' }, 1, {
        files: { '.gitea/workflows/ci.yml': 'on: push\n' },
      })
      expect(one.mailbox().needsYou).toBe('push_needs_person')
      const head = one.lastRun().headSha ?? ''
      if (answer === 'discards') {
        expect(await one.service().discardPush(one.mailbox().id, head, 'ada')).toMatchObject({ ok: true })
      } else {
        // Of a closed issue, so that no run follows at once.
        await one.bench.ask('PATCH', '/issues/1', { state: 'closed' })
        await one.settle()
        expect(await one.service().goOnWithout(one.mailbox().id, head, 'ada')).toMatchObject({ ok: true })
        await one.bench.ask('PATCH', '/issues/1', { state: 'open' })
      }
      await one.settle()
      await setTitle(one, 'Slower search')
      await one.command('ai::retry')
      expect(one.mailbox()).toMatchObject({ status: 'waiting_validation', needsYou: 'validate_plan' })
      await one.command('ai::validate_plan')
      expect(one.liveRun()).toMatchObject({ phase: 'development', trigger: 'plan_validated' })
      expect(await one.onForge()).toBeNull()
    },
  )

  it('counts for what was on the screen, though it was asked about before', async () => {
    const one = await toDevelopment(kind)
    await setTitle(one, 'Delete the search')
    await one.endRun({ summary: 'Made an index.' }, 1)
    expect(saying(one, CHANGED)).toBe(1)
    await setTitle(one, 'Slow search')
    await one.settle()
    expect(saying(one, AS_BEFORE)).toBe(1)

    const labels = [one.bench.labelId('ai::validate_plan')]
    await one.bench.ask('POST', '/issues/1/labels', { labels })
    await setTitle(one, 'Delete the search')
    await one.settle()
    expect(one.mailbox()).toMatchObject({ status: 'waiting_validation', needsYou: 'validate_plan' })
    expect(await one.onForge()).toBeNull()
    expect(saying(one, CHANGED)).toBe(2)

    await one.command('ai::validate_plan')
    expect(one.mailbox()).toMatchObject({ status: 'in_development', changeIid: 2 })
    expect(await one.onForge()).toBe(one.lastRun().headSha)
  })

  it('makes the branch anew where a person knows that it is gone, which they said before it', async () => {
    const one = await toDevelopment(kind)
    await one.endRun({ summary: 'Made an index.' }, 1)
    expect(one.mailbox().changeIid).toBe(2)
    one.requestRun('development')
    await one.beginRun()
    await one.bench.ask('DELETE', `/branches/${one.mailbox().branchName}`)
    await one.endRun({ summary: 'Made another index.' }, 1)
    expect(one.mailbox().status).toBe('blocked')
    await setTitle(one, 'Slower search')
    await one.command('ai::retry')
    expect(one.mailbox()).toMatchObject({ status: 'waiting_validation', needsYou: 'validate_plan' })
    expect(await one.onForge()).toBeNull()
    await one.command('ai::validate_plan')
    expect(await one.onForge()).toBe(one.lastRun().headSha)
    expect(one.mailbox().status).toBe('in_development')
  })
})
