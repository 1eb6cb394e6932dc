import type { MailboxId, ProjectId, RunId, RunUid } from '@shared/model/ids'
import type { LlmSession } from '@shared/model/records'
import type { AdapterId, Phase, Status } from '@shared/model/words'
import { createSystemRandomness } from '@main/adapters/system/system-randomness'
import type { Store } from '@main/ports/stores'

export interface SeedSize {
  readonly mailboxes: number
  /** Over all mailboxes, dealt out in turn; all have ended. */
  readonly runs: number
  /** Of each run; one session for each. */
  readonly attempts: number
  /** Over all runs, dealt out in turn. */
  readonly events: number
  /** How many mailboxes have one more run that is live. */
  readonly live?: number
}

export interface Seeded {
  readonly projectIds: readonly ProjectId[]
  readonly mailboxIds: readonly MailboxId[]
  readonly firstRunId: RunId
  readonly lastRunId: RunId
}

/** The first moment of the seeded history; a run per second after it. */
const begin = Date.UTC(2026, 0, 1)
const rowsPerTransaction = 5_000
const projects = 20

const phases: readonly Phase[] = ['analysis', 'development', 'ci_fix', 'review_fix']
const statuses: readonly (Status | null)[] = [
  'done',
  'in_review',
  'in_ci',
  'waiting_validation',
  'blocked',
  null,
]
const adapters: readonly AdapterId[] = ['claude-code', 'codex', 'opencode']

/** Fills a store through its own methods with a believable history of any length. The same size, the same rows. */
export function seedStore(store: Store, size: SeedSize): Seeded {
  const projectIds = seedProjects(store)
  const mailboxIds = seedMailboxes(store, projectIds, size.mailboxes)
  const runIds = seedRuns(store, mailboxIds, size)
  seedEvents(store, runIds, size.events)
  seedLive(store, mailboxIds, size.live ?? 0)
  return { projectIds, mailboxIds, firstRunId: at(runIds, 0), lastRunId: at(runIds, runIds.length - 1) }
}

function seedProjects(store: Store): readonly ProjectId[] {
  return store.transaction(() => {
    const forge = store.forges.addForge(
      {
        kind: 'local',
        name: 'seeded',
        baseUrl: 'local:',
        caFile: null,
        accountId: '1',
        accountLogin: 'alfred',
      },
      begin,
    )
    const organization = store.forges.addOrganization(forge.id, 'harbour', begin)
    return Array.from({ length: projects }, (_, index) => {
      const project = { slug: `pier-${index}`, defaultBranch: 'main', isDemo: false, isWatched: true }
      return store.forges.addProject({ ...project, organizationId: organization.id }, begin).id
    })
  })
}

function seedMailboxes(store: Store, projectIds: readonly ProjectId[], count: number): readonly MailboxId[] {
  return inSteps(store, count, (index) => {
    const iid = Math.floor(index / projectIds.length) + 1
    const title = `Load crates at pier ${index} without the crane ${index % 7}`
    const projectId = at(projectIds, index)
    const { id } = store.mailboxes.ensure({ projectId, kind: 'issue', iid, title }, begin + index)
    // Of an old tracker nine out of ten issues are closed.
    const isOpen = index % 10 === 9
    const status = isOpen ? at(statuses, index) : 'done'
    const needsYou = isOpen && status === 'waiting_validation' ? 'validate_plan' : null
    store.mailboxes.update(
      id,
      { branchName: `agent/issue-${iid}-load-crates`, status, isOpen, needsYou },
      begin + index * 1000,
    )
    // Long ago: nobody is told again.
    store.mailboxes.tell(id, needsYou)
    return id
  })
}

