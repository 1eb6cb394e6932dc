import type { ProjectId } from '@shared/model/ids'

export interface IssuePanelProps {
  readonly projectId: ProjectId
  readonly iid: number
}

/** The issue itself, for the built-in forge: text, labels, people, comments, change. Fills a pane. */
export function IssuePanel({ projectId, iid }: IssuePanelProps) {
  return <div data-test="issue-panel">{`${projectId} ${iid}`}</div>
}
