import type { z } from 'zod'
import type { FoundSession, sessionsContract } from '@shared/contract/sessions'
import type { OutputOf } from '@shared/contract/define'
import type { MailboxId, SessionId } from '@shared/model/ids'
import type { LlmSession, PriorSession } from '@shared/model/records'
import type { AdapterId } from '@shared/model/words'
import { formatBytes } from '@shared/format'
import { err, ok, type Result } from '@shared/result'
import { sessionOffWords } from '@shared/timeline/row-sentence'
import type { AgentAdapter } from '../../ports/agent-adapter'
import type { FoundSession as SessionOfFinder } from '../../ports/hand-made-sessions'
import { isDemonstration } from '../runs/choose-adapter'
import { writeRunRecord } from '../runs/run-record'
import { asRepairError, bringIn, nextAdapter, publish } from './bring-in-session'
import { lookAtMemory } from './session-memory'
import {
  contextOf,
  runWithSession,
  userOf,
  whyOff,
  type MailboxContext,
  type SessionParts,
} from './session-parts'

/*
 * What a person does with sessions by hand: find those made outside of Alfred and bind them to an issue, drop a memory,
 * fork one. Retrying one is a run, see `services/runs`.
 */

type Contract = typeof sessionsContract
type NotFound = { readonly type: 'not_found'; readonly what: string }
type Answer<N extends 'find' | 'import' | 'drop' | 'fork'> = Promise<
  Result<OutputOf<Contract[N]>, z.infer<Contract[N]['error']> | NotFound>
>

export interface SessionService {
  show(id: SessionId): Promise<OutputOf<Contract['show']> | null>
  /** Adapters whose sessions can be found, and why those of one cannot be bound. */
  finders(mailboxId: MailboxId): Promise<OutputOf<Contract['finders']>>
  /** With `only`, one session alone. */
  find(mailboxId: MailboxId, adapter: AdapterId, folder: string, only: string | null): Answer<'find'>
  import(mailboxId: MailboxId, adapter: AdapterId, folder: string, nativeId: string): Answer<'import'>
  drop(id: SessionId): Answer<'drop'>
  fork(id: SessionId): Answer<'fork'>
}

export function createSessionService(parts: SessionParts): SessionService {
  const { store } = parts
  return {
    async show(id) {
      const record = store.sessions.find(id)
      return record === null ? null : { record, memory: await lookAtMemory(parts, record) }
    },
    async finders(mailboxId) {
      const context = contextOf(parts, mailboxId)
      if (context === null) return []
      return Promise.all(
        findable(parts, context).map(async (adapter) => {
          const off = await whyOff(parts, context, adapter)
          return {
            adapter: adapter.id,
            obstacle: off === null ? null : `No run of this issue would resume it: ${sessionOffWords[off]}.`,
          }
        }),
      )
    },
    async find(mailboxId, adapterId, folder, only) {
      const target = targetOf(parts, mailboxId, adapterId)
      if (!target.ok) return target
      const { context, adapter } = target.value
      const found = await parts.handMade.find(adapter, folder, only)
      if (!found.ok) return found
      const { sessions, isCut } = found.value
      const full = await whyNoMore(parts, context, adapter)
      return ok({
        sessions: sessions.map((session) => {
          const one = toFound(parts, context, adapter, session)
          return { ...one, obstacle: one.obstacle ?? full }
        }),
        isCut,
      })
    },
    async import(mailboxId, adapterId, folder, nativeId) {
      const target = targetOf(parts, mailboxId, adapterId)
      if (!target.ok) return target
      return bringIn(parts, { ...target.value, folder, fromId: nativeId, toId: nativeId, forkOf: null })
    },
    drop: (id) => drop(parts, id),
    fork: (id) => fork(parts, id),
  }
}

function findable({ adapters, allowsDemonstration }: SessionParts, { project }: MailboxContext) {
  const isAllowed = (id: AdapterId): boolean => project.isDemo || allowsDemonstration || !isDemonstration(id)
  return adapters.all().filter(({ id, handMade }) => handMade !== undefined && isAllowed(id))
}

function targetOf(
  parts: SessionParts,
  mailboxId: MailboxId,
  adapterId: AdapterId,
): Result<{ readonly context: MailboxContext; readonly adapter: AgentAdapter }, NotFound> {
  const context = contextOf(parts, mailboxId)
  if (context === null) return err({ type: 'not_found', what: `mailbox ${mailboxId}` })
  const adapter = findable(parts, context).find(({ id }) => id === adapterId)
  if (adapter === undefined)
    return err({
      type: 'not_found',
      what: `session of ${adapterId} to bind: it keeps none that can be copied`,
    })
  return ok({ context, adapter })
}

