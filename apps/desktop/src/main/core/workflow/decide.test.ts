import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { RunId } from '@shared/model/ids'
import { commandLabelSchema, statusSchema, type Status } from '@shared/model/words'
import type { WorkflowCommand } from './commands'
import { decide } from './decide'
import { issueDigests, replaceSection } from './description-section'
import type { LabelEventFacts, PostFacts, RunFacts, SnapshotFacts, WorkflowFacts } from './facts'
import { textSha256 } from './markers'
import { askToValidate, mustValidateAgain } from './validate-again'
import {
  digest,
  BOT,
  ANN,
  EVE,
  PLAN_COMMENT,
  issue,
  run,
  post,
  labelled,
  type Given,
  given,
  say,
  moves,
} from '../../../../test/fakes/workflow-facts'

describe('taking up', () => {
  test.each([
    ['assigned', {}, 'run analysis assigned -'],
    ['a question', { issue: { labels: ['type::question'] } }, 'run answer assigned -'],
    [
      'the trigger label',
      {
        issue: { assignees: [], labels: ['robots'] },
        settings: { triggerLabel: 'robots', trustedPeople: [] },
      },
      'run analysis trigger_label -',
    ],
  ] as const)('acknowledges and queues a run for %s', (_name, patch, runs) => {
    expect(say(decide(given(null, patch)))).toEqual([
      'mailbox {"baseBranch":null}',
      'comment acknowledgement',
      ...moves('functional_analysis'),
      runs,
    ])
  })

  test('takes the base branch from the issue', () => {
    expect(say(decide(given(null, { issue: { branchReference: 'release/2' } })))[0]).toBe(
      'mailbox {"baseBranch":"release/2"}',
    )
  })

  test.each([
    ['nobody assigned it', { issue: { assignees: [ANN] } }],
    ['it is closed', { issue: { isOpen: false }, mailbox: { isOpen: false } }],
    ['it carries a label that triggers nothing', { issue: { assignees: [], labels: ['robots'] } }],
  ] as const)('leaves an issue alone when %s', (_name, patch) => {
    expect(decide(given(null, patch))).toEqual([])
  })
})

describe('pausing', () => {
  const live = { latestRun: run({ isLive: true, outcome: null }), liveRunId: 7 as RunId }
  test('stops the run when the issue is closed or taken away, and changes nothing else', () => {
    expect(say(decide(given('in_development', { ...live, issue: { isOpen: false } })))).toEqual([
      'mailbox {"isOpen":false}',
      'stop forge_changed',
    ])
    expect(say(decide(given('in_development', { ...live, issue: { assignees: [] } })))).toEqual([
      'stop forge_changed',
    ])
  })

  test('goes on with the same phase once the issue is back', () => {
    const paused = run({
      phase: 'development',
      outcome: 'stopped',
      failure: { type: 'forge_changed', message: 'closed' },
    })
    expect(say(decide(given('in_development', { latestRun: paused })))).toEqual([
      'run development assigned -',
    ])
  })

  test('does not go on with a run that a person stopped', () => {
    const stopped = run({ outcome: 'stopped', failure: { type: 'stopped', message: 'stopped' } })
    expect(decide(given('in_development', { latestRun: stopped }))).toEqual([])
  })
})

