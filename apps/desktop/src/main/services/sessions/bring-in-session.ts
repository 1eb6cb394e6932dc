import type { BroughtIn, ImportError, RepairError } from '@shared/contract/sessions'
import { runUidSchema, type MailboxId, type RunId, type RunUid } from '@shared/model/ids'
import type { LlmSession } from '@shared/model/records'
import { err, ok, type Result } from '@shared/result'
import { sessionOffWords } from '@shared/timeline/row-sentence'
import { branchName } from '../../core/session/branch-name'
import { settingsOfPhase } from '../../core/settings/phase-settings'
import { isUsableSessionId } from '../../core/session/session-id'
import type { AgentAdapter } from '../../ports/agent-adapter'
import type { StagedSession } from '../../ports/hand-made-sessions'
import { nextPhase } from '../runs/next-phase'
import { chooseAdapter } from '../runs/choose-adapter'
import { writeRunRecord } from '../runs/run-record'
import { noteUsedBefore, usedBefore } from './used-before'
import { runWithSession, userOf, whyOff, type MailboxContext, type SessionParts } from './session-parts'

/*
 * A session that no run made becomes one of an issue: its copy is placed in the state folder and an ended run is
 * written for it, in one step. Before that step nothing of the issue has changed; a copy that was placed without its
 * rows, because everything ended right then, is a file that no run asks for.
 */

export interface BringIn {
  readonly context: MailboxContext
  readonly adapter: AgentAdapter
  /** Where the session lies: a folder that a person picked, or the state of the issue itself. */
  readonly folder: string
  readonly fromId: string
  readonly toId: string
  /** The id that it is a fork of; null: it was made by hand. */
  readonly forkOf: string | null
}

type NotFound = { readonly type: 'not_found'; readonly what: string }

export async function bringIn(
  parts: SessionParts,
  request: BringIn,
): Promise<Result<BroughtIn, ImportError | NotFound>> {
  const { context, adapter, folder, fromId, toId } = request
  const off = await offObstacle(parts, request)
  const obstacle = off ?? obstacleTo(parts, request)
  if (obstacle !== null) return err(obstacle)
  const staged = await parts.handMade.stage({ adapter, folder, fromId, toId, user: parts.user })
  if (!staged.ok) return staged
  try {
    const state = parts.paths.sessionState(context, adapter.id)
    await parts.sandboxFiles.ensureFolder(state, parts.user)
    const uid = runUidSchema.parse(parts.randomness.uuidV7())
    await parts.folders.prepare(parts.paths.run(uid))
    const used = await usedBefore(parts, adapter, staged.value, toId)
    // Copying took time: somebody may have begun meanwhile, or changed a setting.
    const offNow = await offObstacle(parts, request)
    if (offNow !== null) return err(offNow)
    // From here on nothing waits.
    const stored = parts.store.transaction((): Result<LlmSession, ImportError> => {
      const now = obstacleTo(parts, request)
      if (now !== null) return err(now)
      const inTheWay = staged.value.place(state)
      if (inTheWay !== null) return err({ type: 'not_possible', message: inTheWay })
      const session = storeRows(parts, request, staged.value, uid)
      noteUsedBefore(parts, session, used)
      writeRunRecord(parts, session.runId)
      return ok(session)
    })
    if (!stored.ok) return stored
    publish(parts, context, stored.value.runId)
    const next = nextAdapter(parts, context)
    return ok({
      runId: stored.value.runId,
      sessionId: stored.value.id,
      nativeId: toId,
      bytes: staged.value.bytes,
      recordsLeftOut: staged.value.recordsLeftOut,
      isNext: next === null || next === adapter.id,
    })
  } finally {
    await staged.value.discard()
  }
}

async function offObstacle(parts: SessionParts, { context, adapter }: BringIn): Promise<ImportError | null> {
  const off = await whyOff(parts, context, adapter)
  return off === null
    ? null
    : { type: 'not_possible', message: `No run of this issue would resume it: ${sessionOffWords[off]}.` }
}

