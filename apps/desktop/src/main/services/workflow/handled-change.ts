import { z } from 'zod'
import type { Mailbox, Project } from '@shared/model/records'
import type { ChangeLook, ForgeIssueSnapshot, IssueLook } from '../../ports/forge'
import { approvalInForce } from './approval-in-force'
import { sha256, type WorkflowParts } from './workflow-parts'

/*
 * What was last dealt with of the open change of an issue: as long as the forge shows the same, and nothing is different
 * here, reading the issue whole would decide nothing, but for the little that no look shows. It is taken from the very
 * snapshot that was decided from, and stored with the decisions, beside the poll's cursors: neither a crash nor what
 * happens meanwhile is passed over.
 */

const handledSchema = z.object({
  iid: z.number(),
  state: z.literal('open'),
  headSha: z.string().nullable(),
  hasConflicts: z.boolean(),
  updatedAt: z.number(),
  commentCount: z.number().nullable(),
  headStatus: z.enum(['pending', 'success', 'failure']).nullable(),
  /** Of the issue itself. */
  issue: z.object({
    labels: z.array(z.string()),
    updatedAt: z.number(),
    commentCount: z.number().nullable(),
  }),
  /** What the decisions were made from here. */
  here: z.string(),
  readAt: z.number(),
})

export type HandledChange = Omit<z.infer<typeof handledSchema>, 'here' | 'readAt'>

/** After so long an issue is read whole all the same: no look shows all of it. Oftener, it would cost what looks save. */
const readAgainAfterMs = 3_600_000

const cursorOf = (iid: number): string => `change-of-issue:${iid}`

/** `snapshot`: all that follows from it was decided, and that was nothing; null: something still follows. */
export function rememberHandled(
  parts: WorkflowParts,
  project: Project,
  mailbox: Mailbox,
  snapshot: ForgeIssueSnapshot | null,
): void {
  const { cursors } = parts.store
  const open = snapshot?.changes.find(({ state }) => state === 'open')
  const handled =
    snapshot === null || open === undefined
      ? null
      : {
          ...lookOf(open),
          issue: issueLookOf(snapshot.issue),
          headStatus: snapshot.headStatus,
          here: stateHere(parts, project, mailbox),
          readAt: parts.clock.now(),
        }
  const position = handled === null ? '' : JSON.stringify(handled)
  const known = cursors.get(project.forgeId, project.id, cursorOf(mailbox.iid)) ?? ''
  if (position === known) return
  cursors.set(project.forgeId, project.id, cursorOf(mailbox.iid), position, parts.clock.now())
}

/** null: the issue has to be read whole. */
export function handledChange(
  parts: WorkflowParts,
  project: Project,
  mailbox: Mailbox,
): HandledChange | null {
  const position = parts.store.cursors.get(project.forgeId, project.id, cursorOf(mailbox.iid))
  if (position === null || position === '') return null
  const read = handledSchema.safeParse(parsed(position))
  if (!read.success || read.data.here !== stateHere(parts, project, mailbox)) return null
  // also where the clock was set back
  if (Math.abs(parts.clock.now() - read.data.readAt) >= readAgainAfterMs) return null
  return read.data
}

export const isAsHandled = (look: ChangeLook, handled: HandledChange): boolean =>
  JSON.stringify(lookOf(look)) === JSON.stringify(lookOf(handled))

const lookOf = ({ iid, state, headSha, hasConflicts, updatedAt, commentCount }: ChangeLook): ChangeLook => ({
  iid,
  state,
  headSha,
  hasConflicts,
  updatedAt,
  commentCount: commentCount ?? null,
})

export const isIssueAsHandled = (look: IssueLook, { issue }: HandledChange): boolean =>
  JSON.stringify(issueLookOf(look)) === JSON.stringify(issueLookOf(issue))

/** A forge gives labels in an order of its own. */
const issueLookOf = ({ labels, updatedAt, commentCount }: IssueLook): IssueLook => ({
  labels: labels.toSorted(),
  updatedAt,
  commentCount: commentCount ?? null,
})

/** Whatever here makes a difference to what follows from the same news. */
function stateHere({ store, settings }: WorkflowParts, project: Project, mailbox: Mailbox): string {
  const { status, needsYou, changeIid, branchName, isOpen } = mailbox
  const { AGENT_TRIGGER_LABEL, TRUSTED_PEOPLE, REQUIRE_PLAN_VALIDATION } = settings.of(project).values
  const run = store.runs.latest(mailbox.id)
  return sha256(
    JSON.stringify([
      [status, needsYou, changeIid, branchName, isOpen],
      [run?.id, run?.state, store.runs.findLive(mailbox.id)?.id],
      store.outbox.listByMailbox(mailbox.id).map(({ id, state }) => [id, state]),
      [store.plans.find(mailbox.id)?.runId, approvalInForce(store, mailbox.id)],
      [AGENT_TRIGGER_LABEL, TRUSTED_PEOPLE, REQUIRE_PLAN_VALIDATION],
    ]),
  )
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
