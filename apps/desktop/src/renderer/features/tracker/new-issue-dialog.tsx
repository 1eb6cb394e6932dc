import type { ProjectId } from '@shared/model/ids'

export interface NewIssueDialogProps {
  readonly isOpen: boolean
  readonly onOpenChange: (isOpen: boolean) => void
  /** Chosen first; null: the first project of the built-in forge. */
  readonly projectId: ProjectId | null
}

export function NewIssueDialog({ isOpen }: NewIssueDialogProps) {
  return isOpen ? <div data-test="new-issue-dialog" /> : null
}
