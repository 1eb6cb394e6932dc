import type { Outcome, Phase, Status, TypeLabel } from '@shared/model/words'
import type { RunResult } from '../result/parse-result'
import { isTalk } from '../run/talk'
import type { WorkflowCommand } from './commands'
import type { RunFacts } from './facts'
import {
  answerText,
  asideText,
  blockedText,
  noCommitsText,
  nothingToDoText,
  planText,
  questionsText,
  sectionText,
} from './texts'

/*
 * What follows from the end of a run. The cause of every post is the run's uid, so telling it twice posts once.
 */

export interface RunEndFacts {
  readonly run: RunFacts
  readonly iid: number
  readonly result: RunResult | null
  /** Accepted new commits. */
  readonly commits: number
  /** Of the issue as the run was shown it. */
  readonly issueSha256: string | null
  /** What the issue asks for. */
  readonly type: TypeLabel
  readonly status: Status | null
  readonly earlierWork: EarlierWork
  readonly requiresValidation: boolean
}

/** What the run began with: nothing of the issue's, commits that no change has yet, or those of its change. */
export type EarlierWork = 'none' | 'unpushed' | 'in_change'

export function decideRunEnd(facts: RunEndFacts): readonly WorkflowCommand[] {
  const { phase, outcome } = facts.run
  if (isTalk(phase)) return afterTalk(facts)
  if (outcome === null) return []
  if (isAside(phase, facts.type)) return aside(facts)
  if (outcome !== 'succeeded') return isFailure(outcome) ? blocked(facts, outcome) : []
  const { result } = facts
  if (result === null) return blocked(facts, 'failed')
  if (result.outcome === 'questions')
    return [...section(facts, result), ...wait(facts, questionsText(result.questions, facts.iid))]
  if (facts.commits === 0 && writes(phase) && facts.earlierWork !== 'none') return goOn(facts, result)
  if (result.outcome === 'nothing' && facts.commits === 0)
    return wait(facts, nothingToDoText(result.summary, facts.iid))
  switch (phase) {
    case 'analysis':
      return afterAnalysis(facts, result)
    case 'answer':
      return [
        comment(facts, 'answer', answerText(result.answer ?? '', facts.iid)),
        ...settle(facts, 'done', null),
      ]
    case 'development':
    case 'ci_fix':
    case 'review_fix':
    case 'conflict_resolution':
      return afterDevelopment(facts, result)
  }
}

/** Whatever came of it, what was committed waits for a person, and nothing is posted. */
const afterTalk = ({ run, commits }: RunEndFacts): readonly WorkflowCommand[] =>
  commits === 0 ? [] : [{ type: 'hold_push', runId: run.id, cause: run.uid }]

/**
 * An answer on an issue that asks for none: a person wanted to know something meanwhile. It stands beside the
 * workflow, as a chat does.
 */
export const isAside = (phase: Phase, type: TypeLabel): boolean =>
  phase === 'answer' && type !== 'type::question'

/** What it says is posted; what it does not say is on the screen of its run. */
function aside(facts: RunEndFacts): readonly WorkflowCommand[] {
  const text = facts.result === null ? null : asideText(facts.result, facts.iid)
  return text === null ? [] : [comment(facts, 'answer', text)]
}

/** Phases that commit. */
function writes(phase: Phase): boolean {
  switch (phase) {
    case 'development':
    case 'ci_fix':
    case 'review_fix':
    case 'conflict_resolution':
      return true
    case 'analysis':
    case 'answer':
    case 'chat':
    case 'terminal':
      return false
  }
}

/** A stop is a person's will: nothing more is posted. The rest are failures. */
const isFailure = (outcome: Outcome): boolean => outcome !== 'stopped' && outcome !== 'account_limit'

type Kind = Extract<WorkflowCommand, { type: 'post_comment' }>['kind']
type StatusCommand = Extract<WorkflowCommand, { type: 'post_status' }>
type NeedsYou = Extract<WorkflowCommand, { type: 'update_mailbox' }>['change']['needsYou']

const comment = (facts: RunEndFacts, kind: Kind, text: string): WorkflowCommand => ({
  type: 'post_comment',
  kind,
  cause: facts.run.uid,
  text,
})

const postStatus = (facts: RunEndFacts, status: StatusCommand['status']): WorkflowCommand => ({
  type: 'post_status',
  status,
  cause: `${facts.run.uid}:${status}`,
})

