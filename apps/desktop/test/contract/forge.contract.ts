import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Project } from '@shared/model/records'
import type { Result } from '@shared/result'
import type { Forge, ForgeIssue, ForgeIssueSnapshot } from '@main/ports/forge'

/*
 * What the engine relies on, whichever forge it is. An adapter passes this suite against its real server, or it
 * is not an adapter.
 */

/** What a person with write access does there, by other means than the port. */
export interface ForgePersonAct {
  readonly id: string
  createIssue(issue: {
    readonly title: string
    readonly body?: string
    readonly labels?: readonly string[]
  }): Promise<number>
  editIssue(iid: number, edit: { readonly title?: string; readonly body?: string }): Promise<void>
  /** Returns the comment's id. */
  comment(iid: number, body: string): Promise<string>
  editComment(iid: number, commentId: string, body: string): Promise<void>
  addLabel(iid: number, label: string): Promise<void>
  removeLabel(iid: number, label: string): Promise<void>
  /** Gives the issue to Alfred's account, or takes it away. */
  assignAlfred(iid: number, isAssigned: boolean): Promise<void>
  setOpen(iid: number, isOpen: boolean): Promise<void>
  closeChange(changeIid: number): Promise<void>
  deleteBranch(branch: string): Promise<void>
  /** Pushes a commit with these files on top of `from` (default: the default branch) and returns its sha. */
  push(branch: string, files: Readonly<Record<string, string>>, from?: string): Promise<string>
  merge(changeIid: number): Promise<void>
}

export interface ForgeHarness {
  readonly forge: Forge
  readonly project: Project
  readonly person: ForgePersonAct
  /** Moves the forge's clock forward, where the test owns it. */
  advance(ms: number): void
  /** A sha that git itself finds at the remote; null: no such branch. */
  remoteSha(url: string, branch: string): string | null | Promise<string | null>
  close(): Promise<void>
}

const branch = 'agent/issue-1-fix'

