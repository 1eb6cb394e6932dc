import type { ProjectId } from '@shared/model/ids'

export interface TrackerScreenProps {
  readonly projectId: ProjectId | null
  readonly iid: number | null
}

/** The built-in forge's issues: list with search, the chosen issue beside it. */
export function TrackerScreen({ projectId }: TrackerScreenProps) {
  return <main data-test="tracker-screen">{projectId}</main>
}