const settle = (
  facts: RunEndFacts,
  status: StatusCommand['status'],
  needsYou: NeedsYou,
): readonly WorkflowCommand[] => [
  { type: 'update_mailbox', change: { status, needsYou: needsYou ?? null } },
  postStatus(facts, status),
]

const blocked = (facts: RunEndFacts, outcome: Outcome): readonly WorkflowCommand[] => [
  ...settle(facts, 'blocked', 'blocked'),
  comment(facts, 'blocked', blockedText({ phase: facts.run.phase, outcome, failure: facts.run.failure })),
]

const wait = (facts: RunEndFacts, text: string): readonly WorkflowCommand[] => [
  comment(facts, 'questions', text),
  ...settle(facts, 'waiting_info', 'answer_questions'),
]

function section(facts: RunEndFacts, result: RunResult): readonly WorkflowCommand[] {
  if (result.functionalAnalysis === null) return []
  return [
    { type: 'edit_section', text: sectionText(result.functionalAnalysis, facts.iid), cause: facts.run.uid },
  ]
}

function afterAnalysis(facts: RunEndFacts, result: RunResult): readonly WorkflowCommand[] {
  const plan = result.plan ?? ''
  const next = facts.type === 'type::analysis' ? 'end' : facts.requiresValidation ? 'validate' : 'develop'
  return [
    {
      type: 'store_plan',
      runId: facts.run.id,
      plan,
      functionalAnalysis: result.functionalAnalysis,
      issueSha256: facts.issueSha256 ?? '',
    },
    ...section(facts, result),
    postStatus(facts, 'technical_analysis'),
    comment(facts, 'plan', planText(plan, facts.iid, next)),
    ...(next === 'end' ? settle(facts, 'done', null) : []),
    ...(next === 'validate' ? settle(facts, 'waiting_validation', 'validate_plan') : []),
    ...(next === 'develop'
      ? ([
          ...settle(facts, 'in_development', null),
          { type: 'request_run', phase: 'development', trigger: 'plan_validated', requestedBy: null },
        ] as const)
      : []),
  ]
}

function afterDevelopment(facts: RunEndFacts, result: RunResult): readonly WorkflowCommand[] {
  const { run, commits } = facts
  if (commits === 0) {
    return [
      ...settle(facts, 'blocked', 'blocked'),
      comment(facts, 'blocked', noCommitsText(result.summary, facts.iid)),
    ]
  }
  return [
    ...inDevelopment(facts),
    ...publish({ runId: run.id, uid: run.uid, summary: result.summary, approvedSha: null, isTold: true }),
  ]
}

/** Nothing was added to what is there: that is published, or is published already. */
function goOn(facts: RunEndFacts, result: RunResult): readonly WorkflowCommand[] {
  const { run, status, earlierWork } = facts
  const isNew = earlierWork === 'unpushed'
  const isAtReview = status === 'in_ci' || status === 'in_review'
  return [
    ...(isNew || !isAtReview ? inDevelopment(facts) : []),
    ...publish({ runId: run.id, uid: run.uid, summary: result.summary, approvedSha: null, isTold: isNew }),
  ]
}

/** From where a change goes to its checks and its review; a run that was asked for may have begun anywhere. */
const inDevelopment = (facts: RunEndFacts): readonly WorkflowCommand[] =>
  facts.status === 'in_development' ? [] : settle(facts, 'in_development', null)

/** Push, change, and the comment that names it: one after the other, or none. */
export function publish(work: {
  readonly runId: RunFacts['id']
  readonly uid: string
  readonly summary: string | null
  /** The head that a person agreed to publish, with paths of PUSH_NEEDS_PERSON; null: none. */
  readonly approvedSha: string | null
  /** Whether a comment says that the work is done. */
  readonly isTold: boolean
}): readonly WorkflowCommand[] {
  const { runId, summary, approvedSha } = work
  const cause = approvedSha === null ? work.uid : `${work.uid}:approved:${approvedSha}`
  return [
    { type: 'update_mailbox', change: { needsYou: null } },
    { type: 'push', runId, cause, approvedSha },
    { type: 'open_change', runId, cause, summary },
    ...(work.isTold ? ([{ type: 'tell_change', runId, cause }] as const) : []),
  ]
}