/** What keeps it from being brought in now. */
function obstacleTo(parts: SessionParts, request: BringIn): ImportError | null {
  const { context, adapter, fromId, toId, forkOf } = request
  if (adapter.handMade === undefined)
    return { type: 'not_possible', message: `Sessions of ${adapter.id} cannot be copied.` }
  for (const id of [fromId, toId]) {
    if (!isUsableSessionId(id, adapter.sessionIdPattern))
      return { type: 'not_possible', message: `That is no session id of ${adapter.id}.` }
  }
  const user = userOf(parts, context.mailbox.id)
  if (user !== null) return { type: 'running', runId: user }
  const here = forkOf === null ? runWithSession(parts, context.mailbox, adapter.id, toId) : null
  return here === null ? null : { type: 'already_here', runId: here }
}

function storeRows(
  { store, clock, settings, personLogin }: SessionParts,
  { context, adapter, toId, fromId, forkOf }: BringIn,
  staged: StagedSession,
  uid: RunUid,
): LlmSession {
  const now = clock.now()
  const { mailbox, project } = context
  const { values } = settings.of(project)
  const name =
    mailbox.branchName ?? branchName({ prefix: values.BRANCH_PREFIX, iid: mailbox.iid, title: mailbox.title })
  if (mailbox.branchName === null) store.mailboxes.update(mailbox.id, { branchName: name }, now)
  const run = store.runs.add(
    {
      uid,
      mailboxId: mailbox.id,
      phase: 'terminal',
      trigger: 'import',
      requestedBy: personLogin,
      runner: 'container',
      adapter: adapter.id,
      provider: null,
      model: null,
      resumeChoice: 'fresh',
    },
    now,
  )
  if (run === null) throw new Error(`mailbox ${mailbox.id} has a run that nobody saw a moment ago`)
  const attempt = store.runs.addAttempt(run.id, now)
  store.runs.updateAttempt(attempt.id, { outcome: 'succeeded', endedAt: now })
  store.runs.update(run.id, { state: 'ended', outcome: 'succeeded', startedAt: now, endedAt: now })
  store.sessions.takeBack(mailbox.id, adapter.id, toId)
  store.sessions.clearSetAside(mailbox.id, adapter.id, toId)
  store.audit.add({
    at: now,
    who: personLogin,
    what: forkOf === null ? 'session imported' : 'memory forked',
    mailboxId: mailbox.id,
    runId: run.id,
    detail: { adapter: adapter.id, from: fromId, to: toId },
  })
  return store.sessions.add({
    ...nothingUsed,
    runId: run.id,
    attemptId: attempt.id,
    mailboxId: mailbox.id,
    adapter: adapter.id,
    sessionName: name,
    nativeSessionId: toId,
    mode: 'chosen_fresh',
    requestedSessionId: forkOf,
    stateBytesAfter: staged.bytes,
    createdAt: now,
    endedAt: now,
  })
}

/** No CLI ran: it is known that nothing was used. */
const nothingUsed = {
  provider: null,
  model: null,
  resumed: false,
  resumeFallback: null,
  chosenSessionId: null,
  stateBytesBefore: null,
  stateSavedAt: null,
  idSetAside: false,
  firstEventAt: null,
  inputTokens: 0,
  cachedTokens: 0,
  outputTokens: 0,
  costUsd: 0,
  contextUsed: null,
  contextMax: null,
  turns: 0,
  toolCalls: 0,
} as const

/** The agent that works on the issue next; null: none can. */
export function nextAdapter(parts: SessionParts, { project, mailbox }: MailboxContext) {
  const { store, settings, adapters, allowsDemonstration } = parts
  const phase = nextPhase(store, mailbox)
  const chosen = chooseAdapter({
    settings: settingsOfPhase(settings.of(project).values, phase),
    phase,
    project,
    installations: store.installations.list(),
    images: store.images.list(),
    adapters,
    allowsDemonstration,
  })
  return chosen.ok ? chosen.value : null
}

export function publish(
  { changes }: Pick<SessionParts, 'changes'>,
  { mailbox }: MailboxContext,
  runId: RunId,
): void {
  const mailboxId: MailboxId = mailbox.id
  changes.publish({ type: 'run', runId, mailboxId })
  changes.publish({ type: 'mailbox', mailboxId, projectId: mailbox.projectId })
}

/** A copy within the issue has an id of its own, so it is never there already. */
export const asRepairError = (error: ImportError | NotFound): RepairError | NotFound =>
  error.type === 'already_here' ? { type: 'running', runId: error.runId } : error