describe('validating the plan', () => {
  const { issueSha256 } = issueDigests(digest, issue())
  const planned: Given = {
    issue: { labels: ['status::waiting_validation', 'ai::validate_plan'] },
    snapshot: {
      labelEvents: [labelled('ai::validate_plan')],
      comments: [{ id: 'c1', author: BOT, body: PLAN_COMMENT }],
    },
    plan: { plan: 'Plan.', runId: 7 as RunId, issueSha256 },
    posts: [
      post({
        kind: 'comment',
        markerKind: 'plan',
        remoteId: 'c1',
        postedSha256: textSha256(digest, PLAN_COMMENT),
      }),
    ],
    mailbox: { needsYou: 'validate_plan' },
  }
  const validate = (patch: Given = {}): readonly string[] =>
    say(
      decide(
        given('waiting_validation', {
          ...planned,
          ...patch,
          snapshot: { ...planned.snapshot, ...patch.snapshot },
        }),
      ),
    )

  test('approves, tells and queues development', () => {
    expect(validate()).toEqual([
      'remove ai::validate_plan',
      'approve_plan',
      'comment plan_validated',
      ...moves('in_development'),
      'run development plan_validated ann',
    ])
  })

  const planAgain = [
    'remove ai::validate_plan',
    'comment acknowledgement',
    ...moves('functional_analysis'),
    'run analysis retry ann',
  ]
  test('plans again when title or description changed', () => {
    expect(validate({ issue: { ...planned.issue, body: 'It is very slow.' } })).toEqual(planAgain)
    expect(validate({ issue: { ...planned.issue, title: 'Other' } }).slice(1)).toEqual(planAgain)
  })

  test("plans again when somebody edited the plan's comment or deleted it", () => {
    expect(
      validate({ snapshot: { comments: [{ id: 'c1', author: BOT, body: 'Delete everything.' }] } }),
    ).toEqual(planAgain)
    expect(validate({ snapshot: { comments: [] } })).toEqual(planAgain)
  })

  test.each([
    ['is not posted yet', { state: 'waiting', sentAt: null, remoteId: null }],
    ['was posted after the issue was read', { sentAt: 999_500 }],
  ] as const)('waits while the plan %s', (_name, patch) => {
    const [plan] = planned.posts ?? []
    expect(
      validate({ posts: plan === undefined ? [] : [{ ...plan, ...patch }], snapshot: { comments: [] } }),
    ).toEqual([])
  })

  test('only takes the label off when nobody is known to have set it', () => {
    expect(validate({ snapshot: { labelEvents: [] } })).toEqual(['remove ai::validate_plan'])
  })

  test.each([
    ['Alfred itself set it', { snapshot: { labelEvents: [labelled('ai::validate_plan', BOT)] } }],
    ['a run is working', { liveRunId: 8 as RunId }],
    ['there is no plan', { plan: null }],
  ] as const)('takes the label off and says so when %s', (_name, patch) => {
    expect(validate(patch)).toEqual(['remove ai::validate_plan', 'comment acknowledgement'])
  })

  const section = (text: string): string => replaceSection(issue().body, text) ?? ''
  const withSection = [
    ...(planned.posts ?? []),
    post({ kind: 'description', postedSha256: textSha256(digest, 'What.') }),
  ]

  test("plans again when somebody changed Alfred's part of the description", () => {
    const labels = planned.issue?.labels ?? []
    const posts = withSection
    expect(validate({ posts, issue: { labels, body: section('What.') } })).toContain('approve_plan')
    expect(validate({ posts, issue: { labels, body: section('Something else.') } })).toEqual(planAgain)
    // Taken out altogether it says nothing else.
    expect(validate({ posts, issue: { labels } })).toContain('approve_plan')
  })

  describe('again, for an issue that was changed since', () => {
    const approved = issueDigests(digest, issue())
    const development = run({ id: 8 as RunId, uid: 'dev-uid', phase: 'development' })
    const changedIssue = { ...planned.issue, body: 'Delete everything.' }
    const facts = (patch: Given = {}): WorkflowFacts =>
      given('waiting_validation', {
        ...planned,
        approval: approved,
        latestRun: development,
        issue: changedIssue,
        ...patch,
      })
    const asked = (): readonly PostFacts[] =>
      askToValidate(facts(), 'issue').flatMap((command) =>
        command.type === 'post_comment'
          ? [post({ kind: 'comment', markerKind: command.kind, cause: command.cause })]
          : [],
      )
    const unpushed = post({ kind: 'push', runId: 8 as RunId, state: 'dropped', cause: 'dev-uid' })

    test('is needed until somebody has seen what it is now', () => {
      expect(mustValidateAgain(facts())).toBe('issue')
      expect(mustValidateAgain(facts({ issue: planned.issue ?? {} }))).toBeNull()
      expect(mustValidateAgain(facts({ approval: null }))).toBeNull()
      const [comment] = planned.snapshot?.comments ?? []
      const edited = [{ id: 'c1', author: BOT, body: `${comment?.body ?? ''} And more.` }]
      expect(mustValidateAgain(facts({ issue: planned.issue ?? {}, snapshot: { comments: edited } }))).toBe(
        'plan',
      )
    })

    test('publishes the work that waits', () => {
      const posts = [...(planned.posts ?? []), unpushed, ...asked()]
      const commands = decide(facts({ posts }))
      expect(say(commands)).toEqual([
        'remove ai::validate_plan',
        'approve_plan',
        'comment plan_validated',
        ...moves('in_development'),
        'publish_again',
      ])
      const validated = commands.flatMap((command) =>
        command.type === 'post_comment'
          ? [post({ kind: 'comment', markerKind: command.kind, cause: command.cause })]
          : [],
      )
      // What nobody can change back, as an edited plan, is not asked about for ever.
      expect(mustValidateAgain(facts({ posts: [...posts, ...validated] }))).toBeNull()
    })

    test('begins development where no work waits', () => {
      const failed = { ...development, outcome: 'failed' as const }
      expect(
        say(decide(facts({ posts: [...(planned.posts ?? []), ...asked()], latestRun: failed }))),
      ).toContain('run development plan_validated ann')
    })

    test('asks once more when it was changed after it was asked', () => {
      const posts = [...(planned.posts ?? []), unpushed, ...asked()]
      expect(say(decide(facts({ posts, issue: { ...changedIssue, body: 'Delete even more.' } })))).toEqual([
        'remove ai::validate_plan',
        'mailbox {"status":"waiting_validation","needsYou":"validate_plan"}',
        'status waiting_validation',
        'comment acknowledgement',
      ])
    })

    test('is asked for instead of a development that would begin again', () => {
      const failed = { ...development, outcome: 'failed' as const }
      const retried = facts({
        latestRun: failed,
        mailbox: { status: 'blocked' },
        issue: { ...changedIssue, labels: ['status::blocked', 'ai::retry'] },
        snapshot: { labelEvents: [labelled('ai::retry')], comments: planned.snapshot?.comments ?? [] },
      })
      expect(say(decide(retried))).toEqual([
        'remove ai::retry',
        'mailbox {"status":"waiting_validation","needsYou":"validate_plan"}',
        'status waiting_validation',
        'comment acknowledgement',
      ])
      const paused = { ...failed, failure: { type: 'forge_changed' as const, message: '' } }
      const back = decide({ ...retried, latestRun: paused })
      expect(say(back)).toContain('status waiting_validation')
      expect(say(back)).not.toContain('run development assigned -')
    })

    test('can be answered by a plan that is made again', () => {
      const retried = facts({
        issue: { ...changedIssue, labels: ['status::waiting_validation', 'ai::retry'] },
        snapshot: { labelEvents: [labelled('ai::retry')] },
      })
      expect(say(decide(retried))).toContain('run analysis retry ann')
    })
  })

  test('handles a label once, however long it takes to come off', () => {
    const handled = post({ kind: 'remove_label', cause: 'label-event:9:900', state: 'waiting', sentAt: null })
    expect(validate({ posts: [...(planned.posts ?? []), handled] })).toEqual([])
  })
})

