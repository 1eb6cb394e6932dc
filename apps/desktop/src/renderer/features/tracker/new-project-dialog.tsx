export interface NewProjectDialogProps {
  readonly isOpen: boolean
  readonly onOpenChange: (isOpen: boolean) => void
}

export function NewProjectDialog({ isOpen }: NewProjectDialogProps) {
  return isOpen ? <div data-test="new-project-dialog" /> : null
}
