import type { ProjectSummary } from '@shared/contract/mailboxes'
import type { ForgeKind } from '@shared/model/words'

export interface ProjectGroup {
  readonly key: string
  readonly organization: string
  readonly forgeKind: ForgeKind
  readonly forgeName: string
  readonly projects: readonly ProjectSummary[]
}

/** Projects by organization and forge, in the order in which they come. Organizations of one name on two forges stay apart. */
export function groupProjects(projects: readonly ProjectSummary[]): readonly ProjectGroup[] {
  const groups = new Map<string, ProjectGroup>()
  for (const project of projects) {
    const key = `${project.forgeName}/${project.organization}`
    const group = groups.get(key)
    groups.set(key, {
      key,
      organization: project.organization,
      forgeKind: project.forgeKind,
      forgeName: project.forgeName,
      projects: [...(group?.projects ?? []), project],
    })
  }
  return [...groups.values()]
}
