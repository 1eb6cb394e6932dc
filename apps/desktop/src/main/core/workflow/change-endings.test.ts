import { describe, expect, test } from 'vitest'
import type { RunId } from '@shared/model/ids'
import type { Status } from '@shared/model/words'
import { decide } from './decide'
import type { CommentFacts, PostFacts } from './facts'
import { refusalCause, type WhyRefused } from './refused-push'
import {
  ANN,
  BOT,
  EVE,
  given,
  type Given,
  labelled,
  moves,
  post,
  run,
  say,
} from '../../../../test/fakes/workflow-facts'

const live: Given = { liveRunId: 8 as RunId, latestRun: run({ id: 8 as RunId, phase: 'development' }) }
/** Its change is 12. */
const at12 = (status: Status, { mailbox, ...patch }: Given): ReturnType<typeof given> =>
  given(status, { ...patch, mailbox: { changeIid: 12, ...mailbox } })
const opened = post({ kind: 'change', remoteId: '12', cause: 'run-uid' })
const change = (state: 'open' | 'merged' | 'closed') => ({ iid: 12, state, hasConflicts: false })

describe('a change that was closed without being merged', () => {
  const closed = (status: Status, patch: Given = {}): readonly string[] =>
    say(
      decide(
        at12(status, {
          latestRun: run({ phase: 'development' }),
          posts: [opened],
          ...patch,
          snapshot: { changes: [change('closed')], branchExists: true, ...patch.snapshot },
        }),
      ),
    )
  const told = post({ kind: 'status', cause: 'closed:12:0' })

  test.each(['in_development', 'in_ci', 'in_review'] as const)(
    'is done and said to be, from %s',
    (status) => {
      expect(closed(status)).toEqual([...moves('done'), 'comment acknowledgement'])
    },
  )

  test.each([
    ['it is another one', { snapshot: { changes: [{ ...change('closed'), iid: 3 }] } }],
    ['another one is open', { snapshot: { changes: [{ ...change('open'), iid: 13 }, change('closed')] } }],
    [
      'a newer push is under way',
      { posts: [opened, post({ kind: 'push', state: 'waiting', sentAt: null })] },
    ],
    ['it was dealt with, and work was asked for since', { posts: [opened, told], ...live }],
    ['it went with its branch while a run works', { snapshot: { branchExists: false }, ...live }],
  ] as const)('is left as it is when %s', (_name, patch) => {
    const lines = closed('in_development', patch)
    expect(lines).not.toContain('status done')
    expect(lines).not.toContain('stop forge_changed')
  })

  test('pauses a run first, and is done once that has ended', () => {
    expect(closed('in_development', live)).toEqual(['stop forge_changed'])
    const paused = run({
      phase: 'development',
      outcome: 'stopped',
      failure: { type: 'forge_changed', message: 'x' },
    })
    expect(closed('in_development', { latestRun: paused })).toContain('status done')
  })

  test('is reviewed on when it is opened again, and done again when it is closed again', () => {
    const open = { snapshot: { changes: [change('open')] } }
    expect(closed('done', { ...open, posts: [opened, told] })).toEqual(moves('in_review'))
    const reopened = post({ kind: 'status', cause: 'reopened:12:1' })
    expect(closed('in_review', { ...open, posts: [opened, told, reopened] })).toEqual([])
    expect(closed('in_review', { posts: [opened, told, reopened] })).toContain('status done')
    // Done by itself, or by a person's will: not because it was closed.
    expect(closed('done', open)).toEqual([])
  })
})

describe('a change that was merged', () => {
  const pushed = post({ kind: 'push', remoteId: 'a1' })
  const merged = (patch: Given = {}) =>
    decide(
      at12('in_review', {
        snapshot: { changes: [change('merged')], branchExists: true },
        posts: [pushed, opened],
        ...patch,
      }),
    )

  test('takes its branch with it, where that is still at the last push', () => {
    expect(merged().at(-1)).toEqual({
      type: 'delete_branch',
      runId: 7,
      branch: 'agent/issue-3-slow-search',
      headSha: 'a1',
      cause: 'merged:12:50',
    })
  })

  test.each([
    ['the person who merges says so', { deletesBranch: false }],
    ['Alfred pushed nothing', { posts: [opened] }],
    ['its name is not known any more', { mailbox: { branchName: null } }],
  ])('leaves the branch when %s', (_name, patch) => {
    expect(say(merged(patch))).toEqual(moves('done'))
  })

  test('pauses a run first', () => {
    expect(say(merged(live))).toEqual(['stop forge_changed'])
  })
})