describe('retrying', () => {
  const retry = (status: Status, label = 'ai::retry', patch: Given = {}): readonly string[] =>
    say(
      decide(
        given(status, {
          issue: { labels: [`status::${status}`, label] },
          snapshot: { labelEvents: [labelled(label)] },
          ...patch,
        }),
      ),
    )

  test('queues the phase that failed again', () => {
    const failed = run({
      phase: 'development',
      outcome: 'failed',
      failure: { type: 'agent_failed', message: 'x' },
    })
    expect(retry('blocked', 'ai::retry', { latestRun: failed, mailbox: { needsYou: 'blocked' } })).toEqual([
      'remove ai::retry',
      'comment retry_resumed',
      ...moves('in_development'),
      'run development retry ann',
    ])
  })

  test.each(commandLabelSchema.options.filter((label) => label !== 'ai::validate_plan'))(
    'works with %s when blocked',
    (label) => {
      expect(retry('blocked', label)).toContain('run analysis retry ann')
    },
  )

  test('asks for a person where checks or a review would have to be worked on', () => {
    const asked = ['remove ai::retry', 'mailbox {"needsYou":"not_built"}', 'comment acknowledgement']
    expect(retry('in_ci')).toEqual(asked)
    expect(retry('in_review')).toEqual(asked)
  })

  test('leaves what a person is asked for already in its place', () => {
    const asked = { mailbox: { needsYou: 'validate_plan' as const } }
    expect(retry('waiting_validation', 'ai::retry_until_green', asked)).toEqual([
      'remove ai::retry_until_green',
      'comment acknowledgement',
    ])
  })

  test.each(['push_needs_person', 'unpushed_work'] as const)(
    'does not start while %s, and says so',
    (needsYou) => {
      const waits = { mailbox: { needsYou } }
      for (const label of ['ai::retry', 'ai::retry_once', 'ai::retry_until_green'] as const)
        expect(retry('in_development', label, waits)).toEqual([`remove ${label}`, 'comment acknowledgement'])
    },
  )

  test('lets one command of two take effect', () => {
    const labels = ['status::blocked', 'ai::retry', 'ai::retry_once']
    const commands = retry('blocked', 'ai::retry', {
      issue: { labels },
      snapshot: { labelEvents: [labelled('ai::retry'), labelled('ai::retry_once', ANN, '10')] },
    })
    expect(commands.filter((line) => line.startsWith('run '))).toHaveLength(1)
    expect(commands.filter((line) => line.startsWith('remove '))).toHaveLength(2)
  })
})

