import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { ProjectId } from '@shared/model/ids'
import { StorageError } from '@main/ports/storage-failure'
import { err, ok } from '@shared/result'
import type { ForgeIssueSnapshot } from '@main/ports/forge'
import { done } from '../../../../test/fakes/local-forge-bench'
import { openWorkflowBench, type WorkflowBench } from '../../../../test/fakes/workflow-bench'

let bench: WorkflowBench
beforeEach(async () => {
  bench = await openWorkflowBench()
})
afterEach(() => {
  bench.remove()
})

const projectId = (): ProjectId => bench.project.id
const project = () => bench.test.store.forges.getProject(projectId())
const { signal } = new AbortController()
const assigned = (title: string) =>
  done(
    bench.tracker.createIssue({ projectId: projectId(), title, body: '', labels: [], assignees: ['alfred'] }),
  )
const mailboxes = () =>
  bench.test.store.mailboxes
    .listOpen(projectId())
    .map(({ iid }) => iid)
    .toSorted((a, b) => a - b)
/** What is waited for comes at once, but on a computer that does much else a second is little. */
const patience = { timeout: 10_000 }
const waitOf = (): number => (bench.workflow.poller.nextPollAt() ?? 0) - bench.clock.now()

describe('the poller', () => {
  test('asks each project again after its interval, give or take a tenth', async () => {
    const waits: number[] = []
    for (let poll = 0; poll < 20; poll += 1) {
      await bench.workflow.poller.pollProject(project(), signal)
      waits.push(waitOf())
    }
    expect(Math.min(...waits)).toBeGreaterThanOrEqual(27_000)
    expect(Math.max(...waits)).toBeLessThanOrEqual(33_000)
    expect(new Set(waits).size).toBeGreaterThan(1)
  })

  test('asks projects of one forge together, once each has been asked', async () => {
    const others = await Promise.all(['b', 'c'].map((name) => bench.addProject(name)))
    const projects = [project(), ...others.map(({ id }) => bench.test.store.forges.getProject(id))]
    const polled: string[] = []
    const { listChangedIssues } = bench.asked
    bench.asked.listChangedIssues = (of, cursor) => {
      polled.push(of.slug)
      return listChangedIssues(of, cursor)
    }
    for (const one of projects) {
      await bench.workflow.poller.pollProject(one, signal)
      bench.clock.advance(1_000)
    }
    polled.length = 0
    const ended = new AbortController()
    const running = bench.workflow.poller.run(ended.signal)
    bench.clock.advance(waitOf())
    await vi.waitFor(() => expect(polled).toHaveLength(3), patience)
    ended.abort()
    bench.clock.advance(60_000)
    await running
    expect(new Set(polled).size).toBe(3)
  })

  test('does not wait longer when the clock is set back', async () => {
    await bench.workflow.poller.pollProject(project(), signal)
    bench.clock.jump(-2 * 3_600_000)
    expect(waitOf()).toBeLessThanOrEqual(33_000)
  })

  test('asks less and less often while the forge fails, and not before it said so', async () => {
    bench.asked.listChangedIssues = () =>
      Promise.resolve(err({ type: 'unreachable', message: 'HTTP 502', retryable: true }))
    await bench.workflow.poller.pollProject(project(), signal)
    const first = waitOf()
    for (let poll = 0; poll < 8; poll += 1) await bench.workflow.poller.pollProject(project(), signal)
    expect(first).toBeLessThanOrEqual(33_000)
    expect(waitOf()).toBeGreaterThan(250_000)
    expect(waitOf()).toBeLessThanOrEqual(330_000)

    bench.asked.listChangedIssues = () =>
      Promise.resolve(
        err({ type: 'rate_limited', message: 'HTTP 429', retryable: true, retryAfterMs: 1_500_000 }),
      )
    await bench.workflow.poller.pollProject(project(), signal)
    expect(waitOf()).toBe(1_500_000)
  })

  test('asks one project again for all of a forge that wants to be left alone, then the others', async () => {
    await Promise.all(['b', 'c'].map((name) => bench.addProject(name)))
    const polled: string[] = []
    const { listChangedIssues } = bench.asked
    let isAway = true
    bench.asked.listChangedIssues = (of, cursor) => {
      polled.push(of.slug)
      return isAway
        ? Promise.resolve(
            err({ type: 'rate_limited', message: 'HTTP 429', retryable: true, retryAfterMs: 1_500_000 }),
          )
        : listChangedIssues(of, cursor)
    }
    await bench.workflow.poller.pollProject(project(), signal)
    // The others were never asked, and were due at once.
    expect(waitOf()).toBe(1_500_000)
    const ended = new AbortController()
    const running = bench.workflow.poller.run(ended.signal)
    bench.clock.advance(1_500_000)
    await vi.waitFor(() => expect(bench.polls).toHaveLength(2), patience)
    expect(new Set(polled).size).toBe(2)
    isAway = false
    // A person mended it: nobody waits for the next try.
    bench.workflow.poller.pollNow(project().forgeId)
    await vi.waitFor(() => expect(new Set(polled).size).toBe(3), patience)
    ended.abort()
    bench.clock.advance(60_000)
    await running
  })

  /** Goes to the next poll, and returns after it. */
  const nextPoll = async (): Promise<void> => {
    const { length } = bench.polls
    bench.clock.advance(waitOf())
    await vi.waitFor(() => expect(bench.polls.length).toBeGreaterThan(length), patience)
  }
  const gatewayTimeout = () =>
    Promise.resolve(err({ type: 'unreachable', message: 'HTTP 504', retryable: true } as const))

  test('asks the others at their pace while one project is never reached', async () => {
    const other = await bench.addProject('b')
    const { listChangedIssues } = bench.asked
    bench.asked.listChangedIssues = (of, cursor) =>
      of.id === other.id ? listChangedIssues(of, cursor) : gatewayTimeout()
    await bench.workflow.poller.pollProject(project(), signal)
    const ended = new AbortController()
    const running = bench.workflow.poller.run(ended.signal)
    const until = bench.clock.now() + 300_000
    while (bench.clock.now() < until) await nextPoll()
    ended.abort()
    bench.clock.advance(60_000)
    await running
    const ofOther = bench.polls.filter(([{ id }]) => id === other.id)
    expect(ofOther.length).toBeGreaterThanOrEqual(8)
    expect(ofOther.every(([, outcome]) => outcome.ok)).toBe(true)
    // At first the whole forge may be away; once another was answered, it is this project.
    const [first, ...later] = bench.polls.filter(([{ id }]) => id !== other.id).map(([, , , isOwn]) => isOwn)
    expect(first).toBe(false)
    expect(later.length).toBeLessThanOrEqual(5)
    expect(new Set(later)).toEqual(new Set([true]))
  })

  test('lets each project of a forge that is away ask in its turn, less and less often', async () => {
    await Promise.all(['b', 'c'].map((name) => bench.addProject(name)))
    bench.asked.listChangedIssues = gatewayTimeout
    const waits: number[] = []
    await bench.workflow.poller.pollProject(project(), signal)
    const ended = new AbortController()
    const running = bench.workflow.poller.run(ended.signal)
    for (let poll = 0; poll < 5; poll += 1) {
      waits.push(waitOf())
      // The banner names the next poll of any of them.
      expect(bench.polls.at(-1)?.[2]).toBe(bench.workflow.poller.nextPollAt())
      await nextPoll()
    }
    ended.abort()
    bench.clock.advance(400_000)
    await running
    const { slug } = project()
    const turns = bench.polls.map(([of]) => of.slug)
    expect(turns).toEqual([slug, turns[1], turns[2], slug, turns[1], turns[2]])
    expect(new Set(turns)).toEqual(new Set([slug, 'b', 'c']))
    expect(bench.polls.every(([, , , isOwn]) => !isOwn)).toBe(true)
    const seconds = [30, 60, 120, 240, 300]
    for (const [at, wait] of waits.entries()) {
      // Give or take a tenth, and two seconds to the one that asks.
      expect(wait).toBeGreaterThanOrEqual(seconds[at]! * 900)
      expect(wait).toBeLessThanOrEqual(seconds[at]! * 1_100 + 2_000)
    }
  })

  test('takes what fails together for one failure of the forge', async () => {
    await Promise.all(['b', 'c'].map((name) => bench.addProject(name)))
    bench.asked.listChangedIssues = gatewayTimeout
    const ended = new AbortController()
    const running = bench.workflow.poller.run(ended.signal)
    await vi.waitFor(() => expect(bench.polls).toHaveLength(3), patience)
    expect(waitOf()).toBeLessThanOrEqual(35_000)
    ended.abort()
    bench.clock.advance(60_000)
    await running
  })

  test('reads all pages, and each changed issue once', async () => {
    for (const title of ['a', 'b', 'c']) await assigned(title)
    const { listChangedIssues, readIssue } = bench.asked
    const read: number[] = []
    bench.asked.readIssue = (of, iid, branch) => {
      read.push(iid)
      return readIssue(of, iid, branch)
    }
    bench.asked.listChangedIssues = async (of, cursor) => {
      const page = await listChangedIssues(of, cursor)
      const first = page.ok ? page.value.issues[0] : undefined
      if (!page.ok || first === undefined) return page
      const seq = Number(cursor ?? 0)
      return {
        ok: true,
        value: {
          issues: [first],
          cursor: await cursorAfter(seq, first.iid),
          hasMore: page.value.issues.length > 1,
        },
      }
    }
    const cursorAfter = async (from: number, iid: number): Promise<string> => {
      for (let seq = from + 1; ; seq += 1) {
        const rest = await listChangedIssues(project(), String(seq))
        if (rest.ok && rest.value.issues.every((issue) => issue.iid !== iid)) return String(seq)
      }
    }
    await bench.workflow.poller.pollProject(project(), signal)
    expect(mailboxes()).toEqual([1, 2, 3])
    expect(read).toEqual([1, 2, 3])
  })

  test('costs one request more for however many changes wait, and looks at all of them in turn', async () => {
    const issues = [1, 2, 3]
    for (const iid of issues) {
      await bench.takeUp({ title: `Issue ${iid}` })
      await bench.endRun({ result: { plan: 'x', functionalAnalysis: 'y' } }, iid)
      await done(bench.tracker.addLabel({ projectId: projectId(), iid }, 'ai::validate_plan'))
      await bench.settle()
      await bench.endRun({ commits: 1, result: { summary: 'z' } }, iid)
      expect(bench.mailbox(iid)).toMatchObject({ status: 'in_review' })
    }
    const { listChangedIssues, readIssue } = bench.asked
    let asked: string[] = []
    bench.asked.listChangedIssues = (of, cursor, how) => {
      if (how?.leavesEdits !== true) asked.push('edits')
      return listChangedIssues(of, cursor)
    }
    bench.asked.readIssue = (...request) => {
      asked.push(`issue ${request[1]}`)
      return readIssue(...request)
    }
    const shown = new Map<number, ForgeIssueSnapshot>()
    for (const iid of issues) {
      shown.set(iid, await done(readIssue(project(), iid, bench.mailbox(iid).branchName)))
    }
    const notThere = err({ type: 'not_found', message: '', retryable: false } as const)
    bench.asked.looks = {
      change: (_project, changeIid) => {
        asked.push(`change ${changeIid}`)
        const changes = [...shown.values()].flatMap((each) => each.changes)
        const change = changes.find((each) => each.iid === changeIid)
        return Promise.resolve(change === undefined ? notThere : ok(change))
      },
      checks: () => {
        asked.push('checks')
        return Promise.resolve(ok(null))
      },
      issue: (_project, iid) => {
        asked.push(`look at issue ${iid}`)
        const issue = shown.get(iid)?.issue
        return Promise.resolve(issue === undefined ? notThere : ok(issue))
      },
    }
    await bench.workflow.poller.pollProject(project(), signal)
    const all = new Set<string>()
    for (let poll = 0; poll < 45; poll += 1) {
      asked = []
      await bench.workflow.poller.pollProject(project(), signal)
      expect(asked).toHaveLength(1)
      all.add(asked[0] ?? '')
    }
    const changes = issues.map((iid) => `change ${bench.mailbox(iid).changeIid}`)
    const lookedAt = issues.map((iid) => `look at issue ${iid}`)
    expect([...all].toSorted()).toEqual(['checks', 'edits', ...changes, ...lookedAt].toSorted())
    // What no look shows is not missed for ever.
    bench.clock.advance(3_600_000)
    asked = []
    await bench.workflow.poller.pollProject(project(), signal)
    const readWhole = asked.filter((what) => what.startsWith('issue'))
    expect(readWhole.toSorted()).toEqual(issues.map((iid) => `issue ${iid}`))
    asked = []
    await bench.workflow.poller.pollProject(project(), signal)
    expect(asked).toHaveLength(1)
  })

  test('goes on with the other issues when one cannot be read or breaks something', async () => {
    for (const title of ['a', 'b', 'c']) await assigned(title)
    const { readIssue } = bench.asked
    bench.asked.readIssue = (of, iid, branch) => {
      if (iid === 1) return Promise.resolve(err({ type: 'not_found', message: 'gone', retryable: false }))
      if (iid === 2) throw new Error('broken')
      return readIssue(of, iid, branch)
    }
    await bench.workflow.poller.pollProject(project(), signal)
    expect(mailboxes()).toEqual([3])
    expect(bench.errors).toEqual([expect.stringContaining('an issue could not be dealt with')])
  })

  test('goes not past an issue that could not be stored, and deals with it once that works', async () => {
    for (const title of ['a', 'b']) await assigned(title)
    const { mailboxes: stored } = bench.test.store
    const { ensure } = stored
    let isLocked = true
    Object.assign(stored, {
      ensure: (...given: Parameters<typeof ensure>) => {
        if (isLocked && given[0].iid === 1)
          throw new StorageError('database_locked', 'database is locked', 'SQLITE_BUSY')
        return ensure(...given)
      },
    })
    await bench.workflow.poller.pollProject(project(), signal)
    expect(bench.polls.at(-1)?.[1]).toMatchObject({
      error: { message: expect.stringContaining('Another program locks the database') as string },
    })
    expect(bench.errors).toEqual([])
    isLocked = false
    await bench.workflow.poller.pollProject(project(), signal)
    expect(mailboxes()).toEqual([1, 2])
  })

  test('knows no next poll when nothing is watched', () => {
    bench.test.store.forges.setWatched(projectId(), false)
    expect(bench.workflow.poller.nextPollAt()).toBeNull()
  })

  test('polls, decides, sends and obeys a poke until it is told to end', async () => {
    const stop = new AbortController()
    const running = bench.workflow.run(stop.signal)
    await assigned('a')
    bench.workflow.poller.poke(projectId(), 1)
    await vi.waitFor(async () => expect(await bench.comments()).toHaveLength(1), patience)
    stop.abort()
    await running
    expect(bench.errors).toEqual([])
  })

  test('polls a project at once when the whole of it is poked', async () => {
    const stop = new AbortController()
    const running = bench.workflow.run(stop.signal)
    await vi.waitFor(() => expect(waitOf()).toBeGreaterThan(0), patience)
    await assigned('a')
    bench.workflow.poller.poke(projectId(), null)
    await vi.waitFor(() => expect(mailboxes()).toEqual([1]), patience)
    stop.abort()
    await running
  })

  test('deals with one issue at a time, however many ask for it at once', async () => {
    await assigned('a')
    await Promise.all(Array.from({ length: 5 }, () => bench.workflow.service.consider(projectId(), 1)))
    await bench.workflow.sender.sendDue(signal)
    expect(await bench.comments()).toHaveLength(1)
    expect(bench.test.store.runs.listLive()).toHaveLength(1)
  })
})