function seedRuns(store: Store, mailboxIds: readonly MailboxId[], size: SeedSize): readonly RunId[] {
  const { uuidV4, uuidV7 } = createSystemRandomness()
  const memories = new Map<MailboxId, string>()
  return inSteps(store, size.runs, (index) => {
    const mailboxId = at(mailboxIds, index)
    const adapter = at(adapters, Math.floor(index / mailboxIds.length / 5))
    const startedAt = begin + index * 1000
    const request = {
      uid: uuidV7() as RunUid,
      mailboxId,
      phase: at(phases, index),
      trigger: 'assigned',
    } as const
    const more = {
      requestedBy: null,
      runner: 'container',
      adapter,
      provider: null,
      model: 'large',
      resumeChoice: 'auto',
    } as const
    const run = store.runs.add({ ...request, ...more }, startedAt)
    if (run === null) throw new Error(`mailbox ${mailboxId} has a live run`)
    for (let number = 1; number <= size.attempts; number += 1) {
      const attempt = store.runs.addAttempt(run.id, startedAt)
      const asked = memories.get(mailboxId) ?? null
      const native = index % 11 === 0 || asked === null ? uuidV4() : asked
      memories.set(mailboxId, native)
      const ids = { runId: run.id, attemptId: attempt.id, mailboxId, adapter }
      store.sessions.add(toSession(ids, asked, native, index, startedAt))
      store.runs.updateAttempt(attempt.id, { outcome: 'succeeded', endedAt: startedAt + 900 })
    }
    store.runs.update(run.id, { state: 'ended', outcome: 'succeeded', startedAt, endedAt: startedAt + 900 })
    return run.id
  })
}

type SessionIds = Pick<LlmSession, 'runId' | 'attemptId' | 'mailboxId' | 'adapter'>

function toSession(
  ids: SessionIds,
  asked: string | null,
  native: string,
  index: number,
  at: number,
): Omit<LlmSession, 'id'> {
  return {
    ...ids,
    provider: null,
    model: 'large',
    sessionName: 'agent/issue-1-load-crates',
    nativeSessionId: native,
    resumed: asked === native,
    resumeFallback: asked === native ? null : asked === null ? 'no_prior_session' : 'state_missing',
    mode: asked === null ? 'fresh' : 'resume',
    requestedSessionId: asked,
    chosenSessionId: asked === null ? native : null,
    stateBytesBefore: asked === null ? null : 100_000 + index,
    stateBytesAfter: 110_000 + index,
    stateSavedAt: at,
    idSetAside: false,
    firstEventAt: at + 10,
    inputTokens: 12_000,
    cachedTokens: 9_000,
    outputTokens: 800,
    // Some CLIs do not tell what a run costs.
    costUsd: index % 5 === 0 ? null : 0.25,
    contextUsed: 61_000,
    contextMax: 200_000,
    turns: 4,
    toolCalls: 12,
    createdAt: at,
    endedAt: at + 900,
  }
}

function seedEvents(store: Store, runIds: readonly RunId[], count: number): void {
  if (runIds.length === 0) return
  const each = Math.floor(count / runIds.length)
  const rest = count % runIds.length
  const batch = Math.max(1, Math.floor(rowsPerTransaction / Math.max(each, 1)))
  for (let from = 0; from < runIds.length; from += batch) {
    store.transaction(() => {
      runIds.slice(from, from + batch).forEach((runId, offset) => {
        const index = from + offset
        const length = each + (index < rest ? 1 : 0)
        if (length > 0)
          store.events.append(
            runId,
            Array.from({ length }, (_, seq) => seedEvent(index, seq)),
          )
      })
    })
  }
}

/** The how manyth event of a run; both from 0. */
export const seedEvent = (run: number, seq: number) => ({
  at: begin + run * 1000 + seq,
  kind: seq % 3 === 0 ? ('tool' as const) : ('text' as const),
  payload: {
    text: `Event ${seq} of run ${run}: the crates are at the pier, the crane is being repaired until Thursday.`,
  },
})

function seedLive(store: Store, mailboxIds: readonly MailboxId[], count: number): void {
  const { uuidV7 } = createSystemRandomness()
  inSteps(store, count, (index) => {
    const request = {
      uid: uuidV7() as RunUid,
      mailboxId: at(mailboxIds, index),
      phase: 'development',
      trigger: 'retry',
    } as const
    const more = {
      requestedBy: null,
      runner: 'container',
      adapter: 'codex',
      provider: null,
      model: null,
      resumeChoice: 'auto',
    } as const
    const run = store.runs.add({ ...request, ...more }, begin)
    if (run !== null && index % 2 === 0) store.runs.update(run.id, { state: 'running', startedAt: begin })
  })
}

/** Calls `make` for 0, 1, ... in a few long transactions. */
function inSteps<T>(store: Store, count: number, make: (index: number) => T): readonly T[] {
  const made: T[] = []
  while (made.length < count) {
    store.transaction(() => {
      const end = Math.min(count, made.length + rowsPerTransaction)
      while (made.length < end) made.push(make(made.length))
    })
  }
  return made
}

function at<T>(list: readonly T[], index: number): T {
  const item = list[index % list.length]
  if (item === undefined) throw new Error('nothing to choose from')
  return item
}