export function describeForgeContract(name: string, createHarness: () => Promise<ForgeHarness>): void {
  describe(`the forge port: ${name}`, () => {
    let harness: ForgeHarness
    let forge: Forge
    let project: Project
    let person: ForgePersonAct

    beforeEach(async () => {
      harness = await createHarness()
      ;({ forge, project, person } = harness)
    })
    afterEach(() => harness.close())

    const snapshot = async (iid: number, of: string | null = null): Promise<ForgeIssueSnapshot> =>
      value(await forge.readIssue(project, iid, of))

    /** Everything since the cursor, page by page, as the poller does it. */
    async function poll(
      cursor: string | null,
    ): Promise<{ readonly issues: readonly ForgeIssue[]; readonly cursor: string }> {
      const page = value(await forge.listChangedIssues(project, cursor))
      if (!page.hasMore) return page
      const rest = await poll(page.cursor)
      return { issues: [...page.issues, ...rest.issues], cursor: rest.cursor }
    }

    const change = { title: 'Fix', body: 'Closes it', sourceBranch: branch, targetBranch: 'main' }

    describe('the poll', () => {
      it('gives all issues from the start, open and closed, oldest change first', async () => {
        const first = await person.createIssue({ title: 'one' })
        harness.advance(1_000)
        const second = await person.createIssue({ title: 'two' })
        harness.advance(1_000)
        await person.setOpen(first, false)
        const { issues } = await poll(null)
        expect(issues.map((issue) => [issue.iid, issue.isOpen])).toEqual([
          [second, true],
          [first, false],
        ])
      })

      it('gives nothing more when nothing changed', async () => {
        await person.createIssue({ title: 'one' })
        const { cursor } = await poll(null)
        const again = await poll(cursor)
        expect(again.issues.filter((issue) => issue.title !== 'one')).toEqual([])
        expect((await poll(again.cursor)).cursor).toBe(again.cursor)
      })

      it('gives an issue again after every kind of change that a decision could hang on', async () => {
        const iid = await person.createIssue({ title: 'one', labels: ['type::bug'] })
        const early = await person.comment(iid, 'early')
        harness.advance(60_000)
        const acts: readonly (readonly [string, () => Promise<void>])[] = [
          // First, while nothing else has happened for a while: on some forges it moves no issue.
          ['comment edited', () => person.editComment(iid, early, 'hello again')],
          ['comment', async () => void (await person.comment(iid, 'hello'))],
          ['title', () => person.editIssue(iid, { title: 'other' })],
          ['body', () => person.editIssue(iid, { body: 'other' })],
          ['label', () => person.addLabel(iid, 'ai::retry')],
          ['no label', () => person.removeLabel(iid, 'ai::retry')],
          ['assigned', () => person.assignAlfred(iid, true)],
          ['unassigned', () => person.assignAlfred(iid, false)],
          ['closed', () => person.setOpen(iid, false)],
          ['reopened', () => person.setOpen(iid, true)],
        ]
        let { cursor } = await poll(null)
        for (const [what, act] of acts) {
          harness.advance(1_000)
          await act()
          const next = await poll(cursor)
          // Twice is as good: what happens between two lists of a forge may be in both.
          expect([what, [...new Set(next.issues.map((issue) => issue.iid))]]).toEqual([what, [iid]])
          ;({ cursor } = next)
        }
      })

      it('loses no issue that changes in the same moment as the poll, or between two pages', async () => {
        const iids: number[] = []
        for (let n = 0; n < 120; n++) iids.push(await person.createIssue({ title: `issue ${n}` }))
        const seen = new Set<number>()
        let page = value(await forge.listChangedIssues(project, null))
        let turn = 0
        for (;;) {
          for (const issue of page.issues) seen.add(issue.iid)
          if (!page.hasMore) break
          // One that was seen and one that was not move to the end while we turn the page.
          const [first] = iids
          const last = iids.at(-1)
          if (turn++ === 0 && first !== undefined && last !== undefined) {
            await person.comment(last, 'moves')
            await person.comment(first, 'moves')
          }
          page = value(await forge.listChangedIssues(project, page.cursor))
        }
        expect([...seen].toSorted((a, b) => a - b)).toEqual(iids)
        const [first] = iids
        await person.comment(first ?? 0, 'same moment')
        expect((await poll(page.cursor)).issues.map((issue) => issue.iid)).toContain(first)
      })
    })

    describe('an issue', () => {
      it('is read with an edit of a comment, by the same author and at a later time', async () => {
        const iid = await person.createIssue({ title: 'x' })
        const id = await person.comment(iid, 'before')
        harness.advance(5_000)
        await person.editComment(iid, id, 'after')
        const [comment] = (await snapshot(iid)).comments
        expect(comment).toMatchObject({ id, body: 'after', author: { id: person.id } })
        expect(comment?.updatedAt).toBeGreaterThan(comment?.createdAt ?? 0)
      })

      it('is read with comments and label events, in order, and by whom', async () => {
        const iid = await person.createIssue({
          title: 'Größe 😀',
          body: 'a\r\n<!-- hidden -->\n',
          labels: ['type::bug'],
        })
        await person.assignAlfred(iid, true)
        await person.comment(iid, 'first')
        value(await forge.addComment(project, iid, 'second'))
        await person.addLabel(iid, 'ai::validate_plan')
        await person.removeLabel(iid, 'ai::validate_plan')
        const alfred = value(await forge.account())
        const { issue, comments, labelEvents } = await snapshot(iid)
        expect(issue).toMatchObject({
          iid,
          title: 'Größe 😀',
          body: 'a\r\n<!-- hidden -->\n',
          isOpen: true,
          labels: ['type::bug'],
        })
        expect(issue.author.id).toBe(person.id)
        expect(issue.assignees.map(({ id }) => id)).toEqual([alfred.id])
        expect(comments.map(({ body, author }) => [body, author.id])).toEqual([
          ['first', person.id],
          ['second', alfred.id],
        ])
        const events = labelEvents.filter(({ label }) => label === 'ai::validate_plan')
        expect(events.map(({ action, by }) => [action, by.id])).toEqual([
          ['added', person.id],
          ['removed', person.id],
        ])
        expect(new Set(labelEvents.map(({ id }) => id)).size).toBe(labelEvents.length)
      })

      it('that is not there is not found, and reading it again will not help', async () => {
        for (const answer of [
          await forge.readIssue(project, 4711, null),
          await forge.addComment(project, 4711, 'x'),
          await forge.setStatus(project, 4711, 'done'),
          await forge.editDescription(project, 4711, '', 'x'),
        ]) {
          expect(answer).toMatchObject({ ok: false, error: { type: 'not_found', retryable: false } })
        }
      })
    })

    describe("Alfred's writes", () => {
      it('leave exactly one status label and all others alone', async () => {
        const iid = await person.createIssue({ title: 'x', labels: ['type::bug', 'ai::retry'] })
        value(await forge.setStatus(project, iid, 'in_development'))
        value(await forge.setStatus(project, iid, 'in_review'))
        expect((await snapshot(iid)).issue.labels.toSorted()).toEqual([
          'ai::retry',
          'status::in_review',
          'type::bug',
        ])
        value(await forge.setStatus(project, iid, null))
        expect((await snapshot(iid)).issue.labels.toSorted()).toEqual(['ai::retry', 'type::bug'])
      })

      it('take off a status that a person set', async () => {
        const iid = await person.createIssue({ title: 'x' })
        await person.addLabel(iid, 'status::done')
        value(await forge.setStatus(project, iid, 'in_ci'))
        expect((await snapshot(iid)).issue.labels).toEqual(['status::in_ci'])
      })

      it('note nothing when the status is set that is there', async () => {
        const iid = await person.createIssue({ title: 'x' })
        value(await forge.setStatus(project, iid, 'blocked'))
        const before = (await snapshot(iid)).labelEvents
        const alfred = value(await forge.account())
        expect(before.map(({ label, action, by }) => [label, action, by.id])).toEqual([
          ['status::blocked', 'added', alfred.id],
        ])
        value(await forge.setStatus(project, iid, 'blocked'))
        expect((await snapshot(iid)).labelEvents).toEqual(before)
      })

      it('take a label off, also when it is off already', async () => {
        const iid = await person.createIssue({ title: 'x', labels: ['ai::retry'] })
        value(await forge.removeLabel(project, iid, 'ai::retry'))
        value(await forge.removeLabel(project, iid, 'ai::retry'))
        expect((await snapshot(iid)).issue.labels).toEqual([])
      })

      it('post a comment byte for byte and say its id', async () => {
        const iid = await person.createIssue({ title: 'x' })
        const body = 'plan\n\n- a 😀\n\n<!-- agent:key=0123456789ab:kind=plan -->'
        const id = value(await forge.addComment(project, iid, body))
        expect((await snapshot(iid)).comments).toMatchObject([{ id, body }])
      })

      it('replace a description only if it still is what was read', async () => {
        const iid = await person.createIssue({ title: 'x', body: 'before' })
        value(await forge.editDescription(project, iid, 'before', 'after'))
        expect((await snapshot(iid)).issue.body).toBe('after')
        await person.editIssue(iid, { body: 'a person was faster' })
        expect(await forge.editDescription(project, iid, 'after', 'lost')).toMatchObject({
          error: { type: 'conflict', retryable: false },
        })
        expect((await snapshot(iid)).issue).toMatchObject({ title: 'x', body: 'a person was faster' })
      })

      it('count an edit that has arrived as done', async () => {
        const iid = await person.createIssue({ title: 'x', body: 'before' })
        value(await forge.editDescription(project, iid, 'before', 'after'))
        value(await forge.editDescription(project, iid, 'before', 'after'))
      })
    })

    describe('a change', () => {
      it('is opened once for a branch', async () => {
        const iid = await person.createIssue({ title: 'x' })
        const head = await person.push(branch, { 'a.txt': '1\n' })
        const opened = value(await forge.openChange(project, { ...change, closesIid: iid }))
        const { body, ...named } = change
        expect(opened).toMatchObject({
          ...named,
          headSha: head,
          state: 'open',
          hasConflicts: false,
          mergedSha: null,
        })
        // A forge that has no other way to know it is told by a last line.
        expect([body, `${body}\n\nCloses #${iid}`]).toContain(opened.body)
        expect(opened.author.id).toBe(value(await forge.account()).id)
        const again = value(await forge.openChange(project, { ...change, title: 'again', closesIid: iid }))
        expect(again.iid).toBe(opened.iid)
        expect((await snapshot(iid, branch)).changes.map((one) => one.iid)).toEqual([opened.iid])
      })

      it('is closed without a merge once, and its branch stays', async () => {
        const iid = await person.createIssue({ title: 'x' })
        await person.push(branch, { 'a.txt': '1\n' })
        const opened = value(await forge.openChange(project, { ...change, closesIid: iid }))
        value(await forge.closeChange(project, opened.iid))
        value(await forge.closeChange(project, opened.iid))
        const closed = await snapshot(iid, branch)
        expect(closed).toMatchObject({ branchExists: true, changes: [{ state: 'closed', mergedSha: null }] })
        expect(closed.issue.isOpen).toBe(true)
        expect(await forge.closeChange(project, 99)).toMatchObject({ error: { type: 'not_found' } })
      })

      it('is left merged', async () => {
        const iid = await person.createIssue({ title: 'x' })
        await person.push(branch, { 'a.txt': '1\n' })
        const opened = value(await forge.openChange(project, { ...change, closesIid: iid }))
        await person.merge(opened.iid)
        value(await forge.closeChange(project, opened.iid))
        expect((await snapshot(iid, branch)).changes).toMatchObject([{ state: 'merged' }])
      })

      it('is known by the branches that it joins, while it is open', async () => {
        const iid = await person.createIssue({ title: 'x' })
        await person.push(branch, { 'a.txt': '1\n' })
        const isUsed = async (name: string) => value(await forge.isInOpenChange(project, name))
        expect([await isUsed(branch), await isUsed('main')]).toEqual([false, false])
        const opened = value(await forge.openChange(project, { ...change, closesIid: iid }))
        expect([await isUsed(branch), await isUsed('main'), await isUsed('other')]).toEqual([
          true,
          true,
          false,
        ])
        await person.closeChange(opened.iid)
        expect(await isUsed(branch)).toBe(false)
      })

      it('is not opened for a branch that is not there', async () => {
        const iid = await person.createIssue({ title: 'x' })
        expect(await forge.openChange(project, { ...change, closesIid: iid })).toMatchObject({ ok: false })
        expect(await snapshot(iid, branch)).toMatchObject({ changes: [], branchExists: false })
      })

      it('follows its branch, and says so in the poll', async () => {
        const iid = await person.createIssue({ title: 'x' })
        await person.push(branch, { 'a.txt': '1\n' })
        value(await forge.openChange(project, { ...change, closesIid: iid }))
        const { cursor } = await poll(null)
        const head = await person.push(branch, { 'a.txt': '2\n' }, branch)
        expect((await poll(cursor)).issues.map((issue) => issue.iid)).toEqual([iid])
        const read = await snapshot(iid, branch)
        expect(read.branchExists).toBe(true)
        expect(read.changes).toMatchObject([{ headSha: head, hasConflicts: false }])
      })

      it('says that it conflicts when the target moved over the same lines', async () => {
        const iid = await person.createIssue({ title: 'x' })
        await person.push(branch, { 'a.txt': 'ours\n' })
        value(await forge.openChange(project, { ...change, closesIid: iid }))
        await person.push('main', { 'a.txt': 'theirs\n' })
        expect((await snapshot(iid, branch)).changes).toMatchObject([{ state: 'open', hasConflicts: true }])
      })

      it('is merged, and closes its issue', async () => {
        const iid = await person.createIssue({ title: 'x' })
        await person.push(branch, { 'a.txt': '1\n' })
        const opened = value(await forge.openChange(project, { ...change, closesIid: iid }))
        const { cursor } = await poll(null)
        await person.merge(opened.iid)
        expect((await poll(cursor)).issues.map((issue) => issue.iid)).toEqual([iid])
        const { issue, changes } = await snapshot(iid, branch)
        const url = value(await forge.remote(project)).url
        expect(issue.isOpen).toBe(false)
        expect(changes).toMatchObject([
          { iid: opened.iid, state: 'merged', mergedSha: await harness.remoteSha(url, 'main') },
        ])
      })

      it('that a person closed is closed, and the next one is another', async () => {
        const iid = await person.createIssue({ title: 'x' })
        await person.push(branch, { 'a.txt': '1\n' })
        const first = value(await forge.openChange(project, { ...change, closesIid: iid }))
        const { cursor } = await poll(null)
        harness.advance(1_000)
        await person.closeChange(first.iid)
        expect((await poll(cursor)).issues.map((issue) => issue.iid)).toEqual([iid])
        const read = await snapshot(iid, branch)
        expect(read).toMatchObject({ branchExists: true, changes: [{ state: 'closed', mergedSha: null }] })
        expect(read.issue.isOpen).toBe(true)
        const second = value(await forge.openChange(project, { ...change, closesIid: iid }))
        expect(second.iid).not.toBe(first.iid)
      })

      it('is still told when its branch is gone', async () => {
        const iid = await person.createIssue({ title: 'x' })
        await person.push(branch, { 'a.txt': '1\n' })
        const opened = value(await forge.openChange(project, { ...change, closesIid: iid }))
        await person.merge(opened.iid)
        await person.deleteBranch(branch)
        expect(await snapshot(iid, branch)).toMatchObject({
          branchExists: false,
          changes: [{ iid: opened.iid, state: 'merged', sourceBranch: branch }],
        })
      })

      it('can follow a merged one of the same branch, the newest first', async () => {
        const iid = await person.createIssue({ title: 'x' })
        await person.push(branch, { 'a.txt': '1\n' })
        const first = value(await forge.openChange(project, { ...change, closesIid: iid }))
        await person.merge(first.iid)
        await person.push(branch, { 'b.txt': '2\n' }, branch)
        const second = value(await forge.openChange(project, { ...change, closesIid: iid }))
        expect((await snapshot(iid, branch)).changes.map((one) => [one.iid, one.state])).toEqual([
          [second.iid, 'open'],
          [first.iid, 'merged'],
        ])
      })
    })

    it('names a remote that git can read', async () => {
      const head = await person.push(branch, { 'a.txt': '1\n' })
      const { url } = value(await forge.remote(project))
      expect(await harness.remoteSha(url, branch)).toBe(head)
      expect(await harness.remoteSha(url, 'none')).toBeNull()
    })
  })
}

function value<T>(result: Result<T, { readonly message: string }>): T {
  if (!result.ok) throw new Error(result.error.message)
  return result.value
}