describe('what people say at a change', () => {
  const own: CommentFacts = { id: 'o', author: BOT, body: 'The work is done.' }
  const asks = 'mailbox {"needsYou":"not_built"}'
  const reviewed = (comments: readonly Omit<CommentFacts, 'id' | 'body'>[]): readonly string[] =>
    say(
      decide(
        at12('in_review', {
          snapshot: {
            changes: [change('open')],
            branchExists: true,
            comments: [own, ...comments.map((comment, at) => ({ ...comment, id: `c${at}`, body: 'x' }))],
          },
          posts: [opened, post({ kind: 'comment', markerKind: 'change_opened', remoteId: 'o' })],
          settings: { triggerLabel: null, trustedPeople: ['ann', 'owner'] },
        }),
      ),
    )
  const owner = { id: 'owner', login: 'owner' }

  test.each([
    ['a comment', [{ author: ANN }], true],
    ['a request for changes', [{ author: ANN, verdict: 'changes_requested' }], true],
    ['a review without a verdict', [{ author: ANN, verdict: 'commented' }], true],
    ['an approval', [{ author: ANN, verdict: 'approved' }], false],
    ['an approval of who asked before', [{ author: ANN }, { author: ANN, verdict: 'approved' }], false],
    ['an approval of somebody else', [{ author: ANN }, { author: owner, verdict: 'approved' }], true],
    ['a comment after an approval', [{ author: ANN, verdict: 'approved' }, { author: ANN }], true],
    ['a request of nobody who is followed', [{ author: EVE, verdict: 'changes_requested' }], false],
  ] as const)('%s', (_what, comments, isAsked) => {
    expect(reviewed(comments)).toEqual(isAsked ? [asks] : [])
  })
})

test('conflicts and reviews need a person while the checks are under way too, and stay asked for when they are green', () => {
  const conflicting = { changes: [{ ...change('open'), hasConflicts: true }], branchExists: true }
  const inCi = (headStatus: 'pending' | 'success'): readonly string[] =>
    say(decide(at12('in_ci', { snapshot: { ...conflicting, headStatus }, posts: [opened] })))
  expect(inCi('pending')).toEqual(['mailbox {"needsYou":"not_built"}'])
  expect(inCi('success')).toEqual([
    'mailbox {"status":"in_review","needsYou":"not_built"}',
    'status in_review',
  ])
})

describe('a retry after a push that was refused', () => {
  const developed = run({ phase: 'development' })
  const blocked = (why: WhyRefused, kind = 'push'): PostFacts =>
    post({
      kind: 'comment',
      markerKind: 'blocked',
      cause: refusalCause('run-uid', { kind, key: 'k' }, why),
      remoteId: 'b',
    })
  const retried = (posts: readonly PostFacts[], patch: Given = {}) =>
    decide(
      at12('blocked', {
        latestRun: developed,
        issue: { labels: ['status::blocked', 'ai::retry'] },
        posts,
        ...patch,
        snapshot: { labelEvents: [labelled('ai::retry')], ...patch.snapshot },
      }),
    )
  const again = (isGoneKnown: boolean) => ({
    type: 'publish_again',
    runId: 7,
    cause: 'run-uid:label-event:9:900',
    isGoneKnown,
  })

  test.each([
    ['refused', 'push', false],
    ['refused', 'change', false],
    ['gone', 'push', true],
  ] as const)('that was %s (%s) publishes the same work again', (why, kind, isGoneKnown) => {
    const commands = retried([blocked(why, kind)])
    expect(commands.at(-1)).toEqual(again(isGoneKnown))
    expect(say(commands)).toEqual([
      'remove ai::retry',
      'comment retry_resumed',
      ...moves('in_development'),
      'publish_again',
    ])
  })

  test.each([
    ['others have pushed', [blocked('moved')], {}],
    ['a person wrote what has to be different', [blocked('refused')], { comments: true }],
    [
      'something else failed since',
      [blocked('refused'), post({ kind: 'comment', markerKind: 'blocked', cause: 'x' })],
      {},
    ],
    [
      'another run was the last one',
      [blocked('refused')],
      { latestRun: run({ uid: 'other', phase: 'development' }) },
    ],
  ] as const)(
    'begins a run when %s',
    (_name, posts, { comments, ...patch }: Given & { comments?: boolean }) => {
      const said = [
        { id: 'b', author: BOT, body: 'Refused.' },
        { id: 'c', author: ANN, body: 'Name the issue.' },
      ]
      const commands = retried(posts, {
        ...patch,
        snapshot: comments === true ? { comments: said } : {},
        settings: { triggerLabel: null, trustedPeople: ['ann'] },
      })
      expect(say(commands)).toContain('run development retry ann')
    },
  )
})
