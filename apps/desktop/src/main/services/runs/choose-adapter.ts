import { err, ok, type Result } from '@shared/result'
import type { Project } from '@shared/model/records'
import type { SettingValues } from '@shared/model/settings'
import type { AdapterId } from '@shared/model/words'
import type { Installation } from '../../ports/stores'

export interface NoAgent {
  readonly type: 'no_agent'
  readonly message: string
}

/** For demos and tests: a real project never gets one by itself. */
const demonstrationAdapters: readonly AdapterId[] = ['demo', 'fake']

interface Facts {
  readonly settings: Pick<SettingValues, 'AGENT_ADAPTER' | 'AGENT_RUNNER'>
  readonly project: Pick<Project, 'isDemo'>
  readonly installations: readonly Installation[]
  /** Tests let every project use them. */
  readonly allowsDemonstration: boolean
}

/** The adapter of a run: the one that the settings name, else the first that is installed where runs execute. */
export function chooseAdapter({
  settings,
  project,
  installations,
  allowsDemonstration,
}: Facts): Result<AdapterId, NoAgent> {
  const isAllowed = (id: AdapterId): boolean =>
    project.isDemo || allowsDemonstration || !demonstrationAdapters.includes(id)
  const named = settings.AGENT_ADAPTER
  if (named !== null) {
    return isAllowed(named)
      ? ok(named)
      : err({
          type: 'no_agent',
          message: `The adapter ${named} only works in the demo project. Name another one in AGENT_ADAPTER.`,
        })
  }
  const installed = installations.find(
    ({ adapter, runner, version }) =>
      version !== null && runner === settings.AGENT_RUNNER && isAllowed(adapter),
  )
  return installed === undefined
    ? err({
        type: 'no_agent',
        message: 'No agent CLI is installed where runs execute. The doctor says which ones were looked for.',
      })
    : ok(installed.adapter)
}
