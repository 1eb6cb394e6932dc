import { describe, expect, test } from 'vitest'
import type { RunId } from '@shared/model/ids'
import {
  BOT,
  digest,
  type Given,
  given,
  issue,
  labelled,
  PLAN_COMMENT,
  post,
  run,
  say,
} from '../../../../test/fakes/workflow-facts'
import type { WorkflowCommand } from './commands'
import { decide } from './decide'
import { issueDigests } from './description-section'
import type { PostFacts } from './facts'
import { textSha256 } from './markers'
import { askToValidate, mustValidateAgain } from './validate-again'

const plan = post({
  kind: 'comment',
  markerKind: 'plan',
  remoteId: 'c1',
  postedSha256: textSha256(digest, PLAN_COMMENT),
})
const push = post({ kind: 'push', runId: 8 as RunId, state: 'dropped', cause: 'dev-uid' })

/** An issue with this title now, that was called `Slow search` when its plan was validated; work waits for its push. */
const facts = (title: string, posts: readonly PostFacts[], label: string | null = null, more: Given = {}) =>
  given('waiting_validation', {
    issue: {
      title,
      labels: ['status::waiting_validation', ...(label === null ? [] : [label])],
    },
    mailbox: { title, needsYou: 'validate_plan' },
    snapshot: {
      labelEvents: label === null ? [] : [labelled(label)],
      comments: [{ id: 'c1', author: BOT, body: PLAN_COMMENT }],
    },
    plan: { plan: 'Plan.', runId: 7 as RunId, issueSha256: issueDigests(digest, issue()).issueSha256 },
    approval: issueDigests(digest, issue()),
    latestRun: run({ id: 8 as RunId, uid: 'dev-uid', phase: 'development' }),
    posts: [plan, push, ...posts],
    ...more,
  })

const comments = (commands: readonly WorkflowCommand[], state: PostFacts['state'] = 'sent') =>
  commands.flatMap((command) =>
    command.type === 'post_comment'
      ? [post({ kind: 'comment', markerKind: command.kind, cause: command.cause, state })]
      : [],
  )
/** What was asked, one after the other, of an issue with these titles. */
const asked = (titles: readonly string[], state: PostFacts['state'] = 'sent'): readonly PostFacts[] =>
  titles.reduce<readonly PostFacts[]>(
    (posts, title, at) => [
      ...posts,
      ...comments(askToValidate(facts(title, posts), 'issue'), at === titles.length - 1 ? state : 'sent'),
    ],
    [],
  )

const VALIDATE = 'ai::validate_plan'
const PUBLISHES = 'publish_again'

describe('an issue that waits to be validated again', () => {
  test.each([
    ['is as it was asked about', 'B', ['B'], []],
    ['is another one', 'C', ['B'], ['comment acknowledgement']],
    ['is back to what was validated', 'Slow search', ['B'], ['comment acknowledgement']],
    ['is back to what was asked about before the last time', 'B', ['B', 'C'], ['comment acknowledgement']],
    ['was never asked about', 'B', [], []],
  ] as const)('is asked about when it %s', (_what, title, titles, commands) => {
    const now = facts(title, asked(titles))
    expect(say(decide(now))).toEqual(commands)
    const told = [...now.posts, ...comments(decide(now), 'failed')]
    // Once, whatever became of the comment.
    expect(decide({ ...now, posts: told })).toEqual([])
  })

  test.each([
    ['what was asked last', 'B', ['C', 'B'], true],
    ['what was asked before the last time', 'B', ['B', 'Slow search'], false],
    ['what was validated before, asked about since', 'Slow search', ['B', 'Slow search'], true],
    ['what was validated before, another asked about since', 'Slow search', ['B'], false],
  ] as const)('is validated with %s', (_what, title, titles, isTaken) => {
    const commands = say(decide(facts(title, asked(titles), VALIDATE)))
    expect(commands.includes('approve_plan')).toBe(isTaken)
    expect(commands.includes(PUBLISHES)).toBe(isTaken)
    expect(commands.includes('comment acknowledgement')).toBe(!isTaken)
  })

  test.each([
    ['waiting', ['remove ai::validate_plan']],
    ['sending', ['remove ai::validate_plan']],
    [
      'failed',
      [
        'remove ai::validate_plan',
        'mailbox {"status":"waiting_validation","needsYou":"validate_plan"}',
        'status waiting_validation',
        'comment acknowledgement',
      ],
    ],
  ] as const)('is not validated while what was asked is %s', (state, commands) => {
    const posts = asked(['B'], state)
    const decided = decide(facts('B', posts, VALIDATE))
    expect(say(decided)).toEqual(commands)
    // Another comment, not the one that failed.
    expect(comments(decided).map(({ cause }) => cause)).not.toContain(posts[0]?.cause)
  })

  test('is published without another question only as it was validated last', () => {
    const validated = (title: string, posts: readonly PostFacts[]) =>
      comments(decide(facts(title, posts, VALIDATE)))
    const first = asked(['B'])
    const second = [...first, ...validated('B', first)]
    expect(mustValidateAgain(facts('B', second))).toBeNull()
    expect(mustValidateAgain(facts('C', second))).toBe('issue')
    const third = [...second, ...comments(askToValidate(facts('C', second), 'issue'))]
    const fourth = [...third, ...validated('C', third)]
    expect(mustValidateAgain(facts('C', fourth))).toBeNull()
    expect(mustValidateAgain(facts('B', fourth))).toBe('issue')
  })

  test('is developed anew where a person decided against the work', () => {
    const against = asked(['B'])
    const posts = [plan, { ...push, state: 'failed' as const }, ...against]
    const commands = say(decide(facts('B', against, VALIDATE, { posts })))
    expect(commands).toContain('run development plan_validated ann')
    expect(commands).not.toContain(PUBLISHES)
  })
})
