import type { MailboxId, RunUid } from '@shared/model/ids'
import type { LlmSession, Run } from '@shared/model/records'
import type { NewRun, Store } from '@main/ports/stores'
import { createSystemRandomness } from '@main/adapters/system/system-randomness'

const { uuidV7 } = createSystemRandomness()

/** One mailbox of a project on the local forge; the project is added the first time. */
export function seedMailbox(store: Store, iid = 1): MailboxId {
  const forge =
    store.forges.findForgeByKind('local') ??
    store.forges.addForge(
      {
        kind: 'local',
        name: 'here',
        baseUrl: 'local:',
        caFile: null,
        accountId: '1',
        accountLogin: 'alfred',
      },
      1,
    )
  const organization =
    store.forges.findOrganization(forge.id, 'harbour') ?? store.forges.addOrganization(forge.id, 'harbour', 1)
  const place = {
    organizationId: organization.id,
    slug: 'pier',
    defaultBranch: 'main',
    isDemo: true,
    isWatched: true,
  }
  const project = store.forges.findProject(organization.id, 'pier') ?? store.forges.addProject(place, 1)
  return store.mailboxes.ensure({ projectId: project.id, kind: 'issue', iid, title: `Issue ${iid}` }, 1).id
}

/** A queued run; throws when the mailbox has one that is live. */
export function seedRun(store: Store, mailboxId: MailboxId, more: Partial<NewRun> = {}, at = 10): Run {
  const request: NewRun = {
    uid: uuidV7() as RunUid,
    mailboxId,
    phase: 'analysis',
    trigger: 'assigned',
    requestedBy: null,
    runner: 'container',
    adapter: 'demo',
    provider: null,
    model: null,
    resumeChoice: 'auto',
    ...more,
  }
  const run = store.runs.add(request, at)
  if (run === null) throw new Error(`mailbox ${mailboxId} has a live run`)
  return run
}

/** A run that has ended, with one attempt and the session of it. */
export function seedEndedRun(
  store: Store,
  mailboxId: MailboxId,
  session: Partial<LlmSession> = {},
): LlmSession {
  const run = seedRun(store, mailboxId, session.adapter === undefined ? {} : { adapter: session.adapter })
  const added = seedSession(store, run, session)
  store.runs.update(run.id, { state: 'ended', outcome: 'succeeded', endedAt: 20 })
  return added
}

/** A session in a new attempt of the run. */
export function seedSession(store: Store, run: Run, more: Partial<LlmSession> = {}): LlmSession {
  const attempt = store.runs.addAttempt(run.id, run.createdAt)
  return store.sessions.add({
    runId: run.id,
    attemptId: attempt.id,
    mailboxId: run.mailboxId,
    adapter: run.adapter,
    provider: null,
    model: null,
    sessionName: 'agent/issue-1-a',
    nativeSessionId: null,
    resumed: false,
    resumeFallback: null,
    mode: 'fresh',
    requestedSessionId: null,
    chosenSessionId: null,
    stateBytesBefore: null,
    stateBytesAfter: null,
    stateSavedAt: null,
    idSetAside: false,
    firstEventAt: null,
    inputTokens: null,
    cachedTokens: null,
    outputTokens: null,
    costUsd: null,
    contextUsed: null,
    contextMax: null,
    turns: null,
    toolCalls: null,
    createdAt: run.createdAt,
    endedAt: null,
    ...more,
  })
}
