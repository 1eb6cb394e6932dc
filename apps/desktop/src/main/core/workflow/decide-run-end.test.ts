import { describe, expect, test } from 'vitest'
import type { RunId } from '@shared/model/ids'
import { outcomeSchema } from '@shared/model/words'
import type { RunResult } from '../result/parse-result'
import { decideRunEnd, type RunEndFacts } from './decide-run-end'

const result: RunResult = {
  source: 'file',
  outcome: 'done',
  functionalAnalysis: 'What it is.',
  plan: 'How.',
  questions: [],
  answer: null,
  summary: 'Did it.',
}
const run: RunEndFacts['run'] = {
  id: 7 as RunId,
  uid: 'run-uid',
  phase: 'analysis',
  isLive: false,
  outcome: 'succeeded',
  failure: null,
}
const end = (patch: Partial<Omit<RunEndFacts, 'run'>> = {}, runPatch: Partial<RunEndFacts['run']> = {}) =>
  decideRunEnd({
    run: { ...run, ...runPatch },
    iid: 3,
    result,
    commits: 0,
    issueSha256: 'sha',
    type: 'type::task',
    status: 'in_development',
    earlierWork: 'none',
    requiresValidation: true,
    ...patch,
  })
const say = (commands: ReturnType<typeof end>): readonly string[] =>
  commands.map((command) => {
    if (command.type === 'post_comment') return `comment ${command.kind}`
    if (command.type === 'post_status') return `status ${command.status}`
    if (command.type === 'update_mailbox')
      return `mailbox ${command.change.status ?? '-'} ${command.change.needsYou ?? '-'}`
    if (command.type === 'request_run') return `run ${command.phase}`
    return command.type
  })

describe('the end of an analysis', () => {
  const posts = ['store_plan', 'edit_section', 'status technical_analysis', 'comment plan']
  test('posts the analysis, then the plan, then waits for its validation', () => {
    expect(say(end())).toEqual([
      ...posts,
      'mailbox waiting_validation validate_plan',
      'status waiting_validation',
    ])
  })

  test('goes on to development where no validation is asked for', () => {
    expect(say(end({ requiresValidation: false }))).toEqual([
      ...posts,
      'mailbox in_development -',
      'status in_development',
      'run development',
    ])
  })

  test('ends at the plan for type::analysis', () => {
    expect(say(end({ type: 'type::analysis' }))).toEqual([...posts, 'mailbox done -', 'status done'])
  })

  test('asks its questions and waits', () => {
    expect(
      say(
        end({ result: { ...result, outcome: 'questions', questions: ['Which?'], functionalAnalysis: null } }),
      ),
    ).toEqual(['comment questions', 'mailbox waiting_info answer_questions', 'status waiting_info'])
  })

  test('waits for a person when there is nothing to do', () => {
    expect(say(end({ result: { ...result, outcome: 'nothing', summary: 'It works.' } }))).toContain(
      'mailbox waiting_info answer_questions',
    )
  })
})

test('an answer is posted and the issue is done', () => {
  const answered = { result: { ...result, answer: '42' }, type: 'type::question' } as const
  expect(say(end(answered, { phase: 'answer' }))).toEqual(['comment answer', 'mailbox done -', 'status done'])
})

describe('an answer on an issue that asks for none', () => {
  const aside = (patch: Parameters<typeof end>[0], outcome: RunEndFacts['run']['outcome'] = 'succeeded') =>
    end({ status: 'in_review', ...patch }, { phase: 'answer', outcome })

  test('is posted and moves nothing', () => {
    expect(say(aside({ result: { ...result, answer: '42' } }))).toEqual(['comment answer'])
    const asks = { ...result, outcome: 'questions' as const, questions: ['Which?'], answer: null }
    expect(aside({ result: asks })).toMatchObject([{ text: 'Which?' }])
    expect(say(aside({ result: { ...result, outcome: 'nothing', answer: null } }))).toEqual([
      'comment answer',
    ])
  })

  test('blocks nothing when it fails', () => expect(aside({ result: null }, 'failed')).toEqual([]))
})

describe('the end of development', () => {
  test('pushes, opens the change and tells, in this order, and moves no status yet', () => {
    expect(say(end({ commits: 2 }, { phase: 'development' }))).toEqual([
      'mailbox - -',
      'push',
      'open_change',
      'tell_change',
    ])
  })

  test('begins from in_development, wherever the issue stood when the run was asked for', () => {
    expect(
      say(end({ commits: 1, status: 'waiting_validation' }, { phase: 'development' })).slice(0, 2),
    ).toEqual(['mailbox in_development -', 'status in_development'])
  })

  describe.each(['nothing', 'done'] as const)('with %s to add', (outcome) => {
    const again = (patch: Parameters<typeof end>[0]) =>
      say(end({ result: { ...result, outcome }, ...patch }, { phase: 'development' }))

    test('publishes what earlier runs left unpushed', () => {
      expect(again({ earlierWork: 'unpushed' })).toEqual([
        'mailbox - -',
        'push',
        'open_change',
        'tell_change',
      ])
    })

    test('leaves an issue whose change is open at its review, and says nothing', () => {
      const published = ['mailbox - -', 'push', 'open_change']
      expect(again({ earlierWork: 'in_change', status: 'in_review' })).toEqual(published)
      expect(again({ earlierWork: 'in_change' })).toEqual(published)
      expect(again({ earlierWork: 'in_change', status: 'blocked' })).toEqual([
        'mailbox in_development -',
        'status in_development',
        ...published,
      ])
    })
  })

  test('is blocked when the agent says done and made no commit', () => {
    const commands = end({ commits: 0 }, { phase: 'development' })
    expect(say(commands)).toEqual(['mailbox blocked blocked', 'status blocked', 'comment blocked'])
    expect(JSON.stringify(commands)).toContain('Development made no commit')
  })
})

describe('a run that did not succeed', () => {
  test.each(['failed', 'timed_out', 'out_of_memory', 'result_refused', 'interrupted'] as const)(
    'blocks with one comment when it %s',
    (outcome) => {
      expect(
        say(end({ result: null }, { outcome, failure: { type: 'agent_failed', message: 'exit 1' } })),
      ).toEqual(['mailbox blocked blocked', 'status blocked', 'comment blocked'])
    },
  )

  test('posts nothing when it was stopped', () => {
    expect(end({ result: null }, { outcome: 'stopped', failure: { type: 'stopped', message: 'x' } })).toEqual(
      [],
    )
  })

  test.each(outcomeSchema.options)('posts nothing for a chat or terminal that %s', (outcome) => {
    expect(end({}, { phase: 'chat', outcome })).toEqual([])
    expect(end({}, { phase: 'terminal', outcome })).toEqual([])
  })

  test.each(outcomeSchema.options)('holds what a chat that %s committed, and posts nothing', (outcome) =>
    expect(end({ commits: 2 }, { phase: 'chat', outcome })).toEqual([
      { type: 'hold_push', runId: 7, cause: 'run-uid' },
    ]),
  )
})
