import type { Mailbox, Project, Run } from '@shared/model/records'
import type { TypeLabel } from '@shared/model/words'
import { parseFailure } from '../../core/run/run-row'
import { isTalk } from '../../core/run/talk'
import { isAside } from '../../core/workflow/decide-run-end'
import type { RunFacts, SnapshotFacts, WorkflowFacts } from '../../core/workflow/facts'
import { typeOf } from '../../core/workflow/labels'
import type { ForgeIssueSnapshot } from '../../ports/forge'
import { approvalInForce } from './approval-in-force'
import { toPost } from './to-post'
import { sha256, statusGraceMs, type WorkflowParts } from './workflow-parts'

/** How far back the latest run of the workflow is looked for behind chats, terminals and answers beside it. */
export const LOOK_BACK = 200

/** What the store knows, beside what the forge said at `readAt`. */
export function gatherFacts(
  parts: WorkflowParts,
  read: {
    readonly project: Project
    readonly mailbox: Mailbox
    readonly snapshot: ForgeIssueSnapshot
    readonly readAt: number
  },
): WorkflowFacts {
  const { store, clock, settings } = parts
  const { project, mailbox, snapshot, readAt } = read
  const forge = store.forges.getForge(project.forgeId)
  const { values } = settings.of(project)
  const live = store.runs.findLive(mailbox.id)
  return {
    now: clock.now(),
    readAt,
    digest: sha256,
    accountId: forge.accountId,
    ownerIds: [...parts.ownerIdsOf(project), ...snapshot.ownerIds],
    snapshot: snapshot satisfies SnapshotFacts,
    mailbox,
    latestRun: latestPhaseRun(parts, mailbox, typeOf(snapshot.issue.labels)),
    liveRunId: live === null || isTalk(live.phase) ? null : live.id,
    isTalking: live !== null && isTalk(live.phase),
    plan: store.plans.find(mailbox.id),
    approval: values.REQUIRE_PLAN_VALIDATION ? approvalInForce(store, mailbox.id) : null,
    posts: store.outbox.listByMailbox(mailbox.id).map(toPost),
    settings: { triggerLabel: values.AGENT_TRIGGER_LABEL, trustedPeople: values.TRUSTED_PEOPLE },
    deletesBranch: forge.kind !== 'local',
    statusGraceMs: statusGraceMs(forge.kind),
  }
}

function latestPhaseRun({ store }: WorkflowParts, mailbox: Mailbox, type: TypeLabel): RunFacts | null {
  const runs = store.runs.listByMailbox(mailbox.id, LOOK_BACK, null)
  const phaseRuns = runs.filter(({ phase }) => !isTalk(phase) && !isAside(phase, type))
  const latest = phaseRuns.reduce<Run | null>(
    (last, run) => (last === null || run.id > last.id ? run : last),
    null,
  )
  return latest === null ? null : toRunFacts(latest)
}

export const toRunFacts = (run: Run): RunFacts => ({
  id: run.id,
  uid: run.uid,
  phase: run.phase,
  isLive: run.state !== 'ended',
  outcome: run.outcome,
  failure: run.state === 'ended' ? parseFailure(run.error) : null,
})
