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
    endsAtPlan: false,
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
    expect(say(end({ endsAtPlan: true }))).toEqual([...posts, 'mailbox done -', 'status done'])
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
  expect(say(end({ result: { ...result, answer: '42' } }, { phase: 'answer' }))).toEqual([
    'comment answer',
    'mailbox done -',
    'status done',
  ])
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
})
