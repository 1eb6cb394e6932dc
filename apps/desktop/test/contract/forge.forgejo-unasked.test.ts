import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { statusPageSchema } from '@main/adapters/forge/forgejo/parsers'
import { createGit } from '@main/adapters/git/create-git'
import { benchRepository } from '../fakes/forgejo-bench'
import { type ForgejoLife, issueOf, labelsOf, openForgejoLife, takeUp, toChange } from '../fakes/forgejo-life'
import { readRecordedScene, recordedServers } from '../fixtures/forge-recordings'

/*
 * What surprised on real servers about requests that Alfred does not make, by its number in the list that came with the
 * recordings: that it does not make them, and that it is not led astray when others do.
 */

const kinds = ['gitea', 'gitea-1.26-dev', 'forgejo'] as const

let life: ForgejoLife | null = null
afterEach(async () => {
  expect(life?.errors ?? []).toEqual([])
  await life?.close()
  life = null
})

const asked = ({ bench }: ForgejoLife, pattern: RegExp): readonly string[] =>
  bench.server.requests.flatMap(({ method, address }) => {
    const line = `${method} ${address}`
    return pattern.test(line) ? [line] : []
  })

/** As the person; a refusal is what is looked for. */
async function statusOf(
  { bench }: ForgejoLife,
  method: string,
  path: string,
  body?: unknown,
): Promise<number> {
  const answer = await fetch(`${bench.server.url}/api/v1/repos/${benchRepository}${path}`, {
    method,
    headers: { authorization: `token ${bench.server.seed.token('dev')}`, 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  await answer.arrayBuffer()
  return answer.status
}

describe.each(kinds)('on a %s', (kind) => {
  it('[2] a search shows what is none of Alfred’s business: public issues of strangers, and archives', async () => {
    const one = (life = await openForgejoLife(kind))
    const { seed } = one.bench.server
    seed.user('stranger')
    await seed.repository('stranger/square', { isPrivate: false })
    seed.issue('stranger/square', { title: 'Theirs', by: 'stranger' })
    await seed.repository('acme/attic', { isArchived: true })
    seed.issue('acme/attic', { title: 'Old', by: 'dev', assignees: ['alfred-bot'] })
    const found = await fetch(`${one.bench.server.url}/api/v1/repos/issues/search?type=issues`, {
      headers: { authorization: `token ${one.bench.token}` },
    })
    const titles = ((await found.json()) as { title: string }[]).map(({ title }) => title)
    expect(titles.toSorted()).toEqual(['Old', 'Theirs'])
    await one.settle()
    expect(one.store.mailboxes.listOpen(one.project.id)).toEqual([])
    await takeUp(one)
    expect(one.mailbox().title).toBe('Slow search')
    const issues = ['stranger/square', 'acme/attic'].flatMap((path) => seed.find(path).issues)
    expect(issues.flatMap(({ entries }) => entries).filter(({ user }) => user.login === 'stranger')).toEqual(
      [],
    )
    expect(issues.flatMap(({ labels }) => labels)).toEqual([])
  })

  it('[8] an assignment that fails has taken everybody off: the run is paused, and goes on when Alfred is back', async () => {
    const one = (life = await openForgejoLife(kind))
    await takeUp(one)
    await one.beginRun()
    expect(await statusOf(one, 'PATCH', '/issues/1', { assignees: ['alfred-bot', 'nobody-here'] })).toBe(500)
    expect(issueOf(one).assignees).toEqual([])
    await one.settle()
    expect(one.stopped.map(({ reason }) => reason.type)).toContain('forge_changed')
    const [stop] = one.stopped
    await one.endRun({}, 0, { failure: stop?.reason ?? null })
    expect(one.liveRun()).toBeNull()
    await one.bench.ask('PATCH', '/issues/1', { assignees: ['alfred-bot'] })
    await one.settle()
    expect(one.liveRun()).toMatchObject({ phase: 'analysis' })
  })

  it('[10] what the forge says of permissions is not asked: who sets the label may write', async () => {
    const one = (life = await openForgejoLife(kind))
    // A member of a team has none, says Gitea, also to that person; Forgejo 11 looks at teams, as it was recorded.
    const said = (await one.bench.ask('GET', '/collaborators/dev/permission')) as { permission: string }
    expect(said.permission).toBe(kind === 'forgejo' ? 'write' : 'none')
    // Nobody who only writes may ask about somebody else, so Alfred could not.
    expect(await statusOf(one, 'GET', '/collaborators/alfred-bot/permission')).toBe(403)
    await toChange(one)
    expect(one.mailbox().changeIid).toBe(2)
    // The two of this test.
    expect(asked(one, /\/(collaborators|assignees)/)).toHaveLength(2)
  })

  it('[20] Alfred merges nothing, and a merge that is refused changes nothing', async () => {
    const one = (life = await openForgejoLife(kind))
    await toChange(one)
    const file = issueOf(one)
    await one.bench.server.seed.commit(benchRepository, 'main', { 'work.txt': 'otherwise\n' }, { by: 'dev' })
    const before = one.mailbox()
    expect(await statusOf(one, 'POST', '/pulls/2/merge', { Do: 'merge' })).toBe(405)
    await one.settle()
    expect(one.mailbox()).toMatchObject({ status: before.status, isOpen: true })
    expect(file.isOpen).toBe(true)
    expect(asked(one, /^POST .*\/merge$/)).toHaveLength(1)
  })

  it('[22] one branch is pushed at a time, so that a protected one refuses no other', async () => {
    const one = (life = await openForgejoLife(kind))
    one.bench.server.seed.protect(benchRepository, { rule: 'main' })
    await toChange(one)
    const { branches } = one.bench.server.seed.find(benchRepository)
    expect(new Set(branches.keys())).toEqual(new Set(['main', one.mailbox().branchName]))
  })

  it.each([
    ['a reader', 'read', ['all'], 'remote_refused'],
    ['a token without the scope', 'write', ['read:user', 'write:issue', 'read:repository'], 'unauthorized'],
  ] as const)('[22] a push of %s is refused in words', async (_, botMay, scopes, type) => {
    const one = (life = await openForgejoLife(kind))
    const { server, forge, project } = one.bench
    server.seed.person('acme').members.set(server.seed.person('alfred-bot').id, botMay)
    const found = await forge.remote(project)
    if (!found.ok) throw new Error(found.error.message)
    const remote = {
      ...found.value,
      credential: { username: 'alfred-bot', password: server.seed.token('alfred-bot', scopes) },
    }
    const folder = mkdtempSync(join(tmpdir(), 'alfred-push-'))
    try {
      const opened = await createGit({ scratchFolder: join(folder, 'scratch') }).openMailboxRepository(
        join(folder, 'mailbox.git'),
      )
      if (!opened.ok) throw new Error(opened.error.message)
      const { signal } = new AbortController()
      await opened.value.fetch(remote, signal)
      const sha = server.seed.find(benchRepository).branches.get('main') ?? ''
      const pushed = await opened.value.push(remote, 'agent/x', sha, null, signal)
      expect(pushed).toMatchObject({ ok: false, error: { type } })
      expect(JSON.stringify(pushed)).not.toContain(remote.credential.password)
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  })

  it('[27] where a status points to is not followed, and the number in it means nothing', async () => {
    const one = (life = await openForgejoLife(kind))
    await toChange(one)
    const { headSha } = issuePull(one)
    for (const [context, url] of [
      ['actions', `/${benchRepository}/actions/runs/17/jobs/0`],
      ['elsewhere', 'http://127.0.0.1:9/steal'],
    ]) {
      const status = { context, state: 'success', target_url: url }
      await one.bench.ask('POST', `/statuses/${headSha}`, status)
    }
    await one.settle()
    expect(labelsOf(one)).toEqual(['status::in_review'])
    expect(asked(one, /actions|steal/)).toEqual([])
  })

  it('[28] the list of runs is not asked for', async () => {
    const one = (life = await openForgejoLife(kind))
    await toChange(one)
    expect(asked(one, /\/actions\//)).toEqual([])
  })
})

const issuePull = ({ bench }: ForgejoLife) => {
  const pull = bench.server.seed.find(benchRepository).issues.find(({ number }) => number === 2)?.pull
  if (!pull) throw new Error('There is no change.')
  return pull
}

/** Exchanges of a recorded scene by the bot. */
const recorded = (server: (typeof recordedServers)[number], scene: string) =>
  readRecordedScene(server, scene).exchanges.filter(({ as }) => as === 'alfred-bot')

describe('[28] as it was recorded', () => {
  it.each(recordedServers)('on %s a writer reads the state of the checks from the commit', (server) => {
    const exchanges = recorded(server, '21-actions')
    const lists = exchanges.filter(({ request }) => /\/actions\/runs(\?|$)/.test(request?.path ?? ''))
    const statuses = exchanges.filter(({ request }) =>
      /\/commits\/[^/]+\/status(\?|$)/.test(request?.path ?? ''),
    )
    if (server === 'gitea-1.26-dev') {
      expect(lists.map(({ response }) => response?.status)).toContain(403)
    }
    expect(statuses.length).toBeGreaterThan(0)
    for (const { response } of statuses) {
      expect(response?.status).toBe(200)
      expect(statusPageSchema.safeParse(response?.body).success).toBe(true)
    }
  })
})

describe('[27] as it was recorded', () => {
  it.each(recordedServers)('on %s an address of Actions names no host', (server) => {
    const text = JSON.stringify(recorded(server, '21-actions').map(({ response }) => response?.body))
    const targets = [...text.matchAll(/"target_url":"([^"]*actions[^"]*)"/g)].map(([, target]) => target)
    expect(targets.length).toBeGreaterThan(0)
    expect(targets.filter((target) => !target?.startsWith('/'))).toEqual([])
  })
})