describe('the status label', () => {
  const changed = (patch: Given = {}): readonly string[] =>
    say(
      decide(
        given('in_development', {
          issue: { labels: ['status::done'] },
          snapshot: { labelEvents: [labelled('status::done')] },
          posts: [post({ kind: 'status' })],
          ...patch,
        }),
      ),
    )

  test('is put back with a comment when a person changes it', () => {
    expect(changed()).toEqual(['status in_development', 'comment status_label_restored'])
  })

  test('is put back when there are two, none or an unknown one', () => {
    for (const labels of [['status::in_development', 'status::mine'], [], ['status::mine']]) {
      expect(changed({ issue: { labels } })).toContain('status in_development')
    }
  })

  test('is put back without a word when no person is known to have changed it', () => {
    expect(changed({ snapshot: { labelEvents: [labelled('status::done', BOT)] } })).toEqual([
      'status in_development',
    ])
  })

  const restoredAs = (events: readonly LabelEventFacts[], labels: readonly string[]): string => {
    const facts = given('in_development', {
      issue: { labels },
      snapshot: { labelEvents: events },
      posts: [post({ kind: 'status' })],
    })
    const [restore] = decide(facts)
    return restore !== undefined && 'cause' in restore ? restore.cause : ''
  }

  test('stays as a person sets it for the second time, until the next own step', () => {
    const events = [labelled('status::done'), labelled('status::done', ANN, '11')]
    const cause = restoredAs([labelled('status::done')], ['status::done'])
    const restored = [post({ kind: 'status' }), post({ kind: 'status', cause })]
    expect(changed({ snapshot: { labelEvents: events }, posts: restored })).toEqual([])
    const moved = [...restored, post({ kind: 'status', cause: 'next-step' })]
    expect(changed({ snapshot: { labelEvents: events }, posts: moved })).toHaveLength(2)
  })

  test('is put back again when it is another change, or another person', () => {
    const change = (...given: Parameters<typeof labelled>): string =>
      restoredAs([labelled(...given)], [given[0]])
    const removed: LabelEventFacts = { ...labelled('status::in_development'), action: 'removed' }
    const causes = [
      change('status::done'),
      change('status::blocked'),
      change('status::done', EVE),
      restoredAs([removed], []),
    ]
    expect(new Set(causes).size).toBe(4)
  })

  test("is told to the person who changed it, also when Alfred's own step came in between", () => {
    const labelEvents = [labelled('status::done'), labelled('status::in_development', BOT, '12')]
    const labels = ['status::done', 'status::in_development']
    expect(changed({ issue: { labels }, snapshot: { labelEvents } })).toContain(
      'comment status_label_restored',
    )
  })

  test.each([
    ['is under way', { state: 'waiting', sentAt: null }],
    ['was sent after the issue was read', { sentAt: 999_000 }],
  ] as const)('is left alone while its own change %s', (_name, patch) => {
    expect(changed({ posts: [post({ kind: 'status', ...patch })] })).toEqual([])
  })
})

