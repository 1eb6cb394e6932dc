import { afterEach, describe, expect, it } from 'vitest'
import { parseMarker } from '@main/core/workflow/markers'
import { settlePushed } from '../fakes/forge-server/acts/pushed'
import type { ForgeIssue } from '../fakes/forge-server/forge-model'
import { startForgeServer, type ForgeServer } from '../fakes/forge-server/forge-server'
import type { ForgeServerKind } from '../fakes/forge-server/forge-traits'
import { readRecordedScene } from '../fixtures/forge-recordings'
import { unheldRequests } from '../contract/forge-replay/held-requests'
import { expectOk, openTrialEngine, type TrialEngine } from '../try-forge/trial-engine'

/*
 * Scene 22, the whole life of one issue, done by Alfred itself: the engine with the demo agent in containers, git over
 * HTTP, from the first poll to the cleanup. What the person did then, a person does here; where Alfred leaves a thing to
 * people that the recorded bot did (red checks, reviews, conflicts), the person does that too.
 */

const path = 'acme/life'
const branch = 'alfred/issue-1-add-a-search-box'

let forge: ForgeServer
let engine: TrialEngine
afterEach(async () => {
  await engine.remove()
  await forge.close()
})

const recorded = readRecordedScene('gitea', '22-life-of-an-issue').exchanges
const bodiesOf = (who: string, method: string, pattern: RegExp): readonly Record<string, unknown>[] =>
  recorded.flatMap(({ as, request }) =>
    as === who && request?.method === method && pattern.test(request.path)
      ? [request.body as Record<string, unknown>]
      : [],
  )

async function begin(kind: ForgeServerKind): Promise<void> {
  forge = await startForgeServer({ kind, subPath: '/git' })
  forge.seed.user('alfred-bot')
  forge.seed.user('dev')
  forge.seed.organization('acme', { 'alfred-bot': 'write', dev: 'write' })
  await forge.seed.repository(path)
  engine = await openTrialEngine(1_000)
  const { client } = engine
  const prefix = { scope: 'app', scopeId: 0, key: 'BRANCH_PREFIX', value: 'alfred/' } as const
  expectOk(await client.call('settings', 'set', prefix))
  expectOk(
    await client.call('forges', 'add', {
      url: forge.url,
      caFile: null,
      token: forge.seed.token('alfred-bot', ['read:user', 'write:issue', 'write:repository']),
      projects: [path],
      mayKeepInFile: false,
    }),
  )
}

