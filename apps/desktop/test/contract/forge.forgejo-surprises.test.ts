import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { assertPresent } from '@shared/assert'
import type { Result } from '@shared/result'
import type { ForgeIssueSnapshot, IssuePage } from '@main/ports/forge'
import { benchRepository, type ForgejoBench, openForgejoBench } from '../fakes/forgejo-bench'

/*
 * What surprised us on real servers, by its number in the list that came with the recordings: the adapter against the
 * fake server, which is held to those recordings. Numbers that are missing here: 1, 3, 15 and 24 stand in poll.test.ts,
 * 14 and 19 in races.test.ts, 30 in forge.forgejo-whereabouts.test.ts, 32 in recordings.test.ts; 8, 10, 20, 22, 27 and 28,
 * which are about requests that the adapter does not make, and the search of 2 in forge.forgejo-unasked.test.ts.
 */

const branch = 'agent/issue-1-fix'

describe.each(['gitea', 'gitea-1.26-dev', 'forgejo'] as const)('a %s', (kind) => {
  let bench: ForgejoBench

  beforeAll(async () => {
    bench = await openForgejoBench({ kind })
  })
  afterAll(() => bench.server.close())

  const createIssue = (labels: readonly string[] = []): number => {
    for (const name of labels) bench.labelId(name)
    return bench.server.seed.issue(benchRepository, { title: 'x', by: 'dev', labels }).number
  }
  const read = async (iid: number, of: string | null = null): Promise<ForgeIssueSnapshot> =>
    value(await bench.forge.readIssue(bench.project, iid, of))
  const labelsOf = (iid: number) =>
    assertPresent(
      bench.server.seed.find(benchRepository).issues.find(({ number }) => number === iid),
      'the test made it',
    ).labels
  const push = (name: string, file = name): Promise<string> =>
    bench.server.seed.commit(benchRepository, name, { [`${file}.txt`]: `${name}\n` }, { by: 'dev' })
  const openChange = async (iid: number, sourceBranch: string, title = 'Fix') =>
    bench.forge.openChange(bench.project, {
      title,
      body: 'x',
      sourceBranch,
      targetBranch: 'main',
      closesIid: iid,
    })

  it('[5] has an issue without anything: null here and [] there', async () => {
    expect(await read(createIssue())).toMatchObject({
      issue: { labels: [], assignees: [], branchReference: null },
      comments: [],
      labelEvents: [],
      changes: [],
    })
  })

  it('[6] sets one label though two have its name, and takes both off', async () => {
    const [first, twin] = [1, 2].map(() => bench.server.seed.label(benchRepository, 'status::in_ci'))
    const iid = createIssue()
    value(await bench.forge.setStatus(bench.project, iid, 'in_ci'))
    expect(labelsOf(iid).map(({ id }) => id)).toEqual([first?.id])
    await bench.ask('POST', `/issues/${iid}/labels`, { labels: [twin?.id] })
    value(await bench.forge.setStatus(bench.project, iid, 'in_ci'))
    expect(labelsOf(iid).map(({ id }) => id)).toEqual([first?.id])
    await bench.ask('POST', `/issues/${iid}/labels`, { labels: [twin?.id] })
    value(await bench.forge.removeLabel(bench.project, iid, 'status::in_ci'))
    expect(labelsOf(iid)).toEqual([])
  })

  it('[6] takes a status off that somebody wrote in capitals, and makes the right one', async () => {
    const iid = createIssue(['Status::Done', 'STATUS::in_review', 'statuses'])
    value(await bench.forge.setStatus(bench.project, iid, 'done'))
    expect(
      labelsOf(iid)
        .map(({ name }) => name)
        .toSorted(),
    ).toEqual(['status::done', 'statuses'])
  })

  it('[6] takes the label of the organization before it makes one of its own', async () => {
    const shared = bench.server.seed.label('acme', 'status::blocked')
    const iid = createIssue()
    value(await bench.forge.setStatus(bench.project, iid, 'blocked'))
    expect(labelsOf(iid).map(({ id }) => id)).toEqual([shared.id])
  })

  it('[7] forgets who had set a label that was deleted, and knows one that was renamed by its new name', async () => {
    const iid = createIssue()
    for (const name of ['gone', 'renamed']) {
      await bench.ask('POST', `/issues/${iid}/labels`, { labels: [bench.labelId(name)] })
    }
    await bench.ask('DELETE', `/labels/${bench.labelId('gone')}`)
    await bench.ask('PATCH', `/labels/${bench.labelId('renamed')}`, { name: 'ai::retry' })
    const { labelEvents } = await read(iid)
    expect(labelEvents.map(({ label, action }) => [label, action])).toEqual([['ai::retry', 'added']])
  })

  it('[12] gives texts back byte for byte', async () => {
    const iid = createIssue()
    const texts = [' a\r\nb\rc\n\n', '<!-- a <!-- b --> -->', '😀 \u0001 é', 'x'.repeat(300_000)]
    for (const text of texts) value(await bench.forge.addComment(bench.project, iid, text))
    expect((await read(iid)).comments.map(({ body }) => body)).toEqual(texts)
    value(await bench.forge.editDescription(bench.project, iid, '', texts[0] ?? ''))
    expect((await read(iid)).issue.body).toBe(texts[0])
  })

  it('[12] keeps half a character as the server does, and knows its own text again', async () => {
    const iid = createIssue()
    value(await bench.forge.editDescription(bench.project, iid, '', 'a\ud800b'))
    expect((await read(iid)).issue.body).toBe('a\ufffdb')
    value(await bench.forge.editDescription(bench.project, iid, 'a\ud800b', 'c'))
    expect((await read(iid)).issue.body).toBe('c')
  })

  it("[13] shows an edit of Alfred's comment by somebody else only in its time", async () => {
    const iid = createIssue()
    const id = value(await bench.forge.addComment(bench.project, iid, 'mine'))
    bench.clock.advance(5_000)
    await bench.ask('PATCH', `/issues/comments/${id}`, { body: 'not mine' })
    const [comment] = (await read(iid)).comments
    expect(comment).toMatchObject({ body: 'not mine', author: { login: 'alfred-bot' } })
    expect(comment?.updatedAt).toBeGreaterThan(comment?.createdAt ?? 0)
  })

  it('[16] opens a change right after the first push, though the server does not know the branch yet', async () => {
    const iid = createIssue()
    const repository = bench.server.seed.find(benchRepository)
    const sha = await bench.server.git.commitFiles(repository.id, {
      branch: 'late',
      on: repository.branches.get('main') ?? null,
      files: { 'late.txt': '1\n' },
      message: 'late',
      by: { name: 'dev', email: 'dev@forge.example' },
      atSeconds: 1_700_000_000,
    })
    let waits = 0
    bench.onWait = async () => {
      if (++waits === 2) await bench.server.seed.tellBranches(benchRepository)
    }
    expect(value(await openChange(iid, 'late'))).toMatchObject({ headSha: sha, state: 'open' })
    expect(waits).toBe(2)
    bench.onWait = () => undefined
  })

  it('[17] finds the open change of a branch behind an older closed one', async () => {
    const iid = createIssue()
    await push('twice')
    const first = value(await openChange(iid, 'twice'))
    await bench.ask('PATCH', `/pulls/${first.iid}`, { state: 'closed' })
    const second = value(await openChange(iid, 'twice'))
    expect(second.iid).toBeGreaterThan(first.iid)
    expect(value(await openChange(iid, 'twice')).iid).toBe(second.iid)
    expect((await read(iid, 'twice')).changes.map((one) => [one.iid, one.state])).toEqual([
      [second.iid, 'open'],
      [first.iid, 'closed'],
    ])
  })

  it('[18] says of a branch that nobody pushed that it is not there (404 and 500)', async () => {
    expect(await openChange(createIssue(), 'never-pushed')).toMatchObject({
      error: { type: 'not_found', retryable: false },
    })
  })

  it('[21] knows a merged change by its branch after that is gone', async () => {
    const iid = createIssue()
    await push('cleaned-up')
    const opened = value(await openChange(iid, 'cleaned-up'))
    await bench.ask('POST', `/pulls/${opened.iid}/merge`, { Do: 'squash' })
    await bench.ask('DELETE', '/branches/cleaned-up')
    const after = await read(iid, 'cleaned-up')
    expect(after.branchExists).toBe(false)
    expect(after.changes).toMatchObject([
      { iid: opened.iid, sourceBranch: 'cleaned-up', state: 'merged', url: pageOf(`pulls/${opened.iid}`) },
    ])
    expect(after.changes[0]?.mergedSha).toMatch(/^[0-9a-f]{40}$/)
  })

  const pageOf = (page: string): string => `${bench.server.url}/${benchRepository}/${page}`

  it.each([0, 54])(
    '[25] folds the statuses of all pages: number %d fails, on whichever page it is',
    async (failing) => {
      const iid = createIssue()
      const name = `failing-${failing}`
      const sha = await push(name)
      value(await openChange(iid, name))
      for (let n = 0; n < 55; n++) {
        bench.server.seed.find(benchRepository).statuses.push({
          id: bench.server.state.idOf('status'),
          sha,
          context: `check ${n}`,
          state: n === failing ? 'failure' : 'success',
          description: '',
          targetUrl: '',
          creatorId: bench.server.seed.person('dev').id,
          at: bench.server.state.now(),
        })
      }
      expect((await read(iid, name)).headStatus).toBe('failure')
      await bench.ask('POST', `/statuses/${sha}`, { context: `check ${failing}`, state: 'success' })
      expect((await read(iid, name)).headStatus).toBe('success')
    },
  )

  it('[26] knows no status from one that waits, and waits for words that it does not know', async () => {
    const iid = createIssue()
    const sha = await push('checks')
    value(await openChange(iid, 'checks'))
    expect((await read(iid, 'checks')).headStatus).toBeNull()
    await bench.ask('POST', `/statuses/${sha}`, { context: 'a', state: 'green' })
    expect((await read(iid, 'checks')).headStatus).toBe('pending')
    await bench.ask('POST', `/statuses/${sha}`, { context: 'a', state: 'error' })
    expect((await read(iid, 'checks')).headStatus).toBe('failure')
  })

  it('[31] asks with methods that the server has', async () => {
    const iid = createIssue()
    const before = bench.server.requests.length
    value(await bench.forge.account())
    value(await bench.forge.listChangedIssues(bench.project, null))
    await push('methods')
    const opened = value(await openChange(iid, 'methods'))
    value(await bench.forge.setStatus(bench.project, iid, 'in_ci'))
    value(await bench.forge.setStatus(bench.project, iid, 'done'))
    value(await bench.forge.addComment(bench.project, iid, 'x'))
    value(await bench.forge.editDescription(bench.project, iid, '', 'x'))
    value(await bench.forge.closeChange(bench.project, opened.iid))
    const methods = bench.server.requests.slice(before).map(({ method }) => method)
    expect([...new Set(methods)].toSorted()).toEqual(['DELETE', 'GET', 'PATCH', 'POST'])
  })

  it('takes its change that a 500 hid, and posts a comment once', async () => {
    const iid = createIssue()
    await push('hidden')
    bench.server.faults.add({ fault: { kind: 'done_but_500' }, method: 'POST', path: /pulls/, times: 1 })
    const opened = value(await openChange(iid, 'hidden'))
    expect((await read(iid, 'hidden')).changes.map((one) => one.iid)).toEqual([opened.iid])
    bench.server.faults.add({ fault: { kind: 'done_but_500' }, method: 'POST', path: /comments/, times: 1 })
    expect(await bench.forge.addComment(bench.project, iid, 'once')).toMatchObject({
      error: { retryable: true },
    })
    expect((await read(iid)).comments.map(({ body }) => body)).toEqual(['once'])
  })

  it('gives no half snapshot, whichever of its answers fails in whichever way', async () => {
    const iid = createIssue()
    for (const path of [/issues\/\d+$/, /comments/, /timeline/]) {
      for (const [fault, type] of [
        [{ kind: 'down' }, 'unreachable'],
        [{ kind: 'half' }, 'unreachable'],
        [{ kind: 'html', status: 200 }, 'unexpected'],
        [{ kind: 'html', status: 502 }, 'unreachable'],
        [{ kind: 'too_many' }, 'rate_limited'],
      ] as const) {
        bench.server.faults.add({ fault, path, times: 1 })
        expect(await bench.forge.readIssue(bench.project, iid, null)).toMatchObject({
          error: { type, retryable: true },
        })
      }
    }
    bench.server.faults.add({ fault: { kind: 'too_many', retryAfterSeconds: 7 }, times: 1 })
    expect(await bench.forge.account()).toMatchObject({ error: { retryAfterMs: 7_000 } })
    bench.server.faults.clear()
    expect((await read(iid)).issue.iid).toBe(iid)
  })
})