describe('a run that a person asked for in the window', () => {
  const asked = (status: Status, phase: RunFacts['phase']): readonly string[] =>
    say(
      decide(
        given(status, { latestRun: run({ phase, isLive: true, outcome: null }), liveRunId: 7 as RunId }),
      ),
    )

  test('takes the status with it', () => {
    expect(asked('blocked', 'development')).toEqual(moves('in_development'))
    expect(asked('waiting_validation', 'analysis')).toEqual(moves('functional_analysis'))
  })

  test('leaves a status that fits already', () => {
    expect(asked('in_development', 'development')).toEqual([])
    expect(asked('technical_analysis', 'analysis')).toEqual([])
    expect(asked('in_ci', 'ci_fix')).toEqual([])
  })
})

describe('answers to questions', () => {
  const asked = (author: typeof ANN, patch: Given = {}): readonly string[] =>
    say(
      decide(
        given('waiting_info', {
          mailbox: { needsYou: 'answer_questions' },
          posts: [post({ kind: 'comment', markerKind: 'questions', remoteId: 'q' })],
          snapshot: {
            comments: [
              { id: 'a', author: ANN, body: 'before' },
              { id: 'q', author: BOT, body: 'Which?' },
              { id: 'b', author, body: 'This one.' },
            ],
          },
          settings: { triggerLabel: null, trustedPeople: ['ann'] },
          ...patch,
        }),
      ),
    )

  test('of followed people queue the phase again', () => {
    expect(asked(ANN)).toEqual([...moves('functional_analysis'), 'run analysis answered ann'])
    expect(asked(ANN, { latestRun: run({ phase: 'development' }) })).toContain('run development answered ann')
  })

  test('of others, and of Alfred itself, queue nothing', () => {
    expect(asked(EVE)).toEqual([])
    expect(asked(BOT)).toEqual([])
  })
})

describe('an open change', () => {
  const open = { iid: 12, state: 'open' as const, hasConflicts: false }
  const withChange = (
    status: Status,
    snapshot: Partial<SnapshotFacts> = {},
    patch: Given = {},
  ): readonly string[] =>
    say(
      decide(
        given(status, {
          mailbox: { changeIid: 12 },
          latestRun: run({ phase: 'development' }),
          posts: [post({ kind: 'change', sentAt: 950_000 })],
          snapshot: { changes: [open], branchExists: true, ...snapshot },
          ...patch,
        }),
      ),
    )

  test.each([
    ['in_development', 'pending', moves('in_ci')],
    ['in_development', 'failure', moves('in_ci')],
    ['in_development', 'success', moves('in_review')],
    ['in_development', null, []],
    ['in_ci', 'pending', []],
    ['in_ci', 'success', moves('in_review')],
    ['in_ci', 'failure', ['mailbox {"needsYou":"not_built"}']],
    ['in_review', null, []],
    ['in_review', 'failure', ['mailbox {"needsYou":"not_built"}']],
  ] as const)('%s with checks %s', (status, headStatus, expected) => {
    expect(withChange(status, { headStatus })).toEqual(expected)
  })

  test('goes to review when no check has shown up in time', () => {
    expect(withChange('in_development', {}, { now: 1_010_000 })).toEqual(moves('in_review'))
    expect(withChange('in_development', {}, { now: 1_009_999 })).toEqual([])
  })

  test('waits while a newer push is under way', () => {
    const posts = [
      post({ kind: 'change', sentAt: 1 }),
      post({ kind: 'push', state: 'waiting', sentAt: null }),
    ]
    expect(withChange('in_development', {}, { posts })).toEqual([])
  })

  test('needs a person for conflicts and for review comments, and keeps its status', () => {
    expect(withChange('in_review', { changes: [{ ...open, hasConflicts: true }] })).toEqual([
      'mailbox {"needsYou":"not_built"}',
    ])
    const posts = [
      post({ kind: 'change' }),
      post({ kind: 'comment', markerKind: 'change_opened', remoteId: 'o' }),
    ]
    const comments = [
      { id: 'o', author: BOT, body: 'Done.' },
      { id: 'r', author: { id: 'owner', login: 'o' }, body: 'Rename it.' },
    ]
    expect(withChange('in_review', { comments }, { posts })).toEqual(['mailbox {"needsYou":"not_built"}'])
  })

  describe('lets go of the person', () => {
    const asked = { mailbox: { needsYou: 'not_built' as const, changeIid: 12 } }
    const free = 'mailbox {"needsYou":null}'

    test('once nothing of what they were asked for is left', () => {
      expect(withChange('in_review', {}, asked)).toEqual([free])
      expect(withChange('in_ci', { headStatus: 'pending' }, asked)).toEqual([free])
      expect(withChange('in_review', { changes: [] }, asked)).toEqual([free])
      expect(withChange('in_review', { headStatus: 'failure' }, asked)).toEqual([])
      expect(withChange('in_review', {}, { mailbox: { needsYou: 'blocked', changeIid: 12 } })).toEqual([])
    })

    test('of a command that is not built, once the issue has moved on', () => {
      const labelEvents = [labelled('ai::retry')]
      const taken = post({ kind: 'remove_label', cause: 'label-event:9:900' })
      const change = post({ kind: 'change' })
      expect(withChange('in_review', { labelEvents }, { ...asked, posts: [change, taken] })).toEqual([])
      expect(withChange('in_review', { labelEvents }, { ...asked, posts: [taken, change] })).toEqual([free])
    })
  })

  test('is done once merged, also when the issue was closed by that', () => {
    const merged = {
      snapshot: { changes: [{ ...open, state: 'merged' as const }] },
      issue: { isOpen: false },
    }
    expect(say(decide(given('in_review', merged)))).toEqual(['mailbox {"isOpen":false}', ...moves('done')])
    const told = post({ kind: 'status', cause: 'merged:12:50' })
    expect(say(decide(given('done', { ...merged, mailbox: { isOpen: false }, posts: [told] })))).toEqual([])
    const again = { snapshot: merged.snapshot, posts: [told], liveRunId: 8 as RunId }
    expect(say(decide(given('in_development', again)))).toEqual([])
  })
})

