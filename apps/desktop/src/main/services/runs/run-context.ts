import { assertPresent } from '@shared/assert'
import type { Mailbox, Organization, Project, Run } from '@shared/model/records'
import type { SettingValues } from '@shared/model/settings'
import type { RunId } from '@shared/model/ids'
import type { ResolvedSettings } from '../../core/settings/resolve-settings'
import type { AgentAdapter, AgentAdapters } from '../../ports/agent-adapter'
import type { Store } from '../../ports/stores'
import type { SettingReader } from '../settings/setting-values'
import type { DataPaths } from './data-paths'

/*
 * Everything about a run that its rows and the settings say: the same after a restart as before.
 */

export interface RunContext {
  readonly run: Run
  readonly mailbox: Mailbox
  readonly project: Project
  readonly organization: Organization
  readonly resolved: ResolvedSettings
  readonly settings: SettingValues
  readonly adapter: AgentAdapter
  readonly statePath: string
  readonly workspacePath: string
  readonly repositoryPath: string
  /** Read-only phases leave no branch behind. */
  readonly isReadOnly: boolean
  /** How long it may work. */
  readonly timeoutMs: number
}

interface Parts {
  readonly store: Store
  readonly settings: SettingReader
  readonly adapters: AgentAdapters
  readonly paths: DataPaths
}

export function loadRunContext({ store, settings, adapters, paths }: Parts, runId: RunId): RunContext {
  const run = store.runs.get(runId)
  const mailbox = store.mailboxes.get(run.mailboxId)
  const project = store.forges.getProject(mailbox.projectId)
  const organization = store.forges.getOrganization(project.organizationId)
  const resolved = settings.of(project)
  const adapter = assertPresent(adapters.find(run.adapter), `a run was queued for the adapter ${run.adapter}`)
  const place = { organization, project, mailbox }
  return {
    run,
    mailbox,
    project,
    organization,
    resolved,
    settings: resolved.values,
    adapter,
    statePath: paths.sessionState(place, adapter.id),
    workspacePath: paths.workspace(place),
    repositoryPath: paths.repository(place),
    isReadOnly: run.phase === 'analysis' || run.phase === 'answer',
    timeoutMs: run.phase === 'terminal' ? resolved.values.TERMINAL_LIMIT : resolved.values.RUN_TIMEOUT,
  }
}
