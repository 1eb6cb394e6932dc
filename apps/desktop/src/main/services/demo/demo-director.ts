import { shortId } from '@shared/format'
import type { Mailbox } from '@shared/model/records'
import type { AgentAdapters } from '../../ports/agent-adapter'
import type { Clock } from '../../ports/clock'
import type { SessionStates } from '../../ports/session-state'
import type { Store } from '../../ports/stores'
import type { Tracker } from '../../ports/tracker'
import type { DataPaths } from '../runs/data-paths'
import type { ChangeFeed } from '../status/change-feed'
import { forgetfulIid } from './demo-content'
import { findDemoProject } from './demo-service'

/*
 * Directs the second demo issue: once its plan waits, its session state is taken away, visibly, and the plan validated.
 * It keeps nothing in memory, so a restart in the middle changes nothing.
 */

interface Parts {
  readonly store: Store
  readonly clock: Clock
  /** Takes a look that is under way, so that it is over before the database is closed. */
  readonly keep: (look: Promise<void>) => void
  readonly tracker: Tracker
  readonly adapters: AgentAdapters
  readonly states: SessionStates
  readonly paths: DataPaths
  readonly changes: ChangeFeed
  readonly onIssueChanged: (mailbox: Mailbox) => void
}

export function startDemoDirector(parts: Parts): () => void {
  let isBusy = false
  const look = async (): Promise<void> => {
    if (isBusy) return
    isBusy = true
    try {
      await direct(parts)
    } finally {
      isBusy = false
    }
  }
  parts.keep(look())
  return parts.changes.subscribe((events) => {
    if (events.some((event) => event.type === 'mailbox')) parts.keep(look())
  })
}

async function direct(parts: Parts): Promise<void> {
  const { store, tracker } = parts
  const project = findDemoProject(store)
  const mailbox = project === null ? null : store.mailboxes.find(project.id, 'issue', forgetfulIid)
  if (mailbox?.status !== 'waiting_validation' || store.runs.findLive(mailbox.id) !== null) return
  // The plan is posted first, so that the issue reads in the order in which things happened.
  if (store.outbox.listByMailbox(mailbox.id).some(({ state }) => state === 'waiting' || state === 'sending'))
    return
  await loseState(parts, mailbox)
  const labelled = await tracker.addLabel(mailbox, 'ai::validate_plan')
  if (labelled.ok) parts.onIssueChanged(mailbox)
}

/** Only once: a file that is gone already was taken away before a restart. */
async function loseState(parts: Parts, mailbox: Mailbox): Promise<void> {
  const { store, clock, tracker, adapters, states, paths, changes } = parts
  const session = store.sessions.findPriorOfAnyAdapter(mailbox.id, null)
  const adapter = session === null ? null : adapters.find(session.adapter)
  if (session?.nativeSessionId == null || adapter === null) return
  const file = adapter.sessionFile(session.nativeSessionId)
  const project = store.forges.getProject(mailbox.projectId)
  const organization = store.forges.getOrganization(project.organizationId)
  if (
    file === null ||
    !(await states.removeFile(paths.sessionState({ organization, project, mailbox }, adapter.id), file))
  )
    return

  const id = shortId(session.nativeSessionId)
  const text = `The demo took the memory of this issue away on purpose: the state of session ${id} is deleted.`
  store.events.append(session.runId, [{ at: clock.now(), kind: 'notice', payload: { text } }])
  store.audit.add({
    at: clock.now(),
    who: 'demo',
    what: 'session state removed',
    mailboxId: mailbox.id,
    runId: session.runId,
    detail: { nativeId: session.nativeSessionId },
  })
  changes.publish({ type: 'run', runId: session.runId, mailboxId: mailbox.id })
  await tracker.comment(
    mailbox,
    `${text} The development that follows asks for it, finds it gone and starts fresh, and the timeline says so.`,
  )
}