/** Two databases cannot be made one: where a CLI keeps all sessions in one, an issue that has it takes no other. */
async function whyNoMore(
  { states, paths }: SessionParts,
  context: MailboxContext,
  { id, handMade }: AgentAdapter,
): Promise<string | null> {
  if (handMade?.kind !== 'database') return null
  const { bytes } = await states.look(paths.sessionState(context, id), handMade.target)
  return bytes === null
    ? null
    : `${id} keeps all sessions of an issue in one database, and this issue has one: no other can be added.`
}

function toFound(
  parts: SessionParts,
  { mailbox }: MailboxContext,
  adapter: AgentAdapter,
  { isTooLarge, lacks, ...session }: SessionOfFinder,
): FoundSession {
  const here = runWithSession(parts, mailbox, adapter.id, session.nativeId)
  const obstacle = (): string | null => {
    if (here !== null) return `It is this issue's already, since run ${here}.`
    if (isTooLarge) return `It is too large to be copied (${formatBytes(session.bytes)}).`
    return lacks === null
      ? null
      : `${lacks} is gone or cannot be read, and without it ${adapter.id} opens no session.`
  }
  return { adapter: adapter.id, ...session, obstacle: obstacle() }
}

interface Known {
  readonly context: MailboxContext
  readonly row: LlmSession
  readonly nativeId: string
}

type Refusal = z.infer<Contract['drop']['error']> | NotFound

/** A memory that is there and that nobody uses now. */
function knownMemory(parts: SessionParts, id: SessionId): Result<Known, Refusal> {
  const row = parts.store.sessions.find(id)
  const context = row === null ? null : contextOf(parts, row.mailboxId)
  if (row === null || context === null) return err({ type: 'not_found', what: `session ${id}` })
  if (row.nativeSessionId === null)
    return err({
      type: 'not_possible',
      message: 'No id was reported for this session, so it left no memory.',
    })
  const { memoryRemovedAt } = context.mailbox
  if (memoryRemovedAt !== null && row.createdAt <= memoryRemovedAt)
    return err({ type: 'memory_removed', at: memoryRemovedAt })
  const user = userOf(parts, row.mailboxId)
  if (user !== null) return err({ type: 'running', runId: user })
  return ok({ context, row, nativeId: row.nativeSessionId })
}

async function drop(parts: SessionParts, id: SessionId): Answer<'drop'> {
  const { store, clock, personLogin } = parts
  const of = store.sessions.find(id)
  // Somebody may have made room by hand.
  if (of !== null) await parts.folders.prepare(parts.paths.run(store.runs.get(of.runId).uid))
  const dropped = store.transaction((): Result<Known, Refusal> => {
    const known = knownMemory(parts, id)
    if (!known.ok) return known
    const { row, nativeId } = known.value
    const now = clock.now()
    store.sessions.drop(row.mailboxId, row.adapter, nativeId, now)
    store.audit.add({
      at: now,
      who: personLogin,
      what: 'memory dropped',
      mailboxId: row.mailboxId,
      runId: row.runId,
      detail: { adapter: row.adapter, id: nativeId },
    })
    // What is dropped stays so when the database is lost.
    writeRunRecord(parts, row.runId)
    return known
  })
  if (!dropped.ok) return dropped
  const { context, row } = dropped.value
  publish(parts, context, row.runId)
  return ok({ nextSessionId: nextMemory(parts, context, row.adapter)?.id ?? null })
}

/** What the next run asks for by itself; null: it starts fresh. */
function nextMemory(parts: SessionParts, context: MailboxContext, dropped: AdapterId): PriorSession | null {
  const { sessions } = parts.store
  const adapter = nextAdapter(parts, context) ?? dropped
  const prior = sessions.findPrior(context.mailbox.id, adapter, null)
  if (prior === null || prior.nativeSessionId === null) return null
  return sessions.findSetAside(context.mailbox.id, adapter, prior.nativeSessionId) === null ? prior : null
}

async function fork(parts: SessionParts, id: SessionId): Answer<'fork'> {
  const known = knownMemory(parts, id)
  if (!known.ok) return known
  const { context, row, nativeId } = known.value
  const adapter = parts.adapters.find(row.adapter)
  const handMade = adapter?.handMade
  if (adapter == null || handMade === undefined)
    return err({ type: 'not_possible', message: `Sessions of ${row.adapter} cannot be copied.` })
  const uuid = parts.randomness.uuidV4()
  const made = await bringIn(parts, {
    context,
    adapter,
    folder: parts.paths.sessionState(context, adapter.id),
    fromId: nativeId,
    toId: handMade.kind === 'database' ? handMade.forkId(nativeId, uuid) : uuid,
    forkOf: nativeId,
  })
  return made.ok ? made : err(asRepairError(made.error))
}