describe('a deleted branch', () => {
  const gone = (patch: Given = {}): readonly string[] =>
    say(
      decide(
        given('in_review', {
          posts: [post({ kind: 'push', sentAt: 100 }), post({ kind: 'change', sentAt: 100 })],
          snapshot: { branchExists: false, changes: [{ iid: 1, state: 'closed', hasConflicts: false }] },
          ...patch,
        }),
      ),
    )

  test('frees the name for later runs', () => {
    expect(gone()).toEqual(['mailbox {"branchName":null}'])
  })

  test.each([
    [
      'something is open for it',
      {
        snapshot: { branchExists: false, changes: [{ iid: 1, state: 'open' as const, hasConflicts: false }] },
      },
    ],
    ['it was pushed a moment ago', { posts: [post({ kind: 'push', sentAt: 998_000 })] }],
    ['it was never pushed', { posts: [] }],
    ['a later run is not pushed yet', { latestRun: run({ id: 8 as RunId }) }],
  ])('keeps the name when %s', (_name, patch) => {
    expect(gone(patch)).not.toContain('mailbox {"branchName":null}')
  })
})

/** Stores a decision as the service does: mailbox and posts change, the rest of the facts stays. */
function store(facts: WorkflowFacts, commands: readonly WorkflowCommand[]): WorkflowFacts {
  const posts = [...facts.posts]
  let { mailbox, liveRunId, latestRun } = facts
  const add = (kind: PostFacts['kind'], cause: string, markerKind: PostFacts['markerKind'] = null): void => {
    if (
      posts.some((known) => known.kind === kind && known.cause === cause && known.markerKind === markerKind)
    )
      return
    posts.push(post({ kind, cause, markerKind, state: 'waiting', sentAt: null }))
  }
  for (const command of commands) {
    if (command.type === 'update_mailbox') mailbox = { ...mailbox, ...command.change }
    if (command.type === 'post_status') add('status', command.cause)
    if (command.type === 'post_comment') add('comment', command.cause, command.kind)
    if (command.type === 'remove_label') add('remove_label', command.cause)
    if (command.type === 'stop_run') liveRunId = null
    if (command.type === 'request_run') {
      liveRunId = 99 as RunId
      latestRun = run({ id: liveRunId, phase: command.phase, isLive: true, outcome: null })
    }
  }
  return { ...facts, mailbox, liveRunId, latestRun, posts }
}