describe.each(['gitea', 'gitea-1.26-dev', 'forgejo'] as const)('a %s of another kind', (kind) => {
  const withBench = async (
    options: Omit<Parameters<typeof openForgejoBench>[0], 'kind'>,
    test: (bench: ForgejoBench, iid: number) => Promise<void>,
  ): Promise<void> => {
    const bench = await openForgejoBench({ ...options, kind })
    try {
      await test(bench, bench.server.seed.issue(benchRepository, { title: 'x', by: 'dev' }).number)
    } finally {
      await bench.server.close()
    }
  }

  it('[2] is asked nothing without a token', () =>
    withBench({ token: null }, async ({ forge, project, server }) => {
      expect(await forge.account()).toMatchObject({ error: { type: 'unauthorized' } })
      expect(await forge.listChangedIssues(project, null)).toMatchObject({ error: { type: 'unauthorized' } })
      expect(server.requests).toEqual([])
    }))

  it('[4] with small pages is read whole', () =>
    withBench(
      { pageSizes: { standard: 3, largest: 5 } },
      async ({ forge, project, server, ask, labelId }, iid) => {
        for (let n = 0; n < 12; n++)
          await ask('POST', `/issues/${iid}/labels`, { labels: [labelId(`label ${n}`)] })
        const wanted = server.seed.label(benchRepository, 'status::in_ci')
        value(await forge.setStatus(project, iid, 'in_ci'))
        const { issue, labelEvents } = value(await forge.readIssue(project, iid, null))
        expect(issue.labels).toHaveLength(13)
        expect(labelEvents).toHaveLength(13)
        expect(
          server.seed.find(benchRepository).labels.filter(({ name }) => name === wanted.name),
        ).toHaveLength(1)
      },
    ))

  it('[9] where Alfred may only read lets him comment and nothing else', () =>
    withBench({ botMay: 'read' }, async ({ forge, project, ask, labelId }, iid) => {
      await ask('POST', `/issues/${iid}/labels`, { labels: [labelId('ai::retry')] })
      value(await forge.addComment(project, iid, 'hello'))
      for (const refused of [
        await forge.setStatus(project, iid, 'in_ci'),
        await forge.removeLabel(project, iid, 'ai::retry'),
        await forge.editDescription(project, iid, '', 'x'),
      ]) {
        expect(refused).toMatchObject({ error: { type: 'forbidden', retryable: false } })
      }
    }))

  it('[11] that blocked Alfred does not let him comment', () =>
    withBench({}, async ({ forge, project, server }, iid) => {
      server.seed.person('dev').blocked.add(server.seed.person('alfred-bot').id)
      server.seed.find(benchRepository).owner.blocked.add(server.seed.person('alfred-bot').id)
      expect(await forge.addComment(project, iid, 'x')).toMatchObject({ error: { type: 'forbidden' } })
    }))

  it('[12] cuts a long title, and the change is the same', () =>
    withBench({}, async ({ forge, project, server }, iid) => {
      await server.seed.commit(benchRepository, branch, { 'a.txt': '1\n' }, { by: 'dev' })
      const opened = value(
        await forge.openChange(project, {
          title: 'ü'.repeat(300),
          body: '',
          sourceBranch: branch,
          targetBranch: 'main',
          closesIid: iid,
        }),
      )
      expect(opened.title).toMatch(/^ü+…$/)
      expect(opened.body).toBe(`Closes #${iid}`)
    }))

  it('[23] with an archived repository is read, and says that nothing can be written', () =>
    withBench({}, async ({ forge, project, server }, iid) => {
      server.seed.find(benchRepository).archivedAt = server.state.now()
      value(await forge.readIssue(project, iid, null))
      expect(await forge.addComment(project, iid, 'x')).toMatchObject({
        error: { type: 'forbidden', retryable: false },
      })
    }))

  it('[29] with a wrong token says so', () =>
    withBench({ token: 'f'.repeat(40) }, async ({ forge, project }) => {
      const refused = await forge.listChangedIssues(project, null)
      expect(refused).toMatchObject({ error: { type: 'unauthorized', retryable: false } })
      expect(JSON.stringify(refused)).not.toContain('f'.repeat(40))
    }))

  it('[33] that believes to be elsewhere is never followed there', () =>
    withBench({ rootUrl: 'https://elsewhere.example/forge' }, async ({ forge, project, server }, iid) => {
      const { issue } = value(await forge.readIssue(project, iid, null))
      expect(issue.url).toBe(`${server.url}/${benchRepository}/issues/${iid}`)
      const remote = value(await forge.remote(project))
      expect(remote.url).toBe(`${server.url}/${benchRepository}.git`)
      expect(remote.credential?.username).toBe('alfred-bot')
    }))

  it('[33] that names the next page on another host is asked for it where it lies', () =>
    withBench(
      { rootUrl: 'https://elsewhere.example/forge', pageSizes: { standard: 3, largest: 5 } },
      async ({ forge, project, server, ask, token }, iid) => {
        const made = Array.from({ length: 11 }, (_, n) =>
          server.seed.issue(benchRepository, { title: `x${n}`, by: 'dev' }),
        ).map(({ number }) => number)
        const named = await fetch(`${server.url}/api/v1/repos/${benchRepository}/issues?state=all&limit=5`, {
          headers: { authorization: `token ${token}` },
        })
        expect(named.headers.get('link')).toContain('<https://elsewhere.example/forge/')
        await named.arrayBuffer()
        const found = new Set<number>()
        let cursor: string | null = null
        for (let hasMore = true; hasMore;) {
          const page: IssuePage = value(await forge.listChangedIssues(project, cursor))
          for (const issue of page.issues) found.add(issue.iid)
          cursor = page.cursor
          hasMore = page.hasMore
        }
        expect([...found].toSorted((a, b) => a - b)).toEqual([iid, ...made])
        // Labels are read page by page within one step.
        for (let n = 0; n < 11; n++) server.seed.label(benchRepository, `label-${n}`)
        const last = server.seed.label(benchRepository, 'status::in_ci')
        value(await forge.setStatus(project, iid, 'in_ci'))
        const issue = (await ask('GET', `/issues/${iid}`)) as { readonly labels: readonly unknown[] }
        expect(issue.labels).toMatchObject([{ id: last.id }])
      },
    ))
})

function value<T>(result: Result<T, { readonly message: string }>): T {
  if (!result.ok) throw new Error(result.error.message)
  return result.value
}
