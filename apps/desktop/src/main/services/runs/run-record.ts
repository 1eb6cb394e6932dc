import type { RunId } from '@shared/model/ids'
import type { RunFolders } from '../../ports/run-folder'
import type { Clock } from '../../ports/clock'
import type { Store } from '../../ports/stores'
import type { DataPaths } from './data-paths'

export interface RunRecordParts {
  readonly store: Store
  readonly clock: Clock
  readonly paths: DataPaths
  readonly folders: Pick<RunFolders, 'writeRecord'>
}

/** Writes `run.json` at the top of the run's folder, so that a lost database can be read back in. */
export function writeRunRecord({ store, clock, paths, folders }: RunRecordParts, runId: RunId): void {
  const run = store.runs.get(runId)
  const mailbox = store.mailboxes.get(run.mailboxId)
  const project = store.forges.getProject(mailbox.projectId)
  folders.writeRecord(paths.run(run.uid), {
    version: 1,
    writtenAt: clock.now(),
    forge: store.forges.getForge(project.forgeId),
    organization: store.forges.getOrganization(project.organizationId),
    project,
    mailbox,
    run,
    attempts: store.runs.listAttempts(runId),
    sessions: store.sessions.listByRun(runId),
  })
}
