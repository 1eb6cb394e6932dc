import type { ProjectId } from '@shared/model/ids'
import type { Project } from '@shared/model/records'
import type { SettingValues } from '@shared/model/settings'
import { appPlace, resolveSettings, type ResolvedSettings } from '../../core/settings/resolve-settings'
import type { Store } from '../../ports/stores'

/** What is in force, read anew each time: a changed setting holds from the next question on. */
export interface SettingReader {
  app(): SettingValues
  of(project: Project): ResolvedSettings
  ofProject(id: ProjectId): ResolvedSettings
}

export function createSettingReader(store: Store): SettingReader {
  const of = (project: Project): ResolvedSettings =>
    resolveSettings(store.settings.list(), { organizationId: project.organizationId, projectId: project.id })
  return {
    app: () => resolveSettings(store.settings.list(), appPlace).values,
    of,
    ofProject: (id) => of(store.forges.getProject(id)),
  }
}