/** A request of the person. */
async function ask(method: string, address: string, body: unknown): Promise<unknown> {
  const answer = await fetch(`${forge.url}/api/v1/repos/${path}${address}`, {
    method,
    headers: { authorization: `token ${forge.seed.token('dev')}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  const text = await answer.text()
  expect([method, address, answer.status < 300 ? 'done' : text]).toEqual([method, address, 'done'])
  return text === '' ? null : JSON.parse(text)
}

const issueNumber = (number: number): ForgeIssue => {
  const found = forge.seed.find(path).issues.find((issue) => issue.number === number)
  if (found === undefined) throw new Error(`There is no #${number}.`)
  return found
}
const labels = (): readonly string[] => issueNumber(1).labels.map(({ name }) => name)
const kinds = (): readonly string[] =>
  issueNumber(1)
    .entries.filter(({ type, user }) => type === 'comment' && user.login === 'alfred-bot')
    .flatMap(({ body }) => parseMarker(body)?.kind ?? [])
/** Status labels that Alfred set, in their order. */
const statuses = (): readonly string[] =>
  issueNumber(1).entries.flatMap(({ type, body, user, label }) =>
    type === 'label' &&
    body === '1' &&
    user.login === 'alfred-bot' &&
    label?.name.startsWith('status::') === true
      ? [label.name]
      : [],
  )

const until = async (what: string, holds: () => boolean | Promise<boolean>): Promise<void> =>
  void (await engine.until(what, async () => ((await holds()) ? true : null), {
    signal: new AbortController().signal,
    patienceMs: 90_000,
  }))
const untilStatus = (status: string): Promise<void> =>
  until(status, () => labels().join() === `status::${status}`)
async function mailbox() {
  const { client } = engine
  const found = expectOk(await client.call('mailboxes', 'find', { projectPath: path, iid: 1 }))
  if (found === null) throw new Error('The issue is not known.')
  return expectOk(await client.call('mailboxes', 'get', { mailboxId: found.mailboxId }))
}
const needsYou = (): Promise<void> =>
  until('a person is asked', async () => (await mailbox()).needsYou !== null)

const push = (files: Readonly<Record<string, string>>, message: string, on = branch): Promise<string> =>
  forge.seed.commit(path, on, files, { by: 'dev', message })
const head = (): string => forge.seed.find(path).branches.get(branch) ?? ''
const setStatus = (state: string): Promise<unknown> =>
  ask('POST', `/statuses/${head()}`, { context: 'ci/test', state })

/** The conflict is resolved by a merge that keeps the branch's own files. */
async function resolveConflict(): Promise<void> {
  const repository = forge.seed.find(path)
  const { git } = forge
  const parents = ['-p', branch, '-p', 'main']
  const who = { name: 'dev', email: 'dev@forge.example' }
  const sha = await git.git(
    repository.id,
    ['commit-tree', `${branch}^{tree}`, ...parents, '-m', 'Merge main'],
    who,
    Math.floor(Date.now() / 1_000),
  )
  await git.git(repository.id, ['update-ref', `refs/heads/${branch}`, sha])
  await settlePushed(forge, repository, forge.seed.person('dev'))
}

describe.each(['gitea', 'forgejo'] as const)('the whole life of an issue on a %s', (kind) => {
  it('is done by Alfred as it was recorded', async () => {
    await begin(kind)
    const [opened] = bodiesOf('dev', 'POST', /\/issues$/)
    const text = String(opened?.['body'])
    await ask('POST', '/issues', opened)
    await untilStatus('waiting_validation')
    expect(kinds()).toEqual(['acknowledgement', 'plan'])
    // The rest of the description is as it was.
    expect(issueNumber(1).body.startsWith(text.trimEnd())).toBe(true)
    expect(issueNumber(1).body).toContain('<!-- agent:section:start -->')

    const waiting = issueNumber(1).labels.find(({ name }) => name === 'status::waiting_validation')
    await ask('DELETE', `/issues/1/labels/${String(waiting?.id)}`, undefined)
    await until('the status is put back', () => kinds().includes('status_label_restored'))
    await untilStatus('waiting_validation')
    await ask('POST', '/issues/1/comments', { body: '@alfred-bot use the existing `GET /search`.' })

    await ask('POST', '/labels', { name: 'ai::validate_plan', color: '00aa00' })
    await ask('POST', '/issues/1/labels', { labels: ['ai::validate_plan'] })
    await until('the change', () => kinds().includes('change_opened'))
    expect(labels()).toEqual(['status::in_development'])
    const change = issueNumber(2)
    expect(change.pull).toMatchObject({ head: branch, base: 'main', headSha: head() })
    expect(change.body).toMatch(/\n\nCloses #1$/)
    expect((await mailbox()).branchName).toBe(branch)

    await setStatus('pending')
    await untilStatus('in_ci')
    await setStatus('failure')
    await needsYou()
    await push({ 'search.txt': 'field, fixed\n' }, 'Fix the test')
    await setStatus('success')
    await untilStatus('in_review')
    expect((await mailbox()).needsYou).toBeNull()

    const [review, approval] = bodiesOf('dev', 'POST', /\/reviews$/)
    await ask('POST', '/pulls/2/reviews', review)
    await needsYou()
    await push({ 'search.txt': 'query\n' }, 'Name it query')
    await push({ 'search.txt': 'other words\n' }, 'Other words', 'main')
    await resolveConflict()
    await ask('POST', '/pulls/2/reviews', approval)
    await ask('POST', '/pulls/2/merge', bodiesOf('dev', 'POST', /\/merge$/)[0])
    await untilStatus('done')
    await until('the issue is closed', async () => !(await mailbox()).isOpen)
    expect(issueNumber(1).isOpen).toBe(false)
    expect(issueNumber(2).pull?.mergedAt).not.toBeNull()

    // As recorded: the same statuses in the same order, one more that the recorded bot does not know.
    const recordedStatuses = bodiesOf('alfred-bot', 'POST', /\/issues\/1\/labels$/).flatMap(
      ({ labels: names }) => names as string[],
    )
    expect(statuses().filter((name) => name !== 'status::technical_analysis')).toEqual(recordedStatuses)
    expect(kinds().join(', ')).toBe(
      'acknowledgement, plan, status_label_restored, plan_validated, change_opened',
    )

    const { id } = await mailbox()
    const sessions = expectOk(await engine.client.call('sessions', 'records', { mailboxId: id, limit: 10 }))
    expect(sessions.filter(({ resumed }) => resumed)).toHaveLength(1)
    const cleaned = await engine.client.call('mailboxes', 'cleanUp', { mailboxId: id, force: false })
    expect(cleaned).toEqual({ ok: true, value: { memoryRemoved: true } })
    expect((await mailbox()).memoryRemovedAt).not.toBeNull()
    // A person pushed to it last, so it is not Alfred's to delete.
    expect(forge.seed.find(path).branches.has(branch)).toBe(true)
    expect(unheldRequests(forge.requests)).toEqual([])
  })
})
