import type { RunId } from '@shared/model/ids'
import type { DroppedId, LlmSession, RunStart } from '@shared/model/records'
import type { RecordedPlan, RecordedStart, RecordedTalk } from '../../core/restore/run-record'
import type { RunFolders } from '../../ports/run-folder'
import type { Clock } from '../../ports/clock'
import type { Logger } from '../../ports/logger'
import type { Store, StoredPlan } from '../../ports/stores'
import type { DataPaths } from './data-paths'

export interface RunRecordParts {
  readonly store: Store
  readonly clock: Clock
  readonly paths: DataPaths
  readonly folders: Pick<RunFolders, 'writeRecord'>
}

/** Of a turn that waits for its start: what a person said is in its folder from the beginning. */
export async function keepRecordOfTurn(
  parts: RunRecordParts & {
    readonly folders: Pick<RunFolders, 'prepare' | 'writeRecord'>
    readonly logger: Pick<Logger, 'warn'>
  },
  runId: RunId,
): Promise<void> {
  try {
    await parts.folders.prepare(parts.paths.run(parts.store.runs.get(runId).uid))
    writeRunRecord(parts, runId)
  } catch (error) {
    // It is written once more when the turn starts.
    parts.logger.warn('the record of a turn was not written', { run: runId, why: String(error) })
  }
}

/** Writes `run.json` at the top of the run's folder, so that a lost database can be read back in. */
export function writeRunRecord({ store, clock, paths, folders }: RunRecordParts, runId: RunId): void {
  const run = store.runs.get(runId)
  const mailbox = store.mailboxes.get(run.mailboxId)
  const project = store.forges.getProject(mailbox.projectId)
  const attempts = store.runs.listAttempts(runId)
  const plan = store.plans.find(mailbox.id)
  const sessions = store.sessions.listByRun(runId)
  folders.writeRecord(paths.run(run.uid), {
    version: 1,
    writtenAt: clock.now(),
    forge: store.forges.getForge(project.forgeId),
    organization: store.forges.getOrganization(project.organizationId),
    project,
    mailbox,
    run,
    attempts,
    sessions,
    figures: sessions.flatMap(({ id }) => store.sessions.figuresOf(id)),
    spendings: sessions.flatMap(({ id }) => store.sessions.spendingsOf(id)),
    dropped: droppedOf(store, sessions),
    talk: talkOf(store, runId),
    installId: store.installId(),
    starts: attempts.flatMap(({ id }) => store.runs.listStarts(id).map(toRecordedStart)),
    plan: plan?.runId === runId ? toRecordedPlan(plan) : null,
    place: store.forges.placeOf(project.id),
  })
}

function talkOf({ chats, sessions, runs }: Store, runId: RunId): RecordedTalk | null {
  const asked = chats.findMessage(runId, 'person')
  const thread = asked === null ? null : chats.findThread(asked.threadId)
  if (asked === null || thread === null) return null
  const answered = chats.findMessage(runId, 'agent')
  const { title, createdAt, isFresh, anchorSessionId } = thread
  const files = chats.listAttachments(thread.id).filter((file) => file.runId === runId)
  return {
    title,
    createdAt,
    isFresh,
    anchorRunUid: runs.get(sessions.get(anchorSessionId).runId).uid,
    messages: (answered === null ? [asked] : [asked, answered]).map((message) => ({
      role: message.role,
      state: message.state,
      text: message.text,
      createdAt: message.createdAt,
      ...(message === asked && files.length > 0 && { files: files.map(({ name }) => name) }),
    })),
  }
}

function droppedOf({ sessions: store }: Store, sessions: readonly LlmSession[]): readonly DroppedId[] {
  return sessions.flatMap(({ mailboxId, adapter, nativeSessionId }) => {
    const at = nativeSessionId === null ? null : store.droppedAt(mailboxId, adapter, nativeSessionId)
    return nativeSessionId === null || at === null ? [] : [{ adapter, nativeSessionId, droppedAt: at }]
  })
}

/** Its container and the read positions are found again from the start's own name and files. */
const toRecordedStart = ({
  id,
  attemptId,
  number,
  kind,
  askedSessionId,
  exitCode,
  startedAt,
  endedAt,
}: RunStart): RecordedStart => ({
  id,
  attemptId,
  number,
  kind,
  askedSessionId,
  exitCode,
  startedAt,
  endedAt,
})

const toRecordedPlan = ({ functionalAnalysis, plan, issueSha256, createdAt }: StoredPlan): RecordedPlan => ({
  functionalAnalysis,
  plan,
  issueSha256,
  createdAt,
})
