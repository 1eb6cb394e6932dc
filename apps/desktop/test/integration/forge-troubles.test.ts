import { afterEach, expect, it } from 'vitest'
import type { ForgeIssue } from '../fakes/forge-server/forge-model'
import { startForgeServer, type ForgeServer } from '../fakes/forge-server/forge-server'
import type { ForgeServerKind } from '../fakes/forge-server/forge-traits'
import { expectOk, openTrialEngine, type TrialEngine } from '../try-forge/trial-engine'

/*
 * What people do to an issue, its branch and its change while Alfred works on it, on the running engine: the demo agent in
 * real containers, real git over HTTP.
 */

const path = 'acme/shop'

let forge: ForgeServer
let engine: TrialEngine
afterEach(async () => {
  await engine.remove()
  await forge.close()
})

async function begin(kind: ForgeServerKind): Promise<void> {
  forge = await startForgeServer({ kind })
  for (const login of ['alfred-bot', 'dev']) forge.seed.user(login)
  forge.seed.organization('acme', { 'alfred-bot': 'write', dev: 'write' })
  await forge.seed.repository(path)
  engine = await openTrialEngine(1_000, 300)
  const token = forge.seed.token('alfred-bot', ['read:user', 'write:issue', 'write:repository'])
  const target = { url: forge.url, caFile: null, token }
  expectOk(await engine.client.call('forges', 'add', { ...target, projects: [path], mayKeepInFile: false }))
}

/** A request of the person. */
async function ask(method: string, address: string, body: unknown): Promise<void> {
  const answer = await fetch(`${forge.url}/api/v1/repos/${path}${address}`, {
    method,
    headers: { authorization: `token ${forge.seed.token('dev')}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  expect([method, address, answer.ok ? 'done' : await answer.text()]).toEqual([method, address, 'done'])
}
const command = (name: string): Promise<void> => {
  const known = forge.seed.find(path).labels.find((label) => label.name === name)
  return ask('POST', '/issues/1/labels', { labels: [(known ?? forge.seed.label(path, name)).id] })
}

const issue = (): ForgeIssue | undefined => forge.seed.find(path).issues[0]
const lastComment = (): string => issue()?.entries.findLast(({ type }) => type === 'comment')?.body ?? ''
const branches = (): readonly string[] => [...forge.seed.find(path).branches.keys()].toSorted()

const until = async (what: string, holds: () => boolean | Promise<boolean>): Promise<void> =>
  void (await engine.until(what, async () => ((await holds()) ? true : null), {
    signal: new AbortController().signal,
    patienceMs: 90_000,
  }))
const untilStatus = (status: string): Promise<void> =>
  until(
    status,
    () =>
      issue()
        ?.labels.map(({ name }) => name)
        .join() === `status::${status}`,
  )

async function mailbox() {
  const found = expectOk(await engine.client.call('mailboxes', 'find', { projectPath: path, iid: 1 }))
  if (found === null) throw new Error('The issue is not known.')
  return expectOk(await engine.client.call('mailboxes', 'get', { mailboxId: found.mailboxId }))
}
async function runs() {
  const { id } = await mailbox()
  const page = await engine.client.call('sessions', 'timeline', {
    mailboxId: id,
    beforeRunId: null,
    limit: 20,
  })
  return expectOk(page).rows
}
async function latest() {
  const row = (await runs()).at(-1)
  if (row === undefined) throw new Error('There is no run.')
  return expectOk(await engine.client.call('runs', 'get', { runId: row.runId }))
}

/** Up to a development whose agent works. */
async function developing(): Promise<void> {
  await ask('POST', '/issues', { title: 'Add a slug helper', body: '', assignees: ['alfred-bot'] })
  await untilStatus('waiting_validation')
  await command('ai::validate_plan')
  await until('the development', async () => {
    const { row } = await latest()
    return row.phase === 'development' && row.state === 'running'
  })
}

it('an issue that is closed in mid-run, a branch that is protected, a squash', async () => {
  await begin('gitea')
  await developing()
  await ask('PATCH', '/issues/1', { state: 'closed' })
  await until('the pause', async () => (await latest()).row.outcome === 'stopped')
  expect((await latest()).failure).toMatchObject({ type: 'forge_changed', message: 'The issue was closed.' })
  expect(branches()).toEqual(['main'])

  const protection = { rule: 'agent/*', canPush: false, requiredApprovals: 0, statusContexts: [] }
  forge.seed.find(path).protections.push(protection)
  await ask('PATCH', '/issues/1', { state: 'open' })
  await untilStatus('blocked')
  // The one that goes on remembers the one that was paused.
  expect((await latest()).row).toMatchObject({ phase: 'development', outcome: 'succeeded', badge: 'resumed' })
  await until('the words', () => lastComment().includes('The branch is protected on the forge.'))
  expect(branches()).toEqual(['main'])

  forge.seed.find(path).protections.length = 0
  const before = (await runs()).length
  await command('ai::retry')
  await until('the change', () => lastComment().includes('The work is done: #2.'))
  expect(await runs()).toHaveLength(before)
  const branch = (await mailbox()).branchName ?? ''
  expect(branches()).toEqual([branch, 'main'])

  await ask('POST', '/pulls/2/merge', { Do: 'squash' })
  await untilStatus('done')
  await until('the branch to go', () => branches().join() === 'main')
})

it('a branch that is deleted in mid-run, and a change that is closed', async () => {
  await begin('forgejo')
  await developing()
  await until('the change', () => lastComment().includes('The work is done: #2.'))
  const { id, branchName } = await mailbox()
  const again = { mailboxId: id, phase: 'development', resumeChoice: 'auto' } as const
  expectOk(await engine.client.call('runs', 'request', again))
  await until('the second development', async () => (await latest()).row.state === 'running')
  await ask('DELETE', `/branches/${branchName ?? ''}`, undefined)
  await untilStatus('blocked')
  await until('the words', () => lastComment().includes('it was renamed or deleted while Alfred worked'))
  expect(branches()).toEqual(['main'])

  const before = (await runs()).length
  await command('ai::retry')
  await until('the next change', () => lastComment().includes('The work is done: #3.'))
  expect(await runs()).toHaveLength(before)
  expect(branches()).toEqual([branchName, 'main'])

  await ask('PATCH', '/pulls/3', { state: 'closed' })
  await untilStatus('done')
  await until('the words', () => lastComment().includes('closed without being merged'))
  expect(branches()).toEqual([branchName, 'main'])
})
