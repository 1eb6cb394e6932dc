import { createHash } from 'node:crypto'
import type { MailboxId, RunId } from '@shared/model/ids'
import type { Status } from '@shared/model/words'
import type { WorkflowCommand } from '@main/core/workflow/commands'
import type {
  IssueFacts,
  LabelEventFacts,
  PostFacts,
  RunFacts,
  SnapshotFacts,
  WorkflowFacts,
} from '@main/core/workflow/facts'

/*
 * Facts for decisions: an issue of Eve's that Alfred works on, with what a test has to say of it.
 */

export const digest = (text: string): string => createHash('sha256').update(text).digest('hex')
export const BOT = { id: 'bot', login: 'alfred' }
export const ANN = { id: 'ann', login: 'ann' }
export const EVE = { id: 'eve', login: 'eve' }
export const PLAN_COMMENT = 'Plan.\n\n<!-- marker -->'

export const issue = (patch: Partial<IssueFacts> = {}): IssueFacts => ({
  iid: 3,
  title: 'Slow search',
  body: 'It is slow.',
  author: EVE,
  labels: [],
  assignees: [BOT],
  isOpen: true,
  branchReference: null,
  createdAt: 50,
  ...patch,
})

export const run = (patch: Partial<RunFacts> = {}): RunFacts => ({
  id: 7 as RunId,
  uid: 'run-uid',
  phase: 'analysis',
  isLive: false,
  outcome: 'succeeded',
  failure: null,
  ...patch,
})

export const post = (patch: Partial<PostFacts> & Pick<PostFacts, 'kind'>): PostFacts => ({
  markerKind: null,
  state: 'sent',
  runId: 7 as RunId,
  cause: 'run-uid',
  remoteId: null,
  postedSha256: null,
  sentAt: 100,
  ...patch,
})

export const labelled = (label: string, by = ANN, id = '9'): LabelEventFacts => ({
  id,
  label,
  action: 'added',
  by,
  at: 900,
})

export interface Given extends Partial<Omit<WorkflowFacts, 'snapshot' | 'mailbox'>> {
  readonly issue?: Partial<IssueFacts>
  readonly snapshot?: Partial<SnapshotFacts>
  readonly mailbox?: Partial<WorkflowFacts['mailbox']>
}

export function given(
  status: Status | null,
  { issue: issuePatch, snapshot, mailbox, ...patch }: Given = {},
): WorkflowFacts {
  const labels = status === null ? [] : [`status::${status}`]
  return {
    now: 1_000_000,
    readAt: 999_000,
    digest,
    isTalking: false,
    accountId: 'bot',
    ownerIds: ['owner'],
    mailbox: {
      id: 5 as MailboxId,
      title: 'Slow search',
      status,
      branchName: 'agent/issue-3-slow-search',
      baseBranch: null,
      changeIid: null,
      isOpen: true,
      needsYou: null,
      ...mailbox,
    },
    latestRun: status === null ? null : run(),
    liveRunId: null,
    plan: null,
    approval: null,
    posts: [],
    settings: { triggerLabel: null, trustedPeople: [] },
    deletesBranch: true,
    statusGraceMs: 60_000,
    ...patch,
    snapshot: {
      issue: issue({ labels, ...issuePatch }),
      comments: [],
      labelEvents: [],
      assignments: [],
      changes: [],
      branchExists: false,
      headStatus: null,
      ...snapshot,
    },
  }
}

/** Commands as one line each. */
export const say = (commands: readonly WorkflowCommand[]): readonly string[] =>
  commands.map((command) => {
    switch (command.type) {
      case 'update_mailbox':
        return `mailbox ${JSON.stringify(command.change)}`
      case 'post_status':
        return `status ${command.status}`
      case 'post_comment':
        return `comment ${command.kind}`
      case 'remove_label':
        return `remove ${command.label}`
      case 'request_run':
        return `run ${command.phase} ${command.trigger} ${command.requestedBy ?? '-'}`
      case 'stop_run':
        return `stop ${command.reason.type}`
      default:
        return command.type
    }
  })

export const moves = (status: Status): readonly string[] => [
  `mailbox {"status":"${status}","needsYou":null}`,
  `status ${status}`,
]