test('deciding again and again comes to rest, starts one run at most and posts nothing twice, whatever the issue looks like', () => {
  const labels = fc.uniqueArray(
    fc.constantFrom(
      'status::done',
      'status::blocked',
      'status::in_review',
      'type::question',
      'bug',
      ...commandLabelSchema.options,
    ),
  )
  const anyFacts = fc
    .record({
      status: fc.option(fc.constantFrom(...statusSchema.options)),
      labels,
      events: fc.array(
        fc.tuple(
          fc.constantFrom(...commandLabelSchema.options, 'status::done'),
          fc.constantFrom(ANN, BOT, EVE),
        ),
      ),
      isOpen: fc.boolean(),
      assignees: fc.constantFrom([BOT], [BOT, ANN], []),
      headStatus: fc.constantFrom('pending' as const, 'success' as const, 'failure' as const, null),
      change: fc.constantFrom('open' as const, 'merged' as const, 'closed' as const, null),
      live: fc.boolean(),
      phase: fc.constantFrom('analysis' as const, 'development' as const),
      failure: fc.constantFrom(null, { type: 'forge_changed' as const, message: 'x' }),
      isChangedSince: fc.boolean(),
    })
    .map((world) =>
      given(world.status, {
        issue: { labels: world.labels, isOpen: world.isOpen, assignees: world.assignees },
        snapshot: {
          labelEvents: world.events.map(([label, by], at) => ({
            ...labelled(label, by, String(at)),
            at: 900 + at,
          })),
          headStatus: world.headStatus,
          changes:
            world.change === null || world.status === null
              ? []
              : [{ iid: 4, state: world.change, hasConflicts: false }],
        },
        posts: [post({ kind: 'status' }), post({ kind: 'change', remoteId: '4' })],
        liveRunId: world.live ? (70 as RunId) : null,
        latestRun:
          world.status === null
            ? null
            : run({
                phase: world.phase,
                failure: world.failure,
                outcome: world.failure ? 'stopped' : 'failed',
              }),
        plan: { plan: 'Plan.', runId: 7 as RunId, issueSha256: 'another' },
        approval: world.isChangedSince ? { titleSha256: 'another', bodySha256: 'another' } : null,
      }),
    )
  fc.assert(
    fc.property(anyFacts, (facts) => {
      const commands: WorkflowCommand[] = []
      let after = facts
      for (let step = 0; step < 4; step += 1) {
        const decision = decide(after)
        commands.push(...decision)
        after = store(after, decision)
      }
      expect(decide(after)).toEqual([])
      expect(commands.filter(({ type }) => type === 'request_run').length).toBeLessThanOrEqual(1)
      const posted = commands.flatMap((command) =>
        'cause' in command
          ? [`${command.type} ${'kind' in command ? command.kind : ''} ${command.cause}`]
          : [],
      )
      expect(new Set(posted).size).toBe(posted.length)
    }),
    { numRuns: 1000 },
  )
})

describe('while a person talks with an agent', () => {
  test('nothing on the forge stops the talk, and the branch keeps its name', () => {
    const talking = { isTalking: true, liveRunId: null }
    const taken = given('in_development', { ...talking, issue: { assignees: [] } })
    expect(decide(taken).filter(({ type }) => type === 'stop_run')).toEqual([])
    const pushed = post({ kind: 'push', remoteId: 'a1', sentAt: 100 })
    const gone = {
      posts: [pushed],
      latestRun: run({ phase: 'development' }),
      mailbox: { branchName: 'agent/issue-3' },
      snapshot: { branchExists: false },
    }
    const resets = (more: object) =>
      decide(given('in_development', { ...gone, ...more })).some(
        (command) => command.type === 'update_mailbox' && command.change.branchName === null,
      )
    expect(resets({})).toBe(true)
    expect(resets(talking)).toBe(false)
  })
})
